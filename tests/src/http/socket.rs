//! A watch over a WebSocket, as the real API server serves it: one text frame per event, whatever the client says.

use std::{
    io::{self, BufRead, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{Mutex, PoisonError},
    thread,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use futures::{StreamExt, channel::oneshot, executor::block_on};
use sha1::{Digest, Sha1};

use super::call::{Chunk, Content};
use crate::Head;

/// What a client that wants a WebSocket offered.
pub(super) struct Handshake {
    key: String,
    protocol: Option<String>,
}

impl Handshake {
    /// `None` when the request is no watch or wants no WebSocket; the code of a refusal when it asks wrongly.
    pub(super) fn of(head: &Head) -> Option<Result<Handshake, u16>> {
        let is = |name: &str, word: &str| {
            head.header(name).is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
        };
        if !is("upgrade", "websocket") || !is("connection", "upgrade") || !is_watch(head) {
            return None;
        }
        // The real server asks for an origin, and that it be told one subprotocol at most.
        if head.header("origin").is_none() {
            return Some(Err(403));
        }
        let protocol = head.header("sec-websocket-protocol").map(str::to_owned);
        let many = protocol.as_ref().is_some_and(|names| names.contains(','));
        match head.header("sec-websocket-key") {
            Some(key) if is("sec-websocket-version", "13") && !many => {
                Some(Ok(Handshake { key: key.to_owned(), protocol }))
            }
            _ => Some(Err(400)),
        }
    }

    fn answer(&self) -> String {
        let digest = Sha1::digest(format!("{}{GUID}", self.key));
        let protocol = self.protocol.as_ref().map(|name| format!("Sec-WebSocket-Protocol: {name}\r\n"));
        format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {}\r\n{}\r\n",
            STANDARD.encode(digest),
            protocol.unwrap_or_default()
        )
    }
}

/// Of RFC 6455.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

fn is_watch(head: &Head) -> bool {
    let query = head.target.split_once('?').map_or("", |(_, query)| query);
    let asked = query.split('&').any(|pair| matches!(pair, "watch" | "watch=1" | "watch=true"));
    head.method == "GET" && (asked || head.path().split('/').any(|part| part == "watch"))
}

/// An open WebSocket.
pub(super) struct Socket<'a> {
    stream: &'a TcpStream,
    /// Held for as long as a frame takes.
    writing: Mutex<()>,
}

/// An event that does not end within this is none.
const MAX_EVENT: usize = 64 << 20;

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Code 1000, with which the real server ends every watch.
const NORMAL: [u8; 2] = 1000u16.to_be_bytes();

impl<'a> Socket<'a> {
    pub(super) fn open(mut stream: &'a TcpStream, handshake: &Handshake) -> io::Result<Socket<'a>> {
        stream.write_all(handshake.answer().as_bytes())?;
        Ok(Socket { stream, writing: Mutex::default() })
    }

    /// Sends events until they end or the client goes, which drops `here`.
    pub(super) fn serve(&self, reader: &mut impl BufRead, content: Content, here: oneshot::Sender<()>) {
        thread::scope(|scope| {
            scope.spawn(|| {
                // After an error there is nobody to say goodbye to.
                if self.send_events(content).is_ok() {
                    self.send(CLOSE, &NORMAL).ok();
                }
                self.stream.shutdown(Shutdown::Both).ok();
            });
            // It ends with the client's goodbye or with the connection: both mean the same here.
            self.listen(reader).ok();
            self.stream.shutdown(Shutdown::Both).ok();
            drop(here);
        });
    }

    fn send_events(&self, content: Content) -> io::Result<()> {
        let mut chunks = match content {
            Content::Whole(events) => return self.send_lines(&mut { events }),
            Content::Stream(chunks) => chunks,
        };
        let mut unsent = Vec::new();
        while let Some(chunk) = block_on(chunks.next()) {
            match chunk {
                Chunk::Broken => return Err(io::ErrorKind::ConnectionAborted.into()),
                Chunk::Bytes(bytes) => unsent.extend_from_slice(&bytes),
            }
            self.send_lines(&mut unsent)?;
            if unsent.len() > MAX_EVENT {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        Ok(())
    }

    /// Sends each whole line, with its end as the real server does, and leaves the rest.
    fn send_lines(&self, unsent: &mut Vec<u8>) -> io::Result<()> {
        let mut sent = 0;
        for line in unsent.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            self.send(TEXT, line)?;
            sent += line.len();
        }
        unsent.drain(..sent);
        Ok(())
    }

    fn send(&self, kind: u8, payload: &[u8]) -> io::Result<()> {
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frame = frame_head(kind, payload.len());
        frame.extend_from_slice(payload);
        (&mut &*self.stream).write_all(&frame)
    }

    /// Reads what the client says, to answer its pings and to hear of its leaving.
    fn listen(&self, reader: &mut impl BufRead) -> io::Result<()> {
        loop {
            let (kind, length, mask) = read_frame_head(reader)?;
            if kind < CLOSE {
                io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
                continue;
            }
            let mut payload = vec![0; usize::try_from(length).map_err(io::Error::other)?.min(MAX_CONTROL)];
            reader.read_exact(&mut payload)?;
            payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
            match kind {
                PING => self.send(PONG, &payload)?,
                CLOSE => return self.send(CLOSE, &NORMAL),
                _ => {}
            }
        }
    }
}

/// The largest payload of a control frame; more of it would be another protocol.
const MAX_CONTROL: usize = 125;

fn frame_head(kind: u8, length: usize) -> Vec<u8> {
    let first = 0x80 | kind;
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(length @ ..=125), _) => vec![first, length],
        (_, Ok(length)) => [&[first, 126], length.to_be_bytes().as_slice()].concat(),
        _ => [&[first, 127], (length as u64).to_be_bytes().as_slice()].concat(),
    }
}

/// Kind, length and mask of the client's next frame.
fn read_frame_head(reader: &mut impl Read) -> io::Result<(u8, u64, [u8; 4])> {
    let mut head = [0; 2];
    reader.read_exact(&mut head)?;
    let length = match head[1] & 0x7f {
        126 => {
            let mut length = [0; 2];
            reader.read_exact(&mut length)?;
            u64::from(u16::from_be_bytes(length))
        }
        127 => {
            let mut length = [0; 8];
            reader.read_exact(&mut length)?;
            u64::from_be_bytes(length)
        }
        length => u64::from(length),
    };
    let mut mask = [0; 4];
    if head[1] & 0x80 == 0 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    reader.read_exact(&mut mask)?;
    Ok((head[0] & 0x0f, length, mask))
}
