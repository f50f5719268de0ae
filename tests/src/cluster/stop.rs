//! The way down, from any state.

use anyhow::Result;

use super::components::{APISERVER, ETCD};
use super::layout::Layout;
use super::process::{Life, Process, members_of};
use super::state::State;

/// Stops every process of the cluster in `layout`, written down or only marked, and removes its data but not its logs.
///
/// Gives the number of processes that were running.
pub(crate) fn everything(layout: &Layout) -> Result<usize> {
    // A damaged file names no process, but the marks still do.
    let mut processes = State::load(&layout.state()).ok().flatten().map(|state| state.processes).unwrap_or_default();
    for member in members_of(layout.dir()) {
        if !processes.iter().any(|known| known.pid == member.pid) {
            processes.push(member);
        }
    }
    processes.retain(|process| process.life() != Life::Gone);
    // Without etcd the API server takes long to leave, and without the API server its clients fill their logs.
    let (servers, clients): (Vec<_>, Vec<_>) = processes.iter().partition(|it| rank(it) > 0);
    let (apiservers, etcds): (Vec<_>, Vec<_>) = servers.into_iter().partition(|it| rank(it) == 1);
    for together in [&clients, &apiservers, &etcds] {
        stop_together(together)?;
    }
    layout.clear()?;
    Ok(processes.len())
}

/// Which processes must outlast which: those of a higher rank stop later.
fn rank(process: &Process) -> u8 {
    match process.name() {
        APISERVER => 1,
        ETCD => 2,
        _ => 0,
    }
}

fn stop_together(processes: &[&Process]) -> Result<()> {
    std::thread::scope(|scope| {
        let stopping: Vec<_> = processes.iter().map(|process| scope.spawn(|| process.stop())).collect();
        stopping.into_iter().try_for_each(|it| it.join().expect("stopping a process never panics"))
    })
}
