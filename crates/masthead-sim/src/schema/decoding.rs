//! A document read as a value of a type, as Go reads JSON into a struct.
//!
//! What a type does not know is left out and told, and so is what is there twice. What has the wrong type is refused, in
//! Go's words; where there is more than one such thing, the first is.

use serde_json::{Map, Value};

use super::{Field, Scalar, Schema, StructType, TypeRef, Unknown};
use crate::{json::Json, quantity::Quantity, timestamp};

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) value: Value,
    /// What is unknown or there twice, in the order of the document.
    pub(crate) strict: Vec<String>,
}

/// How much is told of what is unknown.
const MOST_STRICT: usize = 100;

impl Schema {
    /// Reads a document as a value of this type.
    pub(crate) fn decode(&self, json: &Json) -> Result<Decoded, String> {
        self.read(json, Reader::default())
    }

    /// The same where Go converts a tree of values, as it does after a strategic merge patch, and words it otherwise.
    pub(crate) fn convert(&self, value: &Value) -> Result<Decoded, String> {
        self.read(&Json::from(value), Reader { converts: true, ..Reader::default() })
    }

    fn read(&self, json: &Json, mut reader: Reader) -> Result<Decoded, String> {
        let value = reader.value(self, json, &Place::default());
        match reader.wrong {
            Some(wrong) => Err(wrong),
            None => Ok(Decoded { value, strict: reader.strict }),
        }
    }
}

#[derive(Default)]
struct Reader {
    /// Whether there is no text to read any more.
    converts: bool,
    strict: Vec<String>,
    wrong: Option<String>,
}

/// Where in a document something is.
#[derive(Clone, Default)]
struct Place {
    /// As what is unknown is told: `spec.containers[0]`.
    path: String,
    /// As what has the wrong type is told: `spec.containers`.
    fields: String,
    /// The struct that it is in.
    owner: String,
    /// The Go type that is expected here.
    go: String,
}

impl Reader {
    fn value(&mut self, schema: &Schema, json: &Json, place: &Place) -> Value {
        match (schema, json) {
            (Schema::Any | Schema::Opaque, _) => self.untyped(json, place),
            (_, Json::Null) => Value::Null,
            (Schema::Struct(of), Json::Object(fields)) => self.fields(of, fields, place),
            (Schema::Map(of), Json::Object(fields)) => {
                let (values, go) = (of.values.schema(), go_of(&of.values, element(&place.go)));
                let mut map = Map::new();
                for (key, value) in fields {
                    let inside = Place { path: within(&place.path, key), go: go.clone(), ..place.clone() };
                    self.tell_twice(map.contains_key(key), &inside.path);
                    map.insert(key.clone(), self.value(&values, value, &inside));
                }
                Value::Object(map)
            }
            (Schema::List(of), Json::Array(items)) => {
                let (schema, go) = (of.items.schema(), go_of(&of.items, element(&place.go)));
                let item = |(index, item): (usize, &Json)| {
                    let path = format!("{}[{index}]", place.path);
                    self.value(&schema, item, &Place { path, go: go.clone(), ..place.clone() })
                };
                items.iter().enumerate().map(item).collect()
            }
            (Schema::Scalar(scalar), _) => self.scalar(*scalar, json, place),
            (Schema::List(_), _) if self.converts => {
                self.refuse(format!("cannot restore slice from {}", go_kind(json)))
            }
            (Schema::Map(_), _) if self.converts => self.refuse(format!("cannot restore map from {}", go_kind(json))),
            _ if self.converts => self.refuse(format!("cannot restore struct from: {}", go_kind(json))),
            _ => self.mismatch(json.kind(), place),
        }
    }

    fn fields(&mut self, of: &StructType, fields: &[(String, Json)], place: &Place) -> Value {
        let mut map = Map::new();
        for (key, value) in fields {
            let path = within(&place.path, key);
            let Some(field) = of.fields.get(key.as_str()) else {
                if of.unknown == Unknown::Dropped {
                    self.tell("unknown", &path);
                } else {
                    map.insert(key.clone(), value.to_value());
                }
                continue;
            };
            self.tell_twice(map.contains_key(key), &path);
            let named = match &field.within {
                Some(embedded) => within(&within(&place.fields, embedded), key),
                None => within(&place.fields, key),
            };
            let inside = Place { path, fields: named, owner: of.name.to_string(), go: field.go_type() };
            map.insert(key.clone(), self.value(&field.of.schema(), value, &inside));
        }
        Value::Object(map)
    }

