//! What follows from definitions: conditions, kinds that come and go, the end of objects with their definition.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{
    Phase,
    definition::{self, Place},
    names::{self, Taken},
};
use crate::{
    api_service,
    caller::Caller,
    kind::Kind,
    object::Object,
    write::{Half, Write},
};

/// The finalizer that holds a definition until its objects are gone.
pub(crate) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// The condition of a definition that was just deleted: status, reason and message.
pub(crate) const DELETION_PENDING: (&str, &str, &str) = (
    "True",
    "InstanceDeletionPending",
    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
);
const DELETION_IN_PROGRESS: (&str, &str, &str) =
    ("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress");
const NO_CONFLICTS: (&str, &str, &str) = ("True", "NoConflicts", "no conflicts found");
const NOT_ACCEPTED: (&str, &str, &str) = ("False", "NotAccepted", "not all names are accepted");
const INSTALLING: (&str, &str, &str) = ("False", "Installing", "the initial names have been accepted");
const ESTABLISHED: (&str, &str, &str) = ("True", "InitialNamesAccepted", "the initial names have been accepted");

impl Write<'_> {
    /// Brings the kinds that are served in line with the definitions, if any of those changed.
    pub(crate) fn settle_definitions(&mut self) {
        if !self.store.take_touched_definitions() {
            return;
        }
        let Some(kind) = self.kinds.definitions().cloned() else { return };
        let server = Caller::component("kube-apiserver");
        let mut warnings = Vec::new();
        let mut write = Write { caller: &server, warnings: &mut warnings, dry_run: false, ..self.reborrow() };
        // Each step of a definition may free names for another, or be what another waits for.
        while write.step(&kind) {}
        write.serve_defined(&kind);
        api_service::follow(&mut write);
        write.store.take_touched_definitions();
    }

    /// Takes the first step that any definition has to take; says whether there was one.
    fn step(&mut self, kind: &Rc<Kind>) -> bool {
        let all = self.definitions(kind);
        all.iter().any(|found| self.end_definition(kind, found) || self.name_definition(kind, found, &all))
    }

    fn definitions(&self, kind: &Kind) -> Vec<Rc<Object>> {
        self.store.all(kind).into_iter().flat_map(|all| all.values()).cloned().collect()
    }

    /// Accepts names as far as they are free, and then establishes.
    fn name_definition(&mut self, kind: &Rc<Kind>, found: &Rc<Object>, all: &[Rc<Object>]) -> bool {
        let before = found.value();
        let mut taken = Taken::default();
        for other in all.iter().filter(|other| other.key != found.key) {
            let other = other.value();
            if other["spec"]["group"] == before["spec"]["group"] {
                taken.add(&other);
            }
        }
        let naming = names::decide(&before, &taken);
        let mut next = before.clone();
        next["status"]["acceptedNames"] = naming.accepted;
        let now = self.time(std::time::Duration::ZERO);
        let accepted = naming.conflict.is_none();
        match &naming.conflict {
            Some((reason, message)) => {
                set_condition(&mut next, "NamesAccepted", ("False", reason, message), &now);
            }
            None => set_condition(&mut next, "NamesAccepted", NO_CONFLICTS, &now),
        }
        let established = match condition(&before, "Established") {
            Some(known) if known["status"] == "True" => None,
            Some(known) if accepted && known["reason"] == "Installing" => Some(ESTABLISHED),
            _ if accepted => Some(INSTALLING),
            Some(_) => None,
            None => Some(NOT_ACCEPTED),
        };
        if let Some(established) = established {
            set_condition(&mut next, "Established", established, &now);
        }
        next != before && self.replace(kind, &found.key, Half::Status, next).is_ok()
    }

    /// Lets a definition go that was deleted, once its objects are gone.
    fn end_definition(&mut self, kind: &Rc<Kind>, found: &Rc<Object>) -> bool {
        let before = found.value();
        let held = before["metadata"]["finalizers"].as_array().is_some_and(|all| all.contains(&CLEANUP.into()));
        if before["metadata"]["deletionTimestamp"].is_null() || !held {
            return false;
        }
        let mut next = before.clone();
        let now = self.time(std::time::Duration::ZERO);
        set_condition(&mut next, "Terminating", DELETION_IN_PROGRESS, &now);
        if next != before {
            return self.replace(kind, &found.key, Half::Status, next).is_ok();
        }
        if let Some(resource) = self.kinds.resource_of(&found.key.name)
            && !self.clear(resource)
        {
            return false;
        }
        if let Some(finalizers) = next["metadata"]["finalizers"].as_array_mut() {
            finalizers.retain(|finalizer| finalizer != CLEANUP);
        }
        self.replace(kind, &found.key, Half::Main, next).is_ok()
    }

    /// Serves what is established, as it is defined now, and nothing else.
    fn serve_defined(&mut self, kind: &Kind) {
        let all = self.definitions(kind);
        self.kinds.retain_defined(|name| all.iter().any(|found| *found.key.name == *name));
        for found in all {
            let value = found.value();
            if condition(&value, "Established").is_none_or(|known| known["status"] != "True") {
                continue;
            }
            let terminating = condition(&value, "Terminating").is_some_and(|known| known["status"] == "True");
            let phase = if terminating { Phase::Terminating } else { Phase::Established };
            let shape = json!([value["spec"], value["status"]["acceptedNames"], terminating]);
            let since = self.store.version();
            self.kinds
                .define(&found.key.name, shape, |resource| definition::kinds(&value, Place { resource, since, phase }));
        }
    }
}

/// Sets a condition of an object to a status, with its reason and message; the time changes with the status.
pub(crate) fn set_condition(object: &mut Value, name: &str, to: (&str, &str, &str), now: &Value) {
    let (status, reason, message) = to;
    let mut next = json!({
        "type": name, "status": status, "lastTransitionTime": now, "reason": reason, "message": message,
    });
    if !object["status"]["conditions"].is_array() {
        object["status"]["conditions"] = json!([]);
    }
    let Some(conditions) = object["status"]["conditions"].as_array_mut() else { return };
    match conditions.iter_mut().find(|known| known["type"] == name) {
        Some(known) => {
            if known["status"] == status {
                next["lastTransitionTime"] = known["lastTransitionTime"].clone();
            }
            *known = next;
        }
        None => conditions.push(next),
    }
}

fn condition<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    object["status"]["conditions"].as_array()?.iter().find(|known| known["type"] == name)
}
