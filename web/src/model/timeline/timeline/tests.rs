use super::*;
use crate::model::timeline::{
    marks::Mark,
    phase::Phase,
    point::Status,
    sample::{self, Dice},
};

const NOW: i64 = 1_794_836_188_000;
const HOUR: i64 = 3_600_000;

fn viewport() -> Viewport {
    Viewport { width: 1200.0, height: 520.0, scroll: 0.0, names: 200.0, offset: 0 }
}

fn full(count: u32) -> Timeline {
    let mut timeline = Timeline::default();
    timeline.hear(vec![News::Remembered(sample::records(count, NOW, HOUR, 1))], NOW);
    timeline
}

#[test]
fn everything_on_screen_can_be_pointed_at() {
    let mut timeline = full(3000);
    let (viewport, window) = (viewport(), Window::Live { span: HOUR });
    timeline.lay(&viewport, window, NOW, false);
    let frame = timeline.frame();
    assert!(frame.rows.len() >= 20 && frame.marks.len() > 100, "{} {}", frame.rows.len(), frame.marks.len());
    for row in &frame.rows {
        for mark in row.marks.clone() {
            let Mark { x, width, .. } = &frame.marks[mark];
            let middle = x + width / 2.0;
            if middle > viewport.names {
                let hit = frame.hit(middle, row.y + ROW / 2.0, &viewport).unwrap();
                assert_eq!((hit.place, hit.mark), (row.place, Some(mark)));
            }
        }
    }
    assert!(frame.hit(10.0, 5.0, &viewport).unwrap().is_name);
    assert_eq!(frame.hit(10.0, -1.0, &viewport), None);
}

#[test]
fn a_frame_has_only_what_is_on_screen() {
    let mut timeline = full(50_000);
    timeline.lay(&viewport(), Window::Live { span: HOUR }, NOW, false);
    let marks = timeline.frame().marks.len();
    assert_eq!(timeline.frame().rows.len(), 21);
    assert!(marks < 21 * 100, "{marks}");
    let below = Viewport { scroll: 26.0 * 10.0, ..viewport() };
    timeline.lay(&below, Window::Live { span: HOUR }, NOW, false);
    assert_eq!(timeline.frame().rows[0].place, 10);
}

/// Whatever the order of news, questions and toggles, lanes are what they would be had they been made at once.
#[test]
fn what_grows_is_what_would_be_made_at_once() {
    let records = sample::records(600, NOW, HOUR, 2);
    let mut dice = Dice(9);
    let (mut grown, mut made) = (Timeline::default(), Timeline::default());
    let question = Question { filter: Filter::parse("type=warning").unwrap(), ..Question::default() };
    grown.ask(question.clone());
    for part in records.chunks(37) {
        let mut part = part.to_vec();
        (0..part.len()).for_each(|place| part.swap(place, dice.roll(37).min(place)));
        grown.hear(vec![News::Remembered(part)], NOW);
        grown.lay(&viewport(), Window::default(), NOW, false);
    }
    made.hear(vec![News::Remembered(records)], NOW);
    made.ask(question);
    let told = |timeline: &mut Timeline| {
        timeline.lay(&viewport(), Window::default(), NOW + 5000, false);
        let lanes = timeline.lanes();
        let rows = lanes.rows().iter().map(|row| {
            let lane = lanes.get(row.lane);
            let tally = lane.all().tally(0..lane.all().len());
            (lane.key.name().to_owned(), tally.all, tally.failures)
        });
        rows.collect::<Vec<_>>()
    };
    assert_eq!(told(&mut grown), told(&mut made));
    assert_eq!(grown.shown().len(), made.shown().len());
    assert!(grown.shown().ids().iter().all(|id| grown.point(*id).status != Status::Activity));
}

