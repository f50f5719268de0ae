//! Filters, told by the rows that they leave.

use std::rc::Rc;

use super::{Filter, term};
use crate::model::table::{
    cell::{Cell, Tone},
    column::Column,
    row::{Owner, Row},
};

const NOW: i64 = 1_794_000_000_000;

fn columns() -> Vec<Column> {
    let titles = ["NAME", "READY", "STATUS", "RESTARTS", "AGE", "CAPACITY", "NOMINATED NODE", "PORT(S)", "NODE"];
    titles.iter().map(|title| Column { title: (*title).into(), wide: *title == "NODE", numeric: false }).collect()
}

struct Pod {
    name: &'static str,
    namespace: &'static str,
    status: &'static str,
    ready: [u32; 2],
    restarts: u32,
    seconds: i64,
    node: &'static str,
    labels: &'static [(&'static str, &'static str)],
}

const PODS: [Pod; 4] = [
    Pod {
        name: "web-1",
        namespace: "shop",
        status: "Running",
        ready: [1, 1],
        restarts: 0,
        seconds: 60,
        node: "worker-1",
        labels: &[("app", "web"), ("tier", "front"), ("app.kubernetes.io/name", "web")],
    },
    Pod {
        name: "web-2",
        namespace: "shop",
        status: "CrashLoopBackOff",
        ready: [0, 1],
        restarts: 12,
        seconds: 3 * 3600,
        node: "worker-2",
        labels: &[("app", "web"), ("canary", ""), ("status", "x"), ("weight", "7")],
    },
    Pod {
        name: "db-0",
        namespace: "data",
        status: "Running",
        ready: [1, 2],
        restarts: 3,
        seconds: 5 * 86_400,
        node: "worker-1",
        labels: &[("app", "db"), ("tier", "db")],
    },
    Pod {
        name: "job-x",
        namespace: "data",
        status: "Completed",
        ready: [0, 1],
        restarts: 0,
        seconds: 86_400,
        node: "<none>",
        labels: &[],
    },
];

fn rows() -> Vec<Row> {
    let of_pod = |pod: &Pod| Row {
        uid: pod.name.into(),
        version: "1".into(),
        namespace: pod.namespace.into(),
        name: pod.name.into(),
        labels: pod.labels.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect::<Rc<[_]>>(),
        owner: pod.name.split_once('-').map(|(owner, _)| Owner {
            kind: "ReplicaSet".into(),
            name: owner.into(),
            uid: owner.into(),
        }),
        created: Some(NOW - pod.seconds * 1000),
        tone: Tone::Quiet,
        load: Default::default(),
        life: None,
        cells: Box::new([
            Cell::Text(pod.name.into()),
            Cell::Ratio { part: pod.ready[0], of: pod.ready[1] },
            Cell::Status(pod.status.into(), Tone::Quiet),
            Cell::Restarts { count: pod.restarts, last: (pod.restarts > 0).then_some(NOW - 300_000) },
            Cell::Age(Some(NOW - pod.seconds * 1000)),
            Cell::Quantity(format!("{}Gi", pod.seconds).as_str().into(), pod.seconds as f64 * 1_073_741_824.0),
            Cell::Text("<none>".into()),
            Cell::Text("80/TCP, 443/TCP".into()),
            Cell::Text(pod.node.into()),
        ]),
    };
    PODS.iter().map(of_pod).collect()
}

fn left(filter: &Filter) -> String {
    let rows = rows();
    let names: Vec<&str> = rows.iter().filter(|row| filter.matches(row, NOW)).map(|row| row.name.as_str()).collect();
    names.join(" ")
}

#[track_caller]
fn check(text: &str, expect: &str) {
    match Filter::parse(text, &columns()) {
        Ok(filter) => assert_eq!(left(&filter), expect, "{text}"),
        Err(mistake) => panic!("{text}: {mistake}"),
    }
}

