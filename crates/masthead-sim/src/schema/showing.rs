//! An object as Go writes it, for those who are shown what they sent.

use serde_json::Value;

use super::Schema;

impl Schema {
    /// A value as Go writes it. What a patch looked into, it writes in the order of its keys; the rest is as it was.
    pub(crate) fn show(&self, value: &Value, touched: &Value) -> String {
        let mut text = String::new();
        self.write_go(value, touched, &mut text);
        text
    }

    fn write_go(&self, value: &Value, touched: &Value, out: &mut String) {
        match value {
            Value::Object(fields) => {
                let mut keys: Vec<&String> = fields.keys().collect();
                if let (Schema::Struct(of), false) = (self, touched.is_object()) {
                    keys.sort_by_key(|key| of.fields.get(key.as_str()).map_or(usize::MAX, |field| field.place));
                }
                out.push('{');
                for (index, key) in keys.into_iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_text(key, out);
                    out.push(':');
                    let inner = self.under(key);
                    inner.as_deref().unwrap_or(&Schema::Any).write_go(&fields[key], &touched[key.as_str()], out);
                }
                out.push('}');
            }
            Value::Array(items) => {
                let of = match self {
                    Schema::List(of) => Some(of.items.schema()),
                    _ => None,
                };
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    of.as_deref().unwrap_or(&Schema::Any).write_go(item, &Value::Null, out);
                }
                out.push(']');
            }
            Value::String(text) => write_text(text, out),
            other => out.push_str(&other.to_string()),
        }
    }
}

/// Go keeps what a page could take for a tag out of its JSON.
fn write_text(text: &str, out: &mut String) {
    let quoted = Value::from(text).to_string();
    out.push_str(&quoted.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::Schema;

    #[test]
    fn what_was_not_touched_is_in_the_order_of_go() {
        let schema = Schema::of_kind("", "v1", "ConfigMap").unwrap();
        let metadata = json!({ "labels": { "b": "<", "a": "1" }, "name": "n", "uid": "u" });
        let value = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "datum": 1 });
        let text = schema.show(&value, &json!({ "datum": 1 }));
        let expect = r#"{"apiVersion":"v1","datum":1,"kind":"ConfigMap","metadata":{"name":"n","uid":"u","labels":{"a":"1","b":"\u003c"}}}"#;
        assert_eq!(text, expect);
    }
}
