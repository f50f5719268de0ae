//! DELETE: an object's end, at once or once its finalizers are done, and that of what it owns or holds.

use std::{collections::VecDeque, rc::Rc, time::Duration};

use serde_json::{Value, json};

use super::{Write, finalizers, is_ending, take};
use crate::{
    cause::Cause,
    custom,
    kind::{Kind, ResourceId},
    object::{Key, Object},
    query::Query,
    refusal::Refusal,
};

/// How to delete.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeleteOptions {
    pub(crate) dry_run: bool,
    pub(crate) grace: Option<u64>,
    pub(crate) propagation: Option<Propagation>,
    pub(crate) uid: Option<String>,
    pub(crate) version: Option<String>,
}

/// What happens to what a deleted object owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Propagation {
    Background,
    Foreground,
    Orphan,
}

/// What became of an object that was to be deleted.
#[derive(Debug)]
pub(crate) enum Deleted {
    /// It is gone; this is what it was.
    Gone(Rc<Object>),
    /// It waits for its finalizers or its grace period.
    Ending(Rc<Object>),
}

impl DeleteOptions {
    /// Reads the body, or the query where there is none.
    pub(crate) fn decode(body: &[u8], query: &Query) -> Result<DeleteOptions, Refusal> {
        let options: Value = if body.is_empty() {
            json!({ "propagationPolicy": query.text("propagationPolicy") })
        } else {
            serde_json::from_slice(body).map_err(|error| Refusal::bad_request(error.to_string()))?
        };
        let orphan = options["orphanDependents"].as_bool();
        let propagation = match options["propagationPolicy"].as_str().unwrap_or_default() {
            "" => orphan.map(|orphan| if orphan { Propagation::Orphan } else { Propagation::Background }),
            policy if orphan.is_some() => {
                let why = "orphanDependents and deletionPropagation cannot be both set";
                let cause = Cause::invalid("propagationPolicy", format_args!("{policy:?}"), why);
                return Err(Refusal::invalid_options("DeleteOptions", &[cause]));
            }
            "Background" => Some(Propagation::Background),
            "Foreground" => Some(Propagation::Foreground),
            "Orphan" => Some(Propagation::Orphan),
            other => {
                let supported = "\"Foreground\", \"Background\", \"Orphan\", \"nil\"";
                let cause = Cause::unsupported("propagationPolicy", &format!("\"{other}\""), supported);
                return Err(Refusal::invalid_options("DeleteOptions", &[cause]));
            }
        };
        let asked = |field: &str| options["preconditions"][field].as_str().map(str::to_owned);
        let dry_run = options["dryRun"].as_array().is_some_and(|all| !all.is_empty());
        Ok(DeleteOptions {
            dry_run: dry_run || query.dry_run("DeleteOptions")?,
            grace: options["gracePeriodSeconds"].as_u64().or(query.number("gracePeriodSeconds")?),
            propagation,
            uid: asked("uid"),
            version: asked("resourceVersion"),
        })
    }

    /// Refuses to delete what is not what the caller takes it for.
    pub(super) fn check(&self, kind: &Kind, existing: &Object) -> Result<(), Refusal> {
        let name = &*existing.key.name;
        if let Some(uid) = self.uid.as_ref().filter(|uid| **uid != existing.uid) {
            let why = format!(
                "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been deleted \
                 and then recreated",
                existing.uid
            );
            return Err(Refusal::precondition(kind, name, &why));
        }
        if let Some(version) = self.version.as_ref().filter(|version| **version != existing.version.to_string()) {
            let why = format!(
                "the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record ({}). The \
                 object might have been modified",
                existing.version
            );
            return Err(Refusal::precondition(kind, name, &why));
        }
        Ok(())
    }
}