#[track_caller]
fn refuse(text: &str, wrong: &str, sentence: &str) {
    let mistake = Filter::parse(text, &columns()).expect_err(text);
    assert_eq!((&text[mistake.range.clone()], mistake.sentence.as_str()), (wrong, sentence), "{text}");
}

const ALL: &str = "web-1 web-2 db-0 job-x";

#[test]
fn no_text_leaves_everything() {
    check("", ALL);
    check("  ", ALL);
    assert_eq!(left(&Filter::default()), ALL);
    assert!(Filter::default().is_empty());
}

#[test]
fn free_text_is_looked_for_in_what_is_shown() {
    check("web", "web-1 web-2");
    check("WEB 1/1", "web-1");
    check("web crash", "web-2");
    check("shop", "web-1 web-2");
    check("backoff", "web-2");
    check("nothing", "");
    check("1/2", "db-0");
    check("12 (5m", "web-2");
    check("5d", "db-0");
    check("179", "");
    check("\"80/TCP, 443\"", ALL);
    check("'3 (5m ago)'", "db-0");
    check("80/TCP,", ALL);
    check("web-1,web-2", "");
    check("!web", "db-0 job-x");
    check("!!web", "web-1 web-2");
    check("!\"web-1\"", "web-2 db-0 job-x");
    check("\"still writ", "");
    check("\"web-", "web-1 web-2");
    check("worker-1", "");
}

#[test]
fn what_is_shown_can_be_told() {
    let filter = |text: &str| Filter::parse(text, &columns()).expect(text).showing(&[0, 8], false);
    assert_eq!(left(&filter("worker-1")), "web-1 db-0");
    assert_eq!(left(&filter("Running")), "");
    assert_eq!(left(&filter("data")), "");
    assert_eq!(left(&filter("status=Running")), "web-1 db-0");
}

#[test]
fn columns_are_asked_by_their_titles() {
    check("status=Running", "web-1 db-0");
    check("STATUS=running", "web-1 db-0");
    check("status==Running", "web-1 db-0");
    check("status = Running", "web-1 db-0");
    check("status!=Running", "web-2 job-x");
    check("!status=Running", "web-2 job-x");
    check("!status!=Running", "web-1 db-0");
    check("status=Run", "");
    check("status=Run*", "web-1 db-0");
    check("status=\"Run*\"", "");
    check("status=/^c/i", "web-2 job-x");
    check("status=/^c/", "");
    check("status=Running,Completed", "web-1 db-0 job-x");
    check("status!=Running,Completed", "web-2");
    check("status=Running,,", "web-1 db-0");
    check("status in (Running, Completed)", "web-1 db-0 job-x");
    check("status notin (Running,Completed) web", "web-2");
    check("status=Running,ns=data", "db-0");
    check("nominated-node=", ALL);
    check("NominatedNode!=", "");
    check("node=", "job-x");
    check("node=worker-1", "web-1 db-0");
    check("port(s)=80*", ALL);
    check("ports=\"80/TCP, 443/TCP\"", ALL);
    check("ns=shop", "web-1 web-2");
    check("namespace=sh* name=*2", "web-2");
    check("owner=db", "db-0");
    check("ready=0/1", "web-2 job-x");
    check("restarts=3", "db-0");
    check("age=3h", "web-2");
}

#[test]
fn numbers_ages_and_amounts_are_compared() {
    check("restarts>3", "web-2");
    check("restarts>=3", "web-2 db-0");
    check("restarts > 0 restarts < 10", "db-0");
    check("!restarts>0", "web-1 job-x");
    check("ready<1", "web-2 job-x");
    check("age<5m", "web-1");
    check("age<=60s", "web-1");
    check("age>1d", "db-0");
    check("age>=1d", "db-0 job-x");
    check("age>2h30m,age<2d", "web-2 job-x");
    check("capacity<100Gi", "web-1");
    check("capacity>=86400Gi", "db-0 job-x");
    check("ports>1", "");
}

