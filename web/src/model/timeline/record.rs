//! A point as it is kept between visits.

use masthead::lean::Strings;
use serde::{Deserialize, Serialize};

use super::{
    point::{Class, Point, Series, Status},
    subject::{Subject, Subjects},
};

/// A point in words, with whose its subject was. Its text is JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    #[serde(rename = "t")]
    pub(super) time: i64,
    #[serde(rename = "k")]
    pub(super) kind: String,
    #[serde(rename = "n", default, skip_serializing_if = "String::is_empty")]
    pub(super) namespace: String,
    #[serde(rename = "o")]
    pub(super) name: String,
    #[serde(rename = "c")]
    pub(super) class: String,
    #[serde(rename = "s", default, skip_serializing_if = "String::is_empty")]
    pub(super) status: String,
    #[serde(rename = "r")]
    pub(super) reason: String,
    #[serde(rename = "m", default, skip_serializing_if = "String::is_empty")]
    pub(super) message: String,
    #[serde(rename = "b", default, skip_serializing_if = "String::is_empty")]
    pub(super) source: String,
    /// A number of 64 bits is more than JSON numbers hold for sure.
    #[serde(rename = "i")]
    pub(super) origin: String,
    #[serde(rename = "x")]
    pub(super) ordinal: u32,
    /// Kind and name of the owners of the subject, nearest first.
    #[serde(rename = "w", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) owners: Vec<(String, String)>,
}

impl Record {
    /// A point in words; `None` for what is not kept: nothing about a Secret is.
    pub fn of(point: &Point, subjects: &Subjects) -> Option<Record> {
        let Subject { kind, namespace, name } = subjects.get(point.subject);
        let owners = subjects.lineage(point.subject).skip(1).map(|id| subjects.get(id));
        let owners = owners.map(|owner| (owner.kind.to_string(), owner.name.to_string()));
        let status = if point.status == Status::Activity { "" } else { point.status.name() };
        (kind != "Secret").then(|| Record {
            time: point.time,
            kind: kind.to_string(),
            namespace: namespace.to_string(),
            name: name.to_string(),
            class: point.class.name().to_owned(),
            status: status.to_owned(),
            reason: point.reason.to_string(),
            message: point.message.chars().take(LONGEST_MESSAGE).collect(),
            source: point.source.to_string(),
            origin: format!("{:x}", point.series.origin),
            ordinal: point.series.ordinal,
            owners: owners.collect(),
        })
    }

    /// Reads what [`text`](Self::text) wrote; `None` where it is anything else.
    pub fn parse(text: &str) -> Option<Record> {
        serde_json::from_str(text).ok()
    }

    /// As it is kept.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What sorts and identifies it among the records of a cluster.
    pub fn key(&self) -> (i64, String) {
        (self.time, format!("{}.{}", self.origin, self.ordinal))
    }

    /// The point again; `None` where its words are not those of this page.
    pub(super) fn point(&self, subjects: &mut Subjects, strings: &Strings) -> Option<Point> {
        let class = Class::ALL.into_iter().find(|class| class.name() == self.class)?;
        let named = |status: &Status| status.name() == self.status || self.status.is_empty();
        let status = Status::ALL.into_iter().find(named)?;
        let origin = u64::from_str_radix(&self.origin, 16).ok()?;
        let mut place = |kind: &str, name: &str| {
            let namespace = strings.intern(&self.namespace);
            subjects.place(Subject { kind: strings.intern(kind), namespace, name: strings.intern(name) })
        };
        let family: Vec<_> = self.owners.iter().map(|(kind, name)| place(kind, name)).collect();
        let subject = place(&self.kind, &self.name);
        let mut child = subject;
        for owner in family {
            subjects.adopt(child, owner);
            child = owner;
        }
        Some(Point {
            time: self.time,
            subject,
            class,
            status,
            reason: strings.intern(&self.reason),
            message: strings.intern(&self.message),
            source: strings.intern(&self.source),
            series: Series { origin, ordinal: self.ordinal.max(1) },
            weight: 1,
        })
    }
}

/// The API server itself refuses longer ones.
const LONGEST_MESSAGE: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::fixture;

    #[test]
    fn what_was_kept_is_what_is_read() {
        let mut subjects = Subjects::default();
        let (set, pod) = (Subject::new("ReplicaSet", "shop", "web-1"), Subject::new("Pod", "shop", "web-1-a"));
        let (set, pod) = (subjects.place(set), subjects.place(pod));
        subjects.adopt(pod, set);
        let series = Series { origin: u64::MAX, ordinal: 3 };
        let message = "\"quoted\" \\ 日志 <script>".into();
        let point = Point { subject: pod, series, message, ..fixture::point(5, Class::Event, Status::Failure) };
        let record = Record::of(&point, &subjects).unwrap();
        let read = Record::parse(&record.text()).unwrap();
        assert_eq!(read, record);
        let mut others = Subjects::default();
        let again = read.point(&mut others, &Strings::new()).unwrap();
        assert_eq!(
            (again.time, again.status, &again.message, again.series),
            (5, Status::Failure, &point.message, series)
        );
        let family: Vec<_> = others.lineage(again.subject).map(|id| others.get(id).name.to_string()).collect();
        assert_eq!(family, ["web-1-a", "web-1"]);
    }

    #[test]
    fn nothing_about_a_secret_is_kept() {
        let mut subjects = Subjects::default();
        let subject = subjects.place(Subject::new("Secret", "shop", "token"));
        let point = Point { subject, ..fixture::point(5, Class::Event, Status::Activity) };
        assert_eq!(Record::of(&point, &subjects), None);
    }

    #[test]
    fn other_texts_are_no_records() {
        for text in ["", "{}", "[]", "null", r#"{"t":1}"#] {
            assert_eq!(Record::parse(text), None, "{text}");
        }
        let odd = r#"{"t":1,"k":"Pod","o":"a","c":"moved","r":"x","i":"1","x":1}"#;
        let record = Record::parse(odd).unwrap();
        assert_eq!(record.point(&mut Subjects::default(), &Strings::new()), None);
    }
}
