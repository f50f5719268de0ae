//! The rows of one kind, kept equal to the server by an informer.
//!
//! Kinds that this page prints itself are held as complete objects, packed; all others come as the server's own table.
//! **Secrets are always a table with nothing but metadata**, so that their values never leave the server for a list; their
//! annotations, in which `kubectl apply` and others leave copies of them, are masked as they come.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures::{
    FutureExt, StreamExt,
    channel::{mpsc, oneshot},
    future::Shared,
};
use kube_core::GroupVersionResource;
use leptos::prelude::{ArcRwSignal, Set, Update, WithUntracked};
use masthead::{
    Error,
    browser::timer::sleep,
    cache::{
        InformerOptions, ListerWatcher, Notification, Object, ObjectKey, SharedInformer, Store, WatchError,
        WatchErrorHandler,
    },
    packed::Packed,
    rest::{ListOptions, RestClient},
    runtime::{Runtime, Task},
    table::{TableClient, TableRow},
    watch::Source,
};
use serde_json::Value;

use crate::model::{
    detail::SecretValue,
    json::{self, Read},
    kind::Kind,
    print::printer,
    supply::{Stale, Supply},
    table::{column::Column, grid::Shown, row::Row, server},
};

/// What a feed is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) kind: Kind,
    /// The namespaces, by name; none for all of them, and for kinds that have none.
    pub(crate) namespaces: Vec<String>,
}

impl Subject {
    /// What is asked for. Beyond a few namespaces one request for all is kinder than one for each.
    pub(crate) fn new(kind: &Kind, namespaces: &[String]) -> Subject {
        let narrow = kind.namespaced && namespaces.len() <= NAMESPACES;
        let mut namespaces = if narrow { namespaces.to_vec() } else { Vec::new() };
        namespaces.sort();
        namespaces.dedup();
        // How a kind is called besides says nothing of what is asked for.
        Subject { kind: Kind { short_names: Vec::new(), ..kind.clone() }, namespaces }
    }

    /// Whether this tells everything that `other` does.
    pub(crate) fn covers(&self, other: &Subject) -> bool {
        let all = self.namespaces.is_empty();
        let within = |namespace: &String| self.namespaces.contains(namespace);
        self.kind == other.kind && (all || !other.namespaces.is_empty() && other.namespaces.iter().all(within))
    }
}

/// The rows of one kind.
pub(crate) struct Feed {
    pub(crate) subject: Subject,
    pub(crate) supply: ArcRwSignal<Supply>,
    pub(crate) columns: ArcRwSignal<Vec<Column>>,
    origin: Origin,
    /// The version that was last seen.
    version: RefCell<String>,
    /// Waits for the first list to be complete; looks which objects are stale.
    _tasks: [Task; 2],
    /// Completes when the first list is, or cannot be.
    settled: Shared<oneshot::Receiver<()>>,
    /// Waits for another feed before it lists.
    waiting: RefCell<Option<Task>>,
}

enum Origin {
    Packed(SharedInformer<Packed<Row>>),
    Served(SharedInformer<TableRow>),
}

/// What happened to a row.
pub(crate) enum Change {
    Put(ObjectKey, Shown),
    Gone(ObjectKey),
}

