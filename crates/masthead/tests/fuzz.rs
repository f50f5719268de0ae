//! Inputs that nobody thought of, made by seeded mutation of `fuzz/corpus`.
//!
//! Each target runs for two seconds, or for `MASTHEAD_FUZZ_SECONDS`. A failure prints the seed, which `MASTHEAD_FUZZ_SEED`
//! takes, and the input: a file of it in the corpus keeps the mistake from coming back.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeMap,
    fmt::{Debug, Display},
    fs,
    path::Path,
    rc::Rc,
    str::FromStr,
    time::{Duration, Instant, SystemTime},
};

use futures::{StreamExt, executor::block_on, stream};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::Object,
    fields, labels,
    lean::{Lean, Projector},
    packed::Packer,
    rest::{
        Body, Decoder, First, FrameError, Framer, Headers, Json, List, ListReader, MediaType, Method, Response, Watch,
    },
    runtime::Chance,
};
use serde_json::Value;

#[test]
fn frame() {
    let tokens = ["{", "}", "[", "]", "\"", "\\", "\\\"", "\n", " ", "1", "true", "null", ",", "é", "{}", "\u{0}"];
    fuzz("frame", &tokens, |input, random| {
        let limit = if random.below(4) == 0 { 1 + random.below(64) } else { 1 << 20 };
        let whole = frames(&[input], limit);
        let chunks = random.cut(input);
        assert_eq!(frames(&chunks, limit), whole, "in chunks {chunks:?}, limit {limit}");
        assert!(whole.0.iter().all(|frame| !frame.is_empty() && frame.len() <= limit));
        let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_slice(input).into_iter().collect();
        if let (Ok(values), true) = (values, limit == 1 << 20) {
            let read = |frame: &Vec<u8>| serde_json::from_slice::<Value>(frame).unwrap();
            assert_eq!((whole.0.iter().map(read).collect(), whole.1), (values, Ok(())), "what serde reads");
        }
    });
}

#[test]
fn watch() {
    let tokens = [
        r#"{"type":"ADDED","object":"#,
        r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"#,
        r#""resourceVersion":"#,
        r#""metadata":"#,
        "ERROR",
        "null",
        "{}",
        "}",
        "\"",
        "\\u",
        "\n",
        "é",
        "99999999999",
    ];
    fuzz("watch", &tokens, |input, random| {
        let whole = items(vec![input.to_vec()]);
        let chunks = random.cut(input);
        let cut = items(chunks.iter().map(|chunk| chunk.to_vec()).collect());
        assert_eq!(cut, whole, "in chunks {chunks:?}");
        let (found, end) = frames(&[input], Framer::DEFAULT_LIMIT);
        assert_eq!(whole.len(), found.len() + usize::from(end.is_err()), "one item a frame, whatever is in it");
    });
}

#[test]
fn list() {
    let tokens = [
        r#""items":["#,
        r#""metadata":{"resourceVersion":"1"}"#,
        r#"{"a":1}"#,
        r#"{"metadata":{},"items":["#,
        "]}",
        ",",
        "\"",
        "\\",
        "\\u0069",
        "[",
        "{",
        "}",
        " ",
        "null",
        "é",
        "\u{0}",
    ];
    fuzz("list", &tokens, |input, random| {
        let (found, end) = objects(&[input]);
        let chunks = random.cut(input);
        assert_eq!(objects(&chunks), (found.clone(), end.clone()), "in chunks {chunks:?}");
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        let response =
            Response { operation: "list".into(), method: Method::Get, code: 200, headers, body: input.to_vec() };
        match List::<Value>::decode(&response) {
            // An item that is no JSON may end a stream: where the next one begins is not known before it came.
            Ok(list) if end.is_err() => assert!(!list.skipped.is_empty(), "only what is no JSON ends a stream"),
            Ok(list) => {
                let mut whole: Vec<_> = list.items.into_iter().map(Ok).collect();
                whole.resize(whole.len() + list.skipped.len(), Err(()));
                assert_eq!(found, whole, "what is read in one piece");
                assert_eq!(end, Ok((list.resource_version, list.continue_token)));
            }
            Err(_) => assert!(end.is_err() || found.iter().any(Result::is_err), "it cannot be read in one piece"),
        }
    });
}

#[derive(Lean)]
struct PodRow {
    #[lean("spec.nodeName")]
    node: Option<String>,
    #[lean("spec.containers[*].image")]
    images: Vec<String>,
    #[lean("metadata.labels")]
    labels: BTreeMap<String, String>,
    #[lean(r"metadata.labels.a\.b")]
    label: Option<String>,
}