    fn untyped(&mut self, json: &Json, place: &Place) -> Value {
        match json {
            Json::Object(fields) => {
                let mut map = Map::new();
                for (key, value) in fields {
                    let inside = Place { path: within(&place.path, key), ..place.clone() };
                    self.tell_twice(map.contains_key(key), &inside.path);
                    map.insert(key.clone(), self.untyped(value, &inside));
                }
                Value::Object(map)
            }
            Json::Array(items) => {
                let item = |(index, item): (usize, &Json)| {
                    let path = format!("{}[{index}]", place.path);
                    self.untyped(item, &Place { path, ..place.clone() })
                };
                items.iter().enumerate().map(item).collect()
            }
            other => other.to_value(),
        }
    }

    fn scalar(&mut self, scalar: Scalar, json: &Json, place: &Place) -> Value {
        match (scalar, json) {
            (Scalar::String, Json::String(_))
            | (Scalar::Boolean, Json::Bool(_))
            | (Scalar::Number, Json::Number(_)) => json.to_value(),
            (Scalar::Int32 | Scalar::Int64, Json::Number(text)) => match text.parse::<i64>() {
                Ok(number) if scalar == Scalar::Int64 || i32::try_from(number).is_ok() => number.into(),
                _ if self.converts => self.refuse(format!("cannot convert {} to {}", go_kind(json), place.go)),
                _ => self.mismatch(&format!("number {text}"), place),
            },
            (Scalar::Bytes, Json::String(text)) => match wrong_base64(text) {
                Some(at) => self.refuse(format!("illegal base64 data at input byte {at}")),
                None => text.as_str().into(),
            },
            (Scalar::Time | Scalar::MicroTime, Json::String(text)) => self.time(scalar, text),
            (Scalar::Time | Scalar::MicroTime, _) if self.converts => {
                self.mismatch(json.kind(), &Place { go: "string".to_owned(), ..Place::default() })
            }
            (Scalar::Time | Scalar::MicroTime, _) => {
                self.mismatch(json.kind(), &Place { go: "string".to_owned(), ..place.clone() })
            }
            (Scalar::IntOrString, Json::String(_)) => json.to_value(),
            (Scalar::IntOrString, _) => {
                self.scalar(Scalar::Int32, json, &Place { go: "int32".to_owned(), ..place.clone() })
            }
            (Scalar::Quantity, Json::String(text) | Json::Number(text)) => match Quantity::parse(text.trim()) {
                Some(quantity) => quantity.to_string().into(),
                None => self.refuse(NO_QUANTITY.to_owned()),
            },
            (Scalar::Quantity, _) => self.refuse(NO_QUANTITY.to_owned()),
            (_, Json::Number(_)) if self.converts => {
                self.refuse(format!("cannot convert {} to {}", go_kind(json), place.go))
            }
            _ if self.converts => self.refuse(format!("unrecognized type: {}", scalar.go())),
            _ => self.mismatch(json.kind(), place),
        }
    }

    fn time(&mut self, scalar: Scalar, text: &str) -> Value {
        let layout = match scalar {
            Scalar::MicroTime => "2006-01-02T15:04:05.000000Z07:00",
            _ => "2006-01-02T15:04:05Z07:00",
        };
        match timestamp::rewrite(text, scalar == Scalar::MicroTime) {
            Some(text) => text.into(),
            None => self.refuse(format!("parsing time {text:?} as {layout:?}: {}", wrong_time(text))),
        }
    }

    fn mismatch(&mut self, found: &str, Place { fields, owner, go, .. }: &Place) -> Value {
        let target = if fields.is_empty() { "value".to_owned() } else { format!("struct field {owner}.{fields}") };
        self.refuse(format!("json: cannot unmarshal {found} into Go {target} of type {go}"))
    }

    fn refuse(&mut self, wrong: String) -> Value {
        self.wrong.get_or_insert(wrong);
        Value::Null
    }

