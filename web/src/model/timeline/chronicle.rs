//! What happened: everything that the timeline was told, as points, phases and owners.

use std::{collections::HashMap, rc::Rc};

use masthead::{
    cache::{Notification, Object},
    lean::{self, Interned, Lean, Projector, Strings},
    packed::Packed,
    rest::{Decoder, MediaType},
};

use super::{
    event::{self, EventFields},
    kinship,
    phase::{self, Phase, Phases, Stretch},
    pod,
    point::{Class, Point, Series, Status},
    record::Record,
    store::{Recorded, Store},
    subject::{Subject, SubjectId, Subjects},
    track::PointId,
    window::FARTHEST,
    workload::WorkloadFields,
};
use crate::model::table::row::{Owner, Row};

/// Something the timeline is told.
#[derive(Clone, Debug)]
pub enum News {
    /// An Event is there, or has another count.
    Event(Rc<Packed<Row>>),
    /// What a feed says of a pod.
    Pod(Notification<Packed<Row>>),
    /// What a feed says of an object of another kind.
    Workload(&'static str, Notification<Packed<Row>>),
    /// What was kept at earlier visits.
    Remembered(Vec<Record>),
}

/// What some news changed.
#[derive(Debug, Default)]
pub struct Told {
    /// Points that are there now and were not.
    pub fresh: Vec<PointId>,
    /// Whether owners, weights or ids changed, so that what was made of the points must be made anew.
    pub upset: bool,
}

/// Everything that happened.
///
/// Of pods it reads what their rows say. Of an event, and of a workload that changed, it reads the object itself: there are
/// few of them, and that takes microseconds.
#[derive(Debug)]
pub struct Chronicle {
    subjects: Subjects,
    store: Store,
    phases: HashMap<SubjectId, Phases>,
    /// The pods below each subject; `None` after owners changed.
    families: Option<HashMap<SubjectId, Vec<SubjectId>>>,
    /// The phases of families, as far as somebody looked at them since they changed.
    joined: HashMap<SubjectId, Rc<[Stretch]>>,
    strings: Strings,
    events: Projector<EventFields>,
    workloads: Projector<WorkloadFields>,
}

impl Default for Chronicle {
    fn default() -> Chronicle {
        let strings = Strings::new();
        Chronicle {
            subjects: Subjects::default(),
            store: Store::default(),
            phases: HashMap::new(),
            families: None,
            joined: HashMap::new(),
            events: Projector::new().strings(&strings),
            workloads: Projector::new().strings(&strings),
            strings,
        }
    }
}

impl Chronicle {
    /// One that keeps at most `limit` points.
    #[cfg(test)]
    pub(super) fn with_limit(limit: usize) -> Chronicle {
        Chronicle { store: Store::with_limit(limit), ..Chronicle::default() }
    }

    /// Takes news in.
    pub fn hear(&mut self, news: News, now: i64, told: &mut Told) {
        match news {
            News::Event(event) => {
                if let Some(event) = read(&self.events, &event) {
                    self.event(&event, told);
                }
            }
            News::Pod(change) => self.pod(&change, now, told),
            News::Workload(kind, change) => self.workload(kind, &change, now, told),
            News::Remembered(records) => {
                for record in records {
                    if let Some(point) = record.point(&mut self.subjects, &self.strings) {
                        self.record(point, told);
                    }
                }
                told.upset = true;
                self.families = None;
            }
        }
    }

    /// Lets what is too much go, if there is too much; whether there was. Then every id is another.
    pub fn sift(&mut self) -> bool {
        if !self.store.is_full() {
            return false;
        }
        self.store.sift(&self.subjects);
        let mut used = vec![false; self.subjects.len()];
        self.store.points().iter().for_each(|point| used[point.subject.index()] = true);
        for (id, phases) in &self.phases {
            used[id.index()] |= phases.latest() != Some(Phase::Absent);
        }
        let moved = self.subjects.sift(|id| used[id.index()]);
        self.store.move_subjects(&moved);
        let phases = std::mem::take(&mut self.phases).into_iter();
        self.phases = phases.filter_map(|(id, phases)| Some((moved[id.index()]?, phases))).collect();
        (self.families, self.joined) = (None, HashMap::new());
        true
    }

