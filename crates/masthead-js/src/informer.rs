//! A local copy of a collection.

use std::rc::Rc;

use js_sys::{Array, Function};
use masthead::{
    Error,
    cache::{InformerOptions, ListerWatcher, ReflectorOptions, SharedInformer, StaleObject, WatchError},
    rest::{Decoder, RestClient},
    watch::Source,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    call::Call,
    entry::{Columns, Entry, text},
    entry_reader::EntryReader,
    given::Given,
    pending::Pending,
    registration::Registration,
    settings::seconds,
    snapshot::Snapshot,
    thrown::{refused, thrown},
};

/// A local copy of a collection that is kept equal to the server's. Freeing it ends every request.
#[wasm_bindgen]
pub struct Informer {
    informer: SharedInformer<Entry>,
    columns: Rc<Columns>,
}

impl Informer {
    pub(crate) fn new(
        client: &RestClient,
        call: &str,
        plan: &str,
        (prepare, trouble): (Option<Function>, Option<Function>),
    ) -> Result<Informer, Error> {
        let call = Call::parse(call)?;
        let plan = Given::parse("make informer", plan)?;
        // Names and paths; functions are told by their names alone.
        let (fields, indexes, functions) = (plan.pairs("fields"), plan.pairs("indexes"), plan.texts("functions"));
        let paths: Vec<&str> = fields.iter().chain(&indexes).map(|(_, path)| path.as_str()).collect();
        let reader: Rc<dyn Decoder<Entry>> = Rc::new(EntryReader::new(&paths, prepare)?);
        let origin = |call: &Call| -> Result<Rc<dyn ListerWatcher<Entry>>, Error> {
            Ok(Rc::new(Source::read_by(Rc::clone(&reader), call.request(client, None)?)))
        };
        let options = InformerOptions {
            resync: plan.number("resync").map(|period| seconds("resync", period)).transpose()?.unwrap_or_default(),
            reflector: ReflectorOptions {
                page_size: plan.number("pageSize").map(|size| size as u32),
                ..ReflectorOptions::default()
            },
            on_watch_error: trouble.map(|told| Rc::new(move |trouble: &WatchError| tell(&told, trouble)) as Rc<_>),
            ..InformerOptions::default()
        };
        let namespaces = plan.texts("namespaces");
        let informer = if namespaces.is_empty() {
            SharedInformer::new(origin(&call)?, options)
        } else {
            let parts = namespaces.iter().map(|namespace| Ok((namespace.clone(), origin(&call.within(namespace))?)));
            SharedInformer::of_namespaces(parts.collect::<Result<Vec<_>, Error>>()?, options)
        };
        let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
        for (slot, (name, _)) in (fields.len()..).zip(&indexes) {
            informer.store().add_index(name, move |entry: &Entry| entry.texts(slot))?;
        }
        for (place, name) in functions.iter().enumerate() {
            informer.store().add_index(name, move |entry: &Entry| entry.values(place))?;
        }
        Ok(Informer { informer, columns: Rc::new(Columns::new(&names)) })
    }
}

#[wasm_bindgen]
impl Informer {
    /// Begins to list and watch.
    pub fn start(&self) {
        self.informer.start();
    }

    /// Ends every request.
    pub fn stop(&self) {
        self.informer.stop();
    }

    /// Waits until the copy is complete; fails with the server's refusal.
    pub fn synced(&self) -> Pending {
        let informer = self.informer.clone();
        Pending::begin("inform", async move { informer.synced().await.map(|()| JsValue::UNDEFINED) })
    }

    /// Whether the copy was complete once.
    #[wasm_bindgen(getter, js_name = hasSynced)]
    pub fn has_synced(&self) -> bool {
        self.informer.has_synced()
    }

    /// How many objects there are.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.informer.store().len()
    }

    /// Has `told` told of everything that is there and every change; see [`Registration`].
    pub fn tell(&self, told: Function) -> Result<Registration, JsValue> {
        Registration::new(&self.informer, &self.columns, told).map_err(|error| thrown(&error))
    }

    /// The JSON of the object of this key.
    pub fn get(&self, key: &str) -> Result<Option<String>, JsValue> {
        let key = key.parse().map_err(|error| thrown(&error))?;
        self.informer.store().get(&key).map(|entry| text(&entry)).transpose()
    }

    /// The JSON of the row of this key.
    pub fn row(&self, key: &str) -> Result<Option<String>, JsValue> {
        let key = key.parse().map_err(|error| thrown(&error))?;
        Ok(self.informer.store().get(&key).map(|entry| {
            let mut row = String::new();
            self.columns.write(&entry, &mut row);
            row
        }))
    }

    /// The keys of all objects, in their order.
    pub fn keys(&self) -> Vec<String> {
        self.informer.store().keys().iter().map(ToString::to_string).collect()
    }

    /// The objects whose present state could not be decoded: key, uid, version and error of each.
    pub fn stale(&self) -> Vec<Array> {
        let stale = self.informer.store().stale_objects();
        let told = |text: &str| JsValue::from_str(text);
        let array = |one: Rc<StaleObject>| {
            Array::of4(&told(one.key.as_str()), &told(&one.uid), &told(&one.resource_version), &thrown(&one.error))
        };
        stale.into_iter().map(array).collect()
    }

    /// All objects.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.informer.store().list(), &self.columns)
    }

    /// The objects that have `value` in the index of this name.
    #[wasm_bindgen(js_name = byIndex)]
    pub fn by_index(&self, name: &str, value: &str) -> Result<Snapshot, JsValue> {
        let found = self.informer.store().by_index(name, value).map_err(|error| thrown(&error))?;
        Ok(Snapshot::new(found, &self.columns))
    }

    /// Every value of the index of this name, in their order.
    #[wasm_bindgen(js_name = indexValues)]
    pub fn index_values(&self, name: &str) -> Result<Vec<String>, JsValue> {
        let values = self.informer.store().index_values(name).map_err(|error| thrown(&error))?;
        Ok(values.iter().map(ToString::to_string).collect())
    }

    /// Waits until the copy has the state of this key and version, or a later one.
    #[wasm_bindgen(js_name = waitFor)]
    pub fn wait_for(&self, key: &str, version: &str) -> Result<Pending, JsValue> {
        let key = key.parse().map_err(|_| refused("wait for object", "the object has no name"))?;
        let written = Written { key, version: version.to_owned() };
        let store = self.informer.store();
        Ok(Pending::begin("wait for object", async move {
            store.wait_for(&written).await;
            Ok(JsValue::UNDEFINED)
        }))
    }
}

/// What is known of an object that the server answered with.
struct Written {
    key: masthead::cache::ObjectKey,
    version: String,
}

impl masthead::cache::Object for Written {
    fn key(&self) -> masthead::cache::ObjectKey {
        self.key.clone()
    }

    fn resource_version(&self) -> &str {
        &self.version
    }

    fn uid(&self) -> &str {
        ""
    }
}

fn tell(told: &Function, trouble: &WatchError) {
    let (kind, error) = match trouble {
        WatchError::List(error) => ("list", thrown(error)),
        WatchError::Watch(error) => ("watch", thrown(error)),
        WatchError::Stale(stale) => ("stale", thrown(&stale.error)),
        WatchError::Skipped(error) => ("skipped", thrown(error)),
        WatchError::Handler(error) => ("listener", thrown(error)),
        WatchError::BookmarkOverdue(text) => ("overdue", refused("inform", text.as_str())),
    };
    // The facade's function does not throw.
    told.call2(&JsValue::NULL, &JsValue::from_str(kind), &error).ok();
}
