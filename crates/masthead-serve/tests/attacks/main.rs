//! What a client may try at the front, over real sockets.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test has an upstream in threads, and ends where a step fails"
)]

mod limits;
mod place;
mod requests;
mod upstream;

use std::{io::Write, net::TcpStream};

use masthead_serve::Front;
use place::{Place, answer, read_until};

#[test]
fn the_page_is_at_the_root_and_the_api_below_its_prefix() {
    let place = Place::new("root");
    let (code, text) = place.get("/", &[]);
    assert!(code == 200 && text.ends_with("the page") && text.contains("frame-ancestors 'none'"), "{text}");
    let (code, text) = place.get(&place.api("/api/v1?x=%2F"), &["X-Mine: 1", "Cookie: a=b", "Keep-Alive: 5"]);
    assert!(code == 200 && text.contains("GET /api/v1?x=%2F HTTP/1.1"), "{text}");
    assert!(text.to_lowercase().contains("x-mine: 1"), "{text}");
    assert!(!text.to_lowercase().contains("cookie: a=b") && !text.to_lowercase().contains("keep-alive"), "{text}");
    let (_, text) = place.ask("POST", &place.api("/api"), &[], "the body");
    assert!(text.ends_with("the body"), "{text}");
    assert_eq!(place.get("/api/v1", &[]).0, 404);
    assert_eq!(place.get("/k-00000000000000000000000000000000/api", &[]).0, 404);
    assert_eq!(place.ask("DELETE", "/index.html", &[], "").0, 405);
}

#[test]
fn files_outside_of_the_page_are_not_there() {
    let place = Place::new("files");
    let outside = place.dist.with_extension("outside");
    std::fs::write(&outside, "secret").unwrap();
    std::os::unix::fs::symlink(&outside, place.dist.join("link.js")).unwrap();
    let name = outside.file_name().unwrap().to_str().unwrap();
    for path in ["//", "//etc/passwd", "/link.js", "/..%2f..%2fetc/passwd", &format!("/../{name}"), "/%2e%2e/x", "/"] {
        let (code, text) = place.get(path, &[]);
        assert_eq!(code == 200, path == "/", "{path}: {text}");
        assert!(!text.contains("secret"), "{path}: {text}");
    }
    assert_eq!(place.get("/", &[]).0, 200, "the server goes on");
    std::fs::remove_file(outside).unwrap();
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let place = Place::new("origins");
    let api = place.api("/version");
    let port = place.host.rsplit(':').next().unwrap();
    for host in ["elsewhere.example", "127.0.0.1", "127.0.0.1:1", &format!("127.0.0.1.evil.example:{port}")] {
        assert_eq!(place.get(&api, &[&format!("Host: {host}")]).0, 403, "{host}");
        assert_eq!(place.get("/", &[&format!("Host: {host}")]).0, 403, "{host}");
    }
    let (own, local) = (format!("Origin: http://{}", place.host), format!("localhost:{port}"));
    assert_eq!(place.get(&api, &[&own]).0, 200);
    let local_host = format!("Host: {local}");
    assert_eq!(place.get(&api, &[&local_host, &format!("Origin: http://{local}")]).0, 200);
    assert_eq!(place.get(&api, &[&local_host, &own]).0, 403);
    let websocket = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: bWFzdGhlYWQgdGVzdHMgIQ=="];
    for origin in ["Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:1"] {
        assert_eq!(place.get(&api, &[origin]).0, 403, "{origin}");
        assert_eq!(place.get(&api, &[&websocket[..], &[origin]].concat()).0, 403, "{origin}");
    }
    assert_eq!(place.upstream.asked(), 2, "what was refused never left");
}

