//! The rows of the namespace table: what is shown, and in which order.
//!
//! Rows change through [`Rows::apply`] alone, a batch at a time, and each batch says what changed, so that whoever draws
//! touches only that.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::model::namespace::Namespace;

/// One change of a batch.
#[derive(Clone, Debug)]
pub enum Change {
    /// The namespace exists in this state.
    Present(Namespace),
    /// The namespace with this uid is gone.
    Gone(String),
}

/// What a batch changed.
#[derive(Debug, Default, PartialEq)]
pub struct Changed {
    /// Rows that are new or differ from before, by uid; each once.
    pub written: Vec<Arc<str>>,
    /// Rows that are gone, by uid.
    pub removed: Vec<Arc<str>>,
}

impl Changed {
    /// Whether the batch changed nothing.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.removed.is_empty()
    }
}

/// The namespaces on screen by uid, and their order.
#[derive(Debug, Default)]
pub struct Rows {
    by_uid: HashMap<Arc<str>, Namespace>,
    /// Every uid of `by_uid` once, by name and then by uid: kubectl's order.
    order: Vec<Arc<str>>,
}

impl Rows {
    /// Applies a batch in order.
    pub fn apply(&mut self, batch: impl IntoIterator<Item = Change>) -> Changed {
        let mut changed = Changed::default();
        for change in batch {
            match change {
                Change::Present(namespace) => self.write(namespace, &mut changed),
                Change::Gone(uid) => self.remove(&uid, &mut changed),
            }
        }
        if !changed.is_empty() {
            self.sort();
        }
        changed
    }

    /// Removes every row whose uid is not in `alive`: what a complete list no longer has.
    pub fn retain(&mut self, alive: &HashSet<String>) -> Changed {
        let gone: Vec<Change> =
            self.order.iter().filter(|uid| !alive.contains(&***uid)).map(|uid| Change::Gone(uid.to_string())).collect();
        self.apply(gone)
    }

    /// The row of a uid.
    pub fn get(&self, uid: &str) -> Option<&Namespace> {
        self.by_uid.get(uid)
    }

    /// Every uid, in the order of the screen.
    pub fn order(&self) -> &[Arc<str>] {
        &self.order
    }

    fn write(&mut self, namespace: Namespace, changed: &mut Changed) {
        let uid: Arc<str> = namespace.uid.as_str().into();
        if self.by_uid.get(&uid) == Some(&namespace) {
            return;
        }
        changed.removed.retain(|removed| *removed != uid);
        if !changed.written.contains(&uid) {
            changed.written.push(uid.clone());
        }
        self.by_uid.insert(uid, namespace);
    }

    fn remove(&mut self, uid: &str, changed: &mut Changed) {
        if let Some((uid, _)) = self.by_uid.remove_entry(uid) {
            changed.written.retain(|written| *written != uid);
            changed.removed.push(uid);
        }
    }

    fn sort(&mut self) {
        let by_uid = &self.by_uid;
        self.order = by_uid.keys().cloned().collect();
        self.order.sort_unstable_by(|a, b| (&by_uid[a].name, a).cmp(&(&by_uid[b].name, b)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::namespace::Phase;

    /// Runs `+name:uid:version` and `-uid` as one batch and writes `written|removed|order of names`.
    fn batch(rows: &mut Rows, script: &str) -> String {
        let changes = script.split_whitespace().map(|word| match word.split_at(1) {
            ("-", uid) => Change::Gone(uid.to_owned()),
            (_, object) => {
                let mut parts = object.split(':').map(str::to_owned);
                let mut next = || parts.next().unwrap();
                let (name, uid, resource_version) = (next(), next(), next());
                let (created, created_text) = (None, String::new());
                let phase = Phase::Active;
                Change::Present(Namespace { uid, name, phase, created_text, created, resource_version })
            }
        });
        let changed = rows.apply(changes.collect::<Vec<_>>());
        describe(rows, &changed)
    }

    fn describe(rows: &Rows, changed: &Changed) -> String {
        let names: Vec<&str> = rows.order().iter().map(|uid| rows.get(uid).unwrap().name.as_str()).collect();
        format!("{}|{}|{}", changed.written.join(","), changed.removed.join(","), names.join(","))
    }

    #[test]
    fn sorts_by_name_whatever_the_order_of_arrival() {
        let mut rows = Rows::default();
        assert_eq!(batch(&mut rows, "+web:2:1 +default:1:1 +kube-system:3:1"), "2,1,3||default,kube-system,web");
        assert_eq!(batch(&mut rows, "+app:4:2"), "4||app,default,kube-system,web");
    }

    #[test]
    fn an_unchanged_object_changes_nothing() {
        let mut rows = Rows::default();
        batch(&mut rows, "+web:2:1");
        assert_eq!(batch(&mut rows, "+web:2:1"), "||web");
        assert_eq!(batch(&mut rows, "+web:2:2"), "2||web");
        assert_eq!(batch(&mut rows, "-9"), "||web");
    }

    #[test]
    fn a_namespace_made_again_is_another_row() {
        let mut rows = Rows::default();
        batch(&mut rows, "+web:1:1");
        assert_eq!(batch(&mut rows, "-1 +web:2:3"), "2|1|web");
    }

    #[test]
    fn the_last_word_of_a_batch_wins() {
        let mut rows = Rows::default();
        assert_eq!(batch(&mut rows, "+web:1:1 +web:1:2 -1"), "|1|");
        assert_eq!(batch(&mut rows, "+web:1:1 -1 +web:1:2"), "1||web");
    }

    #[test]
    fn a_complete_list_removes_what_it_does_not_have() {
        let mut rows = Rows::default();
        batch(&mut rows, "+a:1:1 +b:2:1 +c:3:1");
        let changed = rows.retain(&HashSet::from(["1".to_owned(), "3".to_owned()]));
        assert_eq!(describe(&rows, &changed), "|2|a,c");
    }
}
