//! Where the API is: a `kubectl proxy` on a unix socket or at a TCP address.

use std::{error, fmt, io, str::FromStr};

#[cfg(unix)]
use std::path::PathBuf;

use hyper_util::rt::TokioIo;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};

/// The server that requests below the prefix are passed on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backend {
    socket: Socket,
    /// Sent as the Host header.
    pub(crate) authority: String,
    /// Empty or `/path`, without a slash at its end.
    pub(crate) base: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Socket {
    Tcp,
    #[cfg(unix)]
    Unix(PathBuf),
}

impl Backend {
    /// A server that listens on the unix socket at `path`. It need not listen yet.
    #[cfg(unix)]
    pub fn unix(path: impl Into<PathBuf>) -> Backend {
        // One of the names that `kubectl proxy` accepts as a Host.
        Backend { socket: Socket::Unix(path.into()), authority: "localhost".to_owned(), base: String::new() }
    }

    /// A new connection, which carries one request.
    pub(crate) async fn connect(&self) -> io::Result<TokioIo<Box<dyn Stream>>> {
        let stream: Box<dyn Stream> = match &self.socket {
            Socket::Tcp => {
                let stream = TcpStream::connect(&self.authority).await?;
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
            #[cfg(unix)]
            Socket::Unix(path) => Box::new(UnixStream::connect(path).await?),
        };
        Ok(TokioIo::new(stream))
    }
}

/// The address of a server on TCP, as in `http://127.0.0.1:8001/base`.
impl FromStr for Backend {
    type Err = InvalidAddress;

    fn from_str(url: &str) -> Result<Backend, InvalidAddress> {
        let invalid = || InvalidAddress(url.to_owned());
        let rest = url.strip_prefix("http://").ok_or_else(invalid)?;
        let (authority, base) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(['@', '?', '#']);
        if authority.is_empty() || !plain(authority) || !plain(base) {
            return Err(invalid());
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        Ok(Backend { socket: Socket::Tcp, authority, base: base.trim_end_matches('/').to_owned() })
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.socket {
            Socket::Tcp => write!(formatter, "http://{}{}", self.authority, self.base),
            #[cfg(unix)]
            Socket::Unix(path) => write!(formatter, "{}", path.display()),
        }
    }
}

/// An address that a [`Backend`] cannot be read from.
#[derive(Debug)]
pub struct InvalidAddress(String);

impl fmt::Display for InvalidAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is not an address of `kubectl proxy`: it looks like http://127.0.0.1:8001", self.0)
    }
}

impl error::Error for InvalidAddress {}

/// What both kinds of connections are.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

#[cfg(test)]
mod tests {
    use super::Backend;

    #[test]
    fn an_address_has_a_host_a_port_and_perhaps_a_base() {
        for (url, expect) in [
            ("http://127.0.0.1:8001", "http://127.0.0.1:8001"),
            ("http://localhost/k/", "http://localhost:80/k"),
            ("http://[::1]:9/a/b", "http://[::1]:9/a/b"),
        ] {
            assert_eq!(url.parse::<Backend>().unwrap().to_string(), expect);
        }
        for url in ["https://127.0.0.1:1", "127.0.0.1:8001", "http://", "http://me@host", "http://a/b?c", "http://a b"]
        {
            assert!(url.parse::<Backend>().is_err(), "{url}");
        }
    }
}
