//! Requests that two servers could read differently, and those that are none.

use std::io::Write;

use crate::place::{Place, answer};

/// Sends these bytes, with `HOST` and `API` filled in, and gives all that comes back.
fn sent(place: &Place, request: &str) -> (u16, String) {
    let mut stream = place.connect();
    let text = request.replace("HOST", &place.host).replace("API", &place.prefix);
    // A server that closes early may break the rest.
    stream.write_all(text.as_bytes()).ok();
    answer(&mut stream)
}

/// The statuses of all answers on a connection.
fn statuses(text: &str) -> Vec<u16> {
    let starts = text.split("HTTP/1.").skip(1);
    starts.filter_map(|rest| rest.get(2..5).and_then(|code| code.parse().ok())).collect()
}

#[test]
fn a_request_with_two_lengths_is_one_request() {
    let place = Place::new("lengths");
    let hidden = "GET API/hidden HTTP/1.1\r\nHost: HOST\r\n\r\n";
    for (headers, body) in [
        ("Content-Length: 4\r\nTransfer-Encoding: chunked", format!("0\r\n\r\n{hidden}")),
        ("Transfer-Encoding: chunked\r\nContent-Length: 4", format!("0\r\n\r\n{hidden}")),
        ("Content-Length: 0\r\nContent-Length: 64", hidden.to_owned()),
        ("Content-Length: 0, 64", hidden.to_owned()),
        ("Content-Length: +4", hidden.to_owned()),
        ("Transfer-Encoding: gzip", hidden.to_owned()),
        ("Transfer-Encoding: chunked, identity", format!("0\r\n\r\n{hidden}")),
        ("Transfer-Encoding : chunked", format!("0\r\n\r\n{hidden}")),
        ("Transfer-Encoding:\x0bchunked", format!("0\r\n\r\n{hidden}")),
    ] {
        let (_, text) = sent(&place, &format!("POST API/seen HTTP/1.1\r\nHost: HOST\r\n{headers}\r\n\r\n{body}"));
        assert!(statuses(&text).len() <= 1 && !text.contains("/hidden"), "{headers}: {text}");
    }
    let (code, text) = sent(
        &place,
        "POST API/seen HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\nConnection: content-length, close\r\n\r\nabc",
    );
    assert!(code == 200 && text.contains("content-length: 3\r\n") && text.ends_with("abc"), "{text}");
    assert!(!place.upstream.was_asked_for("/hidden"));
}

#[test]
fn heads_that_are_none_are_refused() {
    let place = Place::new("heads");
    for request in [
        "GET API/x HTTP/1.1\r\nHost: HOST\r\nX: a\r\n b\r\n\r\n",
        "GET API/x HTTP/1.1\r\nHost: HOST\r\nX\0: a\r\n\r\n",
        "GET API/x HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n",
        "GET API/x HTTP/1.1\r\nHost : HOST\r\n\r\n",
        "GET API/x HTTP/1.1\r\n Host: HOST\r\n\r\n",
        "GET API/x\r\n\r\n",
        "GET  API/x HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET API/x HTTP/3.0\r\nHost: HOST\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03",
    ] {
        let mut request = request.to_owned();
        request.push_str("\r\n\r\n");
        let (code, text) = sent(&place, &request);
        // The beginning of HTTP/2 is closed without an answer.
        assert!(matches!(code, 400 | 505) || text.is_empty(), "{request:?}: {text}");
        assert!(statuses(&text).len() <= 1, "{request:?}: {text}");
    }
    assert_eq!(place.upstream.asked(), 0);
    assert_eq!(place.get("/", &[]).0, 200);
}

#[test]
fn a_target_names_this_server_or_is_refused() {
    let place = Place::new("targets");
    for (line, expect) in [
        ("GET http://evil.example/ HTTP/1.1", 403),
        ("GET http://evil.exampleAPI/x HTTP/1.1", 403),
        ("GET http://HOST@evil.example/ HTTP/1.1", 403),
        ("GET http://HOST/ HTTP/1.1", 200),
        ("CONNECT evil.example:80 HTTP/1.1", 403),
        ("CONNECT HOST HTTP/1.1", 405),
        ("OPTIONS * HTTP/1.1", 405),
        ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 404),
        ("GET API%2fx HTTP/1.1", 404),
    ] {
        let (code, text) = sent(&place, &format!("{line}\r\nHost: HOST\r\nConnection: close\r\n\r\n"));
        assert_eq!(code, expect, "{line}: {text}");
    }
    assert_eq!(place.upstream.asked(), 0);
}

#[test]
fn an_old_client_passes_the_same_checks_twice() {
    let place = Place::new("old");
    let (_, text) = sent(
        &place,
        "GET API/x HTTP/1.0\r\nHost: HOST\r\nConnection: keep-alive\r\n\r\n\
         GET API/x HTTP/1.0\r\nHost: evil.example\r\nConnection: keep-alive\r\n\r\n\
         GET API/x HTTP/1.0\r\nHost: HOST\r\nOrigin: http://evil.example\r\n\r\n",
    );
    assert_eq!(statuses(&text).iter().filter(|code| **code == 200).count(), 1, "{text}");
    assert_eq!(place.upstream.asked(), 1);
    assert_eq!(sent(&place, "GET / HTTP/1.0\r\n\r\n").0, 403);
}

#[test]
fn chunks_that_are_none_end_the_request() {
    let place = Place::new("chunks");
    let head = "POST API/seen HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n";
    for body in [
        format!("4;{}\r\nabcd\r\n0\r\n\r\n", "x".repeat(1 << 20)),
        "FFFFFFFFFFFFFFFFF\r\nabcd\r\n0\r\n\r\n".to_owned(),
        "-4\r\nabcd\r\n0\r\n\r\n".to_owned(),
        "4\r\nabcdef\r\n0\r\n\r\n".to_owned(),
        format!("4\r\nabcd\r\n0\r\nX: {}\r\n\r\n", "x".repeat(1 << 20)),
    ] {
        let (code, text) = sent(&place, &format!("{head}{body}"));
        assert!(!matches!(code, 200..400), "{}: {text}", &body[..8]);
    }
    assert_eq!(place.get("/", &[]).0, 200);
}

#[test]
fn a_websocket_without_its_headers_is_the_upstreams_to_refuse() {
    let place = Place::new("keyless");
    let upgrade = "GET API/x HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    // The upstream answers it as a request, and what follows on the connection is checked as one.
    let (_, text) = sent(&place, &format!("{upgrade}GET API/y HTTP/1.1\r\nHost: evil.example\r\n\r\n"));
    assert!(!place.upstream.was_asked_for("/y"), "{text}");
}
