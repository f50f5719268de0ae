//! What a timeline follows: events, and the kinds that own or are pods, by the feeds of the page.

use std::rc::Rc;

use leptos::prelude::ArcRwSignal;
use masthead::cache::Notification;

use crate::{
    live::{Feed, Session, Subject, feed::Subscription},
    model::{supply::Supply, timeline::chronicle::News},
};

/// Feeds that are heard until this is dropped.
pub(super) struct Following {
    /// How each kind is supplied, by its plural name; events first.
    pub(super) supplies: Vec<(String, ArcRwSignal<Supply>)>,
    _heard: Vec<(Rc<Feed>, Option<Subscription>)>,
}

/// Is told news.
pub(super) type Inbox = Rc<dyn Fn(News)>;

/// What a timeline is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A page of these namespaces; of all where there is none.
    Page(Vec<String>),
    /// One object in this namespace, and what it owns.
    Slice(String),
    /// One object that lies in no namespace: others tell of it, and it owns nothing that is drawn.
    Clusterwide,
}

impl Scope {
    /// What is to be followed, what is on screen first: events, then who owns pods, then pods, of which there are most.
    pub(super) fn subjects(&self, session: Session) -> Vec<Subject> {
        let (kinds, namespaces) = match self {
            Scope::Page(namespaces) => (KINDS, namespaces.as_slice()),
            Scope::Slice(namespace) => (KINDS, std::slice::from_ref(namespace)),
            Scope::Clusterwide => (&KINDS[..1], &[] as &[String]),
        };
        kinds.iter().filter_map(|id| Some(Subject::new(&session.kind(id)?, namespaces))).collect()
    }
}

impl Following {
    /// Hears of `subjects`. A page has feeds of its own; a part of one shares those that run, if they tell of its namespace.
    pub(super) fn begin(session: Session, scope: &Scope, subjects: &[Subject], inbox: &Inbox) -> Following {
        let feeds = match scope {
            Scope::Page(_) => session.feeds_of(subjects),
            Scope::Slice(_) | Scope::Clusterwide => {
                subjects.iter().map(|subject| session.shared_feed(subject)).collect()
            }
        };
        let only = if let Scope::Slice(namespace) = scope { Some(namespace.as_str()) } else { None };
        let supplies = feeds.iter().map(|feed| (feed.subject.kind.resource.clone(), feed.supply.clone())).collect();
        let heard = feeds.into_iter().map(|feed| {
            let told = hear(&feed, only, Rc::clone(inbox));
            (feed, told)
        });
        Following { supplies, _heard: heard.collect() }
    }
}

fn hear(feed: &Feed, only: Option<&str>, inbox: Inbox) -> Option<Subscription> {
    let only = only.map(str::to_owned);
    let kind = WORKLOADS.iter().copied().find(|kind| *kind == feed.subject.kind.kind);
    let is_event = feed.subject.kind.resource == "events";
    let is_here = move |namespace: &str| only.as_ref().is_none_or(|only| only == namespace);
    feed.hear(move |change| match change {
        Notification::Added { object, .. } | Notification::Updated { new: object, .. } => match kind {
            _ if !is_here(&object.namespace) => {}
            Some(kind) => inbox(News::Workload(kind, change.clone())),
            None if is_event => inbox(News::Event(Rc::clone(object))),
            None => inbox(News::Pod(change.clone())),
        },
        // The server forgets events after an hour; that it did happen stays true.
        Notification::Deleted(_) if is_event => {}
        Notification::Deleted(tombstone) => match kind {
            _ if !is_here(tombstone.key().namespace()) => {}
            Some(kind) => inbox(News::Workload(kind, change.clone())),
            None => inbox(News::Pod(change.clone())),
        },
    })
}

/// The kinds that own pods.
const WORKLOADS: &[&str] = &["ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"];

const KINDS: &[&str] =
    &["events", "replicasets.apps", "deployments.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "pods"];