    /// The phases of a pod, or the worst of all pods below a subject. Made once, for as long as nothing changes.
    pub fn stretches(&mut self, subject: SubjectId) -> Rc<[Stretch]> {
        if let Some(known) = self.joined.get(&subject) {
            return known.clone();
        }
        let (subjects, all) = (&self.subjects, &self.phases);
        let families = self.families.get_or_insert_with(|| {
            let mut families: HashMap<SubjectId, Vec<SubjectId>> = HashMap::new();
            for pod in all.keys() {
                subjects.lineage(*pod).for_each(|ancestor| families.entry(ancestor).or_default().push(*pod));
            }
            families
        });
        let family = families.get(&subject).into_iter().flatten();
        let joined: Rc<[Stretch]> = phase::worst(family.filter_map(|pod| all.get(pod)), i64::MIN, i64::MAX).into();
        self.joined.insert(subject, joined.clone());
        joined
    }

    /// The phases of one pod alone.
    pub fn phases(&self, subject: SubjectId) -> Option<&Phases> {
        self.phases.get(&subject)
    }

    /// Every subject.
    pub fn subjects(&self) -> &Subjects {
        &self.subjects
    }

    /// Every point.
    pub fn store(&self) -> &Store {
        &self.store
    }

    fn event(&mut self, event: &lean::Row<EventFields>, told: &mut Told) {
        let (origin, count) = (fingerprint(&[&event::identity(event)]), event.count());
        let known = self.store.ordinal(origin);
        let Some(last) = event.last() else { return };
        if count <= known {
            return;
        }
        let about = event.subject();
        let named = kinship::named_by(&about, &event.reason, &event.message);
        let subject = self.subjects.place(about);
        if let Some(child) = named {
            let child = self.subjects.place(child);
            self.adopt(child, subject, told);
        }
        let at = |time: i64, ordinal: u32| Point {
            time,
            subject,
            class: Class::Event,
            status: event.status(),
            reason: event.reason.clone(),
            message: event.message.clone(),
            source: event.source().clone(),
            series: Series { origin, ordinal },
            weight: 1,
        };
        let first = event.first().filter(|first| known == 0 && count > 1 && *first < last);
        if let Some(first) = first {
            self.record(at(first, 1), told);
        }
        self.record(at(last, count), told);
    }

    fn pod(&mut self, change: &Notification<Packed<Row>>, now: i64, told: &mut Told) {
        match change {
            Notification::Added { object, .. } => self.pod_came(object, now, told),
            Notification::Updated { old, new } if old.uid() != new.uid() => {
                self.went("Pod", &**old, now, told);
                self.pod_came(new, now, told);
            }
            Notification::Updated { old, new } => {
                let subject = self.place("Pod", &**new);
                // A pod tells when it began to run, but not when it became ready or ceased to be.
                let (before, life) = (pod::life(old).phase, pod::life(new));
                let runs = matches!(before, Phase::Running | Phase::NotReady);
                let since = life.since().filter(|since| *since <= now && !runs);
                self.enter(subject, since.unwrap_or(now), life.phase);
                if let Some(message) = pod::change(old, new) {
                    let status = match life.phase {
                        Phase::CrashLooping | Phase::Failed => Status::Failure,
                        Phase::NotReady if before == Phase::Running => Status::Warning,
                        _ => Status::Activity,
                    };
                    let point = self.change(subject, Class::Changed, now, [new.uid(), new.resource_version()]);
                    self.record(Point { status, message: self.strings.intern(&message), ..point }, told);
                }
            }
            Notification::Deleted(tombstone) => {
                if let Some(last) = tombstone.last() {
                    self.went("Pod", &**last, now, told);
                }
            }
        }
    }

    fn pod_came(&mut self, pod: &Packed<Row>, now: i64, told: &mut Told) {
        let subject = self.place("Pod", pod);
        self.owned(subject, pod.owner.as_ref(), told);
        self.joined.clear();
        let phases = self.phases.entry(subject).or_default();
        pod::past(pod, phases, now);
        if let Some(families) = &mut self.families {
            let lineage = self.subjects.lineage(subject);
            lineage.for_each(|ancestor| {
                let family = families.entry(ancestor).or_default();
                if !family.contains(&subject) {
                    family.push(subject);
                }
            });
        }
        self.came(subject, pod, (pod.created.unwrap_or(now), now), told);
    }

