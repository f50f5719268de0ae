//! Columns that a person adds: what lies at a path of the object, or the value of a label.
//!
//! Written as in `kubectl -o custom-columns`, title and path with a colon between: `IMAGE:.spec.containers[*].image`. A label
//! is `TEAM:label:example.com/team`.

use std::fmt;

use masthead::{jsonpath::JsonPath, quantity::Quantity};
use serde_json::Value;

use crate::model::table::{cell::Cell, column::Column, row::Row};

/// A column that a person added. [`Display`](fmt::Display) writes what [`CustomColumn::parse`] reads.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomColumn {
    title: String,
    source: Source,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Label(String),
    Path { written: String, path: JsonPath },
}

/// What stands before the key of a label.
const LABEL: &str = "label:";

/// What a cell says of an object that does not have it.
const NONE: &str = "<none>";

impl CustomColumn {
    /// Reads a column; the error is a sentence for who wrote it.
    pub fn parse(text: &str) -> Result<CustomColumn, String> {
        let (title, source) = text.split_once(':').ok_or("a column is a title and a path: NODE:.spec.nodeName")?;
        match source.trim().strip_prefix(LABEL) {
            Some(key) => CustomColumn::label(title, key),
            None => CustomColumn::path(title, source),
        }
    }

    /// The column of what lies at a path: `.spec.nodeName`, with or without the dot or braces, as kubectl takes it.
    pub fn path(title: &str, path: &str) -> Result<CustomColumn, String> {
        let written = path.trim();
        let bare = written.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(written);
        let relaxed = if bare.starts_with(['.', '[']) { bare.to_owned() } else { format!(".{bare}") };
        let path = match JsonPath::parse(&relaxed) {
            Ok(path) if !bare.is_empty() && !bare.contains(['{', '}']) => path,
            _ => return Err(format!("{written:?} is no path: try .spec.nodeName or .status.conditions[0].type")),
        };
        Ok(CustomColumn { title: titled(title)?, source: Source::Path { written: written.to_owned(), path } })
    }

    /// The column of the value of a label.
    pub fn label(title: &str, key: &str) -> Result<CustomColumn, String> {
        match key.trim() {
            "" => Err("which label? TEAM:label:example.com/team".to_owned()),
            key => Ok(CustomColumn { title: titled(title)?, source: Source::Label(key.to_owned()) }),
        }
    }

    /// What the table shows above it.
    pub fn column(&self) -> Column {
        Column { title: self.title.clone(), wide: false, numeric: false }
    }

    /// Whether the row alone has it, so that `cell` does not look at the object.
    pub fn is_label(&self) -> bool {
        matches!(self.source, Source::Label(_))
    }

    /// The cell of an object: several values with commas between them, lists and objects as JSON.
    ///
    /// A whole number, and an amount such as `500m`, sorts by how much it is.
    pub fn cell(&self, row: &Row, object: &Value) -> Cell {
        match &self.source {
            Source::Label(key) => Cell::Text(row.label(key).unwrap_or(NONE).into()),
            Source::Path { path, .. } => match path.follow(object).unwrap_or_default().as_slice() {
                [] => Cell::Text(NONE.into()),
                [one] => of_one(one),
                many => Cell::Text(many.iter().map(|value| text(value)).collect::<Vec<_>>().join(",").as_str().into()),
            },
        }
    }
}

impl fmt::Display for CustomColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Label(key) => write!(f, "{}:{LABEL}{key}", self.title),
            Source::Path { written, .. } => write!(f, "{}:{written}", self.title),
        }
    }
}

fn titled(title: &str) -> Result<String, String> {
    match title.trim() {
        "" => Err("the column has no title".to_owned()),
        title if title.contains(':') => Err("a title has no colon".to_owned()),
        title => Ok(title.to_ascii_uppercase()),
    }
}

fn of_one(value: &Value) -> Cell {
    let written = text(value);
    match value {
        Value::Null => Cell::Text(NONE.into()),
        Value::Number(number) => match number.as_i64() {
            Some(count) => Cell::Count(count),
            None => Cell::Quantity(written.as_str().into(), number.as_f64().unwrap_or_default()),
        },
        Value::String(amount) if is_amount(amount) => match Quantity::parse(amount) {
            Some(quantity) => Cell::Quantity(amount.as_str().into(), quantity.as_f64()),
            None => Cell::Text(amount.as_str().into()),
        },
        _ => Cell::Text(written.as_str().into()),
    }
}

