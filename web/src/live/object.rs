//! The object that is open: complete, and as it changes.

use std::{rc::Rc, sync::Arc};

use leptos::prelude::{Effect, GetUntracked, GetValue, LocalStorage, RwSignal, Set, StoredValue, With, WithValue};
use masthead::{Error, cache::ObjectKey, rest::RestClient};
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{Feed, TableView},
    model::{
        json::{self, Read, Unread},
        kind::Kind,
    },
};

/// What is known of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Contents {
    /// It was asked for.
    Loading,
    /// It is not there.
    Gone,
    /// All of it, without its managed fields.
    Whole(Arc<Value>),
    /// A Secret without its values, which nobody asked for yet.
    Hidden(Arc<Value>),
    /// The text that the server sent, and why it is shown as no more than that.
    Text(Arc<str>, Unread),
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
        let (reader, state_key) = (Rc::downgrade(&state), key.clone());
        table.follow(key, move || {
            if let Some(state) = reader.upgrade() {
                state.read(contents, revealed.get_untracked());
            }
        });
        let (supply, reader) = (state.feed.supply.clone(), Rc::downgrade(&state));
        Effect::new(move |before: Option<bool>| {
            let stale = supply.with(|supply| supply.stale.why(state_key.as_str()).is_some());
            if before.is_some_and(|before| before != stale)
                && let Some(state) = reader.upgrade()
            {
                state.read(contents, revealed.get_untracked());
            }
            stale
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
            Some(Ok(object)) => contents.set(object.into()),
            Some(Err(error)) => contents.set(Contents::Failed(error.to_string())),
            None if secret && !revealed => contents.set(match self.feed.metadata(&self.key) {
                Some(metadata) => {
                    let secret = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata });
                    Contents::Hidden(Arc::new(secret))
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
        match get(&self.client, &self.feed.subject.kind, &self.key).await {
            Ok(None) => Contents::Gone,
            Ok(Some(mut object)) => {
                if let Read::Object(object) = &mut object
                    && let Some(Value::Object(metadata)) = object.get_mut("metadata")
                {
                    metadata.remove("managedFields");
                }
                object.into()
            }
            Err(error) => Contents::Failed(error.to_string()),
        }
    }
}

impl From<Read> for Contents {
    fn from(object: Read) -> Contents {
        match object {
            Read::Object(object) => Contents::Whole(Arc::new(object)),
            Read::Text(text, why) => Contents::Text(text.into(), why),
        }
    }
}

/// Asks for one object. Untyped: types of metadata that only pass through bring a library of calendars along.
pub(super) async fn get(client: &RestClient, kind: &Kind, key: &ObjectKey) -> Result<Option<Read>, Error> {
    let request = client.group_version(&kind.group, &kind.version).get().resource(&kind.resource);
    let request = request.namespace_if_scoped(key.namespace(), kind.namespaced).name(key.name());
    match request.send().await.and_then(|answer| Ok(json::read(answer.json()?))) {
        Ok(object) => Ok(Some(object)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}
