//! The listening port, and the loop that answers what comes in there.

use std::{
    net::{TcpListener, TcpStream},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, Result, anyhow};
use futures::{StreamExt, channel::mpsc};
use masthead::{rest::Transport, runtime::VirtualTime};

use super::{call::Call, connection::Connection, pace::Pace};

/// A loopback port at which a transport can be reached.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    port: u16,
}

/// More than any client of one machine keeps open; a connection beyond that is closed at once.
const MAX_CONNECTIONS: usize = 1024;

/// How many requests wait for the transport; connections wait beyond that.
const WAITING: usize = 64;

/// How long the loop may sleep through a signal.
const TURN: Duration = Duration::from_millis(200);

impl HttpServer {
    /// Takes `port` of the loopback address, or a free one for 0. Nobody is answered yet.
    pub fn bind(port: u16) -> Result<HttpServer> {
        let taken = |error| {
            anyhow!("port {port} of 127.0.0.1 cannot be had ({error}): name another with --port, or 0 for a free one")
        };
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(taken)?;
        let port = listener.local_addr().context("a bound listener has an address")?.port();
        Ok(HttpServer { listener, port })
    }

    /// Where clients reach it, as `http://127.0.0.1:40123`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Answers requests by `transport` while `goes_on` says so, which is asked a few times a second.
    ///
    /// `time` is the world that the transport lives in; it passes as the machine's clock does.
    pub fn run(self, transport: &Rc<dyn Transport>, time: &VirtualTime, goes_on: impl Fn() -> bool) {
        let (calls, mut incoming) = mpsc::channel::<Call>(WAITING);
        thread::spawn(move || self.listen(&calls));
        let (runtime, transport) = (time.runtime(), Rc::clone(transport));
        let answering = time.runtime().spawn(async move {
            while let Some(call) = incoming.next().await {
                runtime.spawn(call.carry_out(Rc::clone(&transport))).forget();
            }
        });
        let pace = Pace::start(time);
        while goes_on() {
            pace.turn(TURN);
        }
        drop(answering);
    }

    fn listen(self, calls: &mpsc::Sender<Call>) {
        let open = Arc::new(AtomicUsize::new(0));
        for stream in self.listener.incoming().flatten() {
            let seat = Seat::take(&open);
            if seat.number < MAX_CONNECTIONS {
                let calls = calls.clone();
                thread::spawn(move || serve(&stream, calls, seat));
            }
        }
    }
}

/// A connection that ends in an error was broken by its client, which is gone or will see it.
fn serve(stream: &TcpStream, calls: mpsc::Sender<Call>, seat: Seat) {
    if let Ok(mut connection) = Connection::new(stream, calls) {
        connection.serve().ok();
    }
    drop(seat);
}

/// One of the open connections, for as long as it is.
struct Seat {
    open: Arc<AtomicUsize>,
    number: usize,
}

impl Seat {
    fn take(open: &Arc<AtomicUsize>) -> Seat {
        Seat { number: open.fetch_add(1, Ordering::Relaxed), open: Arc::clone(open) }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}
