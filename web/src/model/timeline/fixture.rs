//! What the tests of the timeline are made of.

use std::rc::Rc;

use masthead::{
    lean::{self, Lean, Projector},
    packed::Packed,
    rest::{Decoder, MediaType},
};
use serde_json::{Value, json};

use super::{
    event::EventFields,
    point::{Class, Point, Series, Status},
    subject::{Subject, Subjects},
};
use crate::model::{print::printer, table::row::Row};

/// An object as the feeds of the page have it.
pub(super) fn object(group: &str, resource: &str, object: &Value) -> Rc<Packed<Row>> {
    let decoder = printer(group, "v1", resource).expect("a kind that is printed").decoder;
    Rc::new(decoder.decode(MediaType::Json, object.to_string().as_bytes()).expect("an object"))
}

/// What is read of an object.
pub(super) fn read<T: Lean>(object: &Value) -> lean::Row<T> {
    Projector::<T>::new().decode(MediaType::Json, object.to_string().as_bytes()).expect("an object")
}

/// An Event with these fields.
pub(super) fn event(mut fields: Value) -> lean::Row<EventFields> {
    if fields["metadata"].is_null() {
        fields["metadata"] = json!({ "name": "e", "namespace": "shop", "uid": "u", "resourceVersion": "1" });
    }
    read(&fields)
}

/// A point of a subject that nobody asks for.
pub(super) fn point(time: i64, class: Class, status: Status) -> Point {
    let subject = Subjects::default().place(Subject::new("Pod", "shop", "web"));
    let series = Series { origin: time as u64, ordinal: 1 };
    let reason = class.name().into();
    Point { time, subject, class, status, reason, message: "".into(), source: "".into(), series, weight: 1 }
}
