//! The objects that belong to another one, as they change: a list and watch of their own, narrowed by selectors.
//!
//! It holds what the selectors let through, no more, and ends with the component that made it.

use std::rc::Rc;

use leptos::prelude::{ArcRwSignal, LocalStorage, RwSignal, Set, StoredValue};
use masthead::{
    cache::{InformerOptions, Notification, SharedInformer},
    packed::Packed,
    rest::RestClient,
    watch::Source,
};

use crate::{
    live::{
        feed::{self, Change},
        frame::Frame,
    },
    model::{
        detail::Relation,
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
        let options = InformerOptions { on_trouble: Some(feed::troubles(&supply)), ..InformerOptions::default() };
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
        let completion = client.config().runtime.spawn(feed::complete(informer.clone(), supply.clone()));
        informer.start();
        Some(Relatives {
            rows,
            supply: RwSignal::from(supply),
            columns: StoredValue::new(printer.columns),
            _running: StoredValue::new_local(Box::new((informer, told, frame, completion))),
        })
    }
}
