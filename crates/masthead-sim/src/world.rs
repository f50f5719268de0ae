//! Everything that changes: the objects, what is to go wrong, and who waits for what.

use std::{collections::BTreeMap, task::Waker};

use masthead::{rest::HttpRequest, runtime::Instant};

use crate::{
    access,
    ending::Endings,
    expiry::Expiry,
    fault::{Effect, Fault},
    registry::Registry,
    store::Store,
};

/// The state of a server.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) kinds: Registry,
    pub(crate) store: Store,
    pub(crate) expiry: Expiry,
    pub(crate) endings: Endings,
    /// In the order they were added; none is used up.
    faults: Vec<Fault>,
    /// The watches that have told everything, by their number.
    waiting: BTreeMap<u64, Waker>,
    numbers: u64,
    /// How often the server was started.
    pub(crate) life: u64,
    /// Up to which version the watches were woken.
    woken: u64,
    /// Up to which version the aggregated roles were seen to.
    aggregated: u64,
}

impl World {
    pub(crate) fn new() -> World {
        World {
            kinds: Registry::new(),
            store: Store::new(),
            expiry: Expiry::default(),
            endings: Endings::default(),
            faults: Vec::new(),
            waiting: BTreeMap::new(),
            numbers: 0,
            life: 0,
            woken: 0,
            aggregated: 0,
        }
    }

    pub(crate) fn add_fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    pub(crate) fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// What is to go wrong with a request; counts as one time of each.
    pub(crate) fn faults_of(&mut self, request: &HttpRequest) -> Vec<Effect> {
        let mut effects = Vec::new();
        for fault in self.faults.iter_mut().filter(|fault| fault.fits(request)) {
            fault.times -= 1;
            effects.push(fault.effect.clone());
        }
        self.faults.retain(|fault| fault.times > 0);
        effects
    }

    pub(crate) fn restart(&mut self) {
        self.store.forget();
        self.life += 1;
        self.woken = 0;
    }

    pub(crate) fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    pub(crate) fn wait(&mut self, number: u64, waker: Waker) {
        self.waiting.insert(number, waker);
    }

    pub(crate) fn leave(&mut self, number: u64) {
        self.waiting.remove(&number);
    }

    /// Takes out what is due at `now`.
    pub(crate) fn expire(&mut self, now: Instant) {
        self.expiry.expire(now, &mut self.store);
    }

    /// Brings the aggregated roles up to date.
    pub(crate) fn aggregate_roles(&mut self) {
        access::aggregate(&self.kinds, &mut self.store, self.aggregated);
        self.aggregated = self.store.version();
    }

    /// Begins the lives of what was stored and will expire; says whether anything will.
    pub(crate) fn watch_over(&mut self, now: Instant) -> bool {
        self.expiry.extend(self.store.take_mortal(), now);
        self.expiry.next().is_some()
    }

    /// Notes the namespaces that end and that something happened to; says whether any is to be looked after.
    pub(crate) fn look_after(&mut self, now: Instant) -> bool {
        self.endings.extend(self.store.take_stirred(), now);
        self.endings.next().is_some()
    }

    /// Those to wake once the borrow of this has ended: everyone who waits, if anything changed.
    pub(crate) fn take_wakers(&mut self) -> BTreeMap<u64, Waker> {
        if self.woken == self.store.version() {
            return BTreeMap::new();
        }
        self.woken = self.store.version();
        std::mem::take(&mut self.waiting)
    }
}
