//! The accept loop and the limits of a connection, for every server here: the front and the servers of the tests.
//!
//! One thread answers all connections and starts no other, so that a machine without free threads changes nothing. Without
//! free file handles the loop waits for one; clients wait in the system's queue meanwhile.

use std::{
    error::Error,
    io,
    net::{Ipv4Addr, TcpListener as StdListener},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use http_body_util::combinators::UnsyncBoxBody;
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::Builder,
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::sleep,
};

use crate::write_timeout::WriteTimeout;

/// The body of an answer. An error in it ends the connection, which is how a client learns of one that broke off.
pub type Body = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

/// A connection's share of [`Limits::connections`]; a WebSocket keeps it for as long as it is open.
pub type Permit = Arc<OwnedSemaphorePermit>;

/// What one client may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many connections are open at once; further clients wait until others leave.
    pub connections: usize,
    /// How long the head of a request may take, and how long a connection may stay without one.
    pub head_within: Duration,
    /// How long a client may read nothing while there are bytes for it. A stream without bytes may be silent for ever.
    pub unread_for: Duration,
}

impl Default for Limits {
    /// A browser holds some dozens of connections, and reads what it asked for.
    fn default() -> Limits {
        Limits { connections: 512, head_within: Duration::from_secs(10), unread_for: Duration::from_secs(60) }
    }
}

/// A port of the loopback address that is taken and not answered yet.
#[derive(Debug)]
pub struct Listener {
    listener: StdListener,
    port: u16,
}

impl Listener {
    /// Takes `port`, or a free one for 0.
    pub fn bind(port: u16) -> io::Result<Listener> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Listener { listener, port })
    }

    /// The port that was taken.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Answers each request by `answer`, in a thread of its own. `None` ends the connection without an answer.
    ///
    /// A request that is not HTTP is answered with 400, and a head of more than 64 KiB with 431.
    pub fn serve<F>(
        self,
        limits: Limits,
        answer: impl Fn(Request<Incoming>, Permit) -> F + Clone + Send + 'static,
    ) -> io::Result<Serving>
    where
        F: Future<Output = Option<Response<Body>>> + Send + 'static,
    {
        let runtime =
            Builder::new_current_thread().max_blocking_threads(MAX_BLOCKING).enable_io().enable_time().build()?;
        let listener = {
            let _entered = runtime.enter();
            TcpListener::from_std(self.listener)?
        };
        let (stop, stopped) = oneshot::channel::<()>();
        runtime.spawn(accept(listener, limits, answer));
        let thread = thread::Builder::new().name("masthead-serve".to_owned()).spawn(move || {
            // The other end is never used: it is dropped.
            runtime.block_on(stopped).ok();
            runtime.shutdown_background();
        })?;
        Ok(Serving { stop: Some(stop), thread: Some(thread) })
    }
}

/// A server that answers until this is dropped.
#[derive(Debug)]
#[must_use = "stops when dropped"]
pub struct Serving {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.stop.take());
        // A thread that panicked has said so, and is over.
        self.thread.take().map(JoinHandle::join);
    }
}

async fn accept<F>(
    listener: TcpListener,
    limits: Limits,
    answer: impl Fn(Request<Incoming>, Permit) -> F + Clone + Send + 'static,
) where
    F: Future<Output = Option<Response<Body>>> + Send + 'static,
{
    let free = Arc::new(Semaphore::new(limits.connections));
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve_connection(stream, limits, answer.clone(), Arc::new(permit)));
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) => {
            }
            // There are no file handles or no memory; both come back when others end.
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Answers what one client asks, one request after another.
async fn serve_connection<F>(
    stream: TcpStream,
    limits: Limits,
    answer: impl Fn(Request<Incoming>, Permit) -> F,
    permit: Permit,
) where
    F: Future<Output = Option<Response<Body>>> + Send + 'static,
{
    // Without it small answers wait for the client's acknowledgements; a system that refuses is slower and right.
    stream.set_nodelay(true).ok();
    let service = service_fn(move |request| {
        let answered = answer(request, Arc::clone(&permit));
        async move { answered.await.ok_or("there is no answer") }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_within)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, limits.unread_for)), service)
        .with_upgrades();
    // An error is this client's: it left, or it sent what is no request, which hyper has answered.
    connection.await.ok();
}

/// Calls `attempt` again while the process has no free file handle, for some seconds; gives the last error then.
pub(crate) async fn with_file_handle<T, F>(mut attempt: impl FnMut() -> F) -> io::Result<T>
where
    F: Future<Output = io::Result<T>>,
{
    let mut tries = 0;
    loop {
        match attempt().await {
            Err(error) if is_out_of_handles(&error) && tries < MAX_TRIES => {
                tries += 1;
                sleep(PAUSE).await;
            }
            outcome => return outcome,
        }
    }
}

/// Whether the process or the machine has no free file handle.
pub(crate) fn is_out_of_handles(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| OUT_OF_HANDLES.contains(&code))
}

/// ENFILE and EMFILE, which have these numbers on every unix.
const OUT_OF_HANDLES: [i32; 2] = [23, 24];

/// Between two tries when the system has no file handle to give.
const PAUSE: Duration = Duration::from_millis(100);

/// Five seconds: a page that loads waits as long, and is told to come back then.
const MAX_TRIES: u32 = 50;

/// More than a browser sends.
const MAX_HEAD: usize = 64 * 1024;

/// A head, and what follows it in the same packet.
const MAX_BUFFER: usize = 2 * MAX_HEAD;

/// Threads for what cannot wait otherwise: a name that is looked up, an order of a test that waits for processes.
const MAX_BLOCKING: usize = 16;
