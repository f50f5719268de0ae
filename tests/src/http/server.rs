//! The listening port, and the loop that drives the transport.

use std::{rc::Rc, time::Duration};

use anyhow::{Context, Result, anyhow};
use futures::{StreamExt, channel::mpsc};
use masthead::{rest::Transport, runtime::VirtualTime};
use masthead_serve::{Limits, Listener};

use super::{call::Call, exchange, pace::Pace};

/// A loopback port at which a transport can be reached.
#[derive(Debug)]
pub struct HttpServer {
    listener: Listener,
}

/// As many connections as clients of one machine keep open, each for as long without a request as the real API server keeps it.
const LIMITS: Limits =
    Limits { connections: 1024, head_within: Duration::from_secs(90), unread_for: Duration::from_secs(60) };

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
        Ok(HttpServer { listener: Listener::bind(port).map_err(taken)? })
    }

    /// Where clients reach it, as `http://127.0.0.1:40123`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.listener.port())
    }

    /// Answers requests by `transport` while `goes_on` says so, which is asked a few times a second.
    ///
    /// `time` is the world that the transport lives in; it passes as the machine's clock does.
    pub fn run(self, transport: &Rc<dyn Transport>, time: &VirtualTime, goes_on: impl Fn() -> bool) -> Result<()> {
        let (calls, mut incoming) = mpsc::channel::<Call>(WAITING);
        let answer = move |request, permit| exchange::answer(request, permit, calls.clone());
        let _serving = self.listener.serve(LIMITS, answer).context("the simulator cannot be served")?;
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
        Ok(())
    }
}