#[test]
fn a_second_request_on_a_connection_is_checked_as_the_first() {
    let place = Place::new("second");
    let (host, api) = (&place.host, place.api("/version"));
    for (header, expect) in [("Origin: http://evil.example", "403"), ("Host: evil.example", "4")] {
        let mut stream = place.connect();
        let first = format!("GET {api} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let second = format!("GET {api} HTTP/1.1\r\nHost: {host}\r\n{header}\r\nConnection: close\r\n\r\n");
        stream.write_all((first + &second).as_bytes()).unwrap();
        let (code, text) = answer(&mut stream);
        assert_eq!((code, text.matches("HTTP/1.1 200").count()), (200, 1), "{text}");
        assert!(text.contains(&format!("HTTP/1.1 {expect}")), "{text}");
    }
}

#[test]
fn only_a_websocket_is_joined() {
    let place = Place::new("upgrade");
    let (code, text) = place.get(&place.api("/upgrade"), &["Connection: Upgrade", "Upgrade: foo"]);
    assert!(code == 200 && !text.to_lowercase().contains("upgrade: foo"), "{text}");
    let mut stream = place.connect();
    write!(
        stream,
        "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\nfrom the client",
        place.api("/upgrade"),
        place.host
    )
    .unwrap();
    let seen = read_until(&mut stream, "from the client");
    assert!(seen.starts_with("HTTP/1.1 101"), "{seen}");
}

#[test]
fn a_redirect_names_no_inner_address() {
    let place = Place::new("redirect");
    let (code, text) = place.get(&place.api("/redirect-inner"), &[]);
    assert!(code == 302 && text.contains(&format!("location: {}/api/\r\n", place.prefix)), "{text}");
    let (code, text) = place.get(&place.api("/redirect-away"), &[]);
    assert!(code == 302 && !text.to_lowercase().contains("location") && !text.contains("10.0.0.1"), "{text}");
    assert!(!text.contains(&place.upstream.url()["http://".len()..]), "{text}");
}

#[test]
fn a_code_is_exchanged_once_and_only_by_the_page() {
    let place = Place::new("code");
    let address = place.server.one_time_address().unwrap();
    let (root, code) = address.split_once("#/?code=").unwrap();
    assert_eq!((root, code.len()), (format!("http://{}/", place.host).as_str(), 32));
    let own = format!("Origin: http://{}", place.host);
    assert_eq!(place.ask("POST", "/masthead/session", &[], code).0, 403);
    assert_eq!(place.ask("POST", "/masthead/session", &["Origin: http://evil.example"], code).0, 403);
    assert_eq!(place.get("/masthead/session", &[&own]).0, 405);
    assert_eq!(place.ask("POST", "/masthead/session", &[&own], "0123").0, 403);
    assert_eq!(place.ask("POST", "/masthead/session", &[&own], &"0".repeat(100_000)).0, 400);
    let (status, text) = place.ask("POST", "/masthead/session", &[&own], code);
    assert!(status == 200 && text.to_lowercase().contains("cache-control: no-store"), "{text}");
    assert!(text.ends_with(&format!("{{\"api\":\"{}\"}}", place.prefix)), "{text}");
    let (status, text) = place.ask("POST", "/masthead/session", &[&own], code);
    assert!(status == 410 && text.contains("used before"), "{text}");
    let further = place.server.one_time_address().unwrap();
    assert_eq!(place.ask("POST", "/masthead/session", &[&own], further.split_once("code=").unwrap().1).0, 200);
}

#[test]
fn a_client_that_leaves_ends_its_request_upstream() {
    let place = Place::new("leaves");
    let mut stream = place.connect();
    write!(stream, "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", place.api("/watch"), place.host).unwrap();
    read_until(&mut stream, "first");
    drop(stream);
    place.upstream.wait_until_left();
}

#[test]
fn an_api_that_is_gone_is_a_bad_gateway_and_comes_back_under_the_same_prefix() {
    let dist = std::env::temp_dir();
    let socket = dist.join(format!("masthead-serve-{}.sock", std::process::id()));
    let server = Front::bind(0).unwrap().serve(&dist, Some(masthead_serve::Backend::unix(&socket))).unwrap();
    let address = server.api_address();
    let (root, prefix) = address.split_once("#/?api=").unwrap();
    let host = root.trim_start_matches("http://").trim_end_matches('/');
    let get = || {
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {prefix}/api HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        answer(&mut stream)
    };
    let (code, text) = get();
    assert!(code == 502 && !text.contains("sock"), "{text}");
    upstream::answer_on_unix(&socket);
    let (code, text) = get();
    assert!(code == 200 && text.contains("host: localhost"), "{text}");
    std::fs::remove_file(socket).unwrap();
}
