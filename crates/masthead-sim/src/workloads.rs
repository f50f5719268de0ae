//! The rest of a cluster: controllers, scheduler and nodes, which make workloads live.
//!
//! The engine sees what changes in the store and looks at whom it concerns; besides, it looks at what has a deadline. At
//! rest it costs nothing. It acts as the real components do: through checked writes in their names, with their events. Its
//! clock and its chance are the server's, so a run on virtual time replays.

mod actor;
mod agenda;
mod autoscaler;
mod behaviour;
mod component;
mod cron_job;
mod daemon_set;
mod deployment;
mod disruption;
mod endpoints;
mod engine;
mod facts;
mod job;
mod kubelet;
mod node;
mod pressure;
mod recorder;
mod replica_set;
mod resource;
mod revision;
mod room;
pub(crate) mod schedule;
mod scheduler;
mod selector;
mod stateful_set;
pub(crate) mod template;
mod unrest;
mod volume;

use std::{
    future::poll_fn,
    pin::pin,
    rc::{Rc, Weak},
    task::Poll,
    time::Duration,
};

use futures::future::{self, Either};
use masthead::runtime::Runtime;

use crate::{Sim, sim::Shared};
pub(crate) use actor::key_of;
pub use behaviour::Behaviour;
use engine::State;

/// How workloads behave.
///
/// ```
/// use std::time::Duration;
///
/// use masthead::runtime::VirtualTime;
/// use masthead_sim::{Behaviour, Sim, Workloads};
///
/// let time = VirtualTime::new();
/// let sim = Sim::new(time.runtime());
/// let crash = Behaviour::Crashes { after: Duration::from_secs(5), code: 1 };
/// let running = sim.run_workloads(Workloads { behaviours: vec![("flaky".to_owned(), crash)], ..Workloads::default() });
/// // Deployments, nodes and the like that are created from here on come to life as time passes.
/// time.advance(Duration::from_secs(60));
/// drop(running);
/// ```
#[derive(Clone, Debug)]
pub struct Workloads {
    /// What the containers of an image do, by a part of its name; the first that fits counts. A pod's annotation
    /// [`Behaviour::ANNOTATION`] goes before.
    pub behaviours: Vec<(String, Behaviour)>,
    /// How often each node renews its lease; `None` for never, so that a cluster at rest changes nothing. Ten seconds at
    /// first, as kubelets do.
    pub heartbeat: Option<Duration>,
    /// About how often somebody rolls something out, scales it or deletes a pod; `None` for never, as it is at first.
    pub unrest: Option<Duration>,
}

impl Default for Workloads {
    fn default() -> Workloads {
        Workloads { behaviours: Vec::new(), heartbeat: Some(Duration::from_secs(10)), unrest: None }
    }
}

/// Controllers, scheduler and nodes at work.
#[must_use = "they stop when dropped"]
#[derive(Debug)]
pub struct Running {
    shared: Weak<Shared>,
    /// Which engine of the server this is the owner of.
    number: u64,
}

impl Running {
    /// Lets them work for as long as the server is there.
    pub fn forget(mut self) {
        self.shared = Weak::new();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.stop_workloads(self.number);
        }
    }
}

impl Sim {
    /// Starts the controllers, the scheduler and the nodes' own part. Those that were started before stop.
    pub fn run_workloads(&self, workloads: Workloads) -> Running {
        let shared = self.shared();
        let number = shared.world.borrow_mut().next_number();
        let runtime = shared.runtime.clone();
        shared.world.borrow_mut().store.listen();
        let state = State::new(workloads, runtime.now());
        let task = runtime.spawn(run(Rc::downgrade(shared), number, runtime.clone(), state));
        shared.set_workloads(number, task);
        Running { shared: Rc::downgrade(shared), number }
    }
}

async fn run(shared: Weak<Shared>, number: u64, runtime: Runtime, mut state: State) {
    loop {
        let Some(server) = shared.upgrade() else { return };
        let more = engine::turn(&server, &mut state);
        let version = server.world.borrow().store.version();
        server.settle();
        drop(server);
        let next = state.agenda.next();
        let changed = pin!(changed(&shared, number, version));
        match next {
            _ if more => rest().await,
            None => changed.await,
            Some(at) => match future::select(changed, pin!(runtime.sleep(at.since(runtime.now())))).await {
                Either::Left(((), _)) | Either::Right(((), _)) => {}
            },
        }
    }
}

/// Completes once something changed beyond `version`, or the server is gone.
async fn changed(shared: &Weak<Shared>, number: u64, version: u64) {
    poll_fn(|context| {
        let Some(server) = shared.upgrade() else { return Poll::Ready(()) };
        let mut world = server.world.borrow_mut();
        if world.store.version() > version {
            return Poll::Ready(());
        }
        world.wait(number, context.waker().clone());
        Poll::Pending
    })
    .await;
}

/// Lets others run.
async fn rest() {
    let mut rested = false;
    poll_fn(|context| {
        if std::mem::replace(&mut rested, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
