//! How an answer shows objects: as they are, in part, or as rows of a table.

use std::rc::Rc;

use crate::{
    kind::Kind,
    object::{Form, Object},
    table::{Head, Table},
};

/// What becomes of objects on their way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Objects(Form),
    Table(Table),
}

impl View {
    /// Appends one object.
    pub(crate) fn write_object(self, object: &Object, out: &mut Vec<u8>) {
        match self {
            View::Objects(form) => object.write(form, out),
            View::Table(table) => table.write_object(object, Head::Told, out),
        }
    }

    /// The body of a list of these objects; `metadata` is its own, as JSON.
    pub(crate) fn list(self, kind: &Kind, metadata: &str, items: &[&Rc<Object>]) -> Vec<u8> {
        let mut body = match self {
            View::Objects(form) => list(kind, form, metadata, items),
            View::Table(table) => {
                let mut body = Vec::new();
                table.write_list(kind, metadata, items, &mut body);
                body
            }
        };
        body.push(b'\n');
        body
    }
}

fn list(kind: &Kind, form: Form, metadata: &str, items: &[&Rc<Object>]) -> Vec<u8> {
    let (name, api_version) = match form {
        Form::Whole => (kind.list_kind(), kind.api_version()),
        Form::Metadata(meta) => ("PartialObjectMetadataList".to_owned(), meta.api_version().to_owned()),
    };
    // Lists of custom kinds say even that nothing follows.
    let is_told = form != Form::Whole || !kind.is_custom() || metadata.contains("\"continue\"");
    let metadata = if is_told { metadata.to_owned() } else { metadata.replacen('{', "{\"continue\":\"\",", 1) };
    let head = format!("{{\"kind\":\"{name}\",\"apiVersion\":\"{api_version}\",\"metadata\":{metadata},\"items\":[");
    let size = items.iter().map(|object| object.size()).sum::<usize>();
    let mut body = Vec::with_capacity(head.len() + size + 3);
    body.extend_from_slice(head.as_bytes());
    for (index, object) in items.iter().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        // Those of custom kinds have no type to leave out.
        if kind.is_custom() {
            object.write(form, &mut body);
        } else {
            object.write_item(form, &mut body);
        }
    }
    body.extend_from_slice(b"]}");
    body
}
