//! Reading tables as the server sends them.

use std::{collections::BTreeMap, rc::Rc};

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

use super::{Column, IncludeObject, Row, RowCondition, Table};
use crate::{
    Error,
    rest::{List, Response, WatchEvent, split_array},
};

/// Reads a complete answer.
pub(super) fn decode(response: &Response, include: IncludeObject) -> Result<Table, Error> {
    let (body, rows) = TableBody::split(response.json()?, &response.operation)?;
    if body.is_table() {
        return Ok(body.read(&rows, &response.operation));
    }
    match List::decode(response) {
        Ok(list) => Ok(plain(list, include)),
        Err(_) => response.decode().map(|object| single(object, include)),
    }
}

/// Reads the events of one watch.
pub(super) struct EventReader {
    include: IncludeObject,
    /// What the connection has named so far: the server does it once.
    columns: Rc<[Column]>,
}

impl EventReader {
    pub(super) fn new(include: IncludeObject) -> EventReader {
        EventReader { include, columns: Rc::from([]) }
    }

    /// Reads one frame.
    pub(super) fn decode(&mut self, frame: &[u8]) -> Result<WatchEvent<Table>, Error> {
        let event = WatchEvent::<Box<RawValue>>::decode(frame)?;
        if let WatchEvent::Bookmark(_) = event
            && let Ok(mark) = serde_json::from_slice::<BookmarkEvent>(frame)
        {
            // Its row is a fake, but its columns may be the only ones of the connection.
            self.remember(mark.object.column_definitions);
        }
        let event_type = event.event_type();
        event.try_map(|object| self.read(&object).map_err(|error| error.in_object(object.get().as_bytes(), event_type)))
    }

    fn read(&mut self, object: &RawValue) -> Result<Table, Error> {
        let (mut body, rows) = TableBody::split(object.get().as_bytes(), EVENT)?;
        let mut table = if body.is_table() {
            self.remember(body.column_definitions.take());
            body.read(&rows, EVENT)
        } else {
            let object = serde_json::from_str(object.get()).map_err(|source| Error::undecodable(EVENT, source))?;
            self.remember(Some(plain_columns()));
            single(object, self.include)
        };
        // One row that cannot be read is all there is of this event.
        if table.rows.is_empty()
            && let Some(error) = table.skipped.pop()
        {
            return Err(error);
        }
        table.columns = Rc::clone(&self.columns);
        Ok(table)
    }

    fn remember(&mut self, named: Option<Vec<Column>>) {
        if let Some(named) = named.filter(|named| !named.is_empty() && named[..] != self.columns[..]) {
            self.columns = named.into();
        }
    }
}

/// `Table` of meta.k8s.io/v1. What is no table has none of its fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TableBody {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    metadata: TableMeta,
    column_definitions: Option<Vec<Column>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct TableMeta {
    resource_version: String,
    #[serde(rename = "continue")]
    continue_token: Option<String>,
    remaining_item_count: Option<u64>,
}

#[derive(Deserialize)]
struct BookmarkEvent {
    object: TableBody,
}

impl TableBody {
    /// The table without its rows, and each row as it is written: one that is wrong costs no other.
    fn split<'a>(body: &'a [u8], operation: &str) -> Result<(TableBody, Vec<&'a [u8]>), Error> {
        let (around, rows) = split_array(body, "rows");
        let body = serde_json::from_slice(&around).map_err(|source| Error::undecodable(operation, source))?;
        Ok((body, rows))
    }

    fn is_table(&self) -> bool {
        self.kind == "Table"
    }

    fn read(self, rows: &[&[u8]], operation: &str) -> Table {
        let mut table = Table {
            resource_version: self.metadata.resource_version,
            continue_token: self.metadata.continue_token.filter(|token| !token.is_empty()),
            remaining_item_count: self.metadata.remaining_item_count,
            ..Table::of(self.column_definitions.unwrap_or_default())
        };
        for row in rows {
            match serde_json::from_slice(row).or_else(|error| without_managed_fields(row).ok_or(error)) {
                Ok(row) => table.rows.push(row),
                Err(source) => table.skipped.push(Error::undecodable(operation, source).in_object(row, None)),
            }
        }
        table
    }
}

/// Reads a row without the managed fields of its object: those nest as deep as the object does, which may be deeper than
/// can be read, and few look at them.
fn without_managed_fields(row: &[u8]) -> Option<Row> {
    #[derive(Deserialize)]
    struct Parts<'a> {
        cells: Vec<Value>,
        #[serde(default)]
        conditions: Vec<RowCondition>,
        #[serde(borrow)]
        object: BTreeMap<String, &'a RawValue>,
    }
    fn read(parts: BTreeMap<String, &RawValue>) -> Option<Map<String, Value>> {
        parts.into_iter().map(|(name, part)| Some((name, serde_json::from_str(part.get()).ok()?))).collect()
    }
    let Parts { cells, conditions, mut object } = serde_json::from_slice(row).ok()?;
    let mut metadata: BTreeMap<String, &RawValue> = serde_json::from_str(object.remove("metadata")?.get()).ok()?;
    metadata.remove("managedFields")?;
    let mut object = read(object)?;
    object.insert("metadata".to_owned(), Value::Object(read(metadata)?));
    Some(Row { cells, conditions, object: Some(Value::Object(object)) })
}

impl Table {
    /// An empty table of these columns.
    fn of(columns: Vec<Column>) -> Table {
        Table {
            columns: columns.into(),
            rows: Vec::new(),
            resource_version: String::new(),
            continue_token: None,
            remaining_item_count: None,
            skipped: Vec::new(),
        }
    }
}

fn plain(list: List<Value>, include: IncludeObject) -> Table {
    Table {
        rows: list.items.into_iter().map(|object| plain_row(object, include)).collect(),
        resource_version: list.resource_version,
        continue_token: list.continue_token,
        remaining_item_count: list.remaining_item_count,
        skipped: list.skipped,
        ..Table::of(plain_columns())
    }
}

fn single(object: Value, include: IncludeObject) -> Table {
    let resource_version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
    Table { rows: vec![plain_row(object, include)], resource_version, ..Table::of(plain_columns()) }
}

/// The columns that servers give kinds about which they know nothing else.
fn plain_columns() -> Vec<Column> {
    let name = Column { name: "Name".into(), kind: "string".into(), format: "name".into(), ..Column::default() };
    let created = Column { name: "Created At".into(), kind: "date".into(), ..Column::default() };
    vec![name, created]
}

fn plain_row(mut object: Value, include: IncludeObject) -> Row {
    let cells = vec![object["metadata"]["name"].clone(), object["metadata"]["creationTimestamp"].clone()];
    let object = match include {
        IncludeObject::None => None,
        IncludeObject::Metadata => Some(json!({ "metadata": object["metadata"].take() })),
        IncludeObject::Object => Some(object),
    };
    Row { cells, conditions: Vec::new(), object }
}

const EVENT: &str = "read watch event";