#[test]
fn lean() {
    let tokens = [
        r#""metadata":{"name":"a"}"#,
        r#""nodeName":"#,
        r#""containers":["#,
        r#"{"image":"b"}"#,
        r#""labels":{"a.b":"#,
        r#""managedFields":["#,
        r#""ownerReferences":[{"uid":"o"}]"#,
        "\\\"",
        "\\u00e9",
        "null",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"",
    ];
    let (projector, packer) = (Projector::<PodRow>::new(), Packer::<PodRow>::new());
    fuzz("lean", &tokens, |input, random| {
        // Whatever it is, it is read or refused, and the beginning of something longer is read as by itself.
        let alone = projector.decode(MediaType::Json, input);
        let more = [input, b"  ,{\"metadata\""].concat();
        match projector.decode_first(MediaType::Json, &more) {
            First::Whole { object, length } if length <= input.len() => {
                assert_eq!(alone.unwrap().key(), object.key());
                let cut = random.below(length);
                let cut = projector.decode_first(MediaType::Json, &input[..cut]);
                assert!(matches!(cut, First::Cut), "cut before its end");
            }
            First::Whole { .. } | First::Cut | First::Unknown => {}
        }
        // What serde reads, written anew so that no name is there twice, has the same fields.
        let Ok(mut value) = serde_json::from_slice::<Value>(input) else { return };
        let json = if random.below(2) == 0 { value.to_string() } else { format!("{value:#}") };
        let Ok(row) = projector.decode(MediaType::Json, json.as_bytes()) else { return };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        assert_eq!(row.node, text(&value["spec"]["nodeName"]));
        let containers = value["spec"]["containers"].as_array().into_iter().flatten();
        let images = containers.filter_map(|container| container.get("image"));
        assert_eq!(row.images, images.map(|image| text(image).unwrap_or_default()).collect::<Vec<_>>());
        let labels = value["metadata"]["labels"].as_object().into_iter().flatten();
        let labels = labels.map(|(name, label)| (name.clone(), text(label).unwrap_or_default()));
        assert_eq!(row.labels, labels.collect::<BTreeMap<_, _>>());
        assert_eq!(row.label, text(&value["metadata"]["labels"]["a.b"]));
        let packed = packer.decode(MediaType::Json, json.as_bytes()).map(|packed| packed.read::<Value>().unwrap());
        value["metadata"].as_object_mut().unwrap().remove("managedFields");
        // An owner of another type is refused by the packer alone.
        if let Ok(packed) = packed {
            assert_eq!(packed, value);
        }
    });
}

#[test]
fn labels() {
    let tokens =
        ["=", "==", "!=", "!", "(", ")", ",", ">", "<", " in ", " notin ", "a", "-", "/", ".", " ", "\t", "é", "7"];
    fuzz("labels", &tokens, |input, _| {
        let Some(selector) = check_selector::<labels::Selector>(input) else { return };
        let labels = BTreeMap::from([("a", "b"), ("n", "5"), ("in", "")]);
        let matched = selector.matches(|key| labels.get(key).copied());
        let each = selector.requirements().iter().cloned().map(|requirement| labels::Selector::new([requirement]));
        let all = each.into_iter().all(|single| single.matches(|key| labels.get(key).copied()));
        assert_eq!(matched, all, "a selector is the conjunction of its requirements");
    });
}

#[test]
fn fields() {
    let tokens = ["=", "==", "!=", ",", "\\", "\\,", "\\=", "a", ".", " ", "é", "!", "metadata.name"];
    fuzz("fields", &tokens, |input, _| {
        let Some(selector) = check_selector::<fields::Selector>(input) else { return };
        let fields = BTreeMap::from([("a", "b"), ("metadata.name", "a")]);
        let matched = selector.matches(|field| fields.get(field).copied());
        let each = selector.requirements().iter().cloned().map(|requirement| fields::Selector::new([requirement]));
        let all = each.into_iter().all(|single| single.matches(|field| fields.get(field).copied()));
        assert_eq!(matched, all, "a selector is the conjunction of its requirements");
    });
}

