//! The object that is open: complete, and as it changes.

use std::rc::Rc;

use kube_core::GroupVersionResource;
use leptos::prelude::{GetUntracked, GetValue, LocalStorage, RwSignal, Set, StoredValue, WithValue};
use masthead::{Error, cache::ObjectKey, dynamic::DynamicClient, rest::RestClient};
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{Feed, TableView},
    model::kind::Kind,
};

/// What is known of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Contents {
    /// It was asked for.
    Loading,
    /// It is not there.
    Gone,
    /// All of it, without its managed fields.
    Whole(Value),
    /// A Secret without its values, which nobody asked for yet.
    Hidden(Value),
    /// The server does not give it.
    Failed(String),
}

/// An open object. It ends with the component that made it.
#[derive(Clone, Copy)]
pub(crate) struct OpenObject {
    pub(crate) contents: RwSignal<Contents>,
    /// Whether the values of a Secret were asked for.
    pub(crate) revealed: RwSignal<bool>,
    state: StoredValue<Rc<State>, LocalStorage>,
}

struct State {
    feed: Rc<Feed>,
    client: RestClient,
    key: ObjectKey,
}

impl OpenObject {
    /// Follows the object of this key beside the table of its kind.
    pub(crate) fn new(table: TableView, client: RestClient, key: ObjectKey) -> OpenObject {
        let (contents, revealed) = (RwSignal::new(Contents::Loading), RwSignal::new(false));
        let state = Rc::new(State { feed: table.feed(), client, key: key.clone() });
        let object = OpenObject { contents, revealed, state: StoredValue::new_local(Rc::clone(&state)) };
        let reader = Rc::downgrade(&state);
        table.follow(key, move || {
            if let Some(state) = reader.upgrade() {
                state.read(contents, revealed.get_untracked());
            }
        });
        // One that is not in the list is asked for all the same: the list may be narrower than the link.
        state.read(contents, false);
        object
    }

    /// What kind of object it is.
    pub(crate) fn kind(self) -> Kind {
        self.state.with_value(|state| state.feed.subject.kind.clone())
    }

    /// Its namespace and name.
    pub(crate) fn key(self) -> ObjectKey {
        self.state.with_value(|state| state.key.clone())
    }

    /// Asks the server for all of the object and gives it to who asked, and to nobody else.
    pub(crate) async fn ask(self) -> Contents {
        self.state.get_value().ask().await
    }

    /// Asks for the values of a Secret.
    pub(crate) fn reveal(self) {
        self.revealed.set(true);
        self.state.get_value().read(self.contents, true);
    }
}

impl State {
    fn read(self: &Rc<Self>, contents: RwSignal<Contents>, revealed: bool) {
        let secret = self.feed.subject.kind.is_secret();
        match self.feed.object(&self.key) {
            Some(Ok(object)) => contents.set(Contents::Whole(object)),
            Some(Err(error)) => contents.set(Contents::Failed(error.to_string())),
            None if secret && !revealed => contents.set(match self.feed.metadata(&self.key) {
                Some(metadata) => {
                    Contents::Hidden(json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata }))
                }
                None => Contents::Loading,
            }),
            None => {
                let state = Rc::clone(self);
                spawn_local(async move { contents.set(state.ask().await) });
            }
        }
    }

    async fn ask(&self) -> Contents {
        let kind = &self.feed.subject.kind;
        let resource = GroupVersionResource::gvr(&kind.group, &kind.version, &kind.resource);
        let client = DynamicClient::new(&self.client).resource(&resource);
        let client = if kind.namespaced { client.namespace(self.key.namespace()) } else { client };
        let found = client.get_opt(self.key.name(), &Default::default()).await;
        match found {
            Ok(None) => Contents::Gone,
            Ok(Some(mut object)) => {
                object.metadata.managed_fields = None;
                serde_json::to_value(object).map_or_else(|error| Contents::Failed(error.to_string()), Contents::Whole)
            }
            Err(error) => Contents::Failed(Error::to_string(&error)),
        }
    }
}
