//! The nodes' part: pods that have a node pull, start, run, crash, complete and end.

mod container;
mod status;

use std::time::Duration;

use masthead::runtime::Instant;
use serde_json::Value;

use super::{
    actor::Turn,
    behaviour::Behaviour,
    component::Component,
    engine::Work,
    recorder::{Happening, Severity},
    resource::Resource,
    template,
};
use crate::{object::Key, write::Half};
use container::Container;

pub(super) const BY: Component = Component::Kubelet;

/// What a node knows of a pod it runs.
#[derive(Debug)]
pub(super) struct Life {
    uid: String,
    stage: Stage,
    /// Run one after another, before the others.
    inits: Vec<Container>,
    mains: Vec<Container>,
    ip: String,
    generation: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Its sandbox is being made.
    Preparing(Instant),
    Living,
    /// Its containers were told to stop, and will have by then.
    Stopping(Instant),
}

impl Life {
    /// The containers whose turn it is: the sidecars that run already, with the next to initialise or with all others.
    fn acting(&mut self) -> Vec<&mut Container> {
        let waiting = self.inits.iter().position(|container| !container.has_passed());
        let turn = |(at, container): (usize, &mut Container)| container.is_sidecar || waiting == Some(at);
        let begun = waiting.map_or(self.inits.len(), |at| at + 1);
        let inits = self
            .inits
            .iter_mut()
            .take(begun)
            .enumerate()
            .filter_map(|(at, container)| turn((at, &mut *container)).then_some(container));
        let mains = self.mains.iter_mut().filter(|_| waiting.is_none());
        inits.chain(mains).collect()
    }

    fn next(&mut self) -> Option<Instant> {
        match self.stage {
            Stage::Preparing(until) | Stage::Stopping(until) => Some(until),
            Stage::Living => self.acting().into_iter().filter_map(|container| container.next()).min(),
        }
    }
}