impl Write<'_> {
    /// Deletes the object of this name.
    pub(crate) fn delete(&mut self, kind: &Rc<Kind>, key: &Key, options: &DeleteOptions) -> Result<Deleted, Refusal> {
        let existing = self.existing(kind, key)?;
        options.check(kind, &existing)?;
        if kind.is("", "namespaces") {
            return self.delete_namespace(kind, &existing);
        }
        if kind.is_definition() {
            return Ok(self.delete_definition(kind, &existing));
        }
        let mut object = existing.value();
        match options.propagation {
            Some(Propagation::Foreground) => add_finalizer(&mut object, "foregroundDeletion"),
            Some(Propagation::Orphan) if !self.dry_run => self.orphan(&existing),
            _ => {}
        }
        let grace = grace_period(kind, &object, options);
        if grace == 0 && finalizers(&object).is_empty() {
            // What goes is shown as of the version at which it went.
            let mut version = existing.version;
            if !self.dry_run {
                version = self.store.version() + 1;
                self.finish(&existing);
            }
            if is_pod(kind) {
                self.mark(&mut object, 0);
            }
            return Ok(Deleted::Gone(Rc::new(Object::new(kind, object, version))));
        }
        let known = object["metadata"]["deletionGracePeriodSeconds"].as_u64();
        if known.is_some_and(|known| known <= grace) && finalizers(&object) == finalizers(&existing.value()) {
            return Ok(Deleted::Ending(existing));
        }
        self.mark(&mut object, grace);
        if self.dry_run {
            return Ok(Deleted::Ending(Rc::new(Object::new(kind, object, existing.version))));
        }
        let ending = self.store.put(kind, object);
        self.collect_foreground(&ending);
        Ok(Deleted::Ending(ending))
    }

    /// Takes an object out, and with it what nobody else owns.
    pub(super) fn finish(&mut self, object: &Rc<Object>) {
        let mut gone = VecDeque::from([Rc::clone(object)]);
        while let Some(object) = gone.pop_front() {
            let Some(last) = self.store.remove(&object.kind, &object.key) else { continue };
            for dependent in self.store.owned_by(&last.uid) {
                if dependent.owners.iter().any(|uid| self.store.is_alive(uid)) {
                    continue;
                }
                if !self.is_held(&dependent) {
                    gone.push_back(dependent);
                } else {
                    self.end(&dependent);
                }
            }
            self.release_owners(&last);
        }
    }

    fn delete_namespace(&mut self, kind: &Rc<Kind>, existing: &Rc<Object>) -> Result<Deleted, Refusal> {
        let name = &*existing.key.name;
        if matches!(name, "default" | "kube-system" | "kube-public") {
            return Err(Refusal::forbidden(kind, name, "this namespace may not be deleted"));
        }
        let mut object = existing.value();
        if is_ending(&object) {
            return Ok(Deleted::Ending(Rc::clone(existing)));
        }
        object["metadata"]["deletionTimestamp"] = self.time(Duration::ZERO);
        object["status"]["phase"] = "Terminating".into();
        if self.dry_run {
            return Ok(Deleted::Ending(Rc::new(Object::new(kind, object, existing.version))));
        }
        Ok(Deleted::Ending(self.store.put(kind, object)))
    }

    /// Marks a definition; its end follows once its objects are gone.
    fn delete_definition(&mut self, kind: &Rc<Kind>, existing: &Rc<Object>) -> Deleted {
        let (mut object, now) = (existing.value(), self.time(Duration::ZERO));
        if is_ending(&object) {
            object["metadata"]["deletionGracePeriodSeconds"] = 0.into();
        } else {
            object["metadata"]["deletionTimestamp"] = now.clone();
            add_finalizer(&mut object, custom::CLEANUP);
            custom::set_condition(&mut object, "Terminating", custom::DELETION_PENDING, &now);
        }
        if self.dry_run || object == existing.value() {
            return Deleted::Ending(Rc::new(Object::new(kind, object, existing.version)));
        }
        Deleted::Ending(self.store.put(kind, object))
    }

    /// Deletes every object of a resource; says whether none is left.
    pub(crate) fn clear(&mut self, resource: ResourceId) -> bool {
        let all: Vec<Rc<Object>> = self.store.of_resource(resource).cloned().collect();
        for object in all {
            if finalizers(&object.value()).is_empty() {
                self.finish(&object);
            } else {
                self.end(&object);
            }
        }
        self.store.of_resource(resource).next().is_none()
    }

    /// Lets the owners go that wait for the last object that blocks their end.
    fn release_owners(&mut self, gone: &Object) {
        for uid in &gone.owners {
            let waiting = self.store.find_uid(uid).filter(|owner| is_ending(&owner.value()));
            if let Some(owner) = waiting {
                self.collect_foreground(&owner);
            }
        }
    }

    /// Deletes what an object owns before the object, if that is how it ends.
    fn collect_foreground(&mut self, owner: &Rc<Object>) {
        let mut object = owner.value();
        if !finalizers(&object).contains(&"foregroundDeletion") {
            return;
        }
        let owned = self.store.owned_by(&owner.uid);
        if owned.is_empty() {
            remove_finalizer(&mut object, "foregroundDeletion");
            if finalizers(&object).is_empty() {
                self.finish(owner);
            } else {
                self.store.put(&owner.kind, object);
            }
            return;
        }
        for dependent in owned {
            if !self.is_held(&dependent) {
                self.finish(&dependent);
            } else {
                self.end(&dependent);
            }
        }
    }

    /// Takes the owner out of what it owns.
    fn orphan(&mut self, owner: &Object) {
        for dependent in self.store.owned_by(&owner.uid) {
            let mut object = dependent.value();
            if let Some(owners) = object["metadata"]["ownerReferences"].as_array_mut() {
                owners.retain(|reference| reference["uid"].as_str() != Some(&owner.uid));
                if owners.is_empty() {
                    take(&mut object["metadata"], "ownerReferences");
                }
            }
            self.store.put(&dependent.kind, object);
        }
    }

    /// Whether an object stays for a while: its finalizers hold it, or the node that runs it.
    pub(super) fn is_held(&self, object: &Object) -> bool {
        let value = object.value();
        !finalizers(&value).is_empty() || self.grace_of(&object.kind, &value) > 0
    }

    /// How long an object that is deleted with another may take to end: no time where there are no nodes to end it.
    fn grace_of(&self, kind: &Kind, object: &Value) -> u64 {
        if self.store.is_heard() { grace_period(kind, object, &DeleteOptions::default()) } else { 0 }
    }

    /// Marks an object that something holds.
    pub(super) fn end(&mut self, object: &Object) {
        let mut value = object.value();
        if !is_ending(&value) {
            let grace = self.grace_of(&object.kind, &value);
            self.mark(&mut value, grace);
            self.store.put(&object.kind, value);
        }
    }

    fn mark(&self, object: &mut Value, grace: u64) {
        if !is_ending(object)
            && let Some(generation) = object["metadata"]["generation"].as_u64()
        {
            object["metadata"]["generation"] = generation.saturating_add(1).into();
        }
        object["metadata"]["deletionTimestamp"] = self.time(Duration::from_secs(grace));
        object["metadata"]["deletionGracePeriodSeconds"] = grace.into();
    }
}