/// What is read is written in a form that reads as the same and is written the same; what is refused says why.
fn check_selector<S>(input: &[u8]) -> Option<S>
where
    S: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    let text = String::from_utf8_lossy(input);
    match text.parse::<S>() {
        Ok(selector) => {
            let written = selector.to_string();
            let again = written.parse::<S>().unwrap_or_else(|error| panic!("{written:?} from {text:?}: {error}"));
            assert_eq!(again, selector, "{written:?} from {text:?}");
            assert_eq!(again.to_string(), written);
            Some(selector)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// The frames of a stream, and how it ended.
fn frames(chunks: &[&[u8]], limit: usize) -> (Vec<Vec<u8>>, Result<(), FrameError>) {
    let (mut framer, mut found) = (Framer::new(limit), Vec::new());
    for chunk in chunks {
        framer.push(chunk);
        loop {
            match framer.next_frame() {
                Ok(Some(frame)) => found.push(frame.to_vec()),
                Ok(None) => break,
                Err(error) => return (found, Err(error)),
            }
        }
    }
    let end = framer.finish().map(|last| found.extend(last.map(<[u8]>::to_vec)));
    (found, end)
}

/// The objects of a list, those that cannot be read last, and what the list says of itself.
#[expect(clippy::type_complexity, reason = "told once")]
fn objects(chunks: &[&[u8]]) -> (Vec<Result<Value, ()>>, Result<(String, Option<String>), String>) {
    let mut reader = ListReader::<Value>::new("list", MediaType::Json, Rc::new(Json::new()));
    let (mut found, mut skipped) = (Vec::new(), 0);
    let mut take = |reader: &mut ListReader<Value>| {
        while let Some(batch) = reader.next_batch()? {
            found.extend(batch.objects.into_iter().map(Ok));
            skipped += batch.skipped.len();
        }
        Ok(())
    };
    let read = chunks.iter().try_for_each(|chunk| {
        reader.push(chunk.to_vec());
        take(&mut reader)
    });
    let end = read.and_then(|()| reader.finish()).map_err(|error: Error| error.to_string()).map(|list| {
        found.extend(list.items.into_iter().map(Ok));
        skipped += list.skipped.len();
        (list.resource_version, list.continue_token)
    });
    found.resize(found.len() + skipped, Err(()));
    (found, end)
}

/// The items of a watch, in words.
fn items(chunks: Vec<Vec<u8>>) -> Vec<String> {
    let body = Body::new(stream::iter(chunks.into_iter().map(Ok)));
    let watch = Watch::<ConfigMap>::new("watch", body);
    block_on(watch.map(|item| format!("{item:?}")).collect())
}

/// Checks the corpus as it is, then mutations of it until the time is over.
#[expect(clippy::disallowed_methods, reason = "a run is as long as a person lets it be")]
fn fuzz(name: &str, tokens: &[&str], check: impl Fn(&[u8], &mut Random)) {
    let setting = |name| std::env::var(name).ok().map(|value: String| value.parse::<u64>().expect("a number"));
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = setting("MASTHEAD_FUZZ_SEED").unwrap_or_else(clock);
    let limit = Duration::from_secs(setting("MASTHEAD_FUZZ_SECONDS").unwrap_or(2));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut inputs: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(!inputs.is_empty(), "the corpus of {name} is empty");

    let (kept, mut random, begun, mut runs) = (inputs.len(), Random(Chance::new(seed)), Instant::now(), 0);
    while runs < kept || begun.elapsed() < limit {
        let input = match inputs[..kept].get(runs) {
            Some(input) => input.clone(),
            None => random.mutated(&inputs, tokens),
        };
        let failure = Failure { name, seed, runs, input: &input };
        check(&input, &mut random);
        drop(failure);
        // Some mutations are mutated further, in place of earlier ones once there are many.
        if runs >= kept && random.below(16) == 0 {
            if inputs.len() < kept + GENERATIONS {
                inputs.push(input);
            } else {
                let place = kept + random.below(GENERATIONS);
                inputs[place] = input;
            }
        }
        runs += 1;
    }
    eprintln!("{name}: {runs} inputs from seed {seed}");
}

/// How many mutations are kept to be mutated further.
const GENERATIONS: usize = 256;

/// Names the input if its check does not return.
struct Failure<'a> {
    name: &'a str,
    seed: u64,
    runs: usize,
    input: &'a [u8],
}

impl Drop for Failure<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Failure { name, seed, runs, input } = self;
            eprintln!("{name}: MASTHEAD_FUZZ_SEED={seed}, input {runs}: \"{}\"", input.escape_ascii());
        }
    }
}

struct Random(Chance);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next() * bound as f64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..start + self.below((length - start).min(64) + 1)
    }

    /// `input` in chunks, some of them empty.
    fn cut<'a>(&mut self, input: &'a [u8]) -> Vec<&'a [u8]> {
        let mut cuts: Vec<usize> = (0..self.below(10)).map(|_| self.below(input.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(input.len());
        let starts = std::iter::once(0).chain(cuts.clone());
        starts.zip(cuts).map(|(start, end)| &input[start..end]).collect()
    }

    fn mutated(&mut self, inputs: &[Vec<u8>], tokens: &[&str]) -> Vec<u8> {
        let mut input = inputs[self.below(inputs.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.below(input.len() + 1);
            let range = self.range(input.len());
            match self.below(7) {
                0 => drop(input.splice(at..at, tokens[self.below(tokens.len())].bytes())),
                1 => drop(input.splice(range, tokens[self.below(tokens.len())].bytes())),
                2 => drop(input.drain(range)),
                3 => drop(input.splice(at..at, input[range].to_vec())),
                4 => {
                    let other = &inputs[self.below(inputs.len())];
                    let part = self.range(other.len());
                    input.splice(at..at, other[part].iter().copied());
                }
                5 => input.truncate(at),
                _ => {
                    if let Some(byte) = input.get_mut(at) {
                        *byte = self.below(256) as u8;
                    }
                }
            }
        }
        input.truncate(LONGEST);
        input
    }
}

/// Mutations of mutations grow; long ones only make the run slow.
const LONGEST: usize = 4096;
