use std::collections::BTreeMap;

use super::{Operator, Requirement, Selector, escape};
use crate::runtime::Chance;

fn parse(text: &str) -> Result<Selector, String> {
    text.parse().map_err(|error: super::ParseError| error.to_string())
}

#[track_caller]
fn check(selector: &str, fields: &[(&str, &str)], expected: bool) {
    let fields: BTreeMap<&str, &str> = fields.iter().copied().collect();
    let selector = parse(selector).unwrap();
    assert_eq!(selector.matches(|field| fields.get(field).copied()), expected, "{selector}");
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err(), expected);
}

#[test]
fn fields_match_as_the_server_does() {
    check("", &[("x", "y")], true);
    check("x=y", &[("x", "y")], true);
    check("x==y,z=w", &[("x", "y"), ("z", "w")], true);
    check("x!=y,z!=w", &[("x", "z"), ("z", "a")], true);
    check("notin=in", &[("notin", "in")], true);
    check("x=y", &[("x", "z")], false);
    check("x=y,z=w", &[("x", "w"), ("z", "w")], false);
    check("x!=y,z!=w", &[("x", "z"), ("z", "w")], false);
    let complex = [("foo", "bar"), ("baz", "blah"), ("complex", r"=value\,\")];
    check(r"foo=bar,baz=blah,complex=\=value\\\,\\", &complex, true);
    check("foo=bar,foobar=bar,baz=blah", &complex, false);
}

#[test]
fn an_absent_field_is_empty() {
    check("spec.nodeName=", &[], true);
    check("spec.nodeName!=", &[], false);
    check("spec.nodeName!=n1", &[], true);
}

#[test]
fn what_is_written_is_read_again() {
    for text in ["x=a,y=b,z=c", "", "x!=a,y=b", r"x=a||y\=b", r"x=a\=\=b", "함=수,목=록", r"k=\,,k2=v2", r"k=\\,k2=v2"]
    {
        let selector = parse(text).unwrap();
        assert_eq!(parse(&selector.to_string()).unwrap(), selector);
        assert_eq!(selector.to_string().len(), text.len());
    }
    assert_eq!(parse("x=a,a=x").unwrap().to_string(), "a=x,x=a");
    assert_eq!(parse("a==z,a=b").unwrap().to_string(), "a=b,a=z");
    assert_eq!(parse(",a=a,,").unwrap().to_string(), "a=a");
    assert_eq!(parse("=,a=a,!=").unwrap().to_string(), "a=a", "a term without field and value asks for nothing");
}

#[test]
fn mistakes_are_told_in_kubectl_s_words() {
    check_refused("x", "invalid selector: 'x'; can't understand 'x'");
    check_refused("x=a,b", "invalid selector: 'x=a,b'; can't understand 'b'");
    check_refused("x in (a)", "invalid selector: 'x in (a)'; can't understand 'x in (a)'");
    check_refused("x=a||y=b", "invalid field selector: unescaped character in value: 61");
    check_refused("x==a==b", "invalid field selector: unescaped character in value: 61");
    check_refused(r"k=\a", r"invalid field selector: invalid escape sequence: \a");
    check_refused(r"k=\\\", r"invalid field selector: invalid escape sequence: \");
}

#[test]
fn escapes_are_undone() {
    for (value, escaped) in [("", ""), ("a", "a"), ("=", r"\="), (",", r"\,"), (r"\", r"\\"), (r"\=\,\", r"\\\=\\\,\\")]
    {
        assert_eq!(escape(value), escaped);
        assert_eq!(parse(&format!("k={escaped}")).unwrap().required("k"), Some(value));
    }
}

#[test]
fn only_an_equality_requires_a_value() {
    let selector = parse("test=b,other!=c,none=").unwrap();
    assert_eq!(selector.required("test"), Some("b"));
    assert_eq!(selector.required("none"), Some(""));
    assert_eq!(selector.required("other"), None);
    assert_eq!(selector.required("absent"), None);
    let made = ["none", "test"].into_iter().zip(["", "b"]).map(|(field, value)| Requirement {
        field: field.to_owned(),
        operator: Operator::Equals,
        value: value.to_owned(),
    });
    assert_eq!(Selector::new(made).to_string(), "none=,test=b");
}

#[test]
fn any_text_is_refused_or_read_and_what_was_read_stays_the_same() {
    const PIECES: &[&str] = &["a", "b.c", r"\", r"\", ",", ",", "=", "=", "==", "!=", "!", " ", "수", "\u{0}"];
    let chance = Chance::new(0xF1E1D);
    let draw = |bound: usize| (chance.next() * bound as f64) as usize;
    let mut read = 0;
    for _ in 0..200_000 {
        let text: String = (0..draw(10)).map(|_| PIECES[draw(PIECES.len())]).collect();
        let Ok(selector) = parse(&text) else { continue };
        read += usize::from(!selector.is_empty());
        let written = selector.to_string();
        assert_eq!(parse(&written).as_ref(), Ok(&selector), "{text:?} was written as {written:?}");
    }
    assert!(read > 1000, "only {read} texts were read: the pieces no longer make selectors");
}
