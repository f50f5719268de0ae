//! A server with a simulator behind it, and one with a transport that a test can look into, asked byte by byte.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};
use masthead::{
    Error,
    rest::{Answer, Body, Headers, HttpRequest, Transport},
    runtime::VirtualTime,
};
use masthead_sim::Sim;

use super::HttpServer;

/// Stops with the test.
struct Serving {
    url: String,
    over: Arc<AtomicBool>,
}

impl Serving {
    fn sim() -> Serving {
        Serving::start(|time| Rc::new(Sim::new(time.runtime())))
    }

    fn start(transport: impl FnOnce(&VirtualTime) -> Rc<dyn Transport> + Send + 'static) -> Serving {
        let server = HttpServer::bind(0).unwrap();
        let (url, over) = (server.url(), Arc::new(AtomicBool::new(false)));
        let stop = Arc::clone(&over);
        thread::spawn(move || {
            let time = VirtualTime::new();
            server.run(&transport(&time), &time, || !stop.load(Ordering::Relaxed)).unwrap();
        });
        Serving { url, over }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.url.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Client { reader: BufReader::new(stream) }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    fn send(&mut self, request: &str) {
        self.reader.get_mut().write_all(request.as_bytes()).unwrap();
    }

    /// Status line and headers, whose names are in lower case.
    fn head(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                line if line.is_empty() => return lines,
                line => lines.push(match line.split_once(": ") {
                    Some((name, value)) => format!("{}: {value}", name.to_lowercase()),
                    None => line,
                }),
            }
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Status line and body of an answer with a length.
    fn answer(&mut self) -> (String, String) {
        let head = self.head();
        let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
        let mut body = vec![0; length.parse().unwrap()];
        self.reader.read_exact(&mut body).unwrap();
        (head[0].clone(), String::from_utf8(body).unwrap())
    }

    fn chunk(&mut self) -> String {
        let size = usize::from_str_radix(&self.line(), 16).unwrap();
        let mut chunk = vec![0; size + 2];
        self.reader.read_exact(&mut chunk).unwrap();
        chunk.truncate(size);
        String::from_utf8(chunk).unwrap()
    }

    /// Whether nothing comes any more; a reset is an end too.
    fn is_closed(&mut self) -> bool {
        self.reader.read(&mut [0]).map_or(true, |length| length == 0)
    }

    fn frame(&mut self) -> (u8, Vec<u8>) {
        let mut head = [0; 2];
        self.reader.read_exact(&mut head).unwrap();
        let mut length = usize::from(head[1]);
        if length == 126 {
            let mut long = [0; 2];
            self.reader.read_exact(&mut long).unwrap();
            length = u16::from_be_bytes(long).into();
        }
        let mut payload = vec![0; length];
        self.reader.read_exact(&mut payload).unwrap();
        (head[0], payload)
    }
}

const HOST: &str = "Host: localhost\r\n";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\n{HOST}\r\n")
}