impl Turn<'_> {
    /// Brings a pod on its node as far as it is by now.
    pub(super) fn run_pod(&mut self, key: &Key) {
        let Some(pod) = self.get(Resource::Pod, key) else { return };
        let node = pod["spec"]["nodeName"].as_str().unwrap_or_default().to_owned();
        if self.state.rooms.node(&node).is_none() || self.state.down.contains_key(&node) {
            return;
        }
        let over = matches!(pod["status"]["phase"].as_str(), Some("Succeeded" | "Failed"));
        let ending = template::is_ending(&pod);
        if over {
            self.state.lives.remove(key);
            if ending {
                self.delete(BY, Resource::Pod, key, Some(0));
            }
            return;
        }
        let known = self.state.lives.remove(key).filter(|life| life.uid == template::uid(&pod));
        let mut life = known.unwrap_or_else(|| self.adopt(&pod, &node));
        life.generation = pod["metadata"]["generation"].clone();
        if ending {
            self.stop(key, &pod, life);
            return;
        }
        self.live(&pod, &mut life);
        self.write_pod_status(pod, &life);
        if let Some(at) = life.next() {
            self.state.agenda.set(at, Work::Run(key.clone()));
        }
        self.state.lives.insert(key.clone(), life);
    }

    /// Takes over a pod: a new one, or one that was there before the engine.
    fn adopt(&mut self, pod: &Value, node: &str) -> Life {
        let restarts = pod["spec"]["restartPolicy"].as_str().unwrap_or("Always").to_owned();
        let containers = |turn: &Turn<'_>, field: &str, statuses: &str| -> Vec<Container> {
            let all = pod["spec"][field].as_array().into_iter().flatten();
            let known = |name: &Value| {
                let statuses = pod["status"][statuses].as_array().into_iter().flatten();
                statuses.into_iter().find(|status| status["name"] == *name).cloned().unwrap_or_default()
            };
            // Those that run before the others are to complete whatever the pod does.
            let policy = if field == "initContainers" && restarts == "Always" { "OnFailure" } else { &*restarts };
            all.map(|spec| turn.container(pod, spec, &known(&spec["name"]), policy)).collect()
        };
        let inits = containers(self, "initContainers", "initContainerStatuses");
        let mains = containers(self, "containers", "containerStatuses");
        let began = pod["status"]["containerStatuses"].is_array();
        let sandbox = self.between(Duration::from_millis(200), Duration::from_millis(900));
        Life {
            uid: template::uid(pod).to_owned(),
            stage: if began { Stage::Living } else { Stage::Preparing(self.now() + sandbox) },
            inits,
            mains,
            ip: pod["status"]["podIP"].as_str().map_or_else(|| self.address(pod, node), str::to_owned),
            generation: Value::Null,
        }
    }

    fn container(&self, pod: &Value, spec: &Value, known: &Value, policy: &str) -> Container {
        let image = spec["image"].as_str().unwrap_or_default();
        let chance = self.shared.runtime.random();
        let told = pod["metadata"]["annotations"][Behaviour::ANNOTATION].as_str().and_then(Behaviour::parse);
        let scripted = || {
            let mut scripts = self.state.workloads.behaviours.iter();
            scripts.find(|(part, _)| image.contains(part.as_str())).map(|(_, behaviour)| behaviour.clone())
        };
        let is_init = pod["spec"]["initContainers"].as_array().is_some_and(|inits| inits.contains(spec));
        let behaviour = match told.or_else(scripted) {
            Some(behaviour) if !is_init || behaviour == Behaviour::ImageMissing => behaviour,
            _ if is_init && spec["restartPolicy"] == "Always" => Behaviour::Runs,
            _ if is_init => Behaviour::Completes { after: Duration::from_secs_f64(1.0 + 3.0 * chance) },
            _ => Behaviour::usual(pod, image, chance),
        };
        Container::new(spec, known, policy, behaviour, self)
    }

    /// An address for a pod: the node's own, or the next in its range.
    fn address(&mut self, pod: &Value, node: &str) -> String {
        let Some(found) = self.state.rooms.node(node) else { return String::new() };
        if pod["spec"]["hostNetwork"] == true {
            return found.address.clone();
        }
        let range = found.pod_range.split('/').next().and_then(|base| base.rsplit_once('.'));
        let prefix = range.map_or("10.244.0", |(prefix, _)| prefix).to_owned();
        let last = self.state.addresses.entry(node.to_owned()).or_insert(1);
        *last = if *last >= 254 { 2 } else { *last + 1 };
        format!("{prefix}.{last}")
    }

    fn live(&mut self, pod: &Value, life: &mut Life) {
        match life.stage {
            Stage::Preparing(until) if until > self.now() => return,
            Stage::Preparing(_) => life.stage = Stage::Living,
            Stage::Living | Stage::Stopping(_) => {}
        }
        // Ends when nothing is due: each step waits for a time to come, or is the end of a container.
        loop {
            let mut moved = false;
            for container in life.acting() {
                moved |= self.step(pod, container);
            }
            if !moved {
                return;
            }
        }
    }

    /// Stops a pod's containers, and lets it go once they have.
    fn stop(&mut self, key: &Key, pod: &Value, mut life: Life) {
        let running: Vec<String> =
            life.acting().into_iter().filter(|one| one.is_running()).map(|one| one.name.clone()).collect();
        match life.stage {
            Stage::Stopping(until) if until <= self.now() => {
                let wall = self.wall();
                life.acting().into_iter().for_each(|container| container.end(wall));
                self.write_pod_status(pod.clone(), &life);
                self.delete(BY, Resource::Pod, key, Some(0));
                return;
            }
            Stage::Stopping(_) => {}
            _ if running.is_empty() => {
                self.delete(BY, Resource::Pod, key, Some(0));
                return;
            }
            _ => {
                for name in running {
                    self.tell(pod, &name, (Severity::Normal, "Killing"), format!("Stopping container {name}"));
                }
                let grace = pod["metadata"]["deletionGracePeriodSeconds"].as_u64().unwrap_or(30);
                let most = Duration::from_secs(grace.min(3)).max(Duration::from_millis(500));
                let until = self.now() + self.between(Duration::from_millis(400), most);
                life.stage = Stage::Stopping(until);
            }
        }
        if let Stage::Stopping(until) = life.stage {
            self.state.agenda.set(until, Work::Run(key.clone()));
        }
        self.state.lives.insert(key.clone(), life);
    }

    /// Records an event of one container.
    fn tell(&mut self, pod: &Value, container: &str, (severity, reason): (Severity, &str), message: String) {
        let mut inits = pod["spec"]["initContainers"].as_array().into_iter().flatten();
        let list = if inits.any(|init| init["name"] == container) { "initContainers" } else { "containers" };
        let host = pod["spec"]["nodeName"].as_str().unwrap_or_default();
        let field = format!("spec.{list}{{{container}}}");
        self.record(&Happening { by: BY, about: pod, field, host, severity, reason, message });
    }

    fn write_pod_status(&mut self, mut pod: Value, life: &Life) {
        let node = pod["spec"]["nodeName"].as_str().unwrap_or_default();
        let host = self.state.rooms.node(node).map(|node| node.address.clone()).unwrap_or_default();
        let status = status::of(&pod, life, &host, self.time());
        pod["status"] = status;
        self.update(BY, Resource::Pod, Half::Status, pod);
    }
}
