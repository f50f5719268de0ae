//! The front has one thread, whatever comes: without a free thread nothing changes for it. Threads are the process's, so that
//! this test has one of its own.

#![allow(clippy::unwrap_used, reason = "a test ends where a step fails")]

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
};

use masthead_serve::Front;

#[test]
fn a_hundred_clients_at_once_are_answered_by_one_thread() {
    let dist = std::env::temp_dir().join(format!("masthead-serve-{}-threads", std::process::id()));
    fs::create_dir_all(&dist).unwrap();
    fs::write(dist.join("index.html"), "the page").unwrap();
    let before = threads();
    let server = Front::bind(0).unwrap().serve(&dist, None).unwrap();
    let address = server.api_address();
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut clients: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(host).unwrap()).collect();
    for client in &mut clients {
        write!(client, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    }
    for client in &mut clients {
        let mut text = String::new();
        client.read_to_string(&mut text).unwrap();
        assert!(text.ends_with("the page"), "{text}");
        assert_eq!(threads(), before + 1);
    }
    drop(server);
    assert_eq!(threads(), before);
    fs::remove_dir_all(dist).unwrap();
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}