    fn tell_twice(&mut self, twice: bool, path: &str) {
        if twice {
            self.tell("duplicate", path);
        }
    }

    fn tell(&mut self, what: &str, path: &str) {
        let told = format!("{what} field \"{path}\"");
        if self.strict.len() < MOST_STRICT && !self.strict.contains(&told) {
            self.strict.push(told);
        }
    }
}

impl Field {
    /// The Go type of the field.
    fn go_type(&self) -> String {
        match &self.go {
            Some(go) => go.to_string(),
            None => go_of(&self.of, None),
        }
    }
}

/// The Go type of a part, unless it is known.
fn go_of(of: &TypeRef, known: Option<&str>) -> String {
    if let Some(known) = known {
        return known.to_owned();
    }
    match of {
        TypeRef::Recorded(name) | TypeRef::RecordedAs { name, .. } => {
            let mut parts = name.rsplitn(3, '.');
            let (own, package) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            format!("{package}.{own}")
        }
        TypeRef::Here(schema) => match &**schema {
            Schema::List(of) => format!("[]{}", go_of(&of.items, None)),
            Schema::Map(of) => format!("map[string]{}", go_of(&of.values, None)),
            Schema::Scalar(scalar) => scalar.go().to_owned(),
            Schema::Struct(_) | Schema::Any | Schema::Opaque => "map[string]interface {}".to_owned(),
        },
    }
}

/// The Go type of the elements of a list or map, where its own says it.
fn element(go: &str) -> Option<&str> {
    go.strip_prefix("[]").or_else(|| go.strip_prefix("map[")?.split_once(']').map(|(_, element)| element))
}

impl Scalar {
    fn go(self) -> &'static str {
        match self {
            Scalar::String => "string",
            Scalar::Bytes => "[]uint8",
            Scalar::Time => "v1.Time",
            Scalar::MicroTime => "v1.MicroTime",
            Scalar::Boolean => "bool",
            Scalar::Int32 => "int32",
            Scalar::Int64 => "int64",
            Scalar::Number => "float64",
            Scalar::IntOrString => "intstr.IntOrString",
            Scalar::Quantity => "resource.Quantity",
        }
    }
}

/// What Go calls the kind of a value in a tree.
fn go_kind(json: &Json) -> &'static str {
    match json {
        Json::Number(text) if text.parse::<i64>().is_ok() => "int64",
        Json::Number(_) => "float64",
        Json::Array(_) => "slice",
        Json::Object(_) => "map",
        other => other.kind(),
    }
}

fn within(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Where a text stops being base64, if it does. Line breaks are let through, as Go does.
fn wrong_base64(text: &str) -> Option<usize> {
    let mut letters = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\r' | b'\n' => {}
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => letters += 1,
            b'=' => {
                let end = &text[at..].replace(['\r', '\n'], "");
                let fits = matches!((letters % 4, end.as_str()), (2, "==") | (3, "="));
                return (!fits).then_some(at);
            }
            _ => return Some(at),
        }
    }
    (letters % 4 != 0).then_some(text.len())
}

/// What of a text Go cannot take for which part of a time.
fn wrong_time(text: &str) -> String {
    let parts = ["2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05", "Z07:00"];
    let mut rest = text;
    for part in parts {
        let length = if part == "Z07:00" { 0 } else { part.len() };
        let taken = rest.get(..length).filter(|taken| {
            if part.starts_with(|c: char| c.is_ascii_digit()) {
                taken.bytes().all(|byte| byte.is_ascii_digit())
            } else {
                *taken == part
            }
        });
        match taken {
            Some(taken) if part != "Z07:00" => rest = &rest[taken.len()..],
            _ => return format!("cannot parse {rest:?} as {part:?}"),
        }
    }
    format!("extra text: {rest:?}")
}

