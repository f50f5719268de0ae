//! The objects that things happen to, and who owns whom.

use std::collections::HashMap;

use masthead::lean::Interned;

/// An object by what people call it. One that is deleted and made again under its name is the same subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// The kind, as in `ReplicaSet`.
    pub kind: Interned,
    /// The namespace; empty for what has none.
    pub namespace: Interned,
    /// The name.
    pub name: Interned,
}

impl Subject {
    /// The subject of these words.
    pub fn new(kind: &str, namespace: &str, name: &str) -> Subject {
        Subject { kind: kind.into(), namespace: namespace.into(), name: name.into() }
    }
}

/// A subject's place among the [`Subjects`]; good until they are sifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubjectId(u32);

impl SubjectId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Every subject that is known, with its owner.
#[derive(Debug, Default)]
pub struct Subjects {
    known: Vec<Entry>,
    by_name: HashMap<Subject, SubjectId>,
}

#[derive(Clone, Debug)]
struct Entry {
    subject: Subject,
    /// Never leads back to the subject itself.
    owner: Option<SubjectId>,
}

impl Subjects {
    /// The place of `subject`, which is known from here on.
    pub fn place(&mut self, subject: Subject) -> SubjectId {
        if let Some(id) = self.by_name.get(&subject) {
            return *id;
        }
        let id = SubjectId(self.known.len() as u32);
        self.known.push(Entry { subject: subject.clone(), owner: None });
        self.by_name.insert(subject, id);
        id
    }

    /// Says that `owner` owns `child`; whether that is news. What would make a circle is not believed.
    pub fn adopt(&mut self, child: SubjectId, owner: SubjectId) -> bool {
        let news = self.known[child.index()].owner != Some(owner);
        if !news || self.lineage(owner).any(|ancestor| ancestor == child) {
            return false;
        }
        self.known[child.index()].owner = Some(owner);
        true
    }

    /// Keeps those that `used` says, with all that own them, and tells where each is now.
    pub fn sift(&mut self, mut used: impl FnMut(SubjectId) -> bool) -> Vec<Option<SubjectId>> {
        let mut kept = vec![false; self.known.len()];
        for index in 0..self.known.len() {
            let id = SubjectId(index as u32);
            if !kept[index] && used(id) {
                self.lineage(id).for_each(|ancestor| kept[ancestor.index()] = true);
            }
        }
        let old = std::mem::take(&mut self.known);
        self.by_name.clear();
        let mut moved = vec![None; old.len()];
        for (entry, slot) in old.iter().zip(&mut moved).zip(&kept).filter_map(|(pair, kept)| kept.then_some(pair)) {
            *slot = Some(self.place(entry.subject.clone()));
        }
        for (index, entry) in old.iter().enumerate() {
            if let (Some(id), Some(owner)) = (moved[index], entry.owner) {
                self.known[id.index()].owner = moved[owner.index()];
            }
        }
        moved
    }

    /// The place of `subject`, if it is known.
    pub fn find(&self, subject: &Subject) -> Option<SubjectId> {
        self.by_name.get(subject).copied()
    }

    /// The subject at a place.
    pub fn get(&self, id: SubjectId) -> &Subject {
        &self.known[id.index()].subject
    }

    /// The subject, its owner, the owner of that, and so on.
    pub fn lineage(&self, id: SubjectId) -> impl Iterator<Item = SubjectId> + '_ {
        std::iter::successors(Some(id), |id| self.known[id.index()].owner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family() -> (Subjects, [SubjectId; 3]) {
        let mut subjects = Subjects::default();
        let ids = [("Deployment", "web"), ("ReplicaSet", "web-1"), ("Pod", "web-1-a")]
            .map(|(kind, name)| subjects.place(Subject::new(kind, "shop", name)));
        assert!(subjects.adopt(ids[2], ids[1]) && subjects.adopt(ids[1], ids[0]));
        (subjects, ids)
    }

    #[test]
    fn a_lineage_ends_at_the_one_without_an_owner() {
        let (mut subjects, [deployment, set, pod]) = family();
        assert_eq!(subjects.lineage(pod).collect::<Vec<_>>(), [pod, set, deployment]);
        assert!(!subjects.adopt(pod, set), "that is known");
        assert_eq!(subjects.place(Subject::new("Pod", "shop", "web-1-a")), pod);
    }

    #[test]
    fn nobody_owns_itself() {
        let (mut subjects, [deployment, _, pod]) = family();
        assert!(!subjects.adopt(deployment, pod));
        assert!(!subjects.adopt(pod, pod));
        assert_eq!(subjects.lineage(deployment).count(), 1);
    }

    #[test]
    fn sifting_keeps_the_owners_of_what_is_kept() {
        let (mut subjects, [_, _, pod]) = family();
        let other = subjects.place(Subject::new("Node", "", "n1"));
        let moved = subjects.sift(|id| id == pod);
        assert_eq!((subjects.len(), moved[other.index()]), (3, None));
        let names = subjects.lineage(moved[pod.index()].unwrap()).map(|id| subjects.get(id).name.to_string());
        assert_eq!(names.collect::<Vec<_>>(), ["web-1-a", "web-1", "web"]);
        assert_eq!(subjects.find(&Subject::new("Node", "", "n1")), None);
    }
}
