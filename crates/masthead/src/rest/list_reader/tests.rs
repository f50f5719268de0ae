//! Documents in one chunk and in many, against what is read of the whole.

use std::rc::Rc;

use serde_json::Value;

use super::{Decoder, ListReader};
use crate::{
    Error,
    rest::{First, Headers, Json, List, MediaType, Method, Response},
};

/// Reads values by themselves, if those before have told where they end.
struct Ahead;

impl Decoder<Value> for Ahead {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Value, Error> {
        Json::new().decode(media_type, object)
    }

    fn decode_first(&self, _: MediaType, bytes: &[u8]) -> First<Value> {
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
        match values.next() {
            Some(Ok(object)) if object.is_object() => First::Whole { object, length: values.byte_offset() },
            Some(Err(error)) if error.is_eof() => First::Cut,
            _ => First::Unknown,
        }
    }
}

fn told(list: &List<Value>, before: &[Value], skipped: usize) -> String {
    let items: Vec<String> = before.iter().chain(&list.items).map(Value::to_string).collect();
    let skipped = skipped + list.skipped.len();
    let (version, token) = (&list.resource_version, &list.continue_token);
    format!("{} @{version} continue={token:?} skipped={skipped}", items.join(" "))
}

fn read(chunks: &[&[u8]], ahead: bool) -> Result<String, Error> {
    let decoder: Rc<dyn Decoder<Value>> = if ahead { Rc::new(Ahead) } else { Rc::new(Json::new()) };
    let mut reader = ListReader::new("list", MediaType::Json, decoder);
    let (mut objects, mut skipped) = (Vec::new(), 0);
    for chunk in chunks {
        reader.push(chunk.to_vec());
        while let Some(mut batch) = reader.next_batch()? {
            objects.append(&mut batch.objects);
            skipped += batch.skipped.len();
        }
    }
    Ok(told(&reader.finish()?, &objects, skipped))
}

fn whole(json: &str) -> Result<String, Error> {
    let mut headers = Headers::default();
    headers.add("Content-Type", "application/json");
    let body = json.as_bytes().to_vec();
    let response = Response { operation: "list".into(), method: Method::Get, code: 200, headers, body };
    List::decode(&response).map(|list| told(&list, &[], 0))
}

/// However it is cut, a list says what it says in one piece.
#[track_caller]
fn check(json: &str, expect: &str) {
    let bytes = json.as_bytes();
    for ahead in [false, true] {
        for cut in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(cut);
            let got = read(&[head, tail], ahead).unwrap_or_else(|error| error.to_string());
            assert_eq!(got, expect, "{json} cut at {cut}");
        }
        let each: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&each, ahead).unwrap_or_else(|error| error.to_string()), expect, "{json} byte by byte");
    }
}

#[test]
fn reads_items_in_any_chunks() {
    let lists = [
        r#"{"kind":"PodList","metadata":{"resourceVersion":"7","continue":"x"},"items":[{"a":"é\"]}"},{"b":[{}]}]}"#,
        r#"{"items":[{"a":1},{"b":{"items":[{}]}}],"metadata":{"resourceVersion":"8","remainingItemCount":3}}"#,
        "{\n  \"metadata\" : { \"items\": [ 1 ] } ,\n \"items\" : [ { \"a\": 1 } ,\n 2 , \"items\", null ]\n}\n",
        r#"{"metadata":{},"items":[]}"#,
        r#"{"metadata":{},"items":null}"#,
        r#"{"kind":"items","metadata":{},"items":[{"\\":"\\\\\""}],"more":["items",{"items":[]}]}"#,
        r#"{"metadata":{},"it\u0065ms":[{"a":1}]}"#,
    ];
    for json in lists {
        check(json, &whole(json).expect("a list"));
    }
}

#[test]
fn an_item_that_cannot_be_read_costs_no_other() {
    check(
        r#"{"metadata":{"resourceVersion":"7"},"items":[{"a":1},{"b":tru},{"c":3}]}"#,
        r#"{"a":1} {"c":3} @7 continue=None skipped=1"#,
    );
}

