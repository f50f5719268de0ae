//! The columns that a custom resource definition asks for.

use std::time::Duration;

use masthead::jsonpath::JsonPath;
use serde_json::{Number, Value, json};

use super::{
    age,
    cell::{UNKNOWN, text},
    columns,
};
use crate::timestamp;

/// The columns of a version of a custom kind, after its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CustomColumns {
    columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq)]
struct Column {
    definition: Value,
    path: JsonPath,
}

impl CustomColumns {
    /// Those of `additionalPrinterColumns`; a version without any shows the age.
    ///
    /// A path that cannot be read ends the columns, as it does in the real server.
    pub(crate) fn new(asked: &Value) -> CustomColumns {
        let fallback = json!([{
            "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp",
            "description": columns::description("Age"),
        }]);
        let asked = asked.as_array().filter(|asked| !asked.is_empty()).or(fallback.as_array());
        CustomColumns { columns: asked.into_iter().flatten().map_while(Column::new).collect() }
    }

    /// The definitions of all columns.
    pub(super) fn definitions(&self) -> Value {
        let name = json!({
            "name": "Name", "type": "string", "format": "name", "description": columns::description("Name"),
            "priority": 0,
        });
        std::iter::once(name).chain(self.columns.iter().map(|column| column.definition.clone())).collect()
    }

    pub(super) fn cells(&self, object: &Value, now: Duration) -> Vec<Value> {
        let name = Value::from(text(&object["metadata"]["name"]));
        std::iter::once(name).chain(self.columns.iter().map(|column| column.cell(object, now))).collect()
    }
}

impl Column {
    fn new(asked: &Value) -> Option<Column> {
        let path = text(&asked["jsonPath"]);
        let description = match text(&asked["description"]) {
            "" => format!("Custom resource definition column (in JSONPath format): {path}"),
            description => description.to_owned(),
        };
        let definition = json!({
            "name": text(&asked["name"]),
            "type": text(&asked["type"]),
            "format": text(&asked["format"]),
            "description": description,
            "priority": asked["priority"].as_i64().unwrap_or_default(),
        });
        Some(Column { definition, path: JsonPath::parse(path).ok()? })
    }

    /// The first of what the path leads to, if it is of the column's type.
    fn cell(&self, object: &Value, now: Duration) -> Value {
        let Some(value) = self.path.follow(object).ok().and_then(|found| found.first().copied()) else {
            return Value::Null;
        };
        match (text(&self.definition["type"]), value) {
            ("string", value) => printed(value).into(),
            ("integer", Value::Number(number)) => number.as_i64().unwrap_or_else(|| cut(float(number))).into(),
            ("number", Value::Number(number)) => match float(number) {
                whole if whole.fract() == 0.0 && whole.abs() < WHOLE => cut(whole).into(),
                number => number.into(),
            },
            ("boolean", Value::Bool(_)) => value.clone(),
            ("date", Value::String(time)) => match time.as_str() {
                "" | "null" => UNKNOWN.into(),
                time if timestamp::parse_micro(time).is_none() => "<invalid>".into(),
                _ => age::since(value, now).into(),
            },
            _ => Value::Null,
        }
    }
}

/// Below this a whole number fits where Go puts it.
const WHOLE: f64 = 9.2e18;

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

/// Cuts off what is behind the point. What is too large becomes what the processor makes of it.
fn cut(number: f64) -> i64 {
    if number.abs() < WHOLE { number as i64 } else { i64::MIN }
}

/// A number as Go prints it: with an exponent of two figures where it is very large or very small.
fn printed_number(number: &Number) -> String {
    if !number.is_f64() {
        return number.to_string();
    }
    let number = float(number);
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>().unwrap_or_default() {
        exponent @ (..-4 | 21..) => format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()),
        _ => number.to_string(),
    }
}

/// A value as Go prints it.
fn printed(value: &Value) -> String {
    match value {
        Value::Null => "<no value>".to_owned(),
        Value::String(text) => text.clone(),
        // Go's encoder writes for a page.
        Value::Array(_) | Value::Object(_) => {
            let escapes = [("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")];
            escapes.into_iter().fold(value.to_string(), |text, (plain, escaped)| text.replace(plain, escaped))
        }
        Value::Number(number) => printed_number(number),
        Value::Bool(truth) => truth.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::CustomColumns;

    fn check(kind: &str, value: Value, expect: Value) {
        let columns = CustomColumns::new(&json!([{ "name": "C", "type": kind, "jsonPath": ".spec.v" }]));
        let object = json!({ "metadata": { "name": "a" }, "spec": { "v": value } });
        assert_eq!(columns.cells(&object, Duration::from_secs(1_767_225_600))[1], expect, "{kind} {value}");
    }

    #[test]
    fn a_cell_is_of_the_type_of_its_column() {
        check("string", json!("x"), json!("x"));
        check("string", json!(5), json!("5"));
        check("string", json!(true), json!("true"));
        check("string", json!({ "b": "<1>", "a": [1] }), json!("{\"a\":[1],\"b\":\"\\u003c1\\u003e\"}"));
        check("integer", json!(5), json!(5));
        check("integer", json!(5.9), json!(5));
        check("integer", json!("5"), json!(null));
        check("integer", json!(1e21), json!(i64::MIN));
        check("string", json!(3.0), json!("3"));
        check("string", json!(1.5), json!("1.5"));
        check("string", json!(0.000001), json!("1e-06"));
        check("string", json!(1e21), json!("1e+21"));
        check("string", json!(null), json!("<no value>"));
        check("number", json!(5.0), json!(5));
        check("number", json!(12_345_678_901_234_567_i64), json!(12_345_678_901_234_568_i64));
        check("number", json!(1.5), json!(1.5));
        check("boolean", json!(false), json!(false));
        check("boolean", json!("false"), json!(null));
        check("date", json!("2025-12-31T23:59:00Z"), json!("60s"));
        check("date", json!(""), json!("<unknown>"));
        check("date", json!("soon"), json!("<invalid>"));
        check("date", json!(5), json!(null));
    }

    #[test]
    fn a_definition_without_columns_shows_the_age() {
        let columns = CustomColumns::new(&Value::Null);
        let object = json!({ "metadata": { "name": "a", "creationTimestamp": "2025-12-31T23:59:00Z" } });
        assert_eq!(columns.cells(&object, Duration::from_secs(1_767_225_600)), [json!("a"), json!("60s")]);
        assert_eq!(columns.definitions()[1]["type"], "date");
    }

    #[test]
    fn a_path_that_cannot_be_read_ends_the_columns() {
        let column = |path: &str| json!({ "name": "C", "type": "string", "jsonPath": path, "priority": 1 });
        let columns = CustomColumns::new(&json!([column(".a"), column("b["), column(".c")]));
        let shown = columns.definitions();
        assert_eq!(shown.as_array().unwrap().len(), 2);
        assert_eq!(shown[1]["description"], "Custom resource definition column (in JSONPath format): .a");
        assert_eq!(shown[1]["priority"], 1);
    }
}
