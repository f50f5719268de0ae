//! Cases of client-go's `reflector_test.go` that need no store. The others are in `tests/informer*.rs`.

use std::time::Duration;

use super::{Action, Event, EventEffect, Initial, Reflector, ReflectorOptions};
use crate::{
    Error,
    rest::{Bookmark, ListOptions, ResourceVersionMatch, Status},
    retry::Backoff,
    runtime::Instant,
};

/// A reflector and the actions it requested.
struct Run {
    reflector: Reflector,
    now: Instant,
    requests: Vec<String>,
}

impl Run {
    fn new(initial: Initial) -> Run {
        Run::with(ReflectorOptions { initial, ..ReflectorOptions::default() })
    }

    fn with(options: ReflectorOptions) -> Run {
        Run { reflector: Reflector::new(options), now: Instant::ORIGIN, requests: Vec::new() }
    }

    /// The next action that is not a wait.
    fn next(&mut self) -> Action {
        loop {
            match self.reflector.poll(self.now, 0.5) {
                Action::Wait(pause) => {
                    self.requests.push("wait".to_owned());
                    self.now = self.now + pause;
                }
                action => {
                    self.requests.push(format_action(&action));
                    return action;
                }
            }
        }
    }

    fn list(&mut self, version: &str) {
        self.next();
        self.reflector.listed(version, false);
    }

    fn list_failing(&mut self, error: &Error) -> bool {
        self.next();
        self.reflector.list_failed(error, self.now, 0.0)
    }

    fn open(&mut self) {
        self.next();
        self.reflector.opened(self.now);
    }

    fn open_failing(&mut self, error: &Error) {
        self.next();
        self.reflector.open_failed(error, self.now, 0.0);
    }

    fn object(&mut self, version: &str) -> EventEffect {
        self.reflector.event(&Event::Object(version), self.now, 0.0)
    }

    fn mark(&mut self, version: &str, initial_events_end: bool) -> EventEffect {
        let mark = Bookmark { resource_version: version.to_owned(), initial_events_end };
        self.reflector.event(&Event::Bookmark(&mark), self.now, 0.0)
    }

    fn refuse(&mut self, error: &Error) -> EventEffect {
        self.reflector.event(&Event::Error(error), self.now, 0.0)
    }

    fn close_after(&mut self, seconds: u64) -> Option<Error> {
        self.now = self.now + Duration::from_secs(seconds);
        self.reflector.closed(None, self.now, 0.0)
    }

    fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.requests)
    }
}

fn format_action(action: &Action) -> String {
    let limit = |options: &ListOptions| options.limit.unwrap_or_default();
    match action {
        Action::List(options) => format!("list {:?} {}", options.resource_version, limit(options)),
        Action::Watch(options) if options.send_initial_events == Some(true) => {
            assert_eq!(options.resource_version_match, Some(ResourceVersionMatch::NotOlderThan));
            assert!(options.allow_watch_bookmarks);
            format!("stream {:?}", options.resource_version)
        }
        Action::Watch(options) => {
            assert!(options.allow_watch_bookmarks);
            format!("watch {:?}", options.resource_version)
        }
        other => format!("{other:?}"),
    }
}

