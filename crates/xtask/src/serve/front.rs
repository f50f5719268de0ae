//! The one address a browser sees: the page's files, and the API below a prefix that no other page can guess.

use std::{
    fs::File,
    io::{BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow};
use masthead_tests::Head;

use super::{files::Answer, forward::Backend};

/// A bound port that does not answer yet.
pub(super) struct Front {
    listener: TcpListener,
    port: u16,
}

impl Front {
    /// Takes `port` of the loopback address, or a free one for 0.
    pub(super) fn bind(port: u16) -> Result<Front> {
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|error| {
            anyhow!(
                "port {port} of 127.0.0.1 cannot be had ({error}): name another with --port, or none for a free one"
            )
        })?;
        let port = listener.local_addr().context("a bound listener has an address")?.port();
        Ok(Front { listener, port })
    }

    /// Starts to answer, and returns the address to open.
    pub(super) fn serve(self, dist: &Path, api: Option<Backend>) -> Result<String> {
        let prefix = random_prefix()?;
        let fragment = api.as_ref().map(|_| format!("#/?api={prefix}")).unwrap_or_default();
        let address = format!("http://127.0.0.1:{}/{fragment}", self.port);
        let site = Arc::new(Site { dist: dist.to_owned(), api, prefix });
        std::thread::spawn(move || {
            for connection in self.listener.incoming().flatten() {
                let site = Arc::clone(&site);
                std::thread::spawn(move || site.answer(&connection));
            }
        });
        Ok(address)
    }
}

struct Site {
    dist: PathBuf,
    api: Option<Backend>,
    /// `/k-` and 128 random bits: whoever knows it may use the API.
    prefix: String,
}

impl Site {
    /// Errors go to the browser where one still listens; there is nobody else to tell.
    fn answer(&self, connection: &TcpStream) {
        let mut reader = BufReader::new(connection);
        let answer = match Head::read(&mut reader) {
            Ok(None) => return,
            Ok(Some(head)) if !head.is_for_loopback() => {
                Answer::text("403 Forbidden", "this address is for this machine only")
            }
            Ok(Some(head)) => match (&self.api, self.below_prefix(&head)) {
                (Some(api), Some(target)) => match api.forward(&head, target, reader.buffer(), connection) {
                    Ok(()) => return,
                    Err(error) => Answer::text("502 Bad Gateway", &format!("{error:#}")),
                },
                _ => self.file(&head),
            },
            Err(error) => Answer::text("400 Bad Request", &format!("{error:#}")),
        };
        send(connection, &answer).ok();
    }

    fn below_prefix<'a>(&self, head: &'a Head) -> Option<&'a str> {
        head.target.strip_prefix(&self.prefix).filter(|rest| rest.starts_with('/'))
    }

    fn file(&self, head: &Head) -> Answer {
        match head.method.as_str() {
            "GET" => Answer::for_path(&self.dist, head.path()),
            _ => Answer::text("405 Method Not Allowed", "the page's files are only read"),
        }
    }
}

fn send(mut to: &TcpStream, answer: &Answer) -> std::io::Result<()> {
    let Answer { status, kind, cache, body } = answer;
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: {cache}\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: frame-ancestors 'none'\r\n\
         Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
        body.len()
    );
    to.write_all(head.as_bytes())?;
    to.write_all(body)
}

pub(super) fn random_prefix() -> Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .context("no random numbers to be had")?;
    Ok(bytes.iter().fold("/k-".to_owned(), |text, byte| format!("{text}{byte:02x}")))
}
