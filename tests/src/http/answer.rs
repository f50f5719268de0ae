//! Answers on the wire: a head, and a body with a length, in chunks, or up to the connection's end.

use std::io::{self, BufWriter, Write};

use futures::{StreamExt, channel::mpsc, executor::block_on};
use serde_json::json;
use ureq::http::StatusCode;

use super::call::Chunk;

/// How a client learns where a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    Length(usize),
    Chunked,
    /// By the connection's end: HTTP/1.0 knows no chunks.
    UntilClose,
}

/// An answer that the server gives without asking anybody.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) content_type: &'static str,
    pub(super) body: Vec<u8>,
}

impl Refusal {
    /// In a sentence for a person.
    pub(super) fn text(code: u16, text: &str) -> Refusal {
        Refusal { code, content_type: "text/plain; charset=utf-8", body: text.into() }
    }

    /// As the real API server refuses a method that nothing has.
    pub(super) fn method_not_allowed() -> Refusal {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "the server does not allow this method on the requested resource",
            "reason": "MethodNotAllowed", "details": {}, "code": 405,
        });
        Refusal { code: 405, content_type: "application/json", body: status.to_string().into() }
    }

    /// As the real API server refuses a body of more than `limit` bytes.
    pub(super) fn too_large(limit: usize) -> Refusal {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": format!("Request entity too large: limit is {limit}"),
            "reason": "RequestEntityTooLarge", "code": 413,
        });
        Refusal { code: 413, content_type: "application/json", body: status.to_string().into() }
    }
}

/// Writes status line and headers. With `keep` the connection serves another request.
pub(super) fn write_head(
    to: &mut impl Write,
    code: u16,
    headers: &[(String, String)],
    framing: Framing,
    keep: bool,
) -> io::Result<()> {
    let reason = StatusCode::from_u16(code).ok().and_then(|code| code.canonical_reason()).unwrap_or_default();
    write!(to, "HTTP/1.1 {code} {reason}\r\n")?;
    for (name, value) in headers {
        write!(to, "{name}: {value}\r\n")?;
    }
    match framing {
        Framing::Length(length) => write!(to, "Content-Length: {length}\r\n")?,
        Framing::Chunked => write!(to, "Transfer-Encoding: chunked\r\n")?,
        Framing::UntilClose => {}
    }
    if !keep {
        write!(to, "Connection: close\r\n")?;
    }
    write!(to, "\r\n")
}

/// Writes a body as it comes, each chunk at once. Fails when the body broke off or the client is gone.
pub(super) fn write_stream(to: impl Write, mut chunks: mpsc::Receiver<Chunk>, framing: Framing) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    while let Some(chunk) = block_on(chunks.next()) {
        match chunk {
            Chunk::Broken => return Err(io::ErrorKind::ConnectionAborted.into()),
            // An empty chunk would be the last one.
            Chunk::Bytes(bytes) if bytes.is_empty() => continue,
            Chunk::Bytes(bytes) if framing == Framing::Chunked => {
                write!(to, "{:x}\r\n", bytes.len())?;
                to.write_all(&bytes)?;
                to.write_all(b"\r\n")?;
            }
            Chunk::Bytes(bytes) => to.write_all(&bytes)?,
        }
        to.flush()?;
    }
    if framing == Framing::Chunked {
        to.write_all(b"0\r\n\r\n")?;
    }
    to.flush()
}