/// Whether a text is an amount to a reader: one with an exponent is more often the end of a name.
fn is_amount(text: &str) -> bool {
    let suffix = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    suffix.len() < text.len() && suffix.chars().all(|c| c.is_ascii_alphabetic() && c != 'e')
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::{Value, json};

    use super::CustomColumn;
    use crate::model::table::{
        cell::{Cell, Tone},
        row::Row,
    };

    fn row() -> Row {
        Row {
            uid: "1".into(),
            version: "1".into(),
            namespace: "shop".into(),
            name: "web".into(),
            labels: Rc::new([("example.com/team".into(), "front".into())]),
            owner: None,
            created: None,
            tone: Tone::Quiet,
            load: Default::default(),
            life: None,
            cells: Box::new([]),
        }
    }

    fn object() -> Value {
        json!({
            "metadata": { "labels": { "app.kubernetes.io/name": "web" } },
            "spec": { "nodeName": "n1", "replicas": 3, "share": 0.5, "cpu": "500m", "sha": "12e4", "on": true, "none": null,
                "containers": [{ "image": "a:1", "env": [{ "name": "X" }] }, { "image": "b:2" }] },
            "status": { "conditions": [{ "type": "Ready", "status": "True" }, { "type": "Live", "status": "False" }] },
        })
    }

    #[track_caller]
    fn check(column: &str, expect: Cell) {
        let read = CustomColumn::parse(column).expect(column);
        assert_eq!(read.cell(&row(), &object()), expect, "{column}");
        assert_eq!(CustomColumn::parse(&read.to_string()).as_ref(), Ok(&read), "{column}");
    }

    #[test]
    fn columns_show_what_lies_at_their_path() {
        let word = |text: &str| Cell::Text(text.into());
        check("NODE:.spec.nodeName", word("n1"));
        check("node: spec.nodeName", word("n1"));
        check("NODE:{.spec.nodeName}", word("n1"));
        check("NODE:.spec.missing.more", word("<none>"));
        check("NODE:.spec.none", word("<none>"));
        check("N:.spec.replicas", Cell::Count(3));
        check("N:.spec.share", Cell::Quantity("0.5".into(), 0.5));
        check("N:.spec.cpu", Cell::Quantity("500m".into(), 0.5));
        check("N:.spec.sha", word("12e4"));
        check("N:.spec.on", word("true"));
        check("IMAGES:.spec.containers[*].image", word("a:1,b:2"));
        check("IMAGE:.spec.containers[0].image", word("a:1"));
        check("IMAGE:.spec.containers[9].image", word("<none>"));
        check("ALL:..image", word("a:1,b:2"));
        check("ENV:.spec.containers[0].env", word(r#"[{"name":"X"}]"#));
        check(r#"READY:.status.conditions[?(@.type=="Ready")].status"#, word("True"));
        check(r"APP:.metadata.labels['app\.kubernetes\.io/name']", word("web"));
        check(r"APP:.metadata.labels.app\.kubernetes\.io/name", word("web"));
        check("TEAM:label:example.com/team", word("front"));
        check("TEAM:label:team", word("<none>"));
    }

    #[test]
    fn the_title_is_as_kubectl_writes_titles() {
        let column = CustomColumn::parse(" team : label:team").expect("a column");
        assert_eq!(column.column().title, "TEAM");
        assert!(column.is_label());
        assert!(!CustomColumn::parse("a:.b").expect("a column").is_label());
    }

    #[test]
    fn what_is_no_column_is_refused() {
        for text in ["", "NODE", ":.spec", "NODE:", "NODE:{}", "NODE:{.a", "NODE:.a[", "NODE:label:", "NODE:.a[?(@.b]"]
        {
            let why = CustomColumn::parse(text).expect_err(text);
            assert!(!why.is_empty(), "{text}");
        }
    }
}