#[test]
fn what_asks_for_ages_is_tried_again_as_time_goes_by() {
    let ticks = |text: &str| Filter::parse(text, &columns()).expect(text).ticks();
    for text in ["age<5m", "age>=1d web", "node>5m", "5m", "!3h", "age=3h", "age=/h$/", "/5m/"] {
        assert!(ticks(text), "{text}");
    }
    for text in ["", "web-api", "status=Running", "app=web", "restarts>3", "ns=shop owner=db-0", "CrashLoop"] {
        assert!(!ticks(text), "{text}");
    }
}

#[test]
fn other_keys_are_labels() {
    check("app=web", "web-1 web-2");
    check("app=Web", "");
    check("app=web,tier!=db", "web-1 web-2");
    check("tier!=db", "web-1 web-2 job-x");
    check("app in (web,db)", "web-1 web-2 db-0");
    check("app in (web, db),tier=db", "db-0");
    check("app notin (web)", "db-0 job-x");
    check("app=web,canary", "web-2");
    check("app=web,!canary", "web-1");
    check("!app=web", "db-0 job-x");
    check("app.kubernetes.io/name=web", "web-1");
    check("label:status=x", "web-2");
    check("canary=", "web-2");
    check("weight>6", "web-2");
    check("weight>=8", "");
    check("weight<=7", "web-2");
    check("app=\"web\"", "web-1 web-2");
}

#[test]
fn regular_expressions_stand_between_slashes() {
    check(r"/^web-\d$/", "web-1 web-2");
    check("/WEB/", "");
    check("/WEB/i", "web-1 web-2");
    check("!/web/", "db-0 job-x");
    check("/web|db/ running", "web-1 db-0");
    check(r"/0\/1/", "web-2 job-x");
    check("/^crash", "");
    check("/^Crash", "web-2");
    check("/5m ago/", "web-2 db-0");
    check("name=/0$/", "db-0");
    check("restarts=/^1. /", "web-2");
}

#[test]
fn mistakes_are_told_where_they_are() {
    let unnamed = "no column or label is named here; text with such a sign stands in quotes";
    refuse("\"web\" =x", "=", unnamed);
    refuse("<none>", "<", unnamed);
    refuse("!", "!", "nothing follows that `!` could invert");
    refuse("web ! db", "!", "nothing follows that `!` could invert");
    refuse("é app in (web", "web", "the list does not end: `)` is missing");
    refuse("age<5", "age<5", "an age is compared with a length of time, such as 90s, 5m or 2d");
    let why = "less and more is said of numbers, of amounts such as 10Gi and of lengths of time such as 5m";
    refuse("web restarts>", "restarts>", why);
    refuse("restarts>many", "restarts>many", why);
    refuse("app>many", "app>many", "a label is less or more than a whole number only");
    refuse("app=/x/", "app=/x/", "a label is compared with a text, not with a regular expression");
    refuse("status in (a,/b/)", "status in (a,/b/)", "a list is of texts, not of regular expressions");
    refuse("status in (/b/,a)", "status in (/b/,a)", "a list is of texts, not of regular expressions");
    let mistake = Filter::parse("a /b(/", &columns()).expect_err("an open group");
    assert_eq!(mistake.range, 2..6);
    assert!(mistake.sentence.starts_with("this is no regular expression: "), "{mistake}");
    let mistake = Filter::parse("-a-=b", &columns()).expect_err("no label");
    assert!(mistake.sentence.starts_with("this is no column, and no label either: "), "{mistake}");
}

#[test]
fn a_term_that_is_written_finds_its_value() {
    for value in ["Running", "Init:0/2", "", "a b", "say \"x\"", "back\\slash", "/path/", "node-*", "<none>", "é,ü"] {
        let text = term("NOMINATED NODE", value);
        let filter = Filter::parse(&text, &columns()).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
        let mut row = rows().remove(0);
        row.cells[6] = Cell::Text(value.into());
        assert!(filter.matches(&row, NOW), "{text}");
        row.cells[6] = Cell::Text("another".into());
        assert!(!filter.matches(&row, NOW), "{text}");
    }
    assert_eq!(term("STATUS", "CrashLoopBackOff"), "status=CrashLoopBackOff");
}