#[test]
fn refuses_what_is_no_list() {
    let words = "list: undecodable: missing field `metadata` at line 1 column 12";
    check(r#"{"items":[]}"#, words);
    check("", "list: 0-length response with status code: 200 and content type: application/json");
    check(r#"{"metadata":{},"items":[{},]}"#, "list: the stream is not JSON: found ']'");
    check(r#"{"metadata":{},"items":[,{}]}"#, "list: the stream is not JSON: found ','");
    check(r#"{"metadata":{},"items":[{} {}]}"#, "list: the stream is not JSON: found '{'");
    check(r#"{"metadata":{},"items":[x]}"#, "list: the stream is not JSON: found 'x'");
    let twice = r#"{"metadata":{},"items":[{}],"items":[]}"#;
    assert!(read(&[twice.as_bytes()], false).is_err_and(|error| error.is_undecodable()));
    let failure = r#"{"kind":"Status","status":"Failure","code":403,"reason":"Forbidden","message":"no"}"#;
    check(failure, "list: 403 Forbidden: no");
}

#[test]
fn a_list_that_ends_early_is_a_network_error() {
    let json = r#"{"metadata":{"resourceVersion":"7"},"items":[{"a":"b\\"},{"c":[1]}]}"#;
    for cut in 1..json.len() {
        let error = read(&[&json.as_bytes()[..cut]], true).expect_err("it is cut");
        assert!(error.is_network(), "cut at {cut}: {error}");
    }
}

#[test]
fn bounds_what_it_holds() {
    let reader = |limit| ListReader::<Value>::new("list", MediaType::Json, Rc::new(Json::new())).limit(limit);
    let fill = |mut reader: ListReader<Value>, chunks: &[&str]| {
        for chunk in chunks {
            reader.push(chunk.as_bytes().to_vec());
            while reader.next_batch()?.is_some() {}
        }
        reader.finish().map(drop)
    };
    let many: Vec<&str> = [r#"{"metadata":{},"items":[{}"#].into_iter().chain([",{}"; 1000]).chain(["]}"]).collect();
    fill(reader(64), &many).expect("small items, however many");
    let ahead = ListReader::<Value>::new("list", MediaType::Json, Rc::new(Ahead)).limit(64);
    let large = fill(ahead, &[r#"{"items":["#, "{\"a\":\"", &"x".repeat(40), &"x".repeat(40)]);
    assert!(large.is_err_and(|error| error.is_too_large()));
    let large = fill(reader(64), &[r#"{"items":["#, "{\"a\":\"", &"x".repeat(40), &"x".repeat(40)]);
    assert!(large.is_err_and(|error| error.is_too_large()));
    let around = fill(reader(64), &["{\"a\":\"", &"x".repeat(40), &"x".repeat(40)]);
    assert!(around.is_err_and(|error| error.is_too_large()));
}

#[test]
fn an_error_comes_after_what_was_read_and_comes_again() {
    let mut reader = ListReader::<Value>::new("list", MediaType::Json, Rc::new(Json::new()));
    reader.push(br#"{"items":[{"a":1},!"#.to_vec());
    assert_eq!(reader.next_batch().expect("an object").expect("an object").objects.len(), 1);
    for _ in 0..2 {
        reader.next_batch().expect_err("no JSON");
    }
    reader.finish().expect_err("no JSON");
}

/// Says of every object that it is longer than what is there.
struct Overstating;

impl Decoder<Value> for Overstating {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Value, Error> {
        Json::new().decode(media_type, object)
    }

    fn decode_first(&self, _: MediaType, bytes: &[u8]) -> First<Value> {
        First::Whole { object: Value::Null, length: bytes.len() + 1 }
    }
}

#[test]
fn a_decoder_that_claims_more_than_there_is_is_not_believed() -> Result<(), Error> {
    let list =
        r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"a":1},{"b":2},{"c":3}]}"#;
    let mut reader = ListReader::new("list", MediaType::Json, Rc::new(Overstating) as Rc<dyn Decoder<Value>>);
    reader.push(list.as_bytes().to_vec());
    let mut objects = Vec::new();
    while let Some(mut batch) = reader.next_batch()? {
        objects.append(&mut batch.objects);
    }
    assert_eq!(told(&reader.finish()?, &objects, 0), whole(list)?);
    Ok(())
}
