use k8s_openapi::api::core::v1::ObjectReference;

use super::*;
use crate::runtime::Chance;

fn event(object: &str, reason: &str, message: &str) -> Event {
    let owned = |text: &str| Some(text.to_owned());
    let involved_object = ObjectReference { kind: owned("Pod"), name: owned(object), ..Default::default() };
    let mut event = Event { involved_object, reason: owned(reason), message: owned(message), ..Default::default() };
    (event.count, event.type_) = (Some(1), owned("Normal"));
    event
}

fn similar(count: usize) -> Vec<Event> {
    (0..count).map(|number| event("pod", "similar", &format!("message {number}"))).collect()
}

/// `skip`, or what is written: `create 1 message`, `patch 2 message`.
fn shown(write: Option<EventWrite<Event>>) -> String {
    match write {
        None => "skip".to_owned(),
        Some(EventWrite::Create(event)) => {
            format!("create {} {}", event.count.unwrap_or_default(), text(&event.message))
        }
        Some(EventWrite::Patch(event)) => format!("patch {} {}", event.count.unwrap_or_default(), text(&event.message)),
    }
}

/// What becomes of `last` after the others, each `gap` seconds after the one before it.
#[track_caller]
fn check_with(options: CorrelatorOptions, before: Vec<Event>, last: Event, gap: u64, expect: &str) {
    let mut correlator = EventCorrelator::new(options);
    let mut now = Instant::ORIGIN;
    for event in before {
        correlator.correlate(&event, now);
        now = now + Duration::from_secs(gap);
    }
    assert_eq!(shown(correlator.correlate(&last, now)), expect);
}

#[track_caller]
fn check(before: Vec<Event>, last: Event, gap: u64, expect: &str) {
    check_with(CorrelatorOptions::default(), before, last, gap, expect);
}

#[test]
fn ec_01_a_single_event_is_created() {
    check(vec![], event("pod", "first", "i am first"), 15, "create 1 i am first");
}

/// EC-02 and EC-03.
#[test]
fn ec_02_the_same_event_just_counts() {
    let again = || event("pod", "duplicate", "me again");
    check(vec![again()], again(), 15, "patch 2 me again");
    check(vec![again(); 10], again(), 90, "patch 11 me again");
}

#[test]
fn ec_04_the_same_event_is_spam_if_it_comes_too_often() {
    let again = || event("pod", "duplicate", "me again");
    check(vec![again(); 24], again(), 3, "patch 25 me again");
    check(vec![again(); 26], again(), 3, "skip");
    check(vec![again(); 26], again(), 300, "patch 27 me again");
}

#[test]
fn counts_rise_for_skipped_events_too() {
    let again = event("pod", "duplicate", "me again");
    let mut correlator = EventCorrelator::default();
    for _ in 0..40 {
        correlator.correlate(&again, Instant::ORIGIN);
    }
    let later = correlator.correlate(&again, Instant::ORIGIN + Duration::from_secs(300));
    assert_eq!(shown(later), "patch 41 me again");
}

#[test]
fn ec_05_many_unique_events_are_created() {
    let unique =
        |number: usize| event(&format!("pod-{number}"), &format!("reason-{number}"), &format!("message-{number}"));
    check((0..30).map(unique).collect(), event("pod", "unique", "snowflake"), 15, "create 1 snowflake");
}

#[test]
fn ec_06_similar_events_become_one_that_counts() {
    let last = || event("pod", "similar", "similar message");
    check(similar(8), last(), 15, "create 1 similar message");
    check(similar(9), last(), 15, "create 1 (combined from similar events): similar message");
    check(similar(10), last(), 15, "patch 2 (combined from similar events): similar message");
    check(similar(9), last(), 601, "create 1 similar message");
    check(similar(9), last(), 600, "create 1 (combined from similar events): similar message");
}

#[test]
fn ec_08_containers_count_apart_but_their_similar_events_become_one() {
    let of = |container: &str, mut event: Event| {
        event.involved_object.field_path = Some(format!("spec.containers{{{container}}}"));
        event
    };
    let last = || of("one", event("pod", "similar", "similar message"));
    check(vec![of("two", event("pod", "similar", "similar message"))], last(), 15, "create 1 similar message");
    let others = similar(9).into_iter().map(|event| of("two", event)).collect();
    check(others, last(), 15, "create 1 (combined from similar events): similar message");
}

/// EC-10, EC-11 and EC-12.
#[test]
fn ec_10_spam_is_what_the_key_says() {
    let strict = CorrelatorOptions { burst: 1, ..Default::default() };
    let by_reason = CorrelatorOptions { spam_key: |event| text(&event.reason).to_owned(), ..strict };
    let original = || vec![event("pod", "original", "i am first")];
    let (other_reason, other_message) = (event("pod", "duplicate", "me again"), event("pod", "original", "me again"));
    check_with(strict, original(), other_reason.clone(), 3, "skip");
    check_with(by_reason, original(), other_reason, 3, "create 1 me again");
    check_with(by_reason, original(), other_message, 3, "skip");
}

