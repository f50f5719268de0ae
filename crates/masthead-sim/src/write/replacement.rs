//! PUT, and what every PATCH ends in: an object's next state.

use std::{rc::Rc, time::Duration};

use serde_json::Value;

use super::{Write, check_shape, finalizers, is_ending, narrowing::narrowed, prune, take};
use crate::{
    admission, custom, defaults,
    kind::{Kind, Subresource},
    managed::{beside_status, keep_times},
    object::{Key, Object},
    refusal::{Refusal, details},
    strategy, validation,
};

/// Which half of an object is written; the other half stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Main,
    Status,
    /// What `ephemeralcontainers` writes of a pod.
    EphemeralContainers,
    /// What `resize` writes of a pod.
    Resize,
    /// What `finalize` writes of a namespace.
    Finalize,
    /// What `approval` writes of a certificate signing request.
    Approval,
}

impl Half {
    /// What is written through a subresource; `None` for one that writes otherwise.
    pub(crate) fn of(part: Option<Subresource>) -> Option<Half> {
        match part {
            None => Some(Half::Main),
            Some(Subresource::Status) => Some(Half::Status),
            Some(Subresource::EphemeralContainers) => Some(Half::EphemeralContainers),
            Some(Subresource::Resize) => Some(Half::Resize),
            Some(Subresource::Finalize) => Some(Half::Finalize),
            Some(Subresource::Approval) => Some(Half::Approval),
            Some(_) => None,
        }
    }

    pub(super) fn part(self) -> Option<Subresource> {
        match self {
            Half::Main => None,
            Half::Status => Some(Subresource::Status),
            Half::EphemeralContainers => Some(Subresource::EphemeralContainers),
            Half::Resize => Some(Subresource::Resize),
            Half::Finalize => Some(Subresource::Finalize),
            Half::Approval => Some(Subresource::Approval),
        }
    }
}

impl Write<'_> {
    /// Whether an update of an object that is not there creates it.
    pub(crate) fn creates(&self, kind: &Kind, key: &Key) -> bool {
        strategy::creates_on_update(kind) && self.store.get(kind, key).is_none()
    }

    /// Creates an object by an update.
    pub(crate) fn create_at(&mut self, kind: &Rc<Kind>, key: &Key, object: Value) -> Result<Rc<Object>, Refusal> {
        check_address(key, &object)?;
        self.create(kind, &key.namespace, object)
    }

    /// Makes `next` the state of the object of this name.
    pub(crate) fn replace(
        &mut self,
        kind: &Rc<Kind>,
        key: &Key,
        half: Half,
        mut next: Value,
    ) -> Result<Rc<Object>, Refusal> {
        check_shape(kind, &next)?;
        check_address(key, &next)?;
        let existing = self.existing(kind, key)?;
        check_version(kind, &existing, &next)?;
        kind.schema.write(&mut next);
        defaults::complete(kind, &mut next);
        self.own(kind, half.part(), &existing.value(), &mut next);
        let next = narrowed(kind, half, &existing.value(), next)?;
        self.replace_owned(kind, &existing, half, next)
    }

    /// Makes `next`, whose owners are known, the state of an object.
    pub(super) fn replace_owned(
        &mut self,
        kind: &Rc<Kind>,
        existing: &Rc<Object>,
        half: Half,
        next: Value,
    ) -> Result<Rc<Object>, Refusal> {
        let before = existing.value();
        let mut next = match half {
            Half::Main => main_of(kind, &before, next),
            Half::Status => status_of(kind, &before, next),
            Half::EphemeralContainers | Half::Resize | Half::Finalize | Half::Approval => next,
        };
        if half == Half::Main {
            admission::admit_update(kind, &before, &mut next);
            strategy::prepare_update(kind, &before, &mut next);
            validation::check(kind, &next, Some(&before))?;
            self.allocate(kind, &mut next)?;
        } else {
            if half == Half::Status {
                strategy::prepare_status(kind, &before, &mut next, &self.time(Duration::ZERO));
            }
            validation::check_status(kind, &next, &before)?;
        }
        self.write_out(kind, &mut next);
        let causes = custom::check(kind, &next, Some(&before));
        if !causes.is_empty() {
            return Err(Refusal::invalid(kind, &existing.key.name, &causes));
        }
        if kind.counts_generations && half != Half::Status && content(kind, &before) != content(kind, &next) {
            let generation = before["metadata"]["generation"].as_u64().unwrap_or_default();
            next["metadata"]["generation"] = generation.saturating_add(1).into();
        }
        keep_times(&before, &mut next);
        if next == before {
            return Ok(Rc::clone(existing));
        }
        if self.dry_run {
            return Ok(Rc::new(Object::new(kind, next, existing.version)));
        }
        let grace = next["metadata"]["deletionGracePeriodSeconds"].as_u64().unwrap_or_default();
        if is_ending(&next) && grace == 0 && finalizers(&next).is_empty() && !is_namespace_held(kind, &next) {
            let last = Rc::new(Object::new(kind, next, existing.version));
            self.finish(existing);
            return Ok(last);
        }
        Ok(self.store.put(kind, next))
    }
}

