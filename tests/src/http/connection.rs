//! One client's connection: requests in, answers out, one after the other.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    thread,
    time::Duration,
};

use futures::{
    SinkExt,
    channel::{mpsc, oneshot},
    executor::block_on,
};
use masthead::rest::Method;

use super::{
    answer::{Framing, Refusal, write_head, write_stream},
    body::{self, Unread},
    call::{Call, Chunk, Content, Reply},
    socket::{Handshake, Socket},
};
use crate::Head;

pub(super) struct Connection<'a> {
    stream: &'a TcpStream,
    reader: BufReader<&'a TcpStream>,
    calls: mpsc::Sender<Call>,
}

/// A request that can be passed on.
struct Request {
    head: Head,
    method: Method,
    body: Option<Vec<u8>>,
    handshake: Option<Handshake>,
}

/// What comes after an answer.
#[derive(PartialEq, Eq)]
enum Next {
    Request,
    Close,
}

/// As large as the real API server takes them.
const MAX_BODY: usize = 3 << 20;

/// How long a client may take to send a request that it began.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long, and how much of it, a request that was refused half-way is still read.
const LINGER: Duration = Duration::from_secs(2);
const MAX_LINGER: u64 = 64 << 20;

impl<'a> Connection<'a> {
    pub(super) fn new(stream: &'a TcpStream, calls: mpsc::Sender<Call>) -> io::Result<Connection<'a>> {
        stream.set_nodelay(true)?;
        Ok(Connection { stream, reader: BufReader::new(stream), calls })
    }

    /// Answers requests until either side closes.
    pub(super) fn serve(&mut self) -> io::Result<()> {
        while !self.reader.fill_buf()?.is_empty() {
            self.stream.set_read_timeout(Some(PATIENCE))?;
            let request = match self.request()? {
                Ok(request) => request,
                Err(refusal) => return self.refuse(&refusal),
            };
            self.stream.set_read_timeout(None)?;
            if self.exchange(request)? == Next::Close {
                break;
            }
        }
        self.stream.shutdown(Shutdown::Both)
    }

    fn request(&mut self) -> io::Result<Result<Request, Refusal>> {
        let head = match Head::read(&mut self.reader) {
            Ok(Some(head)) => head,
            Ok(None) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Err(_) => return Ok(Err(Refusal::text(400, "400 Bad Request"))),
        };
        if !head.is_for_loopback() {
            return Ok(Err(Refusal::text(403, "this address is for this machine only\n")));
        }
        let Some(method) = method(&head) else { return Ok(Err(Refusal::method_not_allowed())) };
        let handshake = match Handshake::of(&head) {
            Some(Err(code)) => return Ok(Err(Refusal::text(code, ""))),
            Some(Ok(handshake)) => Some(handshake),
            None => None,
        };
        if head.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            (&mut &*self.stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        match body::read(&head, &mut self.reader, MAX_BODY) {
            Ok(body) => Ok(Ok(Request { head, method, body, handshake })),
            Err(Unread::TooLarge) => Ok(Err(Refusal::too_large(MAX_BODY))),
            Err(Unread::Malformed) => Ok(Err(Refusal::text(400, "400 Bad Request"))),
            Err(Unread::Broken) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Answers what was not understood to its end, and closes.
    fn refuse(&mut self, refusal: &Refusal) -> io::Result<()> {
        let headers = [("Content-Type".to_owned(), refusal.content_type.to_owned())];
        let mut answer = Vec::new();
        write_head(&mut answer, refusal.code, &headers, Framing::Length(refusal.body.len()), false)?;
        answer.extend_from_slice(&refusal.body);
        (&mut &*self.stream).write_all(&answer)?;
        // To close while the client still writes would reset the connection, and the answer with it.
        self.stream.shutdown(Shutdown::Write)?;
        self.stream.set_read_timeout(Some(LINGER))?;
        io::copy(&mut self.reader.by_ref().take(MAX_LINGER), &mut io::sink())?;
        self.stream.shutdown(Shutdown::Both)
    }

    fn exchange(&mut self, request: Request) -> io::Result<Next> {
        let Request { head, method, body, handshake } = request;
        let (reply_to, reply) = oneshot::channel();
        let (here, gone) = oneshot::channel();
        let keep = head.minor == 1 && !head.header("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"));
        let bodiless = head.method == "HEAD";
        let Head { target, headers, .. } = head;
        let call = Call { method, target, headers, body, reply: reply_to, gone };
        if block_on(self.calls.send(call)).is_err() {
            return Ok(Next::Close);
        }
        // No reply is what no answer looks like: the connection ends.
        let Ok(reply) = block_on(reply) else { return Ok(Next::Close) };
        match handshake {
            Some(handshake) if reply.code == 200 => {
                let socket = Socket::open(self.stream, &handshake)?;
                socket.serve(&mut self.reader, reply.content, here);
                Ok(Next::Close)
            }
            _ => self.answer(reply, keep, bodiless, here),
        }
    }

    fn answer(&mut self, reply: Reply, keep: bool, bodiless: bool, here: oneshot::Sender<()>) -> io::Result<Next> {
        let Reply { code, headers, content } = reply;
        let mut head = Vec::new();
        match content {
            Content::Whole(body) => {
                write_head(&mut head, code, &headers, Framing::Length(body.len()), keep)?;
                (&mut &*self.stream).write_all(&head)?;
                if !bodiless {
                    (&mut &*self.stream).write_all(&body)?;
                }
            }
            Content::Stream(chunks) => {
                let framing = if keep { Framing::Chunked } else { Framing::UntilClose };
                write_head(&mut head, code, &headers, framing, keep)?;
                (&mut &*self.stream).write_all(&head)?;
                self.stream(chunks, framing, here)?;
            }
        }
        Ok(if keep { Next::Request } else { Next::Close })
    }

    /// Writes a stream while it listens to whether the client is still there.
    fn stream(&mut self, chunks: mpsc::Receiver<Chunk>, framing: Framing, here: oneshot::Sender<()>) -> io::Result<()> {
        let stream = self.stream;
        thread::scope(|scope| {
            let writing = scope.spawn(move || {
                let written = write_stream(stream, chunks, framing);
                if written.is_err() || framing == Framing::UntilClose {
                    stream.shutdown(Shutdown::Both).ok();
                }
                written
            });
            // The next request waits for the end of this stream; the end of the connection does not.
            let more = self.reader.fill_buf().is_ok_and(|bytes| !bytes.is_empty());
            let here = more.then_some(here);
            let written = writing.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
            drop(here);
            written
        })
    }
}

/// What a request does; a health check may do without the body of its answer.
fn method(head: &Head) -> Option<Method> {
    let all = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];
    let health = ["/healthz", "/livez", "/readyz"].iter().any(|path| head.path().starts_with(path));
    match head.method.as_str() {
        "HEAD" if health => Some(Method::Get),
        name => all.into_iter().find(|method| method.as_str() == name),
    }
}
