//! What one client may cost: each of these fails without the limit that it is about.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use masthead_serve::Limits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::place::{Place, answer, read_until};

const SECOND: Duration = Duration::from_secs(1);

/// Limits that no test reaches but the one that sets its own.
fn none() -> Limits {
    Limits { connections: 4096, head_within: 3600 * SECOND, unread_for: 3600 * SECOND }
}

fn get(place: &Place, stream: &mut TcpStream, path: &str) {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", place.host).unwrap();
}

/// Whether nothing comes for half a second.
fn is_silent(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(SECOND / 2)).unwrap();
    let silent = stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    stream.set_read_timeout(Some(30 * SECOND)).unwrap();
    silent
}

#[test]
fn the_front_gives_ten_seconds_for_a_head_and_has_512_places() {
    let expected = Limits { connections: 512, head_within: 10 * SECOND, unread_for: 60 * SECOND };
    assert_eq!(Limits::default(), expected);
}

#[test]
fn a_head_that_does_not_end_in_time_is_cut_off() {
    let place = Place::with_limits("slow", Limits { head_within: SECOND, ..none() });
    let began = Instant::now();
    let (mut silent, mut slow, mut second) = (place.connect(), place.connect(), place.connect());
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    get(&place, &mut second, "/");
    read_until(&mut second, "the page");
    for stream in [&mut silent, &mut slow, &mut second] {
        let (code, text) = answer(stream);
        assert!(matches!(code, 0 | 408), "{text}");
        assert!((SECOND / 2..10 * SECOND).contains(&began.elapsed()), "{:?}", began.elapsed());
    }
}

#[test]
fn a_head_of_more_than_64_kib_is_refused_before_it_ends() {
    let place = Place::with_limits("huge", none());
    assert_eq!(place.get("/", &[&format!("X: {}", "x".repeat(60_000))]).0, 200);
    let (code, text) = place.get("/", &[&format!("X: {}", "x".repeat(70_000))]);
    // The end of a connection that still sends may overtake the answer.
    assert!(matches!(code, 0 | 431), "{text}");
    let mut endless = place.connect();
    write!(endless, "GET / HTTP/1.1\r\nX: {}", "x".repeat(150_000)).ok();
    let (code, text) = answer(&mut endless);
    assert!(matches!(code, 0 | 431), "{text}");
}

#[test]
fn a_client_beyond_the_last_place_waits_for_one() {
    let place = Place::with_limits("places", Limits { connections: 3, ..none() });
    let mut held: Vec<TcpStream> = (0..2).map(|_| place.connect()).collect();
    for stream in &mut held {
        get(&place, stream, "/");
        read_until(stream, "the page");
    }
    let mut socket = place.connect();
    let (api, host) = (place.api("/upgrade"), &place.host);
    write!(socket, "GET {api} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n").unwrap();
    read_until(&mut socket, "101");
    let (mut one, mut other) = (place.connect(), place.connect());
    get(&place, &mut one, "/");
    assert!(is_silent(&mut one));
    drop(socket);
    read_until(&mut one, "the page");
    get(&place, &mut other, "/");
    assert!(is_silent(&mut other));
    held.pop();
    read_until(&mut other, "the page");
}

#[test]
fn six_hundred_clients_are_all_answered() {
    // Both ends of each connection are this process's.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    let place = Place::new("many");
    let mut all: Vec<TcpStream> = (0..600).map(|_| place.connect()).collect();
    for stream in &mut all {
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", place.host).unwrap();
    }
    for stream in &mut all {
        assert_eq!(answer(stream).0, 200);
    }
}

#[test]
fn a_client_that_does_not_read_loses_its_place() {
    let place = Place::with_limits("unread", Limits { connections: 1, unread_for: SECOND, ..none() });
    for upgrade in ["", "Connection: Upgrade\r\nUpgrade: websocket\r\n"] {
        let mut deaf = place.connect();
        write!(deaf, "GET {} HTTP/1.1\r\nHost: {}\r\n{upgrade}\r\n", place.api("/endless"), place.host).unwrap();
        place.upstream.wait_until_left();
        assert_eq!(place.get("/", &[]).0, 200, "{upgrade}");
    }
    let mut deaf = place.connect();
    for _ in 0..1000 {
        write!(deaf, "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", place.api("/large"), place.host).ok();
    }
    assert_eq!(place.get("/", &[]).0, 200, "many answers, none of them endless");
}

#[test]
fn a_stream_that_is_silent_for_longer_stays_open() {
    let place = Place::with_limits("silent", Limits { unread_for: SECOND, head_within: SECOND, ..none() });
    let mut stream = place.connect();
    get(&place, &mut stream, &place.api("/later"));
    read_until(&mut stream, "first");
    read_until(&mut stream, "second");
}