fn create(name: &str) -> String {
    let body = format!("{{\"metadata\":{{\"name\":\"{name}\"}}}}");
    let head = format!("POST {MAPS} HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n");
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn one_connection_carries_many_requests() {
    let serving = Serving::sim();
    let mut client = serving.connect();
    client.send(&get("/version"));
    assert!(client.answer().1.contains("v1.36"));
    client.send(&(create("a") + &get(&format!("{MAPS}/a"))));
    assert_eq!(client.answer().0, "HTTP/1.1 201 Created");
    assert_eq!(client.answer().0, "HTTP/1.1 200 OK");
    client.send(&format!("GET {MAPS}/none HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"));
    assert_eq!(client.answer().0, "HTTP/1.1 404 Not Found");
    assert!(client.is_closed());
}

#[test]
fn a_body_may_come_in_chunks_and_after_it_was_asked_for() {
    let serving = Serving::sim();
    let mut client = serving.connect();
    let head = format!("POST {MAPS} HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nExpect: 100-continue\r\n");
    client.send(&format!("{head}Transfer-Encoding: chunked\r\n\r\n"));
    assert_eq!(client.head(), ["HTTP/1.1 100 Continue"]);
    client.send("15\r\n{\"metadata\":{\"name\":\"\r\n4\r\nb\"}}\r\n0\r\n\r\n");
    assert_eq!(client.answer().0, "HTTP/1.1 201 Created");
}

#[test]
fn a_watch_tells_each_event_at_once() {
    let serving = Serving::sim();
    let (mut watch, mut client) = (serving.connect(), serving.connect());
    watch.send(&get(&format!("{MAPS}?watch=1&fieldSelector=metadata.name%3Da&timeoutSeconds=1")));
    assert!(watch.head().contains(&"transfer-encoding: chunked".to_owned()));
    client.send(&create("a"));
    let event = watch.chunk();
    assert!(event.starts_with("{\"type\":\"ADDED\"") && event.ends_with("}\n"), "{event}");
    assert_eq!((watch.chunk(), client.answer().0), (String::new(), "HTTP/1.1 201 Created".to_owned()));
    watch.send(&get("/healthz"));
    assert_eq!(watch.answer().1, "ok", "the connection goes on after the end of a stream");
}

#[test]
fn what_is_no_request_is_refused_and_the_answer_arrives() {
    let serving = Serving::sim();
    let check = |request: &str, expect: &str| {
        let mut client = serving.connect();
        client.send(request);
        let (status, body) = client.answer();
        assert!(format!("{status}: {body}").contains(expect), "{request}: {status}: {body}");
        assert!(client.is_closed(), "{request}");
    };
    check("nonsense\r\n\r\n", "400");
    check("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400");
    check(&format!("POST {MAPS} HTTP/1.1\r\n{HOST}Content-Length: x\r\n\r\n"), "400");
    check("GET /version HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403");
    check("GET /version HTTP/1.1\r\n\r\n", "403");
    check(&format!("OPTIONS / HTTP/1.1\r\n{HOST}\r\n"), "the server does not allow this method");
    let large = "x".repeat(4 << 20);
    let head = format!("POST {MAPS} HTTP/1.1\r\n{HOST}");
    check(&format!("{head}Content-Length: {}\r\n\r\n{large}", large.len()), "limit is 3145728");
    check(&format!("{head}Transfer-Encoding: chunked\r\n\r\n400000\r\n{large}"), "limit is 3145728");
}

#[test]
fn a_health_check_needs_no_body_and_an_old_client_no_chunks() {
    let serving = Serving::sim();
    let mut client = serving.connect();
    client.send(&format!("HEAD /readyz HTTP/1.1\r\n{HOST}\r\n"));
    assert!(client.head().contains(&"content-length: 2".to_owned()));
    client.send(&format!(
        "GET {MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone HTTP/1.0\r\n{HOST}\r\n"
    ));
    assert!(!client.head().iter().any(|line| line.starts_with("transfer-encoding")));
    assert!(client.is_closed());
}

fn upgrade(path: &str, more: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\n{HOST}Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n");
    format!("{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n")
}

const ORIGIN: &str = "Origin: http://localhost\r\n";

#[test]
fn a_watch_over_a_websocket_has_a_frame_for_each_event() {
    let serving = Serving::sim();
    let (mut socket, mut client) = (serving.connect(), serving.connect());
    client.send(&(create("a") + &create("b")));
    let watch = format!("{MAPS}?watch=1&fieldSelector=metadata.name!%3Dkube-root-ca.crt&timeoutSeconds=1");
    socket.send(&upgrade(&watch, &format!("{ORIGIN}Sec-WebSocket-Protocol: base64.binary.k8s.io\r\n")));
    let head = socket.head();
    assert_eq!(head[0], "HTTP/1.1 101 Switching Protocols");
    assert!(head.contains(&"sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=".to_owned()));
    assert!(head.contains(&"sec-websocket-protocol: base64.binary.k8s.io".to_owned()));
    for name in ["a", "b"] {
        let (kind, event) = socket.frame();
        let event: serde_json::Value = serde_json::from_slice(&event).unwrap();
        assert_eq!((kind, &event["object"]["metadata"]["name"]), (0x81, &name.into()));
    }
    assert_eq!(socket.frame(), (0x88, vec![3, 232]), "the end of a watch is a clean one");
    assert!(socket.is_closed());
}

#[test]
fn a_websocket_answers_pings_and_a_goodbye() {
    let serving = Serving::sim();
    let mut socket = serving.connect();
    // Nothing fits, so that no event comes between the frames.
    socket.send(&upgrade(&format!("{MAPS}?watch=true&fieldSelector=metadata.name%3Dnone"), ORIGIN));
    assert_eq!(socket.head()[0], "HTTP/1.1 101 Switching Protocols");
    let frames = [[0x81, 0x83, 0, 0, 0, 0, b'x', b'y', b'z'], [0x89, 0x83, 1, 1, 1, 1, b'a', b'b', b'c']];
    socket.reader.get_mut().write_all(&frames.concat()).unwrap();
    assert_eq!(socket.frame(), (0x8a, vec![b'a' ^ 1, b'b' ^ 1, b'c' ^ 1]));
    socket.reader.get_mut().write_all(&[0x88, 0x82, 0, 0, 0, 0, 3, 232]).unwrap();
    assert_eq!(socket.frame(), (0x88, vec![3, 232]));
    assert!(socket.is_closed());
}

#[test]
fn a_websocket_is_refused_as_the_real_server_refuses_it() {
    let serving = Serving::sim();
    let status = |path: &str, more: &str| {
        let mut client = serving.connect();
        client.send(&upgrade(path, more));
        client.answer().0
    };
    let watch = format!("{MAPS}?watch=1");
    assert_eq!(status(&watch, ""), "HTTP/1.1 403 Forbidden");
    assert_eq!(status(&watch, &format!("{ORIGIN}Sec-WebSocket-Protocol: a, b\r\n")), "HTTP/1.1 400 Bad Request");
    assert_eq!(status("/api/v1/nothing?watch=1", ORIGIN), "HTTP/1.1 404 Not Found");
    assert_eq!(status(MAPS, ORIGIN), "HTTP/1.1 200 OK", "a list is no watch");
}

/// Answers with one line and then with nothing for ever, or with a broken body; tells when a body is dropped.
struct Peculiar {
    dropped: mpsc::Sender<()>,
}

struct Guard(mpsc::Sender<()>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.send(()).ok();
    }
}

