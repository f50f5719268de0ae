//! The front in a process without a free file handle. The limit is the process's, so that this test has one of its own.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test looks at the machine's clock, and ends where a step fails"
)]

use std::{
    fs::File,
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use masthead_serve::{Front, Limits};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[test]
fn without_file_handles_clients_wait_and_nothing_spins() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..limit }).unwrap();
    let dist = std::env::temp_dir().join(format!("masthead-serve-{}-handles", std::process::id()));
    std::fs::create_dir_all(&dist).unwrap();
    std::fs::write(dist.join("index.html"), "the page").unwrap();
    let mut front = Front::bind(0).unwrap();
    front.limits = Limits { head_within: Duration::from_secs(60), ..Limits::default() };
    let server = front.serve(&dist, Some(upstream().parse().unwrap())).unwrap();
    let address = server.api_address();
    let (root, prefix) = address.split_once("#/?api=").unwrap();
    let host = root.trim_start_matches("http://").trim_end_matches('/');
    let mut cpu = Cpu::open();
    let (mut page, mut api) = (Client::connect(host), Client::connect(host));
    for client in [&mut page, &mut api] {
        client.ask("/");
        client.expect("the page");
    }

    let mut files = all_handles();
    files.pop();
    // It takes the last handle for its own end, so that there is none to accept it with.
    let mut new = Client::connect(host);
    page.ask("/");
    api.ask(&format!("{prefix}/api"));
    new.ask("/");
    let before = cpu.used();
    thread::sleep(Duration::from_secs(2));
    assert!(cpu.used() - before < Duration::from_millis(500), "{:?} of two seconds", cpu.used() - before);
    for client in [&mut page, &mut api, &mut new] {
        assert!(client.is_waiting());
    }
    drop(files);
    page.expect("the page");
    api.expect("the API");
    new.expect("the page");

    let files = all_handles();
    for (client, path) in [(&mut page, "/".to_owned()), (&mut api, format!("{prefix}/api"))] {
        client.ask(&path);
        let text = client.expect("try again");
        assert!(text.starts_with("HTTP/1.1 503") && text.contains("retry-after: 1\r\n"), "{text}");
    }
    drop(files);
    page.ask("/");
    page.expect("the page");
    std::fs::remove_dir_all(dist).unwrap();
}

struct Client {
    stream: TcpStream,
    host: String,
}

impl Client {
    fn connect(host: &str) -> Client {
        let stream = TcpStream::connect(host).unwrap();
        Client { stream, host: host.to_owned() }
    }

    fn ask(&mut self, path: &str) {
        write!(self.stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host).unwrap();
    }

    fn is_waiting(&self) -> bool {
        self.stream.set_nonblocking(true).unwrap();
        let waits = self.stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        self.stream.set_nonblocking(false).unwrap();
        waits
    }

    fn expect(&mut self, end: &str) -> String {
        self.stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut seen = String::new();
        while !seen.contains(end) {
            let mut bytes = [0; 4096];
            let count = self.stream.read(&mut bytes).unwrap();
            assert_ne!(count, 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        seen
    }
}

/// All file handles that this process may still have.
fn all_handles() -> Vec<File> {
    let files: Vec<File> = std::iter::from_fn(|| File::open("/dev/null").ok()).take(200).collect();
    assert!(files.len() < 64, "the limit holds");
    files
}

/// A server that says who it is.
fn upstream() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        loop {
            // It has no handle either for a while.
            let Ok((mut stream, _)) = listener.accept() else {
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let mut bytes = [0; 4096];
            assert_ne!(stream.read(&mut bytes).unwrap(), 0);
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nthe API").ok();
        }
    });
    url
}

/// The processor time of this process, read through a handle that is open already.
struct Cpu(File);

impl Cpu {
    fn open() -> Cpu {
        Cpu(File::open("/proc/self/stat").unwrap())
    }

    fn used(&mut self) -> Duration {
        let mut text = String::new();
        self.0.seek(SeekFrom::Start(0)).unwrap();
        self.0.read_to_string(&mut text).unwrap();
        // After the name in parentheses: the state, and then, eleven fields on, ticks of a hundredth of a second.
        let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        Duration::from_millis(10 * ticks)
    }
}