#[test]
fn rows_stay_where_they_are_under_a_pointer() {
    let mut timeline = full(300);
    timeline.ask(Question { sort: LaneSort::Recency, ..Question::default() });
    let top = |timeline: &mut Timeline, now: i64, held: bool| {
        timeline.lay(&viewport(), Window::default(), now, held);
        timeline.lanes().get(timeline.lanes().rows()[0].lane).key.name().to_owned()
    };
    let before = top(&mut timeline, NOW, false);
    let last = timeline.lanes().rows().last().copied().unwrap();
    let id = timeline.lanes().get(last.lane).all().id(0);
    let mut record = Record::of(timeline.point(id), timeline.chronicle.subjects()).unwrap();
    (record.time, record.ordinal) = (NOW + 5, 2);
    timeline.hear(vec![News::Remembered(vec![record])], NOW);
    timeline.upset = false;
    assert_eq!(top(&mut timeline, NOW + 5000, true), before);
    assert_ne!(top(&mut timeline, NOW + 5001, false), before);
}

#[test]
fn a_lane_can_be_listed_alone() {
    let mut timeline = full(1000);
    timeline.lay(&viewport(), Window::default(), NOW, false);
    let lane = timeline.lanes().rows()[0].lane;
    let key = timeline.lanes().get(lane).key.clone();
    let all = Listing { lane: None, from: NOW - HOUR, to: NOW + 1 };
    let (_, places) = timeline.listed(&all);
    assert_eq!(places.len(), 1000);
    let (track, places) = timeline.listed(&Listing { lane: Some((key.clone(), false)), ..all });
    assert_eq!(places.len(), timeline.lanes().get(lane).all().len());
    assert!(places.map(|place| timeline.point(track.id(place))).all(|point| timeline.lanes().row_of(point) == Some(0)));
}

#[test]
fn a_focus_shows_an_object_and_what_it_owns() {
    let mut timeline = full(2000);
    let focus = Subject::new("Deployment", "payments", "app-07");
    timeline.ask(Question { focus: Some(focus), ..Question::default() });
    assert!(!timeline.shown().is_empty());
    for id in timeline.shown().ids() {
        let subject = timeline.subject(timeline.point(*id));
        assert!(subject.namespace == "payments" && subject.name.starts_with("app-07-"), "{subject:?}");
    }
    timeline.lay(&viewport(), Window::Live { span: HOUR }, NOW, false);
    let depths = timeline.lanes().rows().iter().map(|row| timeline.lanes().get(row.lane).depth);
    assert_eq!(depths.max(), Some(2), "its family is open");
}

#[test]
fn values_are_counted_whatever_the_filter_asks_of_them() {
    let mut timeline = full(2000);
    timeline.ask(Question { filter: Filter::parse("reason=BackOff ns=search").unwrap(), ..Question::default() });
    let reasons = timeline.values(Facet::Reason, 0, i64::MAX);
    assert!(reasons.len() > 5, "other reasons can still be chosen: {reasons:?}");
    assert!(reasons.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    let spaces = timeline.values(Facet::Namespace, 0, i64::MAX);
    assert!(spaces.len() > 5 && spaces.iter().map(|(_, count)| count).sum::<u32>() < 400, "only those of BackOff");
}

#[test]
fn secrets_are_not_kept() {
    let event = serde_json::json!({ "metadata": { "name": "e", "namespace": "shop", "uid": "u" },
        "involvedObject": { "kind": "Secret", "namespace": "shop", "name": "token" }, "lastTimestamp": "2026-11-16T13:36:28Z" });
    let mut timeline = Timeline::default();
    let kept = timeline.hear(vec![News::Event(super::super::fixture::object("", "events", &event))], NOW);
    assert_eq!((timeline.len(), kept.len()), (1, 0));
}

#[test]
fn too_much_goes_and_the_rest_is_still_shown() {
    let mut timeline = Timeline { chronicle: Chronicle::with_limit(2000), ..Timeline::default() };
    timeline.hear(vec![News::Remembered(sample::records(1990, NOW, HOUR, 1))], NOW);
    timeline.hear(vec![News::Remembered(sample::records(300, NOW, HOUR, 77))], NOW);
    assert!((1800..2000).contains(&timeline.len()), "{}", timeline.len());
    assert_eq!(timeline.shown().len(), timeline.len());
    timeline.lay(&viewport(), Window::default(), NOW, false);
    assert!(timeline.frame().bars.iter().all(|bar| bar.phase != Phase::Absent));
}
