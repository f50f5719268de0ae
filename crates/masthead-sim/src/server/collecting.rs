//! The verbs of a collection: list, watch, create, and the deletion of many.

use std::rc::Rc;

use masthead::rest::Method;
use serde_json::json;

use super::Asked;
use crate::{
    accept::Accepted,
    kind::Kind,
    listing,
    object::Object,
    refusal::Refusal,
    reply::Reply,
    selection::Selection,
    watching::Watching,
    write::DeleteOptions,
    write_options::{WriteOptions, WriteVerb},
};

impl Asked<'_> {
    pub(super) fn collection(&self, kind: &Rc<Kind>, namespace: Option<String>) -> Result<Reply, Refusal> {
        if kind.is("", "componentstatuses") {
            return self.component_status(kind, None);
        }
        match self.method {
            Method::Get if !kind.allows("list") => Err(Refusal::method_not_allowed()),
            Method::Get if self.query.flag("watch") => self.watch(kind, namespace, None),
            Method::Get => self.list(kind, namespace),
            Method::Post if kind.is("", "bindings") => self.bind(namespace.unwrap_or_default()),
            Method::Post if !kind.is_stored() => self.review(kind, &namespace.unwrap_or_default()),
            Method::Post if namespace.is_some() == kind.is_namespaced() => {
                let options = WriteOptions::of(WriteVerb::Create, &self.query)?;
                let object = self.decoded(kind, options)?;
                let namespace = namespace.unwrap_or_default();
                let created = self.write(options.dry_run, |write| write.create(kind, &namespace, object))?;
                self.shown(201, &created)
            }
            Method::Delete if kind.allows("deletecollection") => self.delete_collection(kind, namespace),
            _ => Err(Refusal::method_not_allowed()),
        }
    }

    fn list(&self, kind: &Rc<Kind>, namespace: Option<String>) -> Result<Reply, Refusal> {
        let selection = Selection::new(kind, namespace, &self.query)?;
        let world = self.shared.world.borrow();
        listing::list(&world.store, kind, &selection, &self.query, self.list_view(kind)?)
            .map(|body| Reply::json(200, body))
    }

    pub(super) fn watch(
        &self,
        kind: &Rc<Kind>,
        namespace: Option<String>,
        name: Option<&str>,
    ) -> Result<Reply, Refusal> {
        let mut selection = Selection::new(kind, namespace, &self.query)?;
        if let Some(name) = name {
            selection = selection.only(name)?;
        }
        let watching = Watching::open(self.shared, kind, selection, &self.query, self.view()?)?;
        // The real server cannot write an event as a list, and ends the stream without one.
        if matches!(self.accepted, Accepted::MetadataList(_)) {
            return Ok(Reply::json(200, Vec::new()));
        }
        Ok(Reply::watch(watching))
    }

    fn delete_collection(&self, kind: &Rc<Kind>, namespace: Option<String>) -> Result<Reply, Refusal> {
        let options = DeleteOptions::decode(self.body, &self.query)?;
        let selection = Selection::new(kind, namespace, &self.query)?;
        self.write(options.dry_run, |write| {
            let version = write.store.version();
            let all = write.store.all(kind).into_iter().flat_map(|all| all.values());
            let all = all.map(|object| object.served_as(kind));
            let chosen: Vec<Rc<Object>> = all.filter(|object| selection.matches(object)).collect();
            for object in &chosen {
                // One may have gone with another that owned it.
                if write.store.get(kind, &object.key).is_some() {
                    write.delete(kind, &object.key, &options)?;
                }
            }
            let metadata = json!({ "resourceVersion": version.to_string() }).to_string();
            let chosen: Vec<&Rc<Object>> = chosen.iter().collect();
            Ok(Reply::json(200, self.list_view(kind)?.list(kind, &metadata, &chosen)))
        })
    }
}
