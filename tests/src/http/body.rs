//! The body of a request: so many bytes, or chunks up to an empty one.

use std::io::{self, BufRead, Read};

use crate::Head;

/// Why a body was not read.
#[derive(Debug)]
pub(super) enum Unread {
    /// Longer than the limit.
    TooLarge,
    /// Its head and its bytes contradict each other or HTTP.
    Malformed,
    /// The client is gone.
    Broken,
}

impl From<io::Error> for Unread {
    fn from(_: io::Error) -> Unread {
        Unread::Broken
    }
}

/// Reads the body that `head` announces, of at most `limit` bytes; `None` when it announces none.
pub(super) fn read(head: &Head, from: &mut impl BufRead, limit: usize) -> Result<Option<Vec<u8>>, Unread> {
    match (head.header("transfer-encoding"), head.header("content-length")) {
        (Some(coding), None) if coding.eq_ignore_ascii_case("chunked") => chunks(from, limit).map(Some),
        (None, Some(length)) => match length.parse::<usize>() {
            Ok(length) if length > limit => Err(Unread::TooLarge),
            Ok(length) => {
                let mut body = vec![0; length];
                from.read_exact(&mut body)?;
                Ok(Some(body))
            }
            Err(_) => Err(Unread::Malformed),
        },
        (None, None) => Ok(None),
        // Two lengths, or a coding that nobody can read, are how requests are smuggled.
        _ => Err(Unread::Malformed),
    }
}

fn chunks(from: &mut impl BufRead, limit: usize) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    loop {
        let line = line(from)?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(digits, 16).map_err(|_| Unread::Malformed)?;
        if size > limit - body.len() {
            return Err(Unread::TooLarge);
        }
        if size == 0 {
            break;
        }
        let start = body.len();
        body.resize(start + size, 0);
        from.read_exact(&mut body[start..])?;
        if !line_is_empty(from)? {
            return Err(Unread::Malformed);
        }
    }
    // What follows the last chunk are headers that tell nothing about a Kubernetes request.
    while !line_is_empty(from)? {}
    Ok(body)
}

fn line_is_empty(from: &mut impl BufRead) -> Result<bool, Unread> {
    line(from).map(|line| line.is_empty())
}

fn line(from: &mut impl BufRead) -> Result<String, Unread> {
    let mut text = String::new();
    from.take(MAX_LINE).read_line(&mut text).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Unread::Malformed,
        _ => Unread::Broken,
    })?;
    match text.strip_suffix('\n') {
        Some(line) => Ok(line.trim_end_matches('\r').to_owned()),
        None if text.len() as u64 == MAX_LINE => Err(Unread::Malformed),
        None => Err(Unread::Broken),
    }
}

/// A size and its extensions, or a trailer.
const MAX_LINE: u64 = 4096;

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Head;

    fn check(headers: &str, body: &[u8], expect: &str) {
        let head = format!("POST / HTTP/1.1\r\n{headers}\r\n");
        let head = Head::read(&mut head.as_bytes()).unwrap().unwrap();
        let mut rest = body;
        let seen = match read(&head, &mut rest, 8) {
            Ok(body) => format!("{:?}", body.map(|body| String::from_utf8(body).unwrap())),
            Err(why) => format!("{why:?}"),
        };
        assert_eq!(seen, expect, "{headers}{}", String::from_utf8_lossy(body));
    }

    #[test]
    fn a_body_has_a_length_or_chunks() {
        check("", b"next", "None");
        check("Content-Length: 3\r\n", b"abcnext", "Some(\"abc\")");
        check("Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "Some(\"abcde\")");
        check("Transfer-Encoding: Chunked\r\n", b"0\r\nTrailer: x\r\n\r\n", "Some(\"\")");
    }

    #[test]
    fn what_is_wrong_with_a_body_is_told_apart() {
        check("Content-Length: 9\r\n", b"123456789", "TooLarge");
        check("Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n4\r\nfghi\r\n0\r\n\r\n", "TooLarge");
        check("Transfer-Encoding: chunked\r\n", b"ffffffffffffffff\r\n", "TooLarge");
        check("Content-Length: 3\r\n", b"ab", "Broken");
        check("Transfer-Encoding: chunked\r\n", b"3\r\nab", "Broken");
        check("Content-Length: -1\r\n", b"", "Malformed");
        check("Transfer-Encoding: gzip\r\n", b"", "Malformed");
        check("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", b"3\r\nabc\r\n0\r\n\r\n", "Malformed");
        check("Transfer-Encoding: chunked\r\n", b"x\r\n", "Malformed");
        check("Transfer-Encoding: chunked\r\n", b"3\r\nabcd\r\n0\r\n\r\n", "Malformed");
        check("Transfer-Encoding: chunked\r\n", &[b'1'; 5000], "Malformed");
    }
}
