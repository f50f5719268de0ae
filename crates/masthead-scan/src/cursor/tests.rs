//! Values are stepped over to their end, wherever the bytes end.

use super::{Cursor, Stop};

#[track_caller]
fn check(json: &str) {
    for tail in ["", " ", ",", "}", "]\"", "}\\"] {
        let bytes = [json.as_bytes(), tail.as_bytes()].concat();
        let bare = !json.ends_with(['}', ']', '"']);
        let got = Cursor::new(&bytes).value();
        let expect = if bare && tail.is_empty() { Err(Stop::Short) } else { Ok(json.as_bytes()) };
        assert_eq!(got, expect, "{json}{tail}");
    }
    for cut in 0..json.len() {
        assert_eq!(Cursor::new(&json.as_bytes()[..cut]).skip(), Err(Stop::Short), "{json} cut at {cut}");
    }
}

#[test]
fn steps_over_values() {
    for json in ["{}", "[]", r#""""#, "1", "-1.5e+3", "true", "null", r#""a b c d e f g h i j k l m n""#] {
        check(json);
    }
    check(r#"{"a":{"b":[1,2,{"c":"}"}]},"d":"]}"}"#);
    check(r#"[{"a":["]"]},[[]],"["]"#);
    check(r#"{"k:{\"type\":\"Ready\"}":{},"x\\":"\\\""}"#);
    check("{\n  \"a\": [ 1 , 2 ]\n}");
}

#[test]
fn walks_through_objects_and_arrays() {
    let mut cursor = Cursor::new(br#" { "a" : [ 1 , "\u0062" ] , "c" : { } } , "#);
    cursor.expect(b'{').expect("an object");
    assert!(cursor.name(true).expect("a name").is_some_and(|name| name.is("a")));
    cursor.expect(b'[').expect("an array");
    assert_eq!(cursor.element(true), Ok(true));
    assert_eq!(cursor.value(), Ok(&b"1"[..]));
    assert_eq!(cursor.element(false), Ok(true));
    let text = cursor.text().expect("a text");
    assert_eq!((text.read().as_deref(), text.is("b"), text.is("c")), (Some("b"), true, false));
    assert_eq!(cursor.element(false), Ok(false));
    assert!(cursor.name(false).expect("a name").is_some_and(|name| name.is("c")));
    assert_eq!(cursor.value(), Ok(&b"{ }"[..]));
    assert_eq!(cursor.name(false), Ok(None));
    assert_eq!(cursor.peek(), Ok(b','));
}

#[test]
fn says_where_it_is_no_json() {
    let name = |json: &'static str, first| Cursor::new(json.as_bytes()).name(first);
    assert_eq!(Cursor::new(b"  x").skip(), Err(Stop::Malformed(2)));
    assert_eq!(name("a", true), Err(Stop::Malformed(0)));
    assert_eq!(name(r#""a" 1"#, true), Err(Stop::Malformed(4)));
    assert_eq!(name(r#""a":1"#, false), Err(Stop::Malformed(0)));
    assert_eq!(Cursor::new(b"\"\\x\"").text().map(|text| text.read()), Ok(None));
    assert_eq!(Cursor::new(b"\"\xff\"").text().map(|text| text.read()), Ok(None));
}

#[test]
fn steps_over_long_values() {
    let long = r#"{"f:x":{".":{},"k:{\"type\":\"Ready\"}":{"f:y":["}",[{}]]}},"#.repeat(9);
    for length in 0..130 {
        let pad = "x".repeat(length);
        let json = format!("{{\"{pad}\":[{long}\"\\\\\"{}],\"a\\\"{pad}\":\"}}\\\\\"}}", "}".repeat(9));
        assert!(json.len() > 64);
        let bytes = [json.as_bytes(), b"}}"].concat();
        assert_eq!(Cursor::new(&bytes).value(), Ok(json.as_bytes()), "{json}");
        for cut in (0..json.len()).step_by(7).chain([json.len() - 1]) {
            assert_eq!(Cursor::new(&json.as_bytes()[..cut]).skip(), Err(Stop::Short), "{json} cut at {cut}");
        }
    }
}
