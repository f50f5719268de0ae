//! The informers behind the timeline: events, and the kinds that own or are pods.

use std::{any::Any, rc::Rc};

use masthead::{
    cache::{InformerOptions, ListerWatcher, Notification, SharedInformer},
    lean::{Lean, Projector, Row, Strings},
    rest::RestClient,
    runtime::Task,
    watch::Source,
};

use crate::model::timeline::chronicle::News;

/// Informers that run until they are dropped.
pub(super) struct Informers {
    _running: Vec<Box<dyn Any>>,
}

/// Is told news.
pub(super) type Inbox = Rc<dyn Fn(News)>;

/// Is told when a kind was read, or why it cannot be.
pub(super) type Synced = Rc<dyn Fn(&'static str, Result<(), String>)>;

/// What an informer of one kind needs.
struct Order<'a> {
    client: &'a RestClient,
    namespaces: &'a [String],
    strings: Strings,
    synced: Synced,
}

/// The kinds that own pods, with the group they are in.
const WORKLOADS: [(&str, &str, &str); 5] = [
    ("apps", "replicasets", "ReplicaSet"),
    ("apps", "deployments", "Deployment"),
    ("apps", "statefulsets", "StatefulSet"),
    ("apps", "daemonsets", "DaemonSet"),
    ("batch", "jobs", "Job"),
];

/// Beyond a few namespaces one request for all is kinder than one for each.
const NAMESPACES: usize = 4;

impl Informers {
    /// Starts them all. Owners come first, as what belongs to them is shown in their lanes.
    pub(super) fn start(client: &RestClient, namespaces: &[String], inbox: Inbox, synced: Synced) -> Informers {
        let namespaces = if namespaces.len() > NAMESPACES { &[] } else { namespaces };
        let order = Order { client, namespaces, strings: Strings::new(), synced };
        let mut running = Vec::new();
        for (group, resource, kind) in WORKLOADS {
            let inbox = Rc::clone(&inbox);
            running.push(order.informer(group, resource, move |change| inbox(News::Workload(kind, change.clone()))));
        }
        let told = Rc::clone(&inbox);
        running.push(order.informer("", "pods", move |change| told(News::Pod(change.clone()))));
        running.push(order.informer("", "events", move |change| match change {
            Notification::Added { object, .. } => inbox(News::Event(Rc::clone(object))),
            Notification::Updated { new, .. } => inbox(News::Event(Rc::clone(new))),
            // The server forgets events after an hour; that it did happen stays true.
            Notification::Deleted(_) => {}
        }));
        Informers { _running: running }
    }
}

impl Order<'_> {
    fn informer<T: Lean>(
        &self,
        group: &str,
        resource: &'static str,
        told: impl Fn(&Notification<Row<T>>) + 'static,
    ) -> Box<dyn Any> {
        let decoder = Rc::new(Projector::<T>::new().strings(&self.strings));
        let source = |namespace: &str| {
            let request = self.client.group_version(group, "v1").get().resource(resource);
            let request = if namespace.is_empty() { request } else { request.namespace(namespace) };
            Rc::new(Source::read_by(Rc::clone(&decoder) as Rc<_>, request)) as Rc<dyn ListerWatcher<Row<T>>>
        };
        let options = InformerOptions::default();
        let informer = match self.namespaces {
            [] => SharedInformer::new(source(""), options),
            several => SharedInformer::of_namespaces(several.iter().map(|name| (name.clone(), source(name))), options),
        };
        let registration = informer.add_handler(move |change: &Notification<Row<T>>| {
            told(change);
            Ok(())
        });
        informer.start();
        let (synced, waiting) = (Rc::clone(&self.synced), informer.clone());
        let task: Task = self.client.config().runtime.spawn(async move {
            let result = waiting.synced().await;
            synced(resource, result.map_err(|error| error.to_string()));
        });
        Box::new((informer, registration, task))
    }
}
