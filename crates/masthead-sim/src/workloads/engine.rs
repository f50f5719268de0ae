//! The engine: what changed and what is due, turned into work, one key after another.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use masthead::runtime::Instant;
use serde_json::Value;

use super::{
    Workloads,
    actor::Turn,
    agenda::Agenda,
    facts::{Facts, controller},
    kubelet::Life,
    recorder::Recorder,
    resource::Resource,
    room::Rooms,
    unrest::CALM,
};
use crate::{
    object::{Key, Object},
    sim::Shared,
    store::Change,
};

/// Something to look at: the key alone, since it may have changed again until then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Work {
    Deployment(Key),
    ReplicaSet(Key),
    StatefulSet(Key),
    DaemonSet(Key),
    Job(Key),
    CronJob(Key),
    Service(Key),
    Budget(Key),
    Claim(Key),
    Volume(Key),
    Node(Key),
    Autoscaler(Key),
    /// The cluster as a whole, for those who work on it.
    Unrest,
    /// A pod on a node that is lost.
    Evict(Key),
    /// A pod that has no node.
    Place(Key),
    /// A pod on its node.
    Run(Key),
}

/// What the engine knows beside the store.
#[derive(Debug)]
pub(super) struct State {
    pub(super) workloads: Workloads,
    pub(super) agenda: Agenda<Work>,
    /// Every pod in the store, up to the last change that was seen.
    pub(super) pods: BTreeMap<Key, Facts>,
    pub(super) rooms: Rooms,
    /// The pods that fit nowhere when they were last looked at.
    pub(super) unplaced: BTreeSet<Key>,
    /// What the nodes know of the pods they run. Every key is in `pods`.
    pub(super) lives: BTreeMap<Key, Life>,
    /// Which images the nodes have.
    pub(super) images: BTreeSet<(String, String)>,
    /// The last part of the last address that each node gave.
    pub(super) addresses: BTreeMap<String, u8>,
    /// When the jobs whose pods failed make new ones.
    pub(super) retries: BTreeMap<Key, Instant>,
    /// Which pods the services select.
    pub(super) services: BTreeMap<Key, Value>,
    /// Which pods the disruption budgets select.
    pub(super) budgets: BTreeMap<Key, Value>,
    /// When the volumes that claims wait for are made.
    pub(super) provisioned: BTreeMap<Key, Instant>,
    /// The nodes of which nothing is heard, and since when.
    pub(super) down: BTreeMap<String, Instant>,
    /// The load that each autoscaler sees, and the one it wanders around, in percent of one pod's request.
    pub(super) loads: BTreeMap<Key, (f64, f64)>,
    pub(super) recorder: Recorder,
}

impl State {
    pub(super) fn new(workloads: Workloads, now: Instant) -> State {
        let mut agenda = Agenda::new();
        if workloads.unrest.is_some() {
            agenda.set(now + CALM, Work::Unrest);
        }
        State {
            workloads,
            agenda,
            pods: BTreeMap::new(),
            rooms: Rooms::default(),
            unplaced: BTreeSet::new(),
            lives: BTreeMap::new(),
            images: BTreeSet::new(),
            addresses: BTreeMap::new(),
            retries: BTreeMap::new(),
            services: BTreeMap::new(),
            budgets: BTreeMap::new(),
            provisioned: BTreeMap::new(),
            down: BTreeMap::new(),
            loads: BTreeMap::new(),
            recorder: Recorder::default(),
        }
    }
}

/// How many changes and works one turn takes before others may run.
const BATCH: usize = 256;

/// Looks at what changed and does what is due. Gives back whether something is left to do at once.
pub(super) fn turn(shared: &Shared, state: &mut State) -> bool {
    let mut turn = Turn { shared, state };
    for _ in 0..BATCH {
        if let Some(change) = turn.next_change() {
            turn.note(&change);
        } else if let Some(work) = turn.state.agenda.pop(shared.runtime.now()) {
            turn.work(&work);
        } else {
            return false;
        }
    }
    true
}