impl Transport for Peculiar {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let HttpRequest { operation, method, url, .. } = request;
        let first = stream::iter([Ok(b"{}\n".to_vec())]);
        let broken = stream::iter([Err(Error::network(&operation, "cut"))]);
        let guard = Guard(self.dropped.clone());
        let silence = stream::pending().map(move |chunk| {
            let _owned = &guard;
            chunk
        });
        let body = match url.as_str() {
            "/nothing" => return async move { Err(Error::network(&operation, "refused")) }.boxed_local(),
            "/broken" => Body::new(first.chain(broken)),
            _ => Body::new(first.chain(silence)),
        };
        async move { Ok(Answer { operation, method, code: 200, headers: Headers::default(), body }) }.boxed_local()
    }
}

#[test]
fn a_client_that_goes_ends_its_stream_at_once() {
    let (dropped, seen) = mpsc::channel();
    let serving = Serving::start(move |_| Rc::new(Peculiar { dropped }));
    for request in [get("/silence"), upgrade("/silence?watch=1", ORIGIN)] {
        let mut client = serving.connect();
        client.send(&request);
        client.head();
        assert!(seen.try_recv().is_err());
        drop(client);
        seen.recv_timeout(Duration::from_secs(20)).expect("the body is dropped");
    }
}

#[test]
fn what_breaks_behind_the_server_breaks_the_connection() {
    let (dropped, _seen) = mpsc::channel();
    let serving = Serving::start(move |_| Rc::new(Peculiar { dropped }));
    let mut client = serving.connect();
    client.send(&get("/broken"));
    client.head();
    assert_eq!(client.chunk(), "{}\n");
    assert!(client.is_closed(), "there is no last chunk");
    let mut client = serving.connect();
    client.send(&get("/nothing"));
    assert!(client.is_closed());
}