#[test]
fn a_repeated_event_keeps_its_first_name_and_time() {
    let mut correlator = EventCorrelator::default();
    let named = |name: &str, second: i64| {
        let mut event = event("pod", "duplicate", "me again");
        event.metadata.name = Some(name.to_owned());
        let time = k8s_openapi::jiff::Timestamp::from_second(second).map(Time).ok();
        (event.first_timestamp, event.last_timestamp) = (time.clone(), time);
        event
    };
    correlator.correlate(&named("pod.1", 1), Instant::ORIGIN);
    let write = correlator.correlate(&named("pod.2", 2), Instant::ORIGIN).unwrap();
    let event = write.event();
    assert_eq!(event.metadata.name.as_deref(), Some("pod.1"));
    assert_eq!(
        (&event.first_timestamp, &event.last_timestamp),
        (&named("", 1).first_timestamp, &named("", 2).last_timestamp)
    );
    let patch = write.patch().unwrap().to_string();
    assert_eq!(patch, r#"{"count":2,"lastTimestamp":"1970-01-01T00:00:02Z","message":"me again"}"#);
}

#[test]
fn fields_do_not_run_together() {
    let mut correlator = EventCorrelator::default();
    correlator.correlate(&event("pod", "ab", "c"), Instant::ORIGIN);
    assert_eq!(shown(correlator.correlate(&event("pod", "a", "bc"), Instant::ORIGIN)), "create 1 bc");
}

/// What was seen of each key, the most recently used last; no more than fits.
struct Memory<V>(Vec<(Vec<String>, V)>, usize);

impl<V> Memory<V> {
    fn of(&mut self, key: Vec<String>, new: V) -> &mut V {
        let entry = self.0.iter().position(|(other, _)| *other == key).map(|at| self.0.remove(at));
        self.0.push(entry.unwrap_or((key, new)));
        if self.0.len() > self.1 {
            self.0.remove(0);
        }
        &mut self.0.last_mut().unwrap().1
    }
}

/// The rules as client-go's documentation tells them, on lists.
struct Model {
    groups: Memory<(Vec<String>, u64)>,
    counts: Memory<i32>,
    /// Tokens, and since when.
    spam: Memory<(f64, u64)>,
}

impl Model {
    fn correlate(&mut self, object: &str, reason: &str, message: &str, now: u64) -> String {
        let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<String>>();
        let (messages, last) = self.groups.of(owned(&[object, reason]), (Vec::new(), now));
        if now - *last > 600 {
            messages.clear();
        }
        *last = now;
        if !messages.iter().any(|known| known == message) {
            messages.push(message.to_owned());
        }
        let is_combined = messages.len() == 10;
        let shown = if is_combined {
            messages.remove(0);
            format!("(combined from similar events): {message}")
        } else {
            message.to_owned()
        };
        let key =
            if is_combined { owned(&["group", object, reason]) } else { owned(&["event", object, reason, message]) };
        let count = self.counts.of(key, 0);
        *count += 1;
        let verb = if *count == 1 { "create" } else { "patch" };
        let written = format!("{verb} {count} {shown}");
        let (tokens, since) = self.spam.of(owned(&[object]), (25.0, now));
        *tokens = (*tokens + (now - *since) as f64 * QPS).min(25.0);
        *since = now;
        if *tokens < 1.0 {
            return "skip".to_owned();
        }
        *tokens -= 1.0;
        written
    }
}

/// Exact in binary, so that no rounding decides.
const QPS: f64 = 1.0 / 256.0;

#[test]
fn a_thousand_random_histories_go_as_the_model_says() {
    let mut seen = [0u32; 3];
    for seed in 0..1000 {
        let chance = Chance::new(seed);
        let draw = |below: f64| (chance.next() * below) as u64;
        // Some with more keys than the caches hold.
        let cache_size = if seed % 3 == 0 { 3 } else { 4096 };
        let mut correlator = EventCorrelator::new(CorrelatorOptions { cache_size, qps: QPS, ..Default::default() });
        let mut model = Model {
            groups: Memory(Vec::new(), cache_size),
            counts: Memory(Vec::new(), cache_size),
            spam: Memory(Vec::new(), cache_size),
        };
        let (objects, messages) = (1.0 + chance.next() * 4.0, 1.0 + chance.next() * 60.0);
        let mut now = 0;
        for turn in 0..150 {
            now += if draw(10.0) == 0 { draw(1000.0) } else { draw(5.0) };
            let names = [draw(objects), draw(2.0), draw(messages)].map(|number| format!("n{number}"));
            let [object, reason, message] = names.each_ref().map(String::as_str);
            let expect = model.correlate(object, reason, message, now);
            let got = shown(
                correlator.correlate(&event(object, reason, message), Instant::ORIGIN + Duration::from_secs(now)),
            );
            assert_eq!(got, expect, "seed {seed}, turn {turn}");
            let kinds = [got == "skip", got.starts_with("patch"), got.contains("combined")];
            seen.iter_mut().zip(kinds).for_each(|(count, is)| *count += u32::from(is));
        }
    }
    assert!(seen.iter().all(|count| *count > 1000), "the histories show too little: {seen:?}");
}

/// Every use of a random key gives what a list in the order of use gives.
#[test]
fn forgets_what_was_used_longest_ago_as_a_list_does() {
    for (capacity, keys) in [(0, 3), (1, 3), (2, 4), (7, 12), (50, 40)] {
        let chance = Chance::new(capacity as u64);
        let mut cache = lru_cache(capacity);
        let mut model: VecDeque<(String, usize)> = VecDeque::new();
        for turn in 0..2000 {
            let key = format!("k{}", (chance.next() * f64::from(keys)) as u32);
            let known = model.iter().position(|(other, _)| *other == key).and_then(|at| model.remove(at));
            model.push_front(known.unwrap_or((key.clone(), turn)));
            model.truncate(capacity.max(1));
            assert_eq!(*cache.get_or_insert_mut(key, || turn), model[0].1, "turn {turn}");
            assert!(cache.iter().eq(model.iter().map(|(key, value)| (key, value))), "turn {turn}");
        }
    }
}
