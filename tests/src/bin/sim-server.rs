//! The simulator as a program of its own: `cargo xtask sim` runs it, and the tests do.

use std::{
    io::Write,
    rc::Rc,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result};
use masthead::{rest::Transport, runtime::VirtualTime};
use masthead_sim::{Sim, Workloads};
use masthead_tests::{Interrupt, SimOrder, SimWorld, http::HttpServer};

fn main() -> Result<()> {
    let order = std::env::args().nth(1).context("sim-server takes one argument: `cargo xtask sim` gives it")?;
    let order: SimOrder = serde_json::from_str(&order).context("the order is not one")?;
    let interrupt = Interrupt::install()?;
    let server = HttpServer::bind(order.port)?;
    let time = VirtualTime::starting_at(now(), order.seed);
    let sim = match order.world {
        SimWorld::Demo => Sim::demo(time.runtime()),
        SimWorld::Pods(pods) => {
            let sim = Sim::with_pods(time.runtime(), pods);
            sim.keep_history(HISTORY);
            sim
        }
        SimWorld::Bare => {
            let sim = Sim::new(time.runtime());
            sim.run_workloads(Workloads::default()).forget();
            sim
        }
    };
    let _churn = order.churn.map(|rate| sim.churn(rate));
    let sim: Rc<dyn Transport> = Rc::new(sim);
    // Who started it waits for this line.
    writeln!(std::io::stdout(), "{}", server.url()).context("cannot print")?;
    server.run(&sim, &time, || !interrupt.is_raised())
}

/// As many changes as a real server remembers at most: with fewer, lists of many pods expire before they are read.
const HISTORY: usize = 100 * 1024;

#[allow(clippy::disallowed_methods, reason = "its clients live on the machine's clock")]
fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