pub(super) fn check_address(key: &Key, next: &Value) -> Result<(), Refusal> {
    let text = |field: &str| next["metadata"][field].as_str().unwrap_or_default();
    let (name, namespace) = (text("name"), text("namespace"));
    if *name != *key.name {
        let url = &key.name;
        return Err(Refusal::bad_request(format!(
            "the name of the object ({name}) does not match the name on the URL ({url})"
        )));
    }
    if !namespace.is_empty() && *namespace != *key.namespace {
        let why = "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Refusal::bad_request(why));
    }
    Ok(())
}

pub(super) fn check_version(kind: &Kind, existing: &Object, next: &Value) -> Result<(), Refusal> {
    let text = |field: &str| next["metadata"][field].as_str().unwrap_or_default();
    let (name, uid, version) = (&*existing.key.name, text("uid"), text("resourceVersion"));
    if !uid.is_empty() && uid != existing.uid {
        let key = [&kind.plural, &*existing.key.namespace, name].into_iter().filter(|part| !part.is_empty());
        let path = key.collect::<Vec<_>>().join("/");
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: /registry/{path}, ResourceVersion: 0, AdditionalErrorMsg: \
             Precondition failed: UID in precondition: {uid}, UID in object meta: {}",
            existing.uid
        );
        return Err(Refusal::conflict(&kind.qualified_plural(), details(name, &kind.group, &kind.plural), &why));
    }
    match version {
        "" | "0" if kind.needs_version => Err(Refusal::unversioned(kind, name)),
        "" | "0" => Ok(()),
        asked if asked == existing.version.to_string() => Ok(()),
        _ => Err(Refusal::modified(kind, name)),
    }
}

/// The next state with everything that only the server or the status may change.
fn main_of(kind: &Kind, before: &Value, mut next: Value) -> Value {
    const OWNED: [&str; 7] = [
        "namespace",
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "generation",
    ];
    for field in OWNED {
        keep(&mut next["metadata"], &before["metadata"], field);
    }
    if kind.has(Subresource::Status) {
        keep(&mut next, before, "status");
    }
    // All there is in it are finalizers, which only `finalize` may change.
    if kind.is("", "namespaces") {
        keep(&mut next, before, "spec");
    }
    prune(&mut next["metadata"]);
    next
}

/// The next state with everything that a write of the status leaves as it is.
fn status_of(kind: &Kind, before: &Value, next: Value) -> Value {
    let mut object = if kind.is_custom() { before.clone() } else { main_of(kind, before, next.clone()) };
    match next.get("status") {
        Some(status) => object["status"] = status.clone(),
        None => drop(take(&mut object, "status")),
    }
    for path in beside_status(kind) {
        match path.split_once('.') {
            Some((outer, field)) => keep(&mut object[outer], &before[outer], field),
            None => keep(&mut object, before, path),
        }
    }
    if next["metadata"]["managedFields"].is_array() {
        object["metadata"]["managedFields"] = next["metadata"]["managedFields"].clone();
    }
    object
}

fn keep(next: &mut Value, before: &Value, field: &str) {
    match before.get(field) {
        Some(value) => next[field] = value.clone(),
        None => drop(take(next, field)),
    }
}

/// What a generation counts the changes of.
fn content<'a>(kind: &Kind, object: &'a Value) -> Vec<(&'a String, &'a Value)> {
    let fields = object.as_object().into_iter().flatten();
    // Without a door of its own the status of a custom kind is a field like any other.
    let plain = kind.is_custom() && !kind.has(Subresource::Status);
    fields.filter(|(key, _)| *key != "metadata" && (plain || *key != "status")).collect()
}

/// A namespace's own finalizer stands in its spec, and goes once nothing is left inside.
fn is_namespace_held(kind: &Kind, object: &Value) -> bool {
    kind.is("", "namespaces") && object["spec"]["finalizers"].as_array().is_some_and(|held| !held.is_empty())
}