/// How many seconds an object may take to end: only pods that run somewhere have any.
fn grace_period(kind: &Kind, object: &Value, options: &DeleteOptions) -> u64 {
    let unplaced = object["spec"]["nodeName"].as_str().is_none_or(str::is_empty);
    let over = matches!(object["status"]["phase"].as_str(), Some("Succeeded" | "Failed"));
    if !is_pod(kind) || unplaced || over {
        return 0;
    }
    options.grace.or(object["spec"]["terminationGracePeriodSeconds"].as_u64()).unwrap_or(30)
}

/// Only pods are deleted gracefully: even one that goes at once answers with the time of its end.
fn is_pod(kind: &Kind) -> bool {
    kind.is("", "pods")
}

fn add_finalizer(object: &mut Value, name: &str) {
    if finalizers(object).contains(&name) {
        return;
    }
    match object["metadata"]["finalizers"].as_array_mut() {
        Some(all) => all.push(name.into()),
        None => object["metadata"]["finalizers"] = json!([name]),
    }
}

fn remove_finalizer(object: &mut Value, name: &str) {
    if let Some(all) = object["metadata"]["finalizers"].as_array_mut() {
        all.retain(|finalizer| finalizer.as_str() != Some(name));
    }
    if finalizers(object).is_empty() {
        take(&mut object["metadata"], "finalizers");
    }
}