    fn workload(&mut self, kind: &'static str, change: &Notification<Packed<Row>>, now: i64, told: &mut Told) {
        match change {
            Notification::Added { object, .. } => {
                let subject = self.place(kind, &**object);
                self.owned(subject, object.owner.as_ref(), told);
                self.came(subject, &**object, (object.created.unwrap_or(now), now), told);
            }
            Notification::Updated { old, new } => {
                let [before, after] = [old, new].map(|object| read(&self.workloads, object));
                if let Some(message) = before.zip(after).and_then(|(before, after)| after.change_since(&before)) {
                    let subject = self.place(kind, &**new);
                    let point = self.change(subject, Class::Changed, now, [new.uid(), new.resource_version()]);
                    self.record(Point { message: self.strings.intern(&message), ..point }, told);
                }
            }
            Notification::Deleted(tombstone) => {
                if let Some(last) = tombstone.last() {
                    self.went(kind, &**last, now, told);
                }
            }
        }
    }

    /// An object is there since `time`. What is older than anything that can be shown is no point.
    fn came(&mut self, subject: SubjectId, object: &impl Object, (time, now): (i64, i64), told: &mut Told) {
        if time >= now - FARTHEST {
            self.record(self.change(subject, Class::Created, time, [object.uid(), "created"]), told);
        }
    }

    fn went(&mut self, kind: &str, object: &impl Object, now: i64, told: &mut Told) {
        let subject = self.place(kind, object);
        if self.phases.contains_key(&subject) {
            self.enter(subject, now, Phase::Absent);
        }
        self.record(self.change(subject, Class::Deleted, now, [object.uid(), "deleted"]), told);
    }

    /// A change of an object; `identity` tells it from all others.
    fn change(&self, subject: SubjectId, class: Class, time: i64, identity: [&str; 2]) -> Point {
        let reason = self.strings.intern(match class {
            Class::Created => "Created",
            Class::Changed => "Changed",
            Class::Deleted => "Deleted",
            Class::Event => "",
        });
        let (status, message, source) = (Status::Activity, Interned::default(), Interned::default());
        let series = Series { origin: fingerprint(&identity), ordinal: 1 };
        Point { time, subject, class, status, reason, message, source, series, weight: 1 }
    }

    fn record(&mut self, point: Point, told: &mut Told) {
        match self.store.record(point) {
            Recorded::New(id) => told.fresh.push(id),
            Recorded::Between(id) => {
                told.fresh.push(id);
                told.upset = true;
            }
            Recorded::Known => {}
        }
    }

    fn enter(&mut self, subject: SubjectId, time: i64, phase: Phase) {
        if self.phases.entry(subject).or_default().enter(time, phase) {
            let lineage: Vec<SubjectId> = self.subjects.lineage(subject).collect();
            lineage.iter().for_each(|ancestor| drop(self.joined.remove(ancestor)));
        }
    }

    fn owned(&mut self, child: SubjectId, owner: Option<&Owner>, told: &mut Told) {
        let Some(Owner { kind, name, .. }) = owner else { return };
        let namespace = self.subjects.get(child).namespace.clone();
        let owner = self.subjects.place(Subject { kind: kind.clone(), namespace, name: name.clone() });
        self.adopt(child, owner, told);
    }

    fn adopt(&mut self, child: SubjectId, owner: SubjectId, told: &mut Told) {
        if self.subjects.adopt(child, owner) {
            told.upset = true;
            self.families = None;
            self.joined.clear();
        }
    }

    fn place(&mut self, kind: &str, object: &impl Object) -> SubjectId {
        let key = object.key();
        let [kind, namespace, name] = [kind, key.namespace(), key.name()].map(|word| self.strings.intern(word));
        self.subjects.place(Subject { kind, namespace, name })
    }
}

/// What is asked of an object; `None` where it cannot be read, which its feed tells.
fn read<T: Lean>(projector: &Projector<T>, object: &Packed<Row>) -> Option<lean::Row<T>> {
    projector.decode(MediaType::Json, &object.json().ok()?).ok()
}

/// A hash that is the same at every visit, whatever the program was built with (FNV-1a).
fn fingerprint(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests;
