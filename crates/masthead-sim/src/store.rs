//! All objects at one global version, and the last changes that led there.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
};

use serde_json::Value;

use crate::{
    conversion::convert,
    kind::{Kind, ResourceId},
    object::{Key, Object},
};

/// The objects of every kind. Its version grows by one with each change.
#[derive(Debug)]
pub(crate) struct Store {
    version: u64,
    /// An object's key and kind are those it is filed under.
    objects: BTreeMap<ResourceId, Objects>,
    /// Where the object of a uid lies: every object in `objects` is here.
    uids: BTreeMap<String, (ResourceId, Key)>,
    /// Who names this uid as an owner. Every kind and key here is that of an object in `objects`.
    owned: BTreeMap<String, BTreeSet<(ResourceId, Key)>>,
    /// The latest changes, oldest first, without gaps: the last one led to `version`.
    history: VecDeque<Change>,
    /// How many changes are kept; the oldest go first.
    window: usize,
    /// The namespaces that end.
    ending: BTreeSet<Rc<str>>,
    /// Those of `ending` that just came there or lost something, until somebody takes them to look after them.
    stirred: BTreeSet<Rc<str>>,
    /// Whether a definition of a kind changed, or an object went that a definition may wait for.
    touched_definitions: bool,
    /// What was stored and will expire, until somebody takes it to see to that; a request's worth.
    mortal: Vec<Rc<Object>>,
    /// The changes that the workloads engine has not seen, if one runs; it takes them at its next turn.
    unseen: Option<VecDeque<Change>>,
}

pub(crate) type Objects = BTreeMap<Key, Rc<Object>>;

/// A step from one version to the next.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) version: u64,
    pub(crate) before: Option<Rc<Object>>,
    /// `None` when the object went; `before` is then what it last was.
    pub(crate) after: Option<Rc<Object>>,
}

impl Change {
    /// The object it is about, as it is or last was.
    pub(crate) fn object(&self) -> &Rc<Object> {
        let either = self.after.as_ref().or(self.before.as_ref());
        either.expect("a change has an object before or after it")
    }
}

impl Store {
    /// How many changes a watch or a page may be late.
    pub(crate) const WINDOW: usize = 4096;