fn status(code: u16, reason: &str) -> Error {
    let body = format!(r#"{{"kind":"Status","code":{code},"reason":"{reason}","message":"{reason}"}}"#);
    Error::refused("test", serde_json::from_str::<Status>(&body).expect("a status"))
}

fn expired() -> Error {
    status(410, "Expired")
}

fn too_large() -> Error {
    let body = r#"{"kind":"Status","code":504,"reason":"Timeout","message":"Too large resource version: 20",
        "details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}}"#;
    Error::refused("test", serde_json::from_str::<Status>(body).expect("a status"))
}

#[test]
fn re_01_the_second_list_is_not_older_than_the_first() {
    let mut run = Run::new(Initial::Cached);
    run.list("10");
    run.open();
    run.refuse(&expired());
    run.list("11");
    assert_eq!(run.take(), [r#"list "0" 500"#, r#"watch "10""#, "wait", r#"list "10" 0"#]);
}

#[test]
fn re_02_an_expired_version_is_not_requested_again() {
    let mut run = Run::new(Initial::Cached);
    run.list("10");
    run.open();
    run.refuse(&expired());
    assert!(!run.list_failing(&expired()), "it is tried otherwise at once");
    run.list("11");
    assert_eq!(run.take(), [r#"list "0" 500"#, r#"watch "10""#, "wait", r#"list "10" 0"#, r#"list "" 500"#]);
}

#[test]
fn re_04_a_version_that_is_too_large_is_not_requested_again() {
    let mut run = Run::new(Initial::Cached);
    run.list("20");
    for version in ["30", "40", "50"] {
        run.open();
        run.refuse(&expired());
        run.list_failing(&too_large());
        run.list(version);
    }
    let lists: Vec<String> = run.take().into_iter().filter(|request| request.starts_with("list")).collect();
    let versions: Vec<&str> = lists.iter().filter_map(|request| request.split(' ').nth(1)).collect();
    assert_eq!(versions, [r#""0""#, r#""20""#, r#""""#, r#""30""#, r#""""#, r#""40""#, r#""""#]);
}

// RE-06, RE-07.
#[test]
fn re_06_07_a_relist_has_pages_only_without_a_watch_cache() {
    let mut run = Run::new(Initial::Cached);
    run.list("10");
    run.open();
    run.refuse(&expired());
    assert_eq!(format_action(&run.next()), r#"list "10" 0"#, "re_06");
    let mut run = Run::new(Initial::Cached);
    run.next();
    run.reflector.listed("10", true);
    for version in ["11", "12"] {
        run.open();
        run.refuse(&expired());
        assert_eq!(format_action(&run.next()).split(' ').next_back(), Some("500"), "re_07");
        run.reflector.listed(version, true);
    }
}

#[test]
fn re_05_the_page_size_is_that_of_the_options() {
    let mut run = Run::with(ReflectorOptions { page_size: Some(4), ..ReflectorOptions::default() });
    assert_eq!(format_action(&run.next()), r#"list "" 4"#);
}

#[test]
fn re_08_too_many_requests_do_not_cause_a_relist() {
    let mut run = Run::new(Initial::Cached);
    run.list("10");
    for _ in 0..4 {
        run.open_failing(&status(429, "TooManyRequests"));
    }
    run.open();
    let requests = run.take();
    assert_eq!(requests.iter().filter(|requests| requests.starts_with("list")).count(), 1);
    assert_eq!(requests.iter().filter(|requests| *requests == r#"watch "10""#).count(), 5);
}

/// Checks the actions after internal errors, each ending a watch after so many seconds.
#[track_caller]
fn check_internal(longest: u64, errors: &[u64], expect: &[&str]) {
    let max_internal_error_retry = Duration::from_secs(longest);
    let options = ReflectorOptions { initial: Initial::Cached, max_internal_error_retry, ..Default::default() };
    let mut run = Run::with(options);
    run.list("10");
    for seconds in errors {
        run.open();
        run.now = run.now + Duration::from_secs(*seconds);
        assert_eq!(run.refuse(&status(500, "InternalError")), EventEffect::WatchEnded);
    }
    run.next();
    assert_eq!(run.take()[1..], *expect, "{longest} {errors:?}");
}

#[test]
fn re_10_a_watch_resumes_after_internal_errors_until_the_deadline() {
    let (watch, list) = (r#"watch "10""#, r#"list "10" 0"#);
    check_internal(0, &[1], &[watch, "wait", list]);
    check_internal(20, &[1], &[watch, watch]);
    check_internal(20, &[1, 10, 10], &[watch, watch, watch, watch]);
    check_internal(20, &[1, 10, 11], &[watch, watch, watch, "wait", list]);
    check_internal(20, &[1, 10, 60], &[watch, watch, watch, watch]);
}

#[test]
fn waits_follow_the_custom_backoff() {
    let backoff = Backoff { steps: 2, initial: Duration::from_secs(5), factor: 2.0, jitter: 0.0, cap: Duration::ZERO };
    let mut reflector = Reflector::new(ReflectorOptions { backoff: Some(backoff), ..ReflectorOptions::default() });
    let mut now = Instant::ORIGIN;
    for expect in [5, 10, 20, 20] {
        assert!(matches!(reflector.poll(now, 0.5), Action::List(_)));
        reflector.list_failed(&status(500, ""), now, 0.5);
        assert_eq!(reflector.poll(now, 0.5), Action::Wait(Duration::from_secs(expect)));
        now = now + Duration::from_secs(expect);
    }
}

#[test]
fn re_09_each_429_causes_one_wait() {
    let mut run = Run::new(Initial::Cached);
    run.list("10");
    run.open_failing(&status(429, "TooManyRequests"));
    run.open();
    assert_eq!(run.refuse(&status(429, "TooManyRequests")), EventEffect::WatchEnded);
    run.open();
    let watch = r#"watch "10""#;
    assert_eq!(run.take(), [r#"list "0" 500"#, watch, "wait", watch, "wait", watch]);
}

#[test]
fn re_11_a_watch_timeout_is_one_to_two_times_the_minimum() {
    let seconds = |min_watch_timeout: u64, draw: f64| {
        let options = ReflectorOptions {
            min_watch_timeout: Duration::from_secs(min_watch_timeout),
            ..ReflectorOptions::default()
        };
        let mut reflector = Reflector::new(options);
        reflector.poll(Instant::ORIGIN, draw);
        reflector.listed("1", false);
        match reflector.poll(Instant::ORIGIN, draw) {
            Action::Watch(options) => options.timeout_seconds.expect("a bound"),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((seconds(0, 0.0), seconds(1, 0.999)), (300, 599));
    assert_eq!((seconds(1800, 0.0), seconds(1800, 0.999)), (1800, 3598));
}

#[test]
fn re_12_the_version_is_the_last_seen() {
    let mut run = Run::new(Initial::Pages);
    run.list("10");
    run.open();
    for (version, expect) in [("10", "10"), ("20", "20")] {
        assert_eq!(run.object(version), EventEffect::Change);
        assert_eq!(run.reflector.version(), expect);
    }
    assert_eq!(run.mark("30", false), EventEffect::Bookmark);
    assert_eq!(run.reflector.version(), "30");
    run.object("55");
    run.object("32");
    assert_eq!(run.reflector.version(), "32", "the last, not the largest");
    run.close_after(300);
    assert_eq!(format_action(&run.next()), r#"watch "32""#);
}

#[test]
fn a_closed_watch_resumes_at_once_and_a_very_short_one_causes_a_relist() {
    let mut run = Run::new(Initial::Pages);
    run.list("10");
    run.open();
    assert!(run.close_after(300).is_none());
    run.open();
    let error = run.close_after(0).expect("an error to report").to_string();
    let words = "very short watch: Unexpected watch close - watch lasted less than a second and no items received";
    assert!(error.contains(words), "{error}");
    run.list("11");
    assert_eq!(run.take(), [r#"list "" 500"#, r#"watch "10""#, r#"watch "10""#, "wait", r#"list "" 500"#]);
}

#[test]
fn a_network_error_does_not_cause_a_relist() {
    let mut run = Run::new(Initial::Pages);
    run.list("10");
    run.open();
    let network = Error::network("test", "reset");
    run.reflector.closed(Some(&network), run.now, 0.0);
    run.open_failing(&network);
    run.open_failing(&network);
    run.open();
    let watch = r#"watch "10""#;
    assert_eq!(run.take(), [r#"list "" 500"#, watch, "wait", watch, "wait", watch, "wait", watch]);
}

#[test]
fn a_silent_watch_resumes_once_the_server_answers_a_probe() {
    let mut run = Run::new(Initial::Pages);
    run.list("10");
    run.open();
    run.reflector.closed(Some(&Error::timed_out("test", Duration::from_secs(90))), run.now, 0.0);
    assert_eq!(run.next(), Action::Probe);
    run.reflector.probed(false, run.now, 0.0);
    assert_eq!(run.next(), Action::Probe);
    run.reflector.probed(true, run.now, 0.0);
    assert_eq!(format_action(&run.next()), r#"watch "10""#);
}

#[test]
fn an_event_that_is_too_large_causes_a_relist() {
    let mut run = Run::new(Initial::Pages);
    run.list("10");
    run.open();
    run.object("11");
    let reported = run.reflector.closed(Some(&Error::too_large("test", 1)), run.now, 0.0);
    assert!(reported.is_some());
    run.next();
    assert_eq!(run.take().last().map(String::as_str), Some(r#"list "" 500"#));
}

// WL-01, WL-07.
#[test]
fn wl_01_07_an_interrupted_stream_is_retried_a_bounded_number_of_times() {
    let mut run = Run::new(Initial::Stream);
    for _ in 0..3 {
        run.open();
        assert_eq!(run.object("1"), EventEffect::InitialEvent);
        run.close_after(5);
    }
    run.list("2");
    let stream = r#"stream """#;
    assert_eq!(run.take(), [stream, "wait", stream, "wait", stream, "wait", r#"list "0" 500"#]);
    assert_eq!(run.reflector.version(), "2");
}

#[test]
fn wl_02_without_streams_the_reflector_lists_and_watches() {
    let mut run = Run::new(Initial::Cached);
    run.list("1");
    run.open();
    assert_eq!(run.take(), [r#"list "0" 500"#, r#"watch "1""#]);
}

#[test]
fn wl_03_a_server_without_streams_causes_a_list() {
    for error in [status(422, "Invalid"), status(500, "InternalError")] {
        let mut run = Run::new(Initial::Stream);
        run.open_failing(&error);
        run.list("1");
        run.open();
        assert_eq!(run.take(), [r#"stream """#, r#"list "0" 500"#, r#"watch "1""#]);
    }
}

// WL-04, WL-10.
#[test]
fn wl_04_10_the_initial_events_end_with_the_annotated_bookmark() {
    let mut run = Run::new(Initial::Stream);
    run.open();
    assert_eq!(run.object("1"), EventEffect::InitialEvent);
    assert_eq!(run.mark("2", false), EventEffect::Ignore, "wl_10");
    assert_eq!(run.reflector.version(), "");
    assert_eq!(run.mark("2", true), EventEffect::InitialEventsEnd);
    assert_eq!(run.reflector.version(), "2");
    assert_eq!(run.object("3"), EventEffect::Change);
    assert_eq!(run.take(), [r#"stream """#]);
}

#[test]
fn wl_06_a_stream_is_retried_after_too_many_requests() {
    let mut run = Run::new(Initial::Stream);
    run.open_failing(&status(429, "TooManyRequests"));
    run.open_failing(&status(429, "TooManyRequests"));
    run.open();
    let stream = r#"stream """#;
    assert_eq!(run.take(), [stream, "wait", stream, "wait", stream]);
}

#[test]
fn wl_09_an_expired_version_causes_a_new_stream() {
    let mut run = Run::new(Initial::Stream);
    run.open();
    run.mark("2", true);
    run.close_after(300);
    run.open();
    assert_eq!(run.refuse(&expired()), EventEffect::WatchEnded);
    run.open_failing(&expired());
    run.open();
    assert_eq!(run.take(), [r#"stream """#, r#"watch "2""#, "wait", r#"stream "2""#, r#"stream """#]);
}

#[test]
fn the_reflector_recovers_within_ten_seconds_of_each_outage() {
    const OUTAGE: Duration = Duration::from_secs(20);
    let gone = Error::network("watch", "connection refused");
    let mut run = Run::new(Initial::Pages);
    run.list("10");
    run.open();
    for outage in 0..5 {
        run.now = run.now + Duration::from_secs(5);
        run.reflector.closed(Some(&gone), run.now, 0.99);
        let end = run.now + OUTAGE;
        while {
            run.next();
            run.now < end
        } {
            run.reflector.open_failed(&gone, run.now, 0.99);
        }
        run.reflector.opened(run.now);
        run.reflector.event(&Event::Error(&expired()), run.now, 0.99);
        run.list("20");
        assert!(run.now.since(end) < Duration::from_secs(10), "outage {outage}: {:?}", run.now.since(end));
        run.open();
    }
}

/// Polling again before the result is reported returns the same action.
#[test]
fn poll_repeats_an_action_until_its_result_is_reported() {
    for initial in [Initial::Pages, Initial::Cached, Initial::Stream] {
        let mut run = Run::new(initial);
        let twice = |run: &mut Run| assert_eq!(run.next(), run.next(), "{initial:?}");
        twice(&mut run);
        if initial != Initial::Stream {
            run.reflector.listed("5", false);
            twice(&mut run);
        }
        run.reflector.opened(run.now);
        twice(&mut run);
        run.reflector.opened(run.now);
        run.reflector.closed(Some(&Error::timed_out("watch", Duration::ZERO)), run.now, 0.0);
        twice(&mut run);
    }
}

#[test]
fn an_infinite_watch_timeout_is_clamped() {
    let mut run = Run::with(ReflectorOptions { min_watch_timeout: Duration::MAX, ..ReflectorOptions::default() });
    run.list("5");
    let Action::Watch(options) = run.next() else { panic!("a watch follows a list") };
    assert_eq!(options.timeout_seconds, Some(u32::MAX));
}

#[test]
fn a_list_with_an_unidentified_item_is_repeated_a_few_times() {
    let mut run = Run::new(Initial::Pages);
    for _ in 0..6 {
        run.next();
        run.reflector.listed_incomplete("5", false, run.now, 0.0);
    }
    run.next();
    let lists = run.requests.iter().filter(|requests| requests.starts_with("list")).count();
    assert_eq!(
        (lists, run.requests.iter().filter(|requests| *requests == "wait").count()),
        (6, 5),
        "{:?}",
        run.requests
    );
    assert!(run.requests.last().is_some_and(|requests| requests.starts_with("watch")), "{:?}", run.requests);
}

#[test]
fn an_unidentified_event_ends_the_watch_and_an_unversioned_one_keeps_the_version() {
    let mut run = Run::new(Initial::Pages);
    run.list("5");
    run.open();
    assert_eq!(run.reflector.event(&Event::Object(""), run.now, 0.0), EventEffect::Change);
    assert_eq!(run.reflector.version(), "5");
    let undecodable = Error::network("watch", "stands for one");
    assert_eq!(run.reflector.event(&Event::Undecodable(&undecodable), run.now, 0.0), EventEffect::WatchEnded);
    run.next();
    assert!(run.requests.last().is_some_and(|requests| requests.starts_with("list")), "{:?}", run.requests);
}
