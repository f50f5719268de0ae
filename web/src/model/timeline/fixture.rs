//! What the tests of the timeline are made of.

use std::rc::Rc;

use masthead::{
    lean::{Lean, Projector, Row},
    rest::{Decoder, MediaType},
};
use serde_json::{Value, json};

use super::{
    event::EventFields,
    pod::PodFields,
    point::{Class, Point, Series, Status},
    subject::{Subject, Subjects},
};

/// An object as an informer has it.
pub(super) fn row<T: Lean>(object: &Value) -> Rc<Row<T>> {
    let decoder = Projector::<T>::new();
    Rc::new(decoder.decode(MediaType::Json, object.to_string().as_bytes()).expect("an object"))
}

/// An Event with these fields.
pub(super) fn event(mut fields: Value) -> Rc<Row<EventFields>> {
    if fields["metadata"].is_null() {
        fields["metadata"] = json!({ "name": "e", "namespace": "shop", "uid": "u", "resourceVersion": "1" });
    }
    row(&fields)
}

/// A pod with these fields.
pub(super) fn pod(fields: Value) -> Rc<Row<PodFields>> {
    row(&fields)
}

/// A point of a subject that nobody asks for.
pub(super) fn point(time: i64, class: Class, status: Status) -> Point {
    let subject = Subjects::default().place(Subject::new("Pod", "shop", "web"));
    let series = Series { origin: time as u64, ordinal: 1 };
    let reason = class.name().into();
    Point { time, subject, class, status, reason, message: "".into(), source: "".into(), series, weight: 1 }
}
