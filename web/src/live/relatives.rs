//! The objects that belong to another one or refer to it, as they change.
//!
//! What the server can select has a list and watch of its own, narrowed by selectors, and holds what they let through, no more.
//! What refers to an object is found by looking at every object of a feed, which is shared. Both end with the component that
//! made them.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use futures::channel::oneshot;
use leptos::prelude::{ArcRwSignal, GetUntracked, LocalStorage, RwSignal, Set, StoredValue};
use masthead::{
    cache::{InformerOptions, Notification, Object, ObjectKey, SharedInformer},
    packed::Packed,
    rest::RestClient,
    watch::Source,
};

use crate::{
    live::{
        Session, Subject,
        feed::{self, Change},
        frame::Frame,
    },
    model::{
        detail::{Relation, Usage},
        kind::Kind,
        print::printer,
        supply::Supply,
        table::{column::Column, grid::Shown, row::Row},
    },
};

/// Related objects, by name.
#[derive(Clone, Copy)]
pub(crate) struct Relatives {
    pub(crate) rows: RwSignal<Vec<Rc<Packed<Row>>>, LocalStorage>,
    pub(crate) supply: RwSignal<Supply>,
    pub(crate) columns: StoredValue<Vec<Column>>,
    _running: StoredValue<Box<dyn std::any::Any>, LocalStorage>,
}

impl Relatives {
    /// Begins to follow; `None` for kinds that this page does not print itself.
    pub(crate) fn follow(client: &RestClient, relation: &Relation) -> Option<Relatives> {
        Relatives::begin(client, relation, None)
    }

    /// Tells every change instead of keeping the rows in order.
    pub(crate) fn follow_each(
        client: &RestClient,
        relation: &Relation,
        told: impl Fn(Change) + 'static,
    ) -> Option<Relatives> {
        Relatives::begin(client, relation, Some(Box::new(told)))
    }

    /// The objects of this kind that refer to one; `None` for kinds that this page does not print itself.
    pub(crate) fn referring(session: Session, kind: &Kind, usage: Usage) -> Option<Relatives> {
        let namespaces: &[String] =
            if usage.namespace.is_empty() { &[] } else { std::slice::from_ref(&usage.namespace) };
        let feed = session.shared_feed(&Subject::new(kind, namespaces));
        let rows = RwSignal::new_local(Vec::new());
        let found: Rc<RefCell<BTreeMap<ObjectKey, Rc<Packed<Row>>>>> = Rc::default();
        let read = Rc::clone(&found);
        let frame = Rc::new(Frame::new(move || rows.set(read.borrow().values().cloned().collect())));
        let asked = Rc::clone(&frame);
        let told = feed.hear(move |news| {
            let changed = match news {
                Notification::Added { object, .. } | Notification::Updated { new: object, .. } => {
                    let here = usage.namespace.is_empty() || object.namespace.as_str() == usage.namespace;
                    let refers = here && object.json().is_ok_and(|json| usage.is_by(&json));
                    let mut found = found.borrow_mut();
                    match refers {
                        true => found.insert(object.key(), Rc::clone(object)),
                        false => found.remove(&object.key()),
                    }
                    .is_some()
                        || refers
                }
                Notification::Deleted(tombstone) => found.borrow_mut().remove(&tombstone.key()).is_some(),
            };
            if changed {
                asked.ask();
            }
        })?;
        Some(Relatives {
            rows,
            supply: RwSignal::from(feed.supply.clone()),
            columns: StoredValue::new(feed.columns.get_untracked()),
            _running: StoredValue::new_local(Box::new((feed, told, frame))),
        })
    }

    fn begin(client: &RestClient, relation: &Relation, told: Option<Box<dyn Fn(Change)>>) -> Option<Relatives> {
        let [group, version, resource] = relation.resource;
        let printer = printer(group, version, resource)?;
        let mut request = client.group_version(group, version).get().resource(resource);
        if !relation.namespace.is_empty() {
            request = request.namespace(&relation.namespace);
        }
        for (name, selector) in [("labelSelector", &relation.labels), ("fieldSelector", &relation.fields)] {
            if !selector.is_empty() {
                request = request.param(name, selector.clone());
            }
        }
        let supply = ArcRwSignal::new(Supply::default());
        let (on_watch_error, reported) = feed::troubles(&supply);
        let options = InformerOptions { on_watch_error: Some(on_watch_error), ..InformerOptions::default() };
        let source = Rc::new(Source::read_by(Rc::clone(&printer.decoder), request));
        let informer = SharedInformer::new(source, options);
        let rows = RwSignal::new_local(Vec::new());
        let (store, owner) = (informer.store(), relation.owner.clone());
        let frame = Rc::new(Frame::new(move || {
            let mut all = store.list();
            all.retain(|row| owner.is_empty() || row.owner.as_ref().is_some_and(|one| one.uid.as_str() == owner));
            all.sort_by(|one, other| (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name)));
            rows.set(all);
        }));
        let asked = Rc::clone(&frame);
        let told = informer.add_handler(move |news: &Notification<Packed<Row>>| {
            match &told {
                Some(told) => told(feed::change(news, |row| Shown::Packed(Rc::clone(row)))),
                None => asked.ask(),
            }
            Ok(())
        });
        let (unsettled, _) = oneshot::channel();
        let runtime = &client.config().runtime;
        let tasks = [
            runtime.spawn(feed::complete(informer.clone(), supply.clone(), unsettled)),
            runtime.spawn(feed::follow_stale(informer.store(), supply.clone(), reported)),
        ];
        informer.start();
        Some(Relatives {
            rows,
            supply: RwSignal::from(supply),
            columns: StoredValue::new(printer.columns),
            _running: StoredValue::new_local(Box::new((informer, told, frame, tasks))),
        })
    }
}
