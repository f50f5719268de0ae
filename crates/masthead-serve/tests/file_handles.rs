//! The front in a process without a free file handle. The limit is the process's, so that this test has one of its own.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use masthead_serve::Front;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[test]
fn without_file_handles_clients_wait_and_are_answered_later() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..limit }).unwrap();
    let dist = std::env::temp_dir().join(format!("masthead-serve-{}-handles", std::process::id()));
    std::fs::create_dir_all(&dist).unwrap();
    std::fs::write(dist.join("index.html"), "the page").unwrap();
    let server = Front::bind(0).unwrap().serve(&dist, None).unwrap();
    let address = server.one_time_address().unwrap();
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    // Each connection takes two handles of this process, one at each end, until there is none for either.
    let mut held: Vec<TcpStream> = std::iter::from_fn(|| TcpStream::connect(host).ok()).take(200).collect();
    assert!(held.len() < 64, "the limit holds");
    let mut waiting = held.pop().unwrap();
    write!(waiting, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    drop(held);
    let mut text = String::new();
    waiting.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200") && text.ends_with("the page"), "{text}");
    std::fs::remove_dir_all(dist).unwrap();
}
