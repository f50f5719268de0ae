//! Points that the browser keeps between visits, beyond the hour that servers keep events.
//!
//! At most [`POINTS`] of a cluster and none older than seven days; of all other clusters together not more than [`OTHERS`].
//! A person may switch it off and clear it. Nothing about a Secret comes here: [`Record::of`] makes none.

mod database;

use std::{cell::RefCell, rc::Rc, time::Duration};

use leptos::prelude::{GetUntracked, GetValue, LocalStorage, RwSignal, Set, StoredValue, Update};
use masthead::{browser::timer::sleep, rest::RestClient};
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{clock, memory},
    model::timeline::{record::Record, window::FARTHEST},
};
use database::{Database, Failure};

/// What is kept between visits. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    /// Whether points are kept; the person's choice.
    pub(crate) on: RwSignal<bool>,
    /// How many are kept of this cluster, once that is known.
    pub(crate) kept: RwSignal<Option<u32>>,
    /// Whether this browser lets the page keep anything.
    pub(crate) works: RwSignal<bool>,
    shared: StoredValue<Rc<Shared>, LocalStorage>,
}

#[derive(Debug, Default)]
struct Shared {
    open: RefCell<Option<Open>>,
    /// What waits to be written. At most [`PENDING`]; beyond that the oldest are not kept.
    pending: RefCell<Vec<Record>>,
}

/// A database, and which cluster's points are whose.
#[derive(Clone, Debug)]
struct Open {
    database: Database,
    cluster: String,
}

impl History {
    /// What is kept; nothing at all where `keep` is not set.
    pub(crate) fn new(keep: bool) -> History {
        History {
            on: RwSignal::new(keep && memory::recall(SWITCH).as_deref() != Some("off")),
            kept: RwSignal::new(None),
            works: RwSignal::new(keep),
            shared: StoredValue::new_local(Rc::default()),
        }
    }

    /// Reads what was kept of the cluster behind `client`, and tells it in pieces. Nothing waits for it.
    pub(crate) fn recall(self, client: RestClient, told: Rc<dyn Fn(Vec<Record>)>) {
        if !self.works.get_untracked() {
            return;
        }
        let shared = self.shared.get_value();
        spawn_local(async move {
            if let Err(failure) = self.begin(&shared, &client, &*told).await {
                leptos::logging::warn!("history: {failure}");
                self.works.try_set(false);
            }
        });
    }

    /// Keeps these, soon.
    pub(crate) fn keep(self, records: Vec<Record>) {
        if records.is_empty() || !self.works.get_untracked() || !self.on.get_untracked() {
            return;
        }
        let shared = self.shared.get_value();
        let waits = !shared.pending.borrow().is_empty();
        let mut pending = shared.pending.borrow_mut();
        pending.extend(records);
        let excess = pending.len().saturating_sub(PENDING);
        pending.drain(..excess);
        drop(pending);
        if !waits {
            spawn_local(async move {
                sleep(PAUSE).await;
                if let Err(failure) = self.write(&shared).await {
                    leptos::logging::warn!("history: {failure}");
                }
            });
        }
    }

    /// Keeps points from now on, or no longer. What was kept stays until it is cleared.
    pub(crate) fn switch(self, on: bool) {
        self.on.set(on);
        match on {
            true => memory::forget(SWITCH),
            false => memory::keep(SWITCH, "off"),
        }
    }

    /// Forgets everything that was kept, of every cluster.
    pub(crate) fn clear(self) {
        let shared = self.shared.get_value();
        shared.pending.borrow_mut().clear();
        let Some(open) = shared.open.borrow().clone() else { return };
        spawn_local(async move {
            match open.database.clear().await {
                Ok(()) => drop(self.kept.try_set(Some(0))),
                Err(failure) => leptos::logging::warn!("history: {failure}"),
            }
        });
    }

    async fn begin(self, shared: &Rc<Shared>, client: &RestClient, told: &dyn Fn(Vec<Record>)) -> Result<(), Failure> {
        let cluster = cluster(client).await;
        let open = Open { database: Database::open().await?, cluster };
        prune(&open, clock::now()).await?;
        if self.on.try_get_untracked() == Some(true) {
            let texts = open.database.read(&open.cluster, POINTS).await?;
            for piece in texts.chunks(PIECE) {
                told(piece.iter().filter_map(|text| Record::parse(text)).collect());
                sleep(Duration::ZERO).await;
            }
        }
        self.kept.try_set(Some(open.database.count(&open.cluster).await?));
        shared.open.replace(Some(open));
        self.write(shared).await
    }

    /// Writes what waits. Before the database is open it waits on.
    async fn write(self, shared: &Rc<Shared>) -> Result<(), Failure> {
        let Some(open) = shared.open.borrow().clone() else { return Ok(()) };
        let records = std::mem::take(&mut *shared.pending.borrow_mut());
        if records.is_empty() {
            return Ok(());
        }
        open.database.write(&open.cluster, &records).await?;
        let count = open.database.count(&open.cluster).await?;
        if count as usize > POINTS + POINTS / 10 {
            prune(&open, clock::now()).await?;
        }
        self.kept.try_update(|kept| *kept = Some(count));
        Ok(())
    }
}

async fn prune(open: &Open, now: i64) -> Result<(), Failure> {
    let Open { database, cluster } = open;
    database.remove_before(cluster, now - FARTHEST).await?;
    let count = database.count(cluster).await? as usize;
    if count > POINTS {
        database.remove_oldest(cluster, (count - POINTS) as u32).await?;
    }
    if database.count_all().await? as usize > POINTS + OTHERS {
        database.remove_others(cluster).await?;
    }
    Ok(())
}

/// What tells a cluster from all others, whatever address it has: the uid of a namespace that every cluster has. Who may not
/// read that has the address.
async fn cluster(client: &RestClient) -> String {
    let request = client.group_version("", "v1").get().resource("namespaces").name("kube-system");
    let answer = request.timeout(PATIENCE).max_retries(0).send().await;
    let uid = answer.and_then(|response| response.decode::<serde_json::Value>());
    match uid.as_ref().ok().and_then(|namespace| namespace["metadata"]["uid"].as_str()) {
        Some(uid) => uid.to_owned(),
        None => format!("at {}", client.config().host),
    }
}

/// How many points of one cluster are kept.
const POINTS: usize = 50_000;
/// How many of all others.
const OTHERS: usize = 100_000;
/// How many wait to be written.
const PENDING: usize = 5000;
/// How many are told at once: less than a frame's work.
const PIECE: usize = 2500;
/// How long points wait for others to be written with.
const PAUSE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(10);
const SWITCH: &str = "masthead.timeline.history";
