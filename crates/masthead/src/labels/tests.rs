use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

use super::{Operator, Requirement, Selector};
use crate::runtime::Chance;

fn parse(text: &str) -> Result<Selector, String> {
    text.parse().map_err(|error: super::ParseError| error.to_string())
}

#[track_caller]
fn check(selector: &str, labels: &str, expected: bool) {
    let labels: BTreeMap<&str, &str> = labels.split(',').filter_map(|pair| pair.split_once('=')).collect();
    let selector = parse(selector).unwrap();
    assert_eq!(selector.matches(|key| labels.get(key).copied()), expected, "{selector}");
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err(), expected);
}

#[test]
fn equality_and_sets_match_as_the_server_does() {
    check("", "a=b", true);
    check("a=b", "a=b", true);
    check("a==b", "a=b", true);
    check("a=b", "a=c", false);
    check("a!=b", "", true);
    check("a!=b", "a=b", false);
    check("a in (b, c)", "a=c", true);
    check("a in (b,c)", "", false);
    check("a notin (b,c)", "", true);
    check("a notin (b,c)", "a=b", false);
    check("a", "a=", true);
    check("!a", "a=", false);
    check("!a", "b=", true);
    check("a=b,c!=d", "a=b,c=e", true);
    check("a=b,c!=d", "a=b,c=d", false);
}

#[test]
fn numbers_compare_as_numbers() {
    check("a>9", "a=10", true);
    check("a<9", "a=10", false);
    check("a>9", "a=ten", false);
    check("a>9", "", false);
}

#[test]
fn empty_values_and_odd_spacing_are_read() {
    check("a=", "a=", true);
    check("a=,b", "a=,b=x", true);
    check("a in (,b)", "a=", true);
    check("a in (b,)", "a=", true);
    check("a in (b,,c)", "a=", true);
    check("  a\tin\n(b)  , !c ", "a=b", true);
    check("in in (notin)", "in=notin", true);
}

#[test]
fn what_is_written_is_read_again() {
    for text in ["a=b", "a!=b,c", "!x", "k in (a,b),z notin (c)", "n<7,n>3", "app.example.com/tier=web"] {
        let selector = parse(text).unwrap();
        assert_eq!(selector.to_string(), text);
        assert_eq!(parse(&selector.to_string()).unwrap(), selector);
    }
    assert_eq!(parse("b=1,a=2").unwrap().to_string(), "a=2,b=1", "requirements are sorted by key");
}