    pub(crate) fn new() -> Store {
        Store {
            version: 1,
            objects: BTreeMap::new(),
            uids: BTreeMap::new(),
            owned: BTreeMap::new(),
            history: VecDeque::new(),
            window: Self::WINDOW,
            ending: BTreeSet::new(),
            stirred: BTreeSet::new(),
            touched_definitions: false,
            mortal: Vec::new(),
            unseen: None,
        }
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The oldest version from which every change is known.
    pub(crate) fn oldest(&self) -> u64 {
        self.version - self.history.len() as u64
    }

    pub(crate) fn get(&self, kind: &Kind, key: &Key) -> Option<&Rc<Object>> {
        self.objects.get(&kind.resource)?.get(key)
    }

    /// The object of a resource that lies at a key, as it is stored.
    pub(crate) fn find(&self, resource: ResourceId, key: &Key) -> Option<&Rc<Object>> {
        self.objects.get(&resource)?.get(key)
    }

    /// The objects of a kind, in the order of their keys.
    pub(crate) fn all(&self, kind: &Kind) -> Option<&Objects> {
        self.objects.get(&kind.resource)
    }

    /// The objects of a resource, in the order of their keys.
    pub(crate) fn of_resource(&self, resource: ResourceId) -> impl Iterator<Item = &Rc<Object>> {
        self.objects.get(&resource).into_iter().flat_map(BTreeMap::values)
    }

    /// The objects of a kind in a namespace, in the order of their names.
    pub(crate) fn all_within<'a>(&'a self, kind: &Kind, namespace: &'a str) -> impl Iterator<Item = &'a Rc<Object>> {
        let from = Key::new(namespace, "");
        let objects = self.all(kind).into_iter().flat_map(move |all| all.range(from.clone()..));
        objects.map(|(_, object)| object).take_while(move |object| *object.key.namespace == *namespace)
    }

    /// Every object in a namespace. What is elsewhere costs nothing.
    pub(crate) fn within(&self, namespace: &str) -> Vec<Rc<Object>> {
        let from = Key::new(namespace, "");
        let inside = self.objects.values().flat_map(|all| {
            all.range(from.clone()..).map(|(_, object)| object).take_while(|object| *object.key.namespace == *namespace)
        });
        inside.cloned().collect()
    }

    /// The namespaces that end and that something happened to since the last call.
    pub(crate) fn take_stirred(&mut self) -> BTreeSet<Rc<str>> {
        std::mem::take(&mut self.stirred)
    }

    /// The objects that name `uid` as an owner.
    pub(crate) fn owned_by(&self, uid: &str) -> Vec<Rc<Object>> {
        let owned = self.owned.get(uid).into_iter().flatten();
        owned.filter_map(|(resource, key)| self.objects.get(resource)?.get(key).cloned()).collect()
    }

    /// Whether an object of this uid exists.
    pub(crate) fn is_alive(&self, uid: &str) -> bool {
        self.find_uid(uid).is_some()
    }

    /// The object of this uid.
    pub(crate) fn find_uid(&self, uid: &str) -> Option<Rc<Object>> {
        let (resource, key) = self.uids.get(uid)?;
        self.objects.get(resource)?.get(key).cloned()
    }

    /// The objects of a kind as they were at `version`; `None` when that is forgotten or still to come.
    pub(crate) fn all_at(&self, kind: &Kind, version: u64) -> Option<Objects> {
        if version < self.oldest() || version > self.version {
            return None;
        }
        let mut objects = self.all(kind).cloned().unwrap_or_default();
        for change in self.history.iter().rev().take_while(|change| change.version > version) {
            let object = change.object();
            if object.kind.resource != kind.resource {
                continue;
            }
            match &change.before {
                Some(before) => objects.insert(before.key.clone(), Rc::clone(before)),
                None => objects.remove(&object.key),
            };
        }
        Some(objects)
    }

    /// The changes behind `version`, oldest first.
    pub(crate) fn changes_since(&self, version: u64) -> impl Iterator<Item = &Change> {
        let known = usize::try_from(version.saturating_sub(self.oldest())).unwrap_or(usize::MAX);
        self.history.iter().skip(known)
    }

    /// Stores an object, new or not, at the next version. It is stored as its resource is, and given back as `kind` has it.
    pub(crate) fn put(&mut self, kind: &Rc<Kind>, value: Value) -> Rc<Object> {
        if let Some(stored) = &kind.hub {
            return self.put(stored, convert(value, kind, stored)).served_as(kind);
        }
        self.put_object(Object::new(kind, value, self.version + 1))
    }

    /// Stores an object that is made for the next version.
    pub(crate) fn put_object(&mut self, object: Object) -> Rc<Object> {
        let object = Rc::new(object);
        let filed = self.objects.entry(object.kind.resource).or_default();
        let before = filed.insert(object.key.clone(), Rc::clone(&object));
        self.index(before.as_deref(), Some(&object));
        self.touched_definitions |= object.kind.is_definition();
        let ends = object.kind.is("", "namespaces") && object.field("status.phase") == Some("Terminating");
        if ends && self.ending.insert(Rc::clone(&object.key.name)) {
            self.stirred.insert(Rc::clone(&object.key.name));
        }
        self.record(before, Some(Rc::clone(&object)));
        if object.kind.expires() {
            self.mortal.push(Rc::clone(&object));
        }
        object
    }

    /// Takes an object out at the next version, if it is there.
    pub(crate) fn remove(&mut self, kind: &Kind, key: &Key) -> Option<Rc<Object>> {
        let before = self.objects.get_mut(&kind.resource)?.remove(key)?;
        self.index(Some(&before), None);
        self.touched_definitions |= kind.is_definition() || kind.is_custom();
        if kind.is("", "namespaces") {
            self.ending.remove(&key.name);
        } else if self.ending.contains(&key.namespace) {
            self.stirred.insert(Rc::clone(&key.namespace));
        }
        self.record(Some(Rc::clone(&before)), None);
        Some(before)
    }

    /// Whether there may be something to do about definitions since the last call.
    pub(crate) fn take_touched_definitions(&mut self) -> bool {
        std::mem::take(&mut self.touched_definitions)
    }

    /// What was stored since the last call and will expire.
    pub(crate) fn take_mortal(&mut self) -> Vec<Rc<Object>> {
        std::mem::take(&mut self.mortal)
    }

    /// Keeps every change until somebody takes it, beginning with all that is there now as if it had just come.
    pub(crate) fn listen(&mut self) {
        let objects = self.objects.values().flat_map(BTreeMap::values).filter(|object| !object.kind.expires());
        let come =
            |object: &Rc<Object>| Change { version: object.version, before: None, after: Some(Rc::clone(object)) };
        self.unseen = Some(objects.map(come).collect());
    }

    /// Keeps no changes for anybody any more.
    pub(crate) fn ignore(&mut self) {
        self.unseen = None;
    }

    /// Whether somebody acts on changes: nodes that end their pods, for one.
    pub(crate) fn is_heard(&self) -> bool {
        self.unseen.is_some()
    }

    /// The next change that nobody took.
    pub(crate) fn take_unseen(&mut self) -> Option<Change> {
        self.unseen.as_mut()?.pop_front()
    }

    /// Keeps at most `window` changes from here on.
    pub(crate) fn keep(&mut self, window: usize) {
        self.window = window;
        self.trim();
    }

    /// Forgets how it came to be as it is.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
    }

    fn record(&mut self, before: Option<Rc<Object>>, after: Option<Rc<Object>>) {
        self.version += 1;
        let change = Change { version: self.version, before, after };
        // Nobody acts on an event.
        if let Some(unseen) = self.unseen.as_mut().filter(|_| !change.object().kind.expires()) {
            unseen.push_back(change.clone());
        }
        self.history.push_back(change);
        self.trim();
    }

    fn trim(&mut self) {
        while self.history.len() > self.window {
            self.history.pop_front();
        }
    }

    fn index(&mut self, before: Option<&Object>, after: Option<&Object>) {
        if let Some(object) = before {
            self.uids.remove(&object.uid);
            for uid in &object.owners {
                if let Some(owned) = self.owned.get_mut(uid) {
                    owned.remove(&place(object));
                    if owned.is_empty() {
                        self.owned.remove(uid);
                    }
                }
            }
        }
        if let Some(object) = after {
            self.uids.insert(object.uid.clone(), place(object));
            for uid in &object.owners {
                self.owned.entry(uid.clone()).or_default().insert(place(object));
            }
        }
    }
}

fn place(object: &Object) -> (ResourceId, Key) {
    (object.kind.resource, object.key.clone())
}