impl Turn<'_> {
    fn next_change(&self) -> Option<Change> {
        self.shared.world.borrow_mut().store.take_unseen()
    }

    fn work(&mut self, work: &Work) {
        match work {
            Work::Deployment(key) => self.sync_deployment(key),
            Work::ReplicaSet(key) => self.sync_replica_set(key),
            Work::StatefulSet(key) => self.sync_stateful_set(key),
            Work::DaemonSet(key) => self.sync_daemon_set(key),
            Work::Job(key) => self.sync_job(key),
            Work::CronJob(key) => self.sync_cron_job(key),
            Work::Service(key) => self.sync_service(key),
            Work::Budget(key) => self.sync_budget(key),
            Work::Claim(key) => self.sync_claim(key),
            Work::Volume(key) => self.sync_volume(key),
            Work::Node(key) => self.sync_node(key),
            Work::Autoscaler(key) => self.sync_autoscaler(key),
            Work::Unrest => self.stir(),
            Work::Evict(key) => self.evict_pod(key),
            Work::Place(key) => self.place(key),
            Work::Run(key) => self.run_pod(key),
        }
    }

    /// Learns from a change, and puts on the agenda whoever it concerns.
    fn note(&mut self, change: &Change) {
        let object = change.object();
        let Some(resource) = Resource::find(&object.kind.group, &object.kind.plural) else { return };
        let key = object.key.clone();
        match resource {
            Resource::Pod => self.note_pod(change),
            Resource::Node => self.note_node(change),
            Resource::Service => self.note_service(&key, change.after.as_ref().map(|object| object.value()).as_ref()),
            Resource::DisruptionBudget => {
                self.note_budget(&key, change.after.as_ref().map(|object| object.value()).as_ref());
            }
            Resource::Claim => {
                self.place_again();
                self.state.agenda.push(Work::Claim(key));
            }
            Resource::Autoscaler => self.state.agenda.push(Work::Autoscaler(key)),
            Resource::Volume => self.state.agenda.push(Work::Volume(key)),
            _ => {
                self.push_owner(object);
                self.push(&(resource, key));
            }
        }
    }

    fn note_pod(&mut self, change: &Change) {
        let key = change.object().key.clone();
        let after = change.after.as_ref().map(|object| Facts::of(object));
        let before = match &after {
            Some(facts) => self.state.pods.insert(key.clone(), facts.clone()),
            None => self.state.pods.remove(&key),
        };
        if let Some(facts) = after.as_ref().filter(|facts| !facts.ip.is_empty() && before.is_none()) {
            let given = facts.ip.rsplit('.').next().and_then(|last| last.parse::<u8>().ok()).unwrap_or_default();
            let last = self.state.addresses.entry(facts.node.to_string()).or_insert(1);
            *last = given.max(*last);
        }
        self.state.rooms.move_pod(&key, before.as_ref(), after.as_ref());
        let told = before != after;
        if told {
            for object in [&change.before, &change.after].into_iter().flatten() {
                self.push_services(object);
                self.push_budgets(object);
            }
        }
        if after.as_ref().is_none_or(Facts::is_over) {
            for name in before.iter().flat_map(|facts| &facts.claims) {
                self.state.agenda.push(Work::Claim(Key::new(&key.namespace, name)));
            }
        }
        for owner in [&before, &after].into_iter().flatten().filter_map(|facts| facts.owner.as_ref()).filter(|_| told) {
            self.push(owner);
        }
        match &after {
            Some(facts) if facts.node.is_empty() && facts.is_active() => {
                // The scheduler's own word on a pod is no news to it.
                let known = |known: &Facts| (known.uid.clone(), known.requests, known.gated);
                let same = |before: &Facts| known(before) == known(facts);
                if !facts.gated && !before.as_ref().is_some_and(same) {
                    self.state.agenda.push(Work::Place(key));
                }
            }
            Some(_) => self.state.agenda.push(Work::Run(key)),
            None => {
                self.state.lives.remove(&key);
                self.state.unplaced.remove(&key);
                for work in [Work::Run(key.clone()), Work::Place(key.clone()), Work::Evict(key)] {
                    self.state.agenda.unset(&work);
                }
            }
        }
        let left = before.is_some_and(|before| !before.node.is_empty() && !before.is_over())
            && after.is_none_or(|after| after.is_over());
        if left {
            self.place_again();
        }
    }

    fn note_node(&mut self, change: &Change) {
        let name = &change.object().key.name;
        self.state.agenda.push(Work::Node(change.object().key.clone()));
        if change.after.is_none() {
            self.collect_orphans(name);
        }
        let room = change.after.as_ref().map(|object| object.value());
        if self.state.rooms.set_node(name, room.as_ref()) {
            self.place_again();
            self.push_daemon_sets();
        }
    }

    /// Looks again at every pod that fits nowhere.
    fn place_again(&mut self) {
        for key in &self.state.unplaced {
            self.state.agenda.push(Work::Place(key.clone()));
        }
    }

    fn push_owner(&mut self, object: &Rc<Object>) {
        if object.owners.is_empty() {
            return;
        }
        if let Some((resource, name)) = controller(&object.value()) {
            self.push(&(resource, Key::new(&object.key.namespace, &name)));
        }
    }

    fn push(&mut self, (resource, key): &(Resource, Key)) {
        let key = key.clone();
        self.state.agenda.push(match resource {
            Resource::Deployment => Work::Deployment(key),
            Resource::ReplicaSet => Work::ReplicaSet(key),
            Resource::StatefulSet => Work::StatefulSet(key),
            Resource::DaemonSet => Work::DaemonSet(key),
            Resource::Job => Work::Job(key),
            Resource::CronJob => Work::CronJob(key),
            _ => return,
        });
    }
}
