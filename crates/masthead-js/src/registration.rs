//! A listener's place in an informer.

use std::{cell::Cell, rc::Rc};

use js_sys::Function;
use masthead::{
    Error,
    cache::{self, Notification, Object, SharedInformer, Tombstone},
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    entry::{Columns, Entry, Moment},
    pending::Pending,
    settings::words,
};

/// A listener's place. Freeing it takes the listener out.
#[wasm_bindgen]
pub struct Registration {
    registration: Rc<cache::Registration<Entry>>,
    wanted: Rc<Cell<u8>>,
}

/// What a listener is told first: which of these it was.
const ADDED: u8 = 0;
const UPDATED: u8 = 1;
const DELETED: u8 = 2;

impl Registration {
    /// Has `told` told: what happened, the key, the `Moment` with the states now and before, and whether the object was there at the
    /// beginning or its end was not seen.
    pub(crate) fn new(
        informer: &SharedInformer<Entry>,
        columns: &Rc<Columns>,
        told: Function,
    ) -> Result<Registration, Error> {
        let (columns, wanted) = (Rc::clone(columns), Rc::new(Cell::new(0)));
        let mask = Rc::clone(&wanted);
        let handler = move |notification: &Notification<Entry>| {
            let (what, flag) = match notification {
                Notification::Added { initial, .. } => (ADDED, *initial),
                Notification::Updated { .. } => (UPDATED, false),
                Notification::Deleted(tombstone) => (DELETED, matches!(tombstone, Tombstone::FinalStateUnknown { .. })),
            };
            if mask.get() & (1 << what) == 0 {
                return Ok(());
            }
            let (key, now, before) = match notification {
                Notification::Added { object, .. } => (object.key(), Some(object), None),
                Notification::Updated { old, new } => (new.key(), Some(new), Some(old)),
                Notification::Deleted(tombstone) => (tombstone.key(), tombstone.last(), None),
            };
            let (key, moment) = (JsValue::from_str(key.as_str()), Moment::new(now, before, &columns).into());
            let told = told.call4(&JsValue::NULL, &what.into(), &key, &moment, &flag.into());
            told.map(drop).map_err(|error| Error::invalid("tell listener", words(&error)))
        };
        let registration = Rc::new(informer.add_handler(handler)?);
        Ok(Registration { registration, wanted })
    }
}

#[wasm_bindgen]
impl Registration {
    /// Sets what is told: a bit each for additions, updates and deletions.
    pub fn want(&self, wanted: u8) {
        self.wanted.set(wanted);
    }

    /// Waits until everything that was there at the beginning was told.
    pub fn synced(&self) -> Pending {
        let registration = Rc::clone(&self.registration);
        Pending::begin("inform", async move {
            registration.synced().await;
            Ok(JsValue::UNDEFINED)
        })
    }
}