const NO_QUANTITY: &str = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Decoded;
    use crate::{json::Json, schema::Schema};

    fn decode(kind: &str, text: &str) -> Result<Decoded, String> {
        Schema::of_kind("", "v1", kind).unwrap().decode(&Json::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn what_is_unknown_or_there_twice_is_told_in_order() {
        let text = r#"{"colour":1,"metadata":{"name":"a","size":{},"name":"b","labels":{"x":"1","x":"2"}},
            "spec":{"containers":[{"name":"c"},{"naem":"d"}]}}"#;
        let decoded = decode("Pod", text).unwrap();
        let expect = [
            "unknown field \"colour\"",
            "unknown field \"metadata.size\"",
            "duplicate field \"metadata.name\"",
            "duplicate field \"metadata.labels.x\"",
            "unknown field \"spec.containers[1].naem\"",
        ];
        assert_eq!(decoded.strict, expect);
        let metadata = json!({ "name": "b", "labels": { "x": "2" } });
        assert_eq!(decoded.value, json!({ "metadata": metadata, "spec": { "containers": [{ "name": "c" }, {}] } }));
    }

    #[test]
    fn what_has_the_wrong_type_is_refused_in_the_words_of_go() {
        let check = |kind: &str, text: &str, expect: &str| {
            let wrong = decode(kind, text).unwrap_err();
            assert_eq!(wrong.strip_prefix("json: cannot unmarshal ").unwrap_or(&wrong), expect, "{text}");
        };
        let map = |text: &str, expect: &str| check("ConfigMap", text, expect);
        map(r#"{"metadata":7}"#, "number into Go struct field ConfigMap.metadata of type v1.ObjectMeta");
        map(r#"{"metadata":{"name":7}}"#, "number into Go struct field ObjectMeta.metadata.name of type string");
        map(r#"{"data":{"k":1}}"#, "number into Go struct field ConfigMap.data of type string");
        map(r#"{"data":[]}"#, "array into Go struct field ConfigMap.data of type map[string]string");
        map(r#"{"binaryData":{"a":"%%"}}"#, "illegal base64 data at input byte 0");
        map(r#"{"binaryData":{"a":7}}"#, "number into Go struct field ConfigMap.binaryData of type []uint8");
        let time = r#"parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006""#;
        map(r#"{"metadata":{"creationTimestamp":"x"}}"#, time);
        let generation = "number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64";
        map(r#"{"metadata":{"generation":1.5}}"#, generation);
        let pod = |spec: &str, expect: &str| check("Pod", &format!(r#"{{"spec":{spec}}}"#), expect);
        let container = |fields: &str, expect: &str| pod(&format!(r#"{{"containers":[{{{fields}}}]}}"#), expect);
        container(r#""image":7"#, "number into Go struct field Container.spec.containers.image of type string");
        let policy = "number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy";
        container(r#""imagePullPolicy":5"#, policy);
        let port = "ContainerPort.spec.containers.ports.containerPort of type int32";
        container(r#""ports":[{"containerPort":"80"}]"#, &format!("string into Go struct field {port}"));
        let large = format!("number 99999999999 into Go struct field {port}");
        container(r#""ports":[{"containerPort":99999999999}]"#, &large);
        let probe = "object into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of \
                     type int32";
        container(r#""livenessProbe":{"httpGet":{"port":{}}}"#, probe);
        pod(r#"{"containers":{}}"#, "object into Go struct field PodSpec.spec.containers of type []v1.Container");
        let volume =
            "number into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource";
        pod(r#"{"volumes":[{"emptyDir":7}]}"#, volume);
    }

    #[test]
    fn times_and_quantities_are_read_and_written_again() {
        let lease = Schema::of_kind("coordination.k8s.io", "v1", "Lease").unwrap();
        let read = |schema: &Schema, text: &str| -> Value {
            schema.decode(&Json::parse(text.as_bytes()).unwrap()).unwrap().value
        };
        let times = r#"{"metadata":{"creationTimestamp":"2026-01-01T02:00:00.5+02:00"},"spec":{"renewTime":"2026-01-01T00:00:00Z"}}"#;
        let value = read(&lease, times);
        assert_eq!(value["metadata"]["creationTimestamp"], "2026-01-01T00:00:00Z");
        assert_eq!(value["spec"]["renewTime"], "2026-01-01T00:00:00.000000Z");
        let resources = Schema::recorded("core.v1.ResourceRequirements").unwrap();
        let value = read(&resources, r#"{"limits":{"cpu":0.5,"memory":"1024Mi"}}"#);
        assert_eq!(value, json!({ "limits": { "cpu": "500m", "memory": "1Gi" } }));
    }
}
