//! What kubectl sends, beside what it says that it sends.

use serde_json::{Value, json};

use super::to_json;
use crate::tests::wire::Wire;
use masthead::rest::Method;

const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";

/// Three lines each: the command, the body that it sent in hexadecimal, and what it prints with `--dry-run -o json`.
const BODIES: &str = include_str!("bodies.txt");

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn a_body_in_protobuf_is_what_it_would_be_in_json() {
    for body in BODIES.lines().collect::<Vec<_>>().chunks(3) {
        let [command, sent, printed] = body else { panic!("{body:?}") };
        let sent = bytes(sent);
        let (media, read) = to_json(MEDIA_TYPE, &sent).unwrap();
        assert_eq!(media, "application/json");
        let read: Value = serde_json::from_slice(&read).unwrap();
        assert_eq!(read, serde_json::from_str::<Value>(printed).unwrap(), "{command}");
    }
}

#[test]
fn times_and_texts_of_unusual_types_are_read() {
    let nested = |number: u8, inside: &[u8]| [&[number << 3 | 2, u8::try_from(inside.len()).unwrap()], inside].concat();
    let type_meta = [nested(1, b"coordination.k8s.io/v1"), nested(2, b"Lease")].concat();
    // The seconds 1767225600 and the nanoseconds 5000, both as varints.
    let renewed = [0x08, 0x80, 0xf2, 0xd6, 0xca, 0x06, 0x10, 0x88, 0x27];
    let spec = [nested(1, b"a"), nested(4, &renewed)].concat();
    let lease = [b"k8s\0".to_vec(), nested(1, &type_meta), nested(2, &nested(2, &spec))].concat();
    let (_, read) = to_json(MEDIA_TYPE, &lease).unwrap();
    let read: Value = serde_json::from_slice(&read).unwrap();
    assert_eq!(read["spec"], json!({ "holderIdentity": "a", "renewTime": "2026-01-01T00:00:00.000005Z" }));
}

#[test]
fn no_bytes_at_all_make_it_panic() {
    for body in BODIES.lines().skip(1).step_by(3) {
        let body = bytes(body);
        for at in 4..body.len() {
            for byte in [0, 0x7f, 0xff] {
                let mut broken = body.clone();
                broken[at] = byte;
                to_json(MEDIA_TYPE, &broken).ok();
                to_json(MEDIA_TYPE, &broken[..at]).ok();
            }
        }
    }
}

#[test]
fn the_server_takes_protobuf_for_built_in_kinds_alone() {
    let wire = Wire::new();
    let map = BODIES.lines().skip_while(|line| !line.starts_with("kubectl create configmap")).nth(1).unwrap();
    let post = |body: &[u8]| {
        let url = "/api/v1/namespaces/default/configmaps";
        wire.ask_bytes(Method::Post, url, &[("Content-Type", MEDIA_TYPE)], body)
    };
    assert_eq!(post(&bytes(map)).code, 201);
    let (_, stored) = wire.json(Method::Get, "/api/v1/namespaces/default/configmaps/c", "");
    assert_eq!(stored["data"], json!({ "a": "b" }));
    assert_eq!(post(b"k8s\0\x0a\x0a\x0a\x04a/v1\x12\x02Xy").code, 415);
    assert_eq!(post(b"{}").code, 400);
    assert_eq!(post(b"k8s\0\xff").code, 400);
}
