//! How the engine reads and writes: as the server's other clients do, in the name of a component.

use std::{rc::Rc, time::Duration};

use masthead::runtime::Instant;
use serde_json::Value;

use super::{component::Component, engine::State, resource::Resource};
use crate::{
    caller::Caller,
    kind::Kind,
    object::{Key, Object},
    refusal::Refusal,
    sim::Shared,
    timestamp,
    write::{DeleteOptions, Half, Write},
};

/// One turn of the engine: what it knows, and the server in its hands. Controllers are its methods, a file for each.
pub(super) struct Turn<'a> {
    pub(super) shared: &'a Shared,
    pub(super) state: &'a mut State,
}

impl Turn<'_> {
    pub(super) fn now(&self) -> Instant {
        self.shared.runtime.now()
    }

    /// The time since 1970.
    pub(super) fn wall(&self) -> Duration {
        self.shared.runtime.wall()
    }

    /// The time now, as objects name it.
    pub(super) fn time(&self) -> Value {
        timestamp::format(self.wall()).into()
    }

    /// The moment on the engine's clock of a time that an object names; now for one to come.
    pub(super) fn moment(&self, wall: Duration) -> Instant {
        let ago = self.wall().saturating_sub(wall);
        Instant::ORIGIN + self.now().since(Instant::ORIGIN).saturating_sub(ago)
    }

    /// A time between two, by chance.
    pub(super) fn between(&self, least: Duration, most: Duration) -> Duration {
        least + most.saturating_sub(least).mul_f64(self.shared.runtime.random())
    }

    /// Hexadecimal digits, by chance.
    pub(super) fn hex(&self, digits: usize) -> String {
        (0..digits).filter_map(|_| char::from_digit((self.shared.runtime.random() * 16.0) as u32, 16)).collect()
    }

    pub(super) fn object(&self, resource: Resource, key: &Key) -> Option<Rc<Object>> {
        let world = self.shared.world.borrow();
        let kind = kind(&world.kinds, resource)?;
        world.store.get(&kind, key).cloned()
    }

    pub(super) fn get(&self, resource: Resource, key: &Key) -> Option<Value> {
        self.object(resource, key).map(|object| object.value())
    }

    /// The objects of a kind in a namespace, or in all.
    pub(super) fn list(&self, resource: Resource, namespace: Option<&str>) -> Vec<Rc<Object>> {
        let world = self.shared.world.borrow();
        let Some(kind) = kind(&world.kinds, resource) else { return Vec::new() };
        match namespace {
            Some(namespace) => world.store.all_within(&kind, namespace).cloned().collect(),
            None => world.store.all(&kind).into_iter().flat_map(|all| all.values()).cloned().collect(),
        }
    }

    /// The objects of a kind that an object owns.
    pub(super) fn owned(&self, resource: Resource, uid: &str) -> Vec<Rc<Object>> {
        let (group, _, plural) = resource.names();
        let owned = self.shared.world.borrow().store.owned_by(uid);
        owned.into_iter().filter(|object| object.kind.is(group, plural)).collect()
    }

    /// Creates an object; the refusal's words where it is refused.
    pub(super) fn create(&mut self, by: Component, resource: Resource, object: Value) -> Result<Value, String> {
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default().to_owned();
        let created = self.write(by, resource, |write, kind| write.create(kind, &namespace, object));
        created
            .map(|object| object.value())
            .map_err(|refusal| refusal.status()["message"].as_str().unwrap_or_default().to_owned())
    }

    /// Writes the next state of an object, or of its status. One that went or changed meanwhile is looked at again anyway.
    pub(super) fn update(&mut self, by: Component, resource: Resource, half: Half, object: Value) -> bool {
        let key = key_of(&object);
        self.write(by, resource, |write, kind| write.replace(kind, &key, half, object)).is_ok()
    }

    /// Asks for the end of an object, with a grace period of its own or one that is given.
    pub(super) fn delete(&mut self, by: Component, resource: Resource, key: &Key, grace: Option<u64>) -> bool {
        let options = DeleteOptions { grace, ..DeleteOptions::default() };
        self.write(by, resource, |write, kind| write.delete(kind, key, &options)).is_ok()
    }

    /// Puts a pod on a node.
    pub(super) fn bind(&mut self, key: &Key, node: &str) -> bool {
        let target = serde_json::json!({ "kind": "Node", "name": node });
        let binding = serde_json::json!({ "metadata": { "name": *key.name }, "target": target });
        self.write(Component::Scheduler, Resource::Pod, |write, kind| write.bind(kind, key, &binding)).is_ok()
    }

    fn write<T>(
        &mut self,
        by: Component,
        resource: Resource,
        change: impl FnOnce(&mut Write<'_>, &Rc<Kind>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let caller = Caller::component(by.program());
        let kind = kind(&self.shared.world.borrow().kinds, resource);
        let kind = kind.expect("every kind the engine writes is built in");
        // A component has nobody to pass warnings on to.
        self.shared.write(&caller, false, &mut Vec::new(), |write| change(write, &kind))
    }
}

fn kind(kinds: &crate::registry::Registry, resource: Resource) -> Option<Rc<Kind>> {
    let (group, version, plural) = resource.names();
    kinds.find(group, version, plural).cloned()
}

/// Where an object lies.
pub(crate) fn key_of(object: &Value) -> Key {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
    Key::new(text("namespace"), text("name"))
}
