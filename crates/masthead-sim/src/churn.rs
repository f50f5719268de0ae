//! Pods that change all the time, so many a second.

use std::{
    rc::{Rc, Weak},
    time::Duration,
};

use masthead::runtime::{Runtime, Task};
use serde_json::{Value, json};

use crate::{Sim, fleet, object::Key, sim::Shared, timestamp};

/// Changes to pods that go on.
#[must_use = "they end when dropped"]
#[derive(Debug)]
pub struct Churn {
    task: Task,
}

impl Churn {
    /// Lets the changes go on for as long as the server is there.
    pub fn forget(self) {
        self.task.forget();
    }
}

/// What happens to a pod.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// It becomes ready, or no longer is.
    Flip,
    /// One of its containers starts again.
    Restart,
    /// It goes, and another of the same owner comes.
    Replace,
}

/// The longest time between two batches of changes.
const TICK: Duration = Duration::from_millis(100);
/// The most changes of one batch: what a slow page misses is left out.
const BATCH: f64 = 10_000.0;

impl Sim {
    /// Changes `rate` pods a second: readiness, restarts, pods that go and others that come.
    ///
    /// The pods are those that are there when it begins and those that take their place. A change costs the same
    /// however many there are. Meant for a server whose workloads nobody runs: controllers would add to it.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use masthead::runtime::VirtualTime;
    /// use masthead_sim::Sim;
    ///
    /// let time = VirtualTime::new();
    /// let sim = Sim::with_pods(time.runtime(), 100);
    /// let (before, churn) = (sim.version(), sim.churn(50.0));
    /// time.advance(Duration::from_secs(10));
    /// assert!(sim.version() >= before + 500);
    /// drop(churn);
    /// ```
    pub fn churn(&self, rate: f64) -> Churn {
        let runtime = self.shared().runtime.clone();
        let task = runtime.spawn(run(Rc::downgrade(self.shared()), runtime.clone(), rate));
        Churn { task }
    }
}

async fn run(shared: Weak<Shared>, runtime: Runtime, rate: f64) {
    let (mut keys, mut owed, mut last) = (None, 0.0, runtime.now());
    let pause = if rate > 0.0 { TICK.max(Duration::from_secs_f64((1.0 / rate).min(3600.0))) } else { return };
    loop {
        runtime.sleep(pause).await;
        let Some(server) = shared.upgrade() else { return };
        let now = runtime.now();
        owed = (owed + rate * now.since(last).as_secs_f64()).min(BATCH);
        last = now;
        let keys = keys.get_or_insert_with(|| all_pods(&server));
        while owed >= 1.0 && !keys.is_empty() {
            owed -= 1.0;
            change(&server, keys);
        }
        server.settle();
    }
}

fn all_pods(shared: &Shared) -> Vec<Key> {
    let world = shared.world.borrow();
    let pods = world.kinds.find("", "v1", "pods").and_then(|kind| world.store.all(kind));
    pods.into_iter().flat_map(|pods| pods.keys()).cloned().collect()
}

/// Lets something happen to one of the pods.
fn change(shared: &Shared, keys: &mut Vec<Key>) {
    let runtime = &shared.runtime;
    let at = (runtime.random() * keys.len() as f64) as usize % keys.len();
    let kind = shared.world.borrow().kinds.find("", "v1", "pods").cloned();
    let kind = kind.expect("pods are built in");
    let pod = shared.world.borrow().store.get(&kind, &keys[at]).map(|object| object.value());
    let Some(pod) = pod else {
        keys.swap_remove(at);
        return;
    };
    let fate = match runtime.random() {
        few if few < 0.6 => Fate::Flip,
        few if few < 0.85 => Fate::Restart,
        _ => Fate::Replace,
    };
    let next = match fate {
        Fate::Flip => flipped(pod, runtime),
        Fate::Restart => restarted(pod, runtime),
        Fate::Replace => replacement(pod, runtime),
    };
    // Straight into the store: what is made here needs no checks, which would cost far more than the change.
    let mut world = shared.world.borrow_mut();
    if matches!(fate, Fate::Replace) {
        world.store.remove(&kind, &keys[at]);
    }
    keys[at] = world.store.put(&kind, next).key.clone();
}

fn flipped(mut pod: Value, runtime: &Runtime) -> Value {
    let container = &mut pod["status"]["containerStatuses"][0];
    let ready = container["ready"] != true;
    container["ready"] = ready.into();
    let name = container["name"].as_str().unwrap_or_default().to_owned();
    for condition in pod["status"]["conditions"].as_array_mut().into_iter().flatten() {
        if condition["type"] != "Ready" && condition["type"] != "ContainersReady" {
            continue;
        }
        condition["status"] = if ready { "True" } else { "False" }.into();
        condition["lastTransitionTime"] = timestamp::format(runtime.wall()).into();
        let Some(fields) = condition.as_object_mut() else { continue };
        fields.remove("reason");
        fields.remove("message");
        if !ready {
            fields.insert("reason".to_owned(), "ContainersNotReady".into());
            fields.insert("message".to_owned(), format!("containers with unready status: [{name}]").into());
        }
    }
    pod
}

fn restarted(mut pod: Value, runtime: &Runtime) -> Value {
    let container = &mut pod["status"]["containerStatuses"][0];
    let now = timestamp::format(runtime.wall());
    container["lastState"] = json!({ "terminated": {
        "exitCode": 1, "reason": "Error", "startedAt": container["state"]["running"]["startedAt"], "finishedAt": now,
        "containerID": container["containerID"],
    } });
    container["state"] = json!({ "running": { "startedAt": now } });
    container["restartCount"] = (container["restartCount"].as_u64().unwrap_or_default() + 1).into();
    container["containerID"] = format!("containerd://{}", fleet::hex(runtime)).into();
    pod
}

/// A pod that takes the place of another.
fn replacement(mut pod: Value, runtime: &Runtime) -> Value {
    let metadata = &mut pod["metadata"];
    let prefix = metadata["generateName"].as_str().or(metadata["name"].as_str()).unwrap_or_default();
    metadata["name"] = format!("{prefix}{}", fleet::letters(runtime)).into();
    metadata["uid"] = fleet::uid(runtime).into();
    let now = Value::from(timestamp::format(runtime.wall()));
    metadata["creationTimestamp"] = now.clone();
    pod["status"]["startTime"] = now.clone();
    for container in pod["status"]["containerStatuses"].as_array_mut().into_iter().flatten() {
        container["state"] = json!({ "running": { "startedAt": now } });
        container["restartCount"] = 0.into();
        container["lastState"] = json!({});
    }
    pod
}
