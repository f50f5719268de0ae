//! Events for a log, as client-go writes them.

use k8s_openapi::api::core::v1::Event;

use super::correlator::text;
use crate::cache::ObjectKey;

/// One line.
pub(super) fn line(event: &Event) -> String {
    let object = &event.involved_object;
    format!(
        "Event(v1.ObjectReference{{Kind:{:?}, Namespace:{:?}, Name:{:?}, UID:{:?}, APIVersion:{:?}, ResourceVersion:{:?}, \
         FieldPath:{:?}}}): type: '{}' reason: '{}' {}",
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.uid),
        text(&object.api_version),
        text(&object.resource_version),
        text(&object.field_path),
        text(&event.type_),
        text(&event.reason),
        text(&event.message),
    )
}

/// A message with named values.
pub(super) fn with_values(event: &Event, log: &impl Fn(&str, &[(&str, &str)])) {
    let object = &event.involved_object;
    let key = ObjectKey::new(text(&object.namespace), text(&object.name));
    let values = [
        ("object", key.as_str()),
        ("fieldPath", text(&object.field_path)),
        ("kind", text(&object.kind)),
        ("apiVersion", text(&object.api_version)),
        ("type", text(&event.type_)),
        ("reason", text(&event.reason)),
        ("message", text(&event.message)),
    ];
    log("Event occurred", &values);
}
