//! Passing a request on to the API: the head rewritten, then bytes in both directions until either side closes.
//!
//! One connection carries one request, so streamed watches, WebSockets and aborts need no knowledge of their own here.

use std::{
    io::{self, Write},
    net::{Shutdown, TcpStream},
    str::FromStr,
};

use anyhow::{Context, Error, Result, bail};
use masthead_tests::Head;

/// Where the API is: an `http://host:port/base` address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Backend {
    /// `host:port`, as a Host header has it.
    authority: String,
    /// Empty or `/path`, without a slash at its end.
    base: String,
}

impl Backend {
    /// The URL of a path of the API.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{}{path}", self.authority, self.base)
    }

    /// Sends `head` with its target below the base, then joins both connections.
    ///
    /// `early` is what was read of the body beyond the head.
    pub(super) fn forward(&self, head: &Head, below_prefix: &str, early: &[u8], client: &TcpStream) -> Result<()> {
        let mut upstream = TcpStream::connect(&self.authority)
            .with_context(|| format!("the API at {} does not answer", self.authority))?;
        upstream.write_all(self.rewritten(head, below_prefix).as_bytes()).context("the API closed the connection")?;
        upstream.write_all(early).context("the API closed the connection")?;
        join(client, &upstream)
    }

    fn rewritten(&self, head: &Head, below_prefix: &str) -> String {
        let upgrade = head.header("upgrade").is_some();
        let mut text = format!("{} {}{below_prefix} HTTP/1.1\r\nHost: {}\r\n", head.method, self.base, self.authority);
        for (name, value) in &head.headers {
            let replaced = name.eq_ignore_ascii_case("host") || (!upgrade && is_connection(name));
            if !replaced {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        // Without keep-alive the end of the answer is the end of the connection.
        text.push_str(if upgrade { "\r\n" } else { "Connection: close\r\n\r\n" });
        text
    }
}

impl FromStr for Backend {
    type Err = Error;

    fn from_str(url: &str) -> Result<Backend> {
        let Some(rest) = url.strip_prefix("http://") else {
            bail!("`{url}` is not an address of `kubectl proxy`: it looks like http://127.0.0.1:8001");
        };
        let (authority, base) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if authority.is_empty() || authority.contains(['@', '?', '#']) || base.contains(['?', '#', ' ']) {
            bail!("`{url}` is not an address of `kubectl proxy`: it looks like http://127.0.0.1:8001");
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        Ok(Backend { authority, base: base.trim_end_matches('/').to_owned() })
    }
}

fn is_connection(name: &str) -> bool {
    name.eq_ignore_ascii_case("connection") || name.eq_ignore_ascii_case("keep-alive")
}

/// Copies both ways. Whichever side ends first ends the other: a browser never half-closes, so its end is an abort.
fn join(client: &TcpStream, upstream: &TcpStream) -> Result<()> {
    let (mut from_client, mut to_upstream) = (client.try_clone()?, upstream.try_clone()?);
    let upward = std::thread::spawn(move || {
        // Either error is one side leaving, and the answer to it is the same as to a clean end.
        io::copy(&mut from_client, &mut to_upstream).ok();
        to_upstream.shutdown(Shutdown::Both).ok();
    });
    io::copy(&mut &*upstream, &mut &*client).ok();
    client.shutdown(Shutdown::Both).ok();
    upstream.shutdown(Shutdown::Both).ok();
    upward.join().map_err(|_| anyhow::anyhow!("the copying thread panicked"))
}

#[cfg(test)]
mod tests {
    use super::{Backend, Head};

    fn rewritten(base: &str, headers: &[(&str, &str)]) -> String {
        let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let head = Head { method: "GET".to_owned(), target: "/k-1/api?x=1".to_owned(), minor: 1, headers };
        base.parse::<Backend>().unwrap().rewritten(&head, "/api?x=1")
    }

    #[test]
    fn a_request_goes_below_the_base_with_the_proxy_as_host() {
        assert_eq!(
            rewritten("http://127.0.0.1:8001/k/", &[("Host", "me"), ("Accept", "a"), ("Connection", "keep-alive")]),
            "GET /k/api?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8001\r\nAccept: a\r\nConnection: close\r\n\r\n"
        );
    }

    #[test]
    fn an_upgrade_keeps_its_connection_header() {
        assert_eq!(
            rewritten("http://localhost", &[("Connection", "Upgrade"), ("Upgrade", "websocket")]),
            "GET /api?x=1 HTTP/1.1\r\nHost: localhost:80\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        );
    }
}
