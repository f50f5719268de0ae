use std::{cell::Cell, rc::Rc};

use futures::{StreamExt, executor::block_on};
use serde::Deserialize;

use super::*;
use crate::runtime::{Chance, VirtualTime};

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

const SECOND: Duration = Duration::from_secs(1);

fn body(chunks: Vec<Vec<u8>>) -> Body {
    Body::new(stream::iter(chunks.into_iter().map(Ok)))
}

fn line(item: Result<WatchEvent<Named>, Error>) -> String {
    match item {
        Ok(WatchEvent::Added(object)) => format!("added {}", object.name),
        Ok(WatchEvent::Modified(object)) => format!("modified {}", object.name),
        Ok(WatchEvent::Deleted(object)) => format!("deleted {}", object.name),
        Ok(WatchEvent::Bookmark(mark)) => format!("bookmark {}", mark.resource_version),
        Ok(WatchEvent::Error(status)) => format!("error {status}"),
        Err(error) => error.to_string(),
    }
}

fn read(chunks: Vec<Vec<u8>>) -> Vec<String> {
    block_on(Watch::new("watch pods", body(chunks)).map(line).collect())
}

/// `stream` cut at places that `chance` decides, empty chunks among them.
fn cut(stream: &[u8], chance: &Chance) -> Vec<Vec<u8>> {
    let pieces = (chance.next() * 12.0) as usize;
    let mut cuts: Vec<usize> = (0..pieces).map(|_| (chance.next() * (stream.len() + 1) as f64) as usize).collect();
    cuts.sort_unstable();
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([stream.len()]);
    starts.zip(ends).map(|(start, end)| stream[start..end].to_vec()).collect()
}

#[test]
fn any_chunking_of_a_stream_gives_the_same_events() {
    let stream = concat!(
        r#"{"type":"ADDED","object":{"name":"日本 🚢"}}"#,
        "\n",
        r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"12"}}}"#,
        r#"{"type":"MODIFIED","object":{"name":7}}"#,
        "\r\n",
        r#"{"type":"RENAMED","object":{}} {"type":"DELETED","object":{"name":"}\"{é"}}"#,
        r#"{"type":"ERROR","object":{"code":410,"reason":"Expired","message":"too old"}}"#,
        "\ntrue",
    );
    let stream = stream.as_bytes();
    let whole = read(vec![stream.to_vec()]);
    assert_eq!(whole[..2], ["added 日本 🚢", "bookmark 12"]);
    assert!(whole[2].starts_with("watch pods: name: undecodable: invalid type: integer `7`"), "{}", whole[2]);
    let rest = [r#"watch pods: unknown watch event type "RENAMED""#, "deleted }\"{é", "error 410 Expired: too old"];
    assert_eq!(whole[3..6], rest);
    assert!(whole[6].starts_with("watch pods: undecodable"), "a bare word that only the end completes: {}", whole[6]);
    assert_eq!(whole.len(), 7);
    assert_eq!(read(stream.chunks(1).map(<[u8]>::to_vec).collect()), whole, "byte by byte");
    for seed in 0..500 {
        let chunks = cut(stream, &Chance::new(seed));
        assert_eq!(read(chunks.clone()), whole, "seed {seed}: {chunks:?}");
    }
}

#[test]
fn a_cut_inside_an_event_is_the_last_item_and_a_network_error() {
    let items: Vec<_> = block_on(
        Watch::<Named>::new("watch pods", body(vec![br#"{"type":"ADDED","object":{"name":"a"}}{"ty"#.to_vec()]))
            .collect(),
    );
    assert_eq!(items.len(), 2);
    assert!(items[1].as_ref().is_err_and(|error| error.is_network() && !error.is_timeout()));
}

#[test]
fn an_event_of_more_than_16_mib_ends_the_watch_and_its_request() {
    let open = Rc::new(());
    let held = Rc::clone(&open);
    let event = |size: usize| {
        let frame = r#"{"type":"ADDED","object":{"name":""}}"#;
        let name = "x".repeat(size - frame.len());
        format!(r#"{{"type":"ADDED","object":{{"name":"{name}"}}}}"#)
    };
    let stream = event(16 << 20) + &event((16 << 20) + 1) + &event(64);
    let chunks = stream.into_bytes().chunks(1 << 20).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let chunks = stream::iter(chunks.into_iter().map(Ok)).inspect(move |_: &Result<_, Error>| {
        let _open = &held;
    });
    let mut watch = Watch::<Named>::new("watch pods", Body::new(chunks));
    assert!(matches!(block_on(watch.next()), Some(Ok(WatchEvent::Added(_)))), "exactly 16 MiB");
    let error = block_on(watch.next()).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "watch pods: a value of the stream is larger than 16777216 bytes");
    assert_eq!(Rc::strong_count(&open), 1, "the body is gone though the watch is still held");
    assert!(block_on(watch.next()).is_none());
}

/// Counts what is alive, so that a test sees how much a watch decoded ahead.
struct Counted(Rc<Cell<usize>>);

thread_local! {
    static ALIVE: Rc<Cell<usize>> = Rc::default();
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Counted, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer)?;
        let alive = ALIVE.with(Rc::clone);
        alive.set(alive.get() + 1);
        Ok(Counted(alive))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

#[test]
fn a_hundred_thousand_events_in_one_chunk_are_decoded_one_at_a_time() {
    let chunk = r#"{"type":"ADDED","object":{"name":"a"}}"#.repeat(100_000).into_bytes();
    let mut watch = Watch::<Counted>::new("watch pods", body(vec![chunk]));
    let mut seen = 0;
    while let Some(event) = block_on(watch.next()) {
        event.unwrap();
        assert!(ALIVE.with(|alive| alive.get()) == 0, "nothing is decoded before it is asked for");
        seen += 1;
    }
    assert_eq!(seen, 100_000);
}

#[test]
fn a_silent_watch_ends_at_its_idle_limit_and_any_byte_is_life() {
    let time = VirtualTime::new();
    let runtime = time.runtime();
    let sleeper = runtime.clone();
    // A byte of one event every 40 s, then silence.
    let bytes = br#"{"type":"ADDED","object":{"name":"a"}}"#.iter().map(|byte| vec![*byte]).collect::<Vec<_>>();
    let length = u32::try_from(bytes.len()).unwrap();
    let chunks = stream::iter(bytes)
        .then(move |chunk| {
            let sleeper = sleeper.clone();
            async move {
                sleeper.sleep(40 * SECOND).await;
                Ok(chunk)
            }
        })
        .chain(stream::pending());
    let mut watch = Watch::<Named>::new("watch pods", Body::new(chunks)).idle_limit(runtime, 90 * SECOND);
    assert!(matches!(time.run(watch.next()), Some(Ok(WatchEvent::Added(_)))));
    let error = time.run(watch.next()).unwrap().unwrap_err();
    assert!(error.is_timeout());
    assert_eq!(error.to_string(), "watch pods: no answer within 90 s");
    assert_eq!(time.now() - Instant::ORIGIN, (40 * length + 90) * SECOND);
    assert!(time.run(watch.next()).is_none());
}

#[test]
fn what_arrived_while_nobody_looked_counts_as_life() {
    let time = VirtualTime::new();
    let mut watch =
        Watch::<Named>::new("watch pods", body(vec![br#"{"type":"ADDED","object":{"name":"a"}}"#.to_vec()]))
            .idle_limit(time.runtime(), 90 * SECOND);
    time.advance(3600 * SECOND);
    assert!(matches!(time.run(watch.next()), Some(Ok(WatchEvent::Added(_)))));
    assert!(time.run(watch.next()).is_none());
}
