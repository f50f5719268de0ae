//! A catalog that is asked for once.

use std::{cell::RefCell, fmt, rc::Rc};

use futures::{
    FutureExt,
    future::{LocalBoxFuture, Shared, WeakShared},
};
use kube_core::GroupVersion;

use super::{Catalog, DiscoveryClient, Group, ResourceList};
use crate::Error;

/// Remembers the catalog of a server until it is invalidated. Clones share it.
///
/// The first question fetches everything; questions asked meanwhile wait for the same answer, and when all of them are
/// dropped the requests end. A group-version that failed for the moment only (5xx, 429, no answer) is asked for again by
/// whoever needs it next; other failures are remembered like answers.
#[derive(Clone)]
pub struct CachedDiscovery {
    client: DiscoveryClient,
    slot: Rc<RefCell<Slot>>,
}

#[derive(Default)]
enum Slot {
    #[default]
    Empty,
    /// Weak, so that only those who wait keep the requests alive.
    Loading(WeakShared<Load>),
    Loaded(Rc<Catalog>),
}

type Load = LocalBoxFuture<'static, Result<Rc<Catalog>, Error>>;

/// How a catalog came to whoever asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// It was asked for by this very question.
    New,
    /// It, or the request for it, was there before.
    Held,
}

impl CachedDiscovery {
    /// An empty cache before `client`.
    pub fn new(client: DiscoveryClient) -> CachedDiscovery {
        CachedDiscovery { client, slot: Rc::default() }
    }

    /// The client that is asked.
    pub fn client(&self) -> &DiscoveryClient {
        &self.client
    }

    /// The groups that are served.
    pub async fn server_groups(&self) -> Result<Vec<Group>, Error> {
        self.load().await.map(|(catalog, _)| catalog.groups.clone())
    }

    /// Everything that is served.
    pub async fn server_groups_and_resources(&self) -> Result<Rc<Catalog>, Error> {
        let (catalog, age) = self.load().await?;
        if age == Age::New {
            return Ok(catalog);
        }
        let again: Vec<GroupVersion> = passing(&catalog).cloned().collect();
        Ok(self.again(catalog, &again).await)
    }

    /// The resources of one group-version.
    ///
    /// Fails with [`is_no_match`](Error::is_no_match) for one that the cache does not have: the server is not asked again
    /// before the cache is invalidated.
    pub async fn server_resources_for_group_version(
        &self,
        group_version: &GroupVersion,
    ) -> Result<ResourceList, Error> {
        let (mut catalog, age) = self.load().await?;
        if age == Age::Held && passing(&catalog).any(|failed| failed == group_version) {
            catalog = self.again(catalog, std::slice::from_ref(group_version)).await;
        }
        match (catalog.list(group_version), catalog.failed.get(group_version)) {
            (Some(list), _) => Ok(list.clone()),
            (None, Some(error)) => Err(error.clone()),
            (None, None) => {
                let what = format!("group version {:?}", group_version.api_version());
                Err(Error::no_match("discover resources", what))
            }
        }
    }

    /// Every resource once, in the version the server prefers.
    pub async fn server_preferred_resources(&self) -> Result<Catalog, Error> {
        self.server_groups_and_resources().await.map(|catalog| catalog.preferred())
    }

    /// Every resource whose objects lie in namespaces once, in the version the server prefers.
    pub async fn server_preferred_namespaced_resources(&self) -> Result<Catalog, Error> {
        let preferred = self.server_preferred_resources().await?;
        Ok(preferred.filtered(super::Resource::is_namespaced))
    }

    /// Whether there is a catalog, learnt since the last [`invalidate`](Self::invalidate).
    pub fn is_fresh(&self) -> bool {
        matches!(*self.slot.borrow(), Slot::Loaded(_))
    }

    /// Forgets the catalog. An answer that is still on its way reaches those who wait for it and nobody else.
    pub fn invalidate(&self) {
        self.slot.take();
    }

    /// Forgets `catalog`, unless another one took its place.
    pub(super) fn outdate(&self, catalog: &Rc<Catalog>) {
        if self.holds(catalog) {
            self.invalidate();
        }
    }

    /// The catalog, from the cache or from the server.
    pub(super) async fn load(&self) -> Result<(Rc<Catalog>, Age), Error> {
        let held = match &*self.slot.borrow() {
            Slot::Loaded(catalog) => return Ok((Rc::clone(catalog), Age::Held)),
            Slot::Loading(load) => load.upgrade(),
            Slot::Empty => None,
        };
        let age = if held.is_some() { Age::Held } else { Age::New };
        let load = held.unwrap_or_else(|| self.begin());
        let outcome = load.clone().await;
        self.settle(&load, &outcome);
        Ok((outcome?, age))
    }

    fn begin(&self) -> Shared<Load> {
        let client = self.client.clone();
        let load: Load = async move { client.fetch().await.map(Rc::new) }.boxed_local();
        let load = load.shared();
        // A future that was never polled has not ended, so there is something to hold weakly.
        self.slot.replace(load.downgrade().map_or(Slot::Empty, Slot::Loading));
        load
    }

    /// Keeps what `load` ended with, if the cache still waits for it.
    fn settle(&self, load: &Shared<Load>, outcome: &Result<Rc<Catalog>, Error>) {
        let mut slot = self.slot.borrow_mut();
        let is_awaited = match &*slot {
            Slot::Loading(awaited) => awaited.upgrade().is_some_and(|awaited| awaited.ptr_eq(load)),
            Slot::Empty | Slot::Loaded(_) => false,
        };
        if is_awaited {
            *slot = outcome.as_ref().map_or(Slot::Empty, |catalog| Slot::Loaded(Rc::clone(catalog)));
        }
    }

    /// Asks for these group-versions again and keeps the answers beside what is known.
    async fn again(&self, catalog: Rc<Catalog>, group_versions: &[GroupVersion]) -> Rc<Catalog> {
        if group_versions.is_empty() {
            return catalog;
        }
        let outcomes = self.client.fetch_lists(group_versions).await;
        let mut updated = Catalog::clone(&catalog);
        for (group_version, outcome) in group_versions.iter().zip(outcomes) {
            updated.insert(group_version.clone(), outcome);
        }
        let updated = Rc::new(updated);
        if self.holds(&catalog) {
            self.slot.replace(Slot::Loaded(Rc::clone(&updated)));
        }
        updated
    }

    fn holds(&self, catalog: &Rc<Catalog>) -> bool {
        matches!(&*self.slot.borrow(), Slot::Loaded(held) if Rc::ptr_eq(held, catalog))
    }
}

impl fmt::Debug for CachedDiscovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedDiscovery").field("fresh", &self.is_fresh()).finish_non_exhaustive()
    }
}

/// The group-versions whose failure may be over by now.
fn passing(catalog: &Catalog) -> impl Iterator<Item = &GroupVersion> {
    let is_passing = |error: &Error| {
        error.is_server_failure() || error.is_too_many_requests() || error.is_network() || error.is_aborted()
    };
    catalog.failed.iter().filter(move |(_, error)| is_passing(error)).map(|(group_version, _)| group_version)
}
