//! A change to the store that is checked as the real server checks it, and then made or only shown.

mod application;
mod binding;
mod creation;
mod deletion;
mod emptying;
mod eviction;
mod narrowing;
mod replacement;
mod scale;
mod token;

use std::{rc::Rc, time::Duration};

use masthead::runtime::Runtime;
use serde_json::{Value, json};

use crate::{
    admission::Cluster,
    caller::Caller,
    kind::{Kind, Subresource},
    managed::Ownership,
    object::{Key, Object},
    refusal::Refusal,
    registry::Registry,
    store::Store,
    timestamp,
};

pub(crate) use application::Application;
pub(crate) use deletion::{DeleteOptions, Deleted};
pub(crate) use replacement::Half;

/// One request that writes. Every check comes before the first change: a refusal leaves the store as it was.
#[derive(Debug)]
pub(crate) struct Write<'a> {
    pub(crate) kinds: &'a mut Registry,
    pub(crate) store: &'a mut Store,
    pub(crate) runtime: &'a Runtime,
    pub(crate) caller: &'a Caller,
    /// What the caller is to be told beside the answer.
    pub(crate) warnings: &'a mut Vec<String>,
    /// Check everything and change nothing.
    pub(crate) dry_run: bool,
}

impl Write<'_> {
    /// What admission may look at.
    fn cluster(&self) -> Cluster<'_> {
        Cluster { kinds: self.kinds, store: self.store }
    }

    /// The same for a part of what is to be done.
    pub(crate) fn reborrow(&mut self) -> Write<'_> {
        let Write { kinds, store, runtime, caller, warnings, dry_run } = self;
        Write { kinds, store, runtime, caller, warnings, dry_run: *dry_run }
    }

    /// The object of this name, or the refusal that says there is none.
    pub(crate) fn existing(&self, kind: &Rc<Kind>, key: &Key) -> Result<Rc<Object>, Refusal> {
        let found = self.store.get(kind, key).map(|object| object.served_as(kind));
        found.ok_or_else(|| Refusal::not_found(kind, &key.name))
    }

    /// The time `later` than now, as objects name it.
    pub(crate) fn time(&self, later: Duration) -> Value {
        timestamp::format(self.runtime.wall().saturating_add(later)).into()
    }

    /// Writes into `next` who owns its fields once it follows `live`, which is empty for a new object.
    pub(crate) fn own(&self, kind: &Kind, part: Option<Subresource>, live: &Value, next: &mut Value) {
        let time = timestamp::format(self.runtime.wall());
        Ownership::new(kind, part, &self.caller.manager, &time).update(live, next);
    }

    /// Brings an object into the form in which it is answered.
    fn write_out(&self, kind: &Kind, object: &mut Value) {
        if self.dry_run {
            kind.schema.write(object);
        } else {
            kind.schema.write_stored(object);
        }
    }

    /// A random uid in the form of a version 4 UUID.
    fn uid(&self) -> String {
        let word = || (self.runtime.random() * f64::from(u32::MAX)) as u32;
        let (a, b, c, d) = (word(), word(), word(), word());
        let (b1, b2, c1, c2) = (b >> 16, b & 0xfff, c >> 16 & 0x3fff | 0x8000, c & 0xffff);
        format!("{a:08x}-{b1:04x}-4{b2:03x}-{c1:04x}-{c2:04x}{d:08x}")
    }
}

/// Refuses an object whose parts are not what everything else here takes them for.
pub(crate) fn check_shape(kind: &Kind, object: &Value) -> Result<(), Refusal> {
    let refuse = |what: &str| {
        let Kind { kind, version, .. } = kind;
        Err(Refusal::bad_request(format!("{kind} in version \"{version}\" cannot be handled as a {kind}: {what}")))
    };
    if !object["metadata"].is_object() {
        return refuse("json: cannot unmarshal metadata");
    }
    // What else there is to a custom kind is for its schema to say.
    let parts: &[&str] = if kind.is_custom() { &[] } else { &["/spec", "/status"] };
    for path in parts.iter().chain(&["/metadata/labels", "/metadata/annotations"]) {
        if object.pointer(path).is_some_and(|part| !part.is_object() && !part.is_null()) {
            return refuse(&format!("json: cannot unmarshal {}", path[1..].replace('/', ".")));
        }
    }
    if is_deeper(object, MAX_DEPTH) {
        return refuse("exceeded max depth");
    }
    Ok(())
}

/// Less than what the JSON reader takes, since every object is read again.
const MAX_DEPTH: usize = 100;

fn is_deeper(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| is_deeper(item, levels - 1)),
        Value::Object(fields) => levels == 0 || fields.values().any(|field| is_deeper(field, levels - 1)),
        _ => false,
    }
}

/// The finalizers of an object.
fn finalizers(object: &Value) -> Vec<&str> {
    object["metadata"]["finalizers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether somebody asked for the end of an object that is still there.
fn is_ending(object: &Value) -> bool {
    !object["metadata"]["deletionTimestamp"].is_null()
}

/// What an action on an object answers.
fn done() -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201 })
}

/// Takes a key out of an object in a tree, if both are there.
fn take(object: &mut Value, key: &str) -> Option<Value> {
    object.as_object_mut()?.remove(key)
}

/// Drops what is empty, as the server does when it writes metadata.
fn prune(metadata: &mut Value) {
    let Some(fields) = metadata.as_object_mut() else { return };
    fields.retain(|_, value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
        _ => true,
    });
}
