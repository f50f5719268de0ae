//! A server that answers with what it was asked, and some paths in ways of their own.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpListener,
    os::unix::net::UnixListener,
    path::Path,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

pub(crate) struct Upstream {
    port: u16,
    /// The paths that were asked for.
    asked: Arc<Mutex<Vec<String>>>,
    left: mpsc::Receiver<()>,
}

impl Upstream {
    pub(crate) fn start() -> Upstream {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, left) = mpsc::channel();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (sender, asked) = (sender.clone(), Arc::clone(&all));
                std::thread::spawn(move || {
                    let reader = stream.try_clone().unwrap();
                    if answer(reader, stream, port, &asked) == Ended::ClientLeft {
                        sender.send(()).ok();
                    }
                });
            }
        });
        Upstream { port, asked, left }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How many requests came.
    pub(crate) fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    pub(crate) fn was_asked_for(&self, path: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|asked| asked == path)
    }

    /// Returns when the client of a stream is gone.
    pub(crate) fn wait_until_left(&self) {
        self.left.recv_timeout(Duration::from_secs(30)).expect("the client of a stream leaves");
    }
}

/// Answers one request on a unix socket.
pub(crate) fn answer_on_unix(path: &Path) {
    let listener = UnixListener::bind(path).unwrap();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        answer(stream.try_clone().unwrap(), stream, 0, &Mutex::default());
    });
}

#[derive(PartialEq, Eq)]
enum Ended {
    Answered,
    ClientLeft,
}

fn answer(reader: impl Read, mut to: impl Write, port: u16, asked: &Mutex<Vec<String>>) -> Ended {
    let mut reader = BufReader::new(reader);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return Ended::Answered;
        }
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().unwrap().push(path.clone());
    let upgrades = head.to_lowercase().contains("upgrade: websocket");
    let written = match path.as_str() {
        "/redirect-inner" => {
            write!(to, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/api/\r\nContent-Length: 0\r\n\r\n")
        }
        "/redirect-away" => write!(
            to,
            "HTTP/1.1 302 Found\r\nLocation: https://10.0.0.1:6443/api\r\nContent-Location: http://127.0.0.1:{port}/\r\nContent-Length: 0\r\n\r\n"
        ),
        "/upgrade" if upgrades => {
            write!(to, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
                .unwrap();
            io::copy(&mut reader, &mut to).map(|_| ())
        }
        "/endless" => {
            let start = if upgrades {
                "101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket"
            } else {
                "200 OK"
            };
            write!(to, "HTTP/1.1 {start}\r\n\r\n").unwrap();
            while to.write_all(&[b'x'; 64 * 1024]).is_ok() {}
            return Ended::ClientLeft;
        }
        "/large" => {
            let body = "x".repeat(1 << 20);
            write!(to, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
        }
        "/later" => {
            write!(to, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfirst\n\r\n").unwrap();
            std::thread::sleep(Duration::from_secs(3));
            write!(to, "7\r\nsecond\n\r\n0\r\n\r\n")
        }
        "/watch" => {
            write!(to, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfirst\n\r\n").unwrap();
            // Nothing more is said, and nothing comes but the end.
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest).ok();
            return Ended::ClientLeft;
        }
        _ => repeat(&mut reader, head, &mut to),
    };
    written.ok();
    Ended::Answered
}

/// Answers with head and body of the request.
fn repeat(reader: &mut impl Read, head: String, to: &mut impl Write) -> io::Result<()> {
    let lower = head.to_lowercase();
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    // A front that gave up has closed.
    reader.read_exact(&mut body)?;
    let text = head + &String::from_utf8_lossy(&body);
    write!(to, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}", text.len())
}