#[test]
fn mistakes_are_told_in_kubectl_s_words() {
    check_refused(",", "found ',', expected: !, identifier, or 'end of string'");
    check_refused("a,", "found '', expected: identifier after ','");
    check_refused("a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt");
    check_refused("a=b c", "found 'c', expected: ',' or 'end of string'");
    check_refused("a in b", "unable to parse requirement: found 'b' expected: '('");
    check_refused("a in (b", "unable to parse requirement: found '', expected: ',' or ')'");
    check_refused("a in (!", "unable to parse requirement: found '!', expected: ',', ')' or identifier");
    check_refused("a in (b,", "unable to parse requirement: found '', expected: ',', or identifier");
    check_refused("!x=a", "found '=', expected: ',' or 'end of string'");
    check_refused("!", "unable to parse requirement: found '', expected: identifier");
    check_refused("a==(", "unable to parse requirement: found '(', expected: identifier");
    check_refused(
        "a>x",
        "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    );
    assert!(parse("-a=b").unwrap_err().contains("name part must consist of"));
    assert!(parse("a/b/c=d").unwrap_err().contains("a qualified name must consist of"));
    assert!(parse("/a=d").unwrap_err().contains("prefix part must be non-empty"));
    assert!(parse(&format!("a={}", "x".repeat(64))).unwrap_err().contains("must be no more than 63"));
    assert!(parse("a=b_").unwrap_err().contains("a valid label must be"));
}

#[test]
fn a_set_may_be_empty_in_text_but_not_in_a_program() {
    let nothing = Requirement::new("a", Operator::In([].into())).unwrap_err();
    assert_eq!(
        nothing.to_string(),
        "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"
    );
    check("a in ()", "a=", true);
    check("a in ()", "a=b", false);
    check("a notin ()", "a=", false);
}

#[test]
fn client_go_s_own_cases_are_read_and_written_as_it_does() {
    for (text, written) in [
        ("x=a,y=b,z=c", "x=a,y=b,z=c"),
        ("", ""),
        ("x= ,z= ", "x=,z="),
        ("x>1,z<5", "x>1,z<5"),
        ("\rx", "x"),
        ("this-is-another-dns.domain.com/key-with-dash in (so,what)", ""),
        ("0.1.2.domain/99 notin (10.10.100.1, tick.tack.clock)", "0.1.2.domain/99 notin (10.10.100.1,tick.tack.clock)"),
        ("foo  in\t (abc)", "foo in (abc)"),
        ("x notin\n (abc)", "x notin (abc)"),
        ("x in (abc,)", "x in (,abc)"),
        ("x in (abc,abc)", "x in (abc)"),
        ("x in ()", "x in ()"),
        ("x in (a,,a,,a,,a,,)", "x in (,a)"),
        ("x in (,a)", "x in (,a)"),
        ("x notin (,)", "x notin ()"),
        ("x notin (abc,,def),bar,z in (),w", "bar,w,x notin (,abc,def),z in ()"),
        ("x,y in (a)", "x,y in (a)"),
        ("a ", "a"),
        ("a in (x,y,notin, z,in)", "a in (in,notin,x,y,z)"),
    ] {
        let written = if written.is_empty() { text } else { written };
        assert_eq!(parse(text).unwrap().to_string(), written, "{text}");
    }
    for text in ["x=a||y=b", "x==a==b", "!x=a", "x<a", "a in (xyz),", "a in (xyz)b notin ()", "a in (xyz abc)"] {
        assert!(parse(text).is_err(), "{text}");
    }
    for text in ["a notin(", "a (", "(", "x>", "x>-1", "x>+1", "x<99999999999999999999"] {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn only_a_single_value_is_required() {
    let selector = parse("a=b,c in (d),e in (f,g),h!=i,j").unwrap();
    assert_eq!(
        ["a", "c", "e", "h", "j", "k"].map(|key| selector.required(key)),
        [Some("b"), Some("d"), None, None, None, None]
    );
}

#[test]
fn the_selector_of_a_workload_is_read() {
    let read = |json: &str| {
        let selector: LabelSelector = serde_json::from_str(json).unwrap();
        Selector::try_from(&selector).map(|selector| selector.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(read("{}").as_deref(), Ok(""));
    let both = r#"{"matchLabels":{"app":"web"},"matchExpressions":[
        {"key":"tier","operator":"In","values":["b","a"]},{"key":"old","operator":"DoesNotExist"},
        {"key":"zone","operator":"NotIn","values":["x"]},{"key":"new","operator":"Exists"}]}"#;
    assert_eq!(read(both).as_deref(), Ok("app=web,new,!old,tier in (a,b),zone notin (x)"));
    let odd = read(r#"{"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]}"#);
    assert_eq!(odd.unwrap_err(), "\"Gt\" is not a valid label selector operator");
    assert!(read(r#"{"matchExpressions":[{"key":"a","operator":"In"}]}"#).unwrap_err().contains("can't be empty"));
    assert!(read(r#"{"matchLabels":{"-":"b"}}"#).unwrap_err().contains("name part"));
}

/// Texts of the signs and words that mean something here, so that many of them are nearly right.
fn random_text(chance: &Chance) -> String {
    const PIECES: &[&str] = &[
        "a", "b.c/d", "in", "notin", "12", "-3", "x_y", "(", ")", "(", ")", ",", ",", "=", "==", "!=", "!", ">", "<",
        " ", " ", "\t", "é", "\u{0}", "a in (b", " in (", "c)", "k=v,",
    ];
    let draw = |bound: usize| (chance.next() * bound as f64) as usize;
    (0..draw(12)).map(|_| PIECES[draw(PIECES.len())]).collect()
}

#[test]
fn any_text_is_refused_or_read_and_what_was_read_stays_the_same() {
    let chance = Chance::new(0x5EED);
    let mut read = 0;
    for _ in 0..200_000 {
        let text = random_text(&chance);
        let Ok(selector) = parse(&text) else { continue };
        read += usize::from(!selector.is_empty());
        let written = selector.to_string();
        assert_eq!(parse(&written).as_ref(), Ok(&selector), "{text:?} was written as {written:?}");
        assert_eq!(parse(&written).unwrap().to_string(), written, "{text:?}");
    }
    assert!(read > 1000, "only {read} texts were read: the pieces no longer make selectors");
}
