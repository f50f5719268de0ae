//! Tables: objects as rows of cells, with the columns that kubectl prints.
//!
//! The columns of built-in kinds are recorded from the real server, and a printer for each makes the cells: a pure function
//! of the object and of the time, since most rows tell an age. Custom kinds say in their definition what to show.

mod access;
mod admission;
mod age;
mod autoscaler;
mod cell;
mod columns;
mod custom;
mod event;
mod job;
mod limit;
mod network;
mod node;
mod plain;
mod pod;
mod printer;
mod selector;
mod service;
mod volume;
mod workload;

use std::{rc::Rc, time::Duration};

use serde_json::{Value, json};

pub(crate) use self::custom::CustomColumns;
use self::printer::Printer;
use crate::{
    accept::Meta,
    conversion::convert,
    kind::Kind,
    object::{Form, Object},
    query::Query,
    refusal::Refusal,
};

/// A table that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    include: Include,
    meta: Meta,
    /// The wall clock when it is written.
    now: Duration,
}

/// How much of its object a row carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Include {
    Nothing,
    Metadata,
    Object,
}

/// Whether a table says what its columns are. In a watch only the first does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    Told,
    Left,
}

impl Table {
    /// Reads what the rows are to carry.
    pub(crate) fn asked(query: &Query, meta: Meta, now: Duration) -> Result<Table, Refusal> {
        let include = match query.text("includeObject") {
            "" | "Metadata" => Include::Metadata,
            "None" => Include::Nothing,
            "Object" => Include::Object,
            other => {
                return Err(Refusal::bad_request(format!(
                    "Unable to convert to Table as requested: includeObject: Invalid value: {}: must be 'Metadata', \
                     'Object', 'None', or empty",
                    Value::from(other)
                )));
            }
        };
        Ok(Table { include, meta, now })
    }

    /// The same table at another time.
    pub(crate) fn at(self, now: Duration) -> Table {
        Table { now, ..self }
    }

    /// Appends a table of many objects; `metadata` is that of their list.
    pub(crate) fn write_list(self, kind: &Kind, metadata: &str, items: &[&Rc<Object>], out: &mut Vec<u8>) {
        let printer = Printer::of(kind);
        let mut rows: Vec<(Value, &Rc<Object>)> = items.iter().map(|object| (stored(object), *object)).collect();
        printer.sort(&mut rows);
        self.write_head(&printer, Head::Told, metadata, out);
        if rows.is_empty() {
            out.extend_from_slice(printer.no_rows().as_bytes());
        }
        for (index, (value, object)) in rows.iter().enumerate() {
            out.push(if index == 0 { b'[' } else { b',' });
            self.write_row(&printer, value, out, |form, out| object.write(form, out));
        }
        out.extend_from_slice(if rows.is_empty() { b"}" } else { b"]}" });
    }

    /// Appends a table of one object.
    pub(crate) fn write_object(self, object: &Object, head: Head, out: &mut Vec<u8>) {
        let (printer, value) = (Printer::of(&object.kind), stored(object));
        self.write_head(&printer, head, &version_of(&value), out);
        out.push(b'[');
        self.write_row(&printer, &value, out, |form, out| object.write(form, out));
        out.extend_from_slice(b"]}");
    }

    /// Appends a table of something that is not stored: a bookmark, which has the printer of its kind.
    pub(crate) fn write_bookmark(self, kind: &Kind, bookmark: &Value, head: Head, out: &mut Vec<u8>) {
        // The one that ends the initial events must be known for it, whatever the rows carry.
        let ends = !bookmark["metadata"]["annotations"].is_null() && self.include == Include::Nothing;
        let table = if ends { Table { include: Include::Metadata, ..self } } else { self };
        table.write_value(&Printer::of(kind), bookmark, head, out);
    }

    /// Appends a table of a scale, which is of no kind that is stored.
    pub(crate) fn write_scale(self, scale: &Value, out: &mut Vec<u8>) {
        self.write_value(&Printer::scale(), scale, Head::Told, out);
    }

    fn write_value(self, printer: &Printer<'_>, value: &Value, head: Head, out: &mut Vec<u8>) {
        self.write_head(printer, head, &version_of(value), out);
        out.push(b'[');
        self.write_row(printer, value, out, |form, out| {
            let shown = match form {
                Form::Whole => value.to_string(),
                Form::Metadata(meta) => {
                    let metadata = &value["metadata"];
                    let named = ("PartialObjectMetadata", meta.api_version());
                    json!({ "kind": named.0, "apiVersion": named.1, "metadata": metadata }).to_string()
                }
            };
            out.extend_from_slice(shown.as_bytes());
        });
        out.extend_from_slice(b"]}");
    }

    /// Everything up to the rows.
    fn write_head(self, printer: &Printer<'_>, head: Head, metadata: &str, out: &mut Vec<u8>) {
        let columns = match head {
            Head::Told => printer.columns(),
            Head::Left => Value::Null,
        };
        let api_version = self.meta.api_version();
        let written = format!(
            "{{\"kind\":\"Table\",\"apiVersion\":\"{api_version}\",\"metadata\":{metadata},\
             \"columnDefinitions\":{columns},\"rows\":"
        );
        out.extend_from_slice(written.as_bytes());
    }

    fn write_row(
        self,
        printer: &Printer<'_>,
        value: &Value,
        out: &mut Vec<u8>,
        write: impl FnOnce(Form, &mut Vec<u8>),
    ) {
        let cells = Value::from(printer.cells(value, self.now));
        out.extend_from_slice(format!("{{\"cells\":{cells}").as_bytes());
        if let Some(conditions) = printer.conditions(value) {
            out.extend_from_slice(format!(",\"conditions\":{conditions}").as_bytes());
        }
        out.extend_from_slice(b",\"object\":");
        match self.include {
            Include::Nothing => out.extend_from_slice(b"null"),
            Include::Metadata => write(Form::Metadata(self.meta), out),
            Include::Object => write(Form::Whole, out),
        }
        out.push(b'}');
    }
}

/// The object in the version that printers know; the columns of a custom kind are of the version that is served.
fn stored(object: &Object) -> Value {
    match (&object.kind.hub, &object.kind.columns) {
        (Some(hub), None) => convert(object.value(), &object.kind, hub),
        _ => object.value(),
    }
}

/// The metadata of a table of one object.
fn version_of(object: &Value) -> String {
    match object["metadata"]["resourceVersion"].as_str() {
        Some(version) => json!({ "resourceVersion": version }).to_string(),
        None => "{}".to_owned(),
    }
}

#[cfg(test)]
mod tests;