/// A place among those who are told. Dropping it ends that.
#[must_use = "told nothing more when dropped"]
pub(crate) struct Subscription(#[expect(dead_code, reason = "held for its end")] Box<dyn std::any::Any>);

impl Feed {
    /// One that asks nothing before it is started.
    pub(crate) fn new(client: &RestClient, subject: Subject) -> Feed {
        let supply = ArcRwSignal::new(Supply::default());
        let printer = printer(&subject.kind.group, &subject.kind.version, &subject.kind.resource);
        let printer = printer.filter(|_| !subject.kind.is_secret());
        let columns = ArcRwSignal::new(printer.as_ref().map(|one| one.columns.clone()).unwrap_or_default());
        let (on_watch_error, reported) = troubles(&supply);
        let origin = match printer {
            Some(printer) => {
                let request = |namespace: &str| {
                    let group = client.group_version(&subject.kind.group, &subject.kind.version);
                    let request = group.get().resource(&subject.kind.resource);
                    let request = if namespace.is_empty() { request } else { request.namespace(namespace) };
                    Rc::new(Source::read_by(Rc::clone(&printer.decoder), request)) as Rc<dyn ListerWatcher<_>>
                };
                let options = InformerOptions { on_watch_error: Some(on_watch_error), ..InformerOptions::default() };
                Origin::Packed(informer(&subject, request, options))
            }
            None => {
                let Kind { group, version, resource, .. } = &subject.kind;
                let is_secret = subject.kind.is_secret();
                let tables = TableClient::new(client).resource(&GroupVersionResource::gvr(group, version, resource));
                let request = |namespace: &str| {
                    Rc::new(tables.namespace(namespace).list_watch(&ListOptions::default())) as Rc<dyn ListerWatcher<_>>
                };
                let options = InformerOptions {
                    on_watch_error: Some(on_watch_error),
                    transform: Some(Rc::new(move |row| Ok(lightened(row, is_secret)))),
                    ..InformerOptions::default()
                };
                Origin::Served(informer(&subject, request, options))
            }
        };
        let runtime = &client.config().runtime;
        let (unsettled, settled) = oneshot::channel();
        let tasks = match &origin {
            Origin::Packed(informer) => [
                runtime.spawn(complete(informer.clone(), supply.clone(), unsettled)),
                runtime.spawn(follow_stale(informer.store(), supply.clone(), reported)),
            ],
            Origin::Served(informer) => [
                runtime.spawn(complete(informer.clone(), supply.clone(), unsettled)),
                runtime.spawn(follow_stale(informer.store(), supply.clone(), reported)),
            ],
        };
        Feed {
            subject,
            supply,
            columns,
            origin,
            version: RefCell::default(),
            _tasks: tasks,
            settled: settled.shared(),
            waiting: RefCell::default(),
        }
    }

    /// Tells everything that is there, and from then on every change.
    pub(crate) fn subscribe(&self, told: impl Fn(Change) + 'static) -> Result<Subscription, Error> {
        let place: Box<dyn std::any::Any> = match &self.origin {
            Origin::Packed(informer) => Box::new(informer.add_handler(move |news: &Notification<Packed<Row>>| {
                told(change(news, |object| Shown::Packed(Rc::clone(object))));
                Ok(())
            })?),
            Origin::Served(informer) => {
                let columns = self.columns.clone();
                Box::new(informer.add_handler(move |news: &Notification<TableRow>| {
                    told(change(news, |served| {
                        learn(&columns, served);
                        Shown::Made(Rc::new(server::row(served)))
                    }));
                    Ok(())
                })?)
            }
        };
        Ok(Subscription(place))
    }

    /// Tells every object that is there, and from then on every change of one; nothing where the server's own table is all
    /// that is held.
    pub(crate) fn hear(&self, told: impl Fn(&Notification<Packed<Row>>) + 'static) -> Option<Subscription> {
        let Origin::Packed(informer) = &self.origin else { return None };
        let place = informer.add_handler(move |news: &Notification<Packed<Row>>| {
            told(news);
            Ok(())
        });
        place.inspect_err(|error| leptos::logging::warn!("{error}")).ok().map(|place| Subscription(Box::new(place)))
    }

    /// The complete object of this key, if it is held here in its present state.
    pub(crate) fn object(&self, key: &ObjectKey) -> Option<Result<Read, Error>> {
        match &self.origin {
            Origin::Packed(informer) if informer.store().stale_object(key).is_some() => None,
            Origin::Packed(informer) => informer.store().get(key).map(|object| {
                // The objects of a list do not say what they are: the list does.
                let mut object = json::read(&object.json()?);
                if let Read::Object(Value::Object(members)) = &mut object {
                    members.entry("apiVersion").or_insert_with(|| self.subject.kind.api_version().into());
                    members.entry("kind").or_insert_with(|| self.subject.kind.kind.clone().into());
                }
                Ok(object)
            }),
            Origin::Served(_) => None,
        }
    }

    /// The metadata of the object of this key, if that is all that is held of it here.
    pub(crate) fn metadata(&self, key: &ObjectKey) -> Option<Value> {
        match &self.origin {
            Origin::Packed(_) => None,
            Origin::Served(informer) => informer.store().get(key)?.row.metadata().cloned(),
        }
    }

    /// How many objects there are.
    pub(crate) fn len(&self) -> usize {
        match &self.origin {
            Origin::Packed(informer) => informer.store().len(),
            Origin::Served(informer) => informer.store().len(),
        }
    }

    /// The keys of all objects.
    pub(crate) fn keys(&self) -> Vec<ObjectKey> {
        match &self.origin {
            Origin::Packed(informer) => informer.store().keys(),
            Origin::Served(informer) => informer.store().keys(),
        }
    }

    /// Whether the rows are the server's own table, whose watch takes one of the page's few streams.
    pub(crate) fn is_served(&self) -> bool {
        matches!(self.origin, Origin::Served(_))
    }

    /// Looks whether the list follows the server; `reachable` when the server answers at all.
    pub(crate) fn look(&self, reachable: bool) {
        let version = match &self.origin {
            Origin::Packed(informer) => informer.last_sync_version(),
            Origin::Served(informer) => informer.last_sync_version(),
        };
        if self.supply.with_untracked(|supply| supply.hindrance.is_none()) {
            self.version.replace(version);
        } else if self.version.replace(version.clone()) != version {
            self.supply.update(Supply::followed);
        } else if reachable {
            self.supply.update(Supply::reachable);
        }
    }

    /// Lists and watches, if it does not.
    pub(crate) fn start(&self) {
        match &self.origin {
            Origin::Packed(informer) => informer.start(),
            Origin::Served(informer) => informer.start(),
        }
    }

    /// Lists and watches once `other` was read, or cannot be.
    pub(crate) fn start_after(self: &Rc<Self>, other: &Feed, runtime: &Runtime) {
        let (settled, feed) = (other.settled.clone(), Rc::downgrade(self));
        let waiting = runtime.spawn(async move {
            // Whoever settles it says so by letting go.
            _ = settled.await;
            if let Some(feed) = feed.upgrade() {
                feed.start();
            }
        });
        self.waiting.replace(Some(waiting));
    }

    /// Ends every request; the rows stay.
    pub(crate) fn stop(&self) {
        match &self.origin {
            Origin::Packed(informer) => informer.stop(),
            Origin::Served(informer) => informer.stop(),
        }
    }
}

/// An informer of what `request` asks for, in each namespace of the subject.
fn informer<T: Object>(
    subject: &Subject,
    request: impl Fn(&str) -> Rc<dyn ListerWatcher<T>>,
    options: InformerOptions<T>,
) -> SharedInformer<T> {
    if subject.namespaces.is_empty() {
        return SharedInformer::new(request(""), options);
    }
    let parts = subject.namespaces.iter().map(|namespace| (namespace.clone(), request(namespace)));
    SharedInformer::of_namespaces(parts, options)
}

/// Notes in `supply` what goes wrong; that objects are stale is for [`follow_stale`], by what is given back too.
pub(super) fn troubles(supply: &ArcRwSignal<Supply>) -> (WatchErrorHandler, mpsc::Receiver<()>) {
    let (report, reported) = mpsc::channel(0);
    let (supply, report) = (supply.clone(), RefCell::new(report));
    let on_watch_error: WatchErrorHandler = Rc::new(move |trouble| match trouble {
        WatchError::List(error) => supply.update(|supply| supply.failed("list", error)),
        WatchError::Watch(error) => supply.update(|supply| supply.failed("watch", error)),
        // Full where nobody has looked since the last one, which is as good.
        WatchError::Stale(_) => _ = report.borrow_mut().try_send(()),
        // What is gone is gone, whatever its last state was.
        WatchError::Skipped(error) if error.undecodable_object().is_some() => {}
        WatchError::Skipped(error) | WatchError::Handler(error) => supply.update(|supply| supply.skipped(error)),
        WatchError::BookmarkOverdue(_) => {}
    });
    (on_watch_error, reported)
}

/// Keeps what `supply` says of stale objects as the store has it, at most once a second: their end is not reported.
pub(super) async fn follow_stale<T: Object>(
    store: Store<T>,
    supply: ArcRwSignal<Supply>,
    mut reported: mpsc::Receiver<()>,
) {
    while reported.next().await.is_some() {
        loop {
            let stale = Stale::of(&store.stale_objects());
            let none = stale.count == 0;
            if supply.with_untracked(|supply| supply.stale != stale) {
                supply.update(|supply| supply.stale = stale);
            }
            if none {
                break;
            }
            sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Notes when the first list is complete, and lets go of `unsettled` when it is or failed. One that is refused may be allowed
/// later.
pub(super) async fn complete<T: Object>(
    informer: SharedInformer<T>,
    supply: ArcRwSignal<Supply>,
    unsettled: oneshot::Sender<()>,
) {
    let mut read = informer.synced().await;
    drop(unsettled);
    while read.is_err() {
        sleep(Duration::from_secs(1)).await;
        read = informer.synced().await;
    }
    supply.update(|supply| {
        supply.complete = true;
        supply.followed();
    });
}

pub(super) fn change<T: Object>(news: &Notification<T>, shown: impl FnOnce(&Rc<T>) -> Shown) -> Change {
    match news {
        Notification::Added { object, .. } | Notification::Updated { new: object, .. } => {
            Change::Put(object.key(), shown(object))
        }
        Notification::Deleted(tombstone) => Change::Gone(tombstone.key()),
    }
}

/// Takes the columns of a row for those of the table, where they are others.
fn learn(columns: &ArcRwSignal<Vec<Column>>, served: &TableRow) {
    let new = server::columns(&served.columns);
    if !new.is_empty() && columns.with_untracked(|known| *known != new) {
        columns.set(new);
    }
}

/// A row without what nobody looks at, and without copies of secrets.
fn lightened(mut row: TableRow, is_secret: bool) -> TableRow {
    let metadata = row.row.object.as_mut().and_then(|object| object.get_mut("metadata")?.as_object_mut());
    if let Some(metadata) = metadata {
        metadata.remove("managedFields");
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        }
        if is_secret {
            SecretValue::mask_annotations(metadata);
        }
    }
    row
}

/// As many watches as a page may well have open beside everything else.
const NAMESPACES: usize = 12;
