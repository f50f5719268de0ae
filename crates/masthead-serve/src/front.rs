//! The listener: how many connections there may be, and how long a client may take to say what it wants.

use std::{
    convert::Infallible,
    io,
    net::{Ipv4Addr, TcpListener as StdListener},
    path::Path,
    sync::Arc,
    time::Duration,
};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::{Builder, Runtime},
    sync::Semaphore,
    time::sleep,
};

use crate::{
    backend::Backend,
    codes::Codes,
    site::{Permit, Site},
};

/// A port that is taken and not answered yet.
#[derive(Debug)]
pub struct Front {
    listener: StdListener,
    port: u16,
}

impl Front {
    /// Takes `port` of the loopback address, or a free one for 0.
    pub fn bind(port: u16) -> io::Result<Front> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Front { listener, port })
    }

    /// Starts to answer with the page in `dist`, and with `api` below a new prefix.
    pub fn serve(self, dist: &Path, api: Option<Backend>) -> io::Result<Server> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .max_blocking_threads(MAX_FILE_READERS)
            .thread_name("masthead-serve")
            .enable_io()
            .enable_time()
            .build()?;
        let site = Arc::new(Site { dist: dist.to_owned(), port: self.port, api, codes: Codes::new()? });
        let listener = {
            let _entered = runtime.enter();
            TcpListener::from_std(self.listener)?
        };
        runtime.spawn(accept(listener, Arc::clone(&site)));
        Ok(Server { site, _runtime: runtime })
    }
}

/// Answers until it is dropped.
#[must_use = "stops when dropped"]
pub struct Server {
    site: Arc<Site>,
    _runtime: Runtime,
}

impl Server {
    /// A new address to open, once: its code is exchanged for the prefix. Without an API it is good for ever.
    pub fn one_time_address(&self) -> io::Result<String> {
        Ok(match &self.site.api {
            Some(_) => format!("{}#/?code={}", self.root(), self.site.codes.give()?),
            None => self.root(),
        })
    }

    /// The address with the prefix itself in it, for a program that opens many pages and keeps no history.
    pub fn api_address(&self) -> String {
        match &self.site.api {
            Some(_) => format!("{}#/?api={}", self.root(), self.site.codes.prefix()),
            None => self.root(),
        }
    }

    fn root(&self) -> String {
        format!("http://127.0.0.1:{}/", self.site.port)
    }
}

/// Without the prefix, which no log may hold.
impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("root", &self.root()).finish_non_exhaustive()
    }
}

async fn accept(listener: TcpListener, site: Arc<Site>) {
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(answer(stream, Arc::clone(&site), Arc::new(permit)));
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) => {
            }
            // There are no file handles or no memory; both come back when others end.
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Answers what one client asks, one request after another.
async fn answer(stream: TcpStream, site: Arc<Site>, permit: Permit) {
    // Without it small answers wait for the client's acknowledgements; a system that refuses is slower and right.
    stream.set_nodelay(true).ok();
    let service = service_fn(move |request| {
        let (site, permit) = (Arc::clone(&site), Arc::clone(&permit));
        async move { Ok::<_, Infallible>(site.answer(request, permit).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // An error is this client's: it left, or it sent what is no request, which hyper has answered.
    connection.await.ok();
}

/// Also how long a connection may stay without a request.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// More than a browser sends.
const MAX_HEAD: usize = 64 * 1024;

/// A browser holds some dozens; beyond that clients wait until others leave.
const MAX_CONNECTIONS: usize = 512;

/// Between two tries when the system has no file handle to give.
const PAUSE: Duration = Duration::from_millis(100);

const WORKERS: usize = 2;
const MAX_FILE_READERS: usize = 8;
