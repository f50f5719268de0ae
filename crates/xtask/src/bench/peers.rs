//! Masthead beside its peers: how long each takes until it has all pods of a real cluster, in the same run.

mod curl;
mod figures;
mod kit;
mod peer;
mod table;

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};

use anyhow::{Context, Result, bail};
use masthead_tests::{Interrupt, Load, LoadOptions, User};

use self::{figures::Figures, kit::Kit, peer::Peer};
use crate::{command::command, flags::Flags, lease::Lease, running::Running};

const PODS: usize = 10_000;
const NAMESPACES: usize = 10;
/// The machine does other things too: of this many rounds everyone's best one counts.
const ROUNDS: usize = 5;
/// Where the proxy shows the page.
const PAGE: &str = "/page/";

/// Builds all that is needed, fills a cluster of its own, and measures.
pub(super) fn run_all(mut flags: Flags<'_>) -> Result<()> {
    if let Some(word) = flags.word() {
        return Err(flags.unknown(word));
    }
    let kit = Kit::make()?;
    let lease = Lease::fresh()?;
    let load = LoadOptions { pods: PODS, namespaces: NAMESPACES };
    Load::fill(lease.cluster(), &load, &Interrupt::never())?;
    let proxy = Proxy::start(&lease, kit.page())?;
    let best = measure(&kit, &proxy.url)?;
    print!("\n{}", table::table(PODS, ROUNDS, &best));
    Ok(())
}

/// Everyone once, then again: what slows the machine down for a while slows all of them down.
fn measure(kit: &Kit, url: &str) -> Result<Vec<(&'static Peer, Figures)>> {
    let mut best: Vec<(&Peer, Option<Figures>)> = peer::PEERS.iter().map(|peer| (peer, None)).collect();
    for round in 1..=ROUNDS {
        for (peer, fastest) in &mut best {
            let figures = peer.run(kit, url).with_context(|| peer.name)?;
            if let Some(objects) = figures.objects.filter(|objects| *objects != PODS) {
                bail!("{} has {objects} pods, and there are {PODS}", peer.name);
            }
            println!("round {round} of {ROUNDS}: {:<34} {:>6.2} s", peer.name, figures.seconds);
            if fastest.is_none_or(|fastest| figures.seconds < fastest.seconds) {
                *fastest = Some(figures);
            }
        }
    }
    Ok(best.into_iter().filter_map(|(peer, fastest)| Some((peer, fastest?))).collect())
}

/// The `kubectl proxy` that everyone goes through, with the page beside the API.
struct Proxy {
    url: String,
    _running: Running,
}

impl Proxy {
    fn start(lease: &Lease, page: &Path) -> Result<Proxy> {
        let cluster = lease.cluster();
        let mut kubectl = command(cluster.kubectl());
        kubectl.arg("--kubeconfig").arg(cluster.kubeconfig(User::Admin));
        kubectl.args(["proxy", "--address=127.0.0.1", "--port=0", "--www-prefix", PAGE, "--www"]).arg(page);
        let mut running = Running::start(kubectl.stdout(Stdio::piped()))?;
        let stdout = running.child.stdout.take().context("the child's output is piped")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).context("could not read what kubectl proxy says")?;
        match line.trim().strip_prefix("Starting to serve on ") {
            Some(authority) => Ok(Proxy { url: format!("http://{authority}"), _running: running }),
            None => bail!("kubectl proxy did not start; what it says above is the reason"),
        }
    }
}