/// Whatever is written is read or refused, with a range that is one of the text.
#[test]
fn nothing_that_is_written_panics() {
    let pieces = [
        "",
        " ",
        "!",
        "!=",
        "=",
        "==",
        "<",
        ">=",
        "(",
        ")",
        ",",
        "\"",
        "'",
        "/",
        "\\",
        "*",
        "in",
        "notin",
        "é",
        "漢",
        "status",
        "age",
        "app",
        "5m",
        "10Gi",
        "label:",
        "[",
        "{9999}",
        "99999999999999999999",
        "-",
        ".",
    ];
    let (columns, rows) = (columns(), rows());
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..chance % 9 {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            text.push_str(pieces[(chance >> 20) as usize % pieces.len()]);
        }
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        match Filter::parse(&text, &columns) {
            Ok(filter) => rows.iter().for_each(|row| _ = filter.matches(row, NOW)),
            Err(mistake) => assert!(text.get(mistake.range.clone()).is_some_and(|it| !it.is_empty()), "{text:?}"),
        }
    }
}

/// Links hold filters: none of these may keep the page busy.
#[test]
fn a_filter_that_would_take_too_long_is_refused() {
    let refused = |text: &str, because: &str| {
        let mistake = Filter::parse(text, &columns()).expect_err("refused");
        assert!(mistake.sentence.contains(because), "{mistake}");
    };
    refused(r"/(?:\w?){8000}!/", "too large");
    refused(r"name=/(a{1,200}){1,200}/", "too large");
    refused(r"/((((a{99}){99}){99}){99}){99}/", "too large");
    refused("/(/", "no regular expression");
    refused(&"word ".repeat(100_000), "4096 bytes");
    refused(&"w ".repeat(100), "64 terms");
    refused(&"app=w,".repeat(100), "64 terms");
    refused(&r"!/(?:\w?){200}!/ ".repeat(64), "too large together");
    refused(&r"name=/(?:\w?){200}!/,".repeat(64), "too large together");
    for fine in [r"/^web-[a-z0-9]{8,10}-[a-z0-9]{5}$/", r"/error|warning|timed? ?out|back-?off|refused|evicted/i"] {
        Filter::parse(fine, &columns()).expect("a filter of a person");
    }
}

/// What a match costs is bounded by the sizes of both, and counted.
#[test]
fn a_long_value_is_searched_only_as_far_as_the_expression_is_small() {
    let long = format!("{}needle", "x".repeat(1 << 20));
    let mut row = rows().remove(0);
    row.cells[2] = Cell::Text(long.as_str().into());
    let tried = |text: &str| {
        let filter = Filter::parse(text, &columns()).expect("a filter");
        (filter.matches(&row, NOW), filter.is_cut(), filter.take_work())
    };
    let (found, cut, work) = tried("needle");
    assert!(found && !cut && work > 1 << 20, "{work}");
    let (found, cut, work) = tried("/needle/");
    assert!(!found && cut && work < 64 << 20, "{work}");
    let (found, cut, _) = tried("/^xx/");
    assert!(found && cut);
    let (_, cut, work) = tried(r"name=/(?:\w?){100}!/");
    assert!(!cut && work > 5 << 10, "{work}");
}

/// Sixty-four terms on a row of many long values cost no more than one term may.
#[test]
fn all_terms_of_a_filter_share_what_a_row_may_cost() {
    let mut row = rows().remove(0);
    for (at, cell) in row.cells.iter_mut().enumerate() {
        *cell = Cell::Text(format!("{at}{}", "x".repeat(100_000)).as_str().into());
    }
    for text in [r"!/a{9}!/ ".repeat(64), "!status=*xb* ".repeat(64), format!("!{}b ", "x".repeat(60)).repeat(64)] {
        let filter = Filter::parse(&text, &columns()).expect("a filter");
        filter.matches(&row, NOW);
        let work = filter.take_work();
        assert!(work < 17 << 20, "{work}: {text}");
    }
}
