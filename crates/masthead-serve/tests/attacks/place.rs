//! The front before an upstream, and a client that says what it likes.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    path::PathBuf,
    time::Duration,
};

use masthead_serve::{Front, Limits, Server};

use crate::upstream::Upstream;

/// The front before an upstream that repeats what it was asked.
pub(crate) struct Place {
    pub(crate) server: Server,
    pub(crate) upstream: Upstream,
    pub(crate) host: String,
    pub(crate) prefix: String,
    pub(crate) dist: PathBuf,
}

impl Place {
    pub(crate) fn new(name: &str) -> Place {
        Place::with_limits(name, Limits::default())
    }

    pub(crate) fn with_limits(name: &str, limits: Limits) -> Place {
        let dist = std::env::temp_dir().join(format!("masthead-serve-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dist).unwrap();
        std::fs::write(dist.join("index.html"), "the page").unwrap();
        let upstream = Upstream::start();
        let mut front = Front::bind(0).unwrap();
        front.limits = limits;
        let server = front.serve(&dist, Some(upstream.url().parse().unwrap())).unwrap();
        let address = server.api_address();
        let (root, prefix) = address.split_once("#/?api=").unwrap();
        let host = root.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Place { prefix: prefix.to_owned(), host, server, upstream, dist }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The status and all else of the answer to a request whose connection then ends.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head.push_str(&format!("Host: {}\r\n", self.host));
        }
        headers.iter().for_each(|header| head.push_str(&format!("{header}\r\n")));
        // A server that refuses before it read all may close meanwhile.
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).ok();
        answer(&mut stream)
    }

    pub(crate) fn get(&self, path: &str, headers: &[&str]) -> (u16, String) {
        self.ask("GET", path, headers, "")
    }

    pub(crate) fn api(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.dist).ok();
    }
}

/// All that comes until the connection ends, which it must. The status is 0 when nothing comes.
pub(crate) fn answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        // A server that refuses before it read all may reset the connection behind its answer.
        Err(error) if error.kind() != io::ErrorKind::ConnectionReset => {
            panic!("the connection does not end ({error}): {}", String::from_utf8_lossy(&bytes))
        }
        _ => {}
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0), text)
}

/// Reads until `end` was seen, and returns all that came.
pub(crate) fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(end) {
        let mut bytes = [0; 4096];
        let count = stream.read(&mut bytes).unwrap();
        assert_ne!(count, 0, "{seen}");
        seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    seen
}

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
