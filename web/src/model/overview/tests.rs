use std::collections::HashMap;

use super::*;
use crate::model::table::fixture::row;

fn pod(name: &str, status: &str, tone: Tone, cpu: &str) -> Row {
    Row { load: Load::parse(cpu, "1Gi"), ..row(&format!("shop/{name}"), status, tone) }
}

fn figures(figures: &[Figure]) -> Vec<String> {
    figures.iter().map(|it| format!("{} {} {:?} -> {}?{}", it.count, it.word, it.tone, it.kind, it.filter)).collect()
}

fn workload(name: &str, ready: u32, wanted: u32) -> Row {
    let tone = if ready < wanted { Tone::Warning } else { Tone::Quiet };
    let cells = Box::new([Cell::Text(name.into()), Cell::Ratio { part: ready, of: wanted }]);
    Row { cells, created: Some(i64::from(wanted)), ..row(&format!("shop/{name}"), "", tone) }
}

#[test]
fn pods_that_fail_are_counted_by_state_until_they_do_not() {
    let mut board = Board::default();
    let (crash, image) = (("CrashLoopBackOff", Tone::Failure), ("ImagePullBackOff", Tone::Failure));
    for (name, (status, tone)) in [("a", crash), ("b", image), ("c", crash), ("d", ("Running", Tone::Quiet))] {
        board.turn(Counted::Pods, None, Some(&pod(name, status, tone, "500m")), 0);
    }
    assert_eq!(
        figures(&board.failing_pods()),
        [
            "2 CrashLoopBackOff Failure -> pods?status=CrashLoopBackOff",
            "1 ImagePullBackOff Failure -> pods?status=ImagePullBackOff",
        ],
    );
    assert_eq!((board.total(Counted::Pods), board.asked().cpu_text()), (4, "2".to_owned()));
    let before = pod("a", "CrashLoopBackOff", Tone::Failure, "500m");
    let after = pod("a", "Running", Tone::Quiet, "250m");
    board.turn(Counted::Pods, Some(&before), Some(&after), 0);
    board.turn(Counted::Pods, Some(&pod("c", "CrashLoopBackOff", Tone::Failure, "500m")), None, 0);
    assert_eq!(figures(&board.failing_pods()).len(), 1);
    assert_eq!((board.total(Counted::Pods), board.asked().cpu_text()), (3, "1.25".to_owned()));
}

#[test]
fn nodes_are_unready_pressed_or_closed() {
    let mut board = Board::default();
    let node = |name: &str, status: &str, cell: Tone, whole: Tone| Row { tone: whole, ..row(name, status, cell) };
    let all = [
        node("a", "Ready", Tone::Quiet, Tone::Quiet),
        node("b", "NotReady", Tone::Failure, Tone::Failure),
        node("c", "Ready", Tone::Quiet, Tone::Warning),
        node("d", "Ready,SchedulingDisabled", Tone::Warning, Tone::Warning),
    ];
    all.iter().for_each(|row| board.turn(Counted::Nodes, None, Some(row), 0));
    assert_eq!(
        figures(&board.nodes()),
        ["1  Failure -> nodes?name=b", "1  Warning -> nodes?name=c", "1  Warning -> nodes?name=d"],
    );
}

#[test]
fn too_many_names_for_a_link_are_the_whole_table() {
    let mut board = Board::default();
    for at in 0..30 {
        board.turn(Counted::Deployments, None, Some(&workload(&format!("w{at}"), 0, 1)), 0);
    }
    assert_eq!(figures(&board.lacking()), ["30  Warning -> deployments.apps?"]);
    for at in 0..29 {
        let before = workload(&format!("w{at}"), 0, 1);
        board.turn(Counted::Deployments, Some(&before), Some(&workload(&format!("w{at}"), 1, 1)), 0);
    }
    assert_eq!(board.lacking()[0].count, 1);
}

#[test]
fn changes_are_those_of_the_past_and_those_that_are_seen() {
    let mut board = Board::default();
    for at in 1..=100 {
        board.turn(Counted::Deployments, None, Some(&workload(&format!("w{at}"), at, at)), 500);
    }
    let told = |board: &Board, most| -> Vec<String> {
        let all = board.changes.latest(most);
        all.iter().map(|it| format!("{} {:?} {} {}", it.time, it.what, it.name, it.state)).collect()
    };
    assert_eq!(told(&board, 2), ["100 Created w100 100/100", "99 Created w99 99/99"]);
    assert_eq!(told(&board, 1000).len(), Changes::MOST);
    let (whole, broken) = (workload("w1", 1, 1), workload("w1", 0, 1));
    board.turn(Counted::Deployments, Some(&whole), Some(&broken), 600);
    board.turn(Counted::Deployments, Some(&broken), Some(&broken), 700);
    board.turn(Counted::Deployments, Some(&broken), None, 800);
    assert_eq!(told(&board, 2), ["800 Deleted w1 0/1", "600 Changed w1 0/1"]);
}

/// Whatever happens in whatever order, the figures are those of what is there.
#[test]
fn counting_by_changes_equals_counting_everything() {
    let states =
        [("Running", Tone::Quiet), ("Error", Tone::Failure), ("Running", Tone::Warning), ("Pending", Tone::Busy)];
    let mut board = Board::default();
    let mut there: HashMap<u32, Row> = HashMap::new();
    let mut seed = 7_u32;
    for _ in 0..5_000 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (name, state) = (seed >> 8 & 63, states[(seed >> 20 & 3) as usize]);
        let after = (seed >> 28 > 3).then(|| pod(&format!("p{name}"), state.0, state.1, "100m"));
        let before = there.remove(&name);
        board.turn(Counted::Pods, before.as_ref(), after.as_ref(), 0);
        there.extend(after.map(|row| (name, row)));
    }
    let failing = there.values().filter(|row| row.tone >= Tone::Warning).count();
    assert_eq!(board.failing_pods().iter().map(|figure| figure.count).sum::<usize>(), failing);
    assert_eq!(board.total(Counted::Pods), there.len());
    assert_eq!(board.asked().cpu, 100 * there.len() as u64);
}
