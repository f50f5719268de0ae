//! PATCH of an applied object: one that says what it wants and leaves the rest to others.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{
    Write,
    replacement::{Half, check_address, check_version},
};
use crate::{
    defaults,
    kind::Kind,
    managed::{Ownership, Unapplied},
    object::{Key, Object},
    refusal::{Refusal, details},
    timestamp,
};

/// What somebody wants an object to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Application<'a> {
    pub(crate) half: Half,
    pub(crate) object: &'a Value,
    /// Take fields from those who own them.
    pub(crate) force: bool,
}

impl Write<'_> {
    /// Merges an applied object into one that is there.
    pub(crate) fn apply(
        &mut self,
        kind: &Rc<Kind>,
        existing: &Rc<Object>,
        Application { half, object, force }: Application<'_>,
    ) -> Result<Rc<Object>, Refusal> {
        check_applied(kind, object)?;
        let time = timestamp::format(self.runtime.wall());
        let ownership = Ownership::new(kind, half.part(), &self.caller.manager, &time);
        let mut next = ownership.apply(&existing.value(), object, force).map_err(refused)?;
        kind.schema.write(&mut next);
        defaults::complete(kind, &mut next);
        check_address(&existing.key, &next)?;
        check_version(kind, existing, &next)?;
        self.replace_owned(kind, existing, half, next)
    }

    /// Creates an object as it is applied.
    pub(crate) fn apply_new(&mut self, kind: &Rc<Kind>, key: &Key, applied: &Value) -> Result<Rc<Object>, Refusal> {
        check_applied(kind, applied)?;
        let time = timestamp::format(self.runtime.wall());
        let ownership = Ownership::new(kind, None, &self.caller.manager, &time);
        let mut object = ownership.apply(&json!({}), applied, false).map_err(refused)?;
        kind.schema.write(&mut object);
        defaults::complete(kind, &mut object);
        if let Some(uid) = object["metadata"]["uid"].as_str() {
            let why =
                format!("uid mismatch: the provided object specified uid {uid}, and no existing object was found");
            let about = details(&key.name, &kind.group, &kind.plural);
            return Err(Refusal::conflict(&kind.qualified_plural(), about, &why));
        }
        check_address(key, &object)?;
        // A version is that of nothing yet.
        if let Some(metadata) = object["metadata"].as_object_mut() {
            metadata.remove("resourceVersion");
        }
        self.create_owned(kind, &key.namespace, object)
    }
}

/// Refuses what is no object of the kind, and owners that came with it.
fn check_applied(kind: &Kind, applied: &Value) -> Result<(), Refusal> {
    let text = |field: &str| applied[field].as_str().unwrap_or_default();
    let (api_version, name) = (text("apiVersion"), text("kind"));
    if api_version != kind.api_version() || name != kind.kind {
        let slash = if api_version.contains('/') { "" } else { "/" };
        return Err(Refusal::bad_request(format!("invalid object type: {slash}{api_version}, Kind={name}")));
    }
    if !applied["metadata"]["managedFields"].is_null() {
        return Err(Refusal::bad_request("metadata.managedFields must be nil"));
    }
    Ok(())
}

fn refused(unapplied: Unapplied) -> Refusal {
    match &unapplied {
        Unapplied::Untyped(what) => Refusal::internal(what),
        Unapplied::Conflicts(_) => Refusal::apply_conflict(unapplied.message(), unapplied.causes()),
    }
}
