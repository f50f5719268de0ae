//! The head of an HTTP/1.1 request: what a server needs to route it, and nothing of its body.

use std::io::{BufRead, Read};

use anyhow::{Context, Result, bail};

/// Request line and headers.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    /// As sent, such as `GET`.
    pub method: String,
    /// As sent: an absolute path with its query.
    pub target: String,
    /// The x of HTTP/1.x.
    pub minor: u8,
    /// Name and value of each, in their order.
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// Reads up to the empty line that ends a head; `None` when the peer closed before sending anything.
    pub fn read(from: &mut impl BufRead) -> Result<Option<Head>> {
        let mut bounded = from.take(MAX_HEAD);
        let Some(first) = line(&mut bounded)? else { return Ok(None) };
        let mut words = first.split(' ');
        let (Some(method), Some(target), Some(version @ ("HTTP/1.1" | "HTTP/1.0")), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            bail!("not an HTTP/1.1 request");
        };
        let minor = u8::from(version == "HTTP/1.1");
        let mut headers = Vec::new();
        loop {
            let header = line(&mut bounded)?.context("the head is cut off or longer than 64 KiB")?;
            if header.is_empty() {
                return Ok(Some(Head { method: method.to_owned(), target: target.to_owned(), minor, headers }));
            }
            let (name, value) = header.split_once(':').context("a header without a colon")?;
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
    }

    /// The first value of a header, its name in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Whether the request names this machine by a loopback name.
    ///
    /// A page elsewhere that got its own name to resolve to 127.0.0.1 would name that instead.
    pub fn is_for_loopback(&self) -> bool {
        let Some(host) = self.header("host") else { return false };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        matches!(name, "127.0.0.1" | "localhost" | "[::1]")
    }

    /// The path without its query.
    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(&self.target, |(path, _)| path)
    }
}

/// As much as kubectl's own server takes is more than a browser sends.
const MAX_HEAD: u64 = 64 * 1024;

/// One line without its end, or `None` at the end of input.
fn line(from: &mut impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    from.read_until(b'\n', &mut bytes).context("the connection broke")?;
    if bytes.pop() != Some(b'\n') {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    String::from_utf8(bytes).context("a head that is not text").map(Some)
}

#[cfg(test)]
mod tests {
    use super::Head;

    fn head(text: &str) -> anyhow::Result<Option<Head>> {
        Head::read(&mut text.as_bytes())
    }

    #[test]
    fn a_head_is_read_and_the_body_left() {
        let mut input = "POST /a?b=c HTTP/1.1\r\nHost: localhost:1\r\nX-Y:z\r\n\r\nbody".as_bytes();
        let head = Head::read(&mut input).unwrap().unwrap();
        assert_eq!((head.method.as_str(), head.path(), head.header("x-y")), ("POST", "/a", Some("z")));
        assert_eq!((head.minor, input), (1, b"body".as_slice()));
    }

    #[test]
    fn broken_heads_are_errors_and_a_silent_close_is_none() {
        assert_eq!(head("").unwrap(), None);
        assert!(head("GET / HTTP/1.1\r\nHost: a\r\n").is_err());
        assert!(head("GET / SPDY/3\r\n\r\n").is_err());
        assert!(head("GET / HTTP/1.1\r\nno colon\r\n\r\n").is_err());
        assert!(head(&format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(70_000))).is_err());
    }

    #[test]
    fn only_loopback_names_are_for_loopback() {
        for (host, expected) in [
            ("127.0.0.1:80", true),
            ("localhost", true),
            ("[::1]:9", true),
            ("evil.example:80", false),
            ("127.0.0.1.evil.example", false),
        ] {
            let head = head(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")).unwrap().unwrap();
            assert_eq!(head.is_for_loopback(), expected, "{host}");
        }
        assert!(!head("GET / HTTP/1.1\r\n\r\n").unwrap().unwrap().is_for_loopback());
    }
}
