//! Bodies in protobuf, as Go clients send them for built-in kinds: read into what the same body is in JSON.

mod wire;

use std::{borrow::Cow, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use self::wire::{Fields, Malformed, Raw};
use crate::{
    refusal::Refusal,
    schema::{Empty, Scalar, Schema, StructType, TypeRef},
    timestamp,
    tree::is_empty,
};

/// The type and the body of a request in JSON, if it came in protobuf; otherwise both as they are.
pub(crate) fn to_json<'a>(content_type: &'a str, body: &'a [u8]) -> Result<(&'a str, Cow<'a, [u8]>), Refusal> {
    if content_type != "application/vnd.kubernetes.protobuf" || body.is_empty() {
        return Ok((content_type, body.into()));
    }
    let refuse = |why: &str| Refusal::bad_request(format!("the object provided is unrecognized: {why}"));
    let Some(message) = body.strip_prefix(PREFIX) else {
        return Err(refuse("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"));
    };
    match enveloped(message) {
        Ok(Some(object)) => Ok(("application/json", object.to_string().into_bytes().into())),
        Ok(None) => Err(Refusal::unsupported_media_type()),
        Err(Malformed) => Err(refuse("illegal protobuf")),
    }
}

/// What every protobuf body of Kubernetes begins with.
const PREFIX: &[u8] = b"k8s\0";

/// The object in a `runtime.Unknown`; `None` when its kind is not built in.
fn enveloped(message: &[u8]) -> Result<Option<Value>, Malformed> {
    let (mut api_version, mut kind, mut inside): (&str, &str, &[u8]) = ("", "", &[]);
    for field in Fields::of(message) {
        match field? {
            (1, Raw::Bytes(type_meta)) => {
                for field in Fields::of(type_meta) {
                    match field? {
                        (1, Raw::Bytes(text)) => api_version = utf8(text)?,
                        (2, Raw::Bytes(text)) => kind = utf8(text)?,
                        _ => {}
                    }
                }
            }
            (2, Raw::Bytes(raw)) => inside = raw,
            _ => {}
        }
    }
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    // Every group has these options, and one type for all of them.
    let schema = match kind {
        "DeleteOptions" => Schema::recorded("meta.v1.DeleteOptions"),
        kind => Schema::of_kind(group, version, kind),
    };
    let Some(Schema::Struct(of)) = schema.as_deref() else { return Ok(None) };
    let mut object = Map::from_iter([("apiVersion".to_owned(), api_version.into()), ("kind".to_owned(), kind.into())]);
    read_fields(inside, of, "", &mut object)?;
    Ok(Some(object.into()))
}

/// Reads a message; `inside` is the number, with a dot, of what JSON has inline.
fn read_fields(message: &[u8], of: &StructType, inside: &str, out: &mut Map<String, Value>) -> Result<(), Malformed> {
    for field in Fields::of(message) {
        let (number, raw) = field?;
        let number = format!("{inside}{number}");
        let known = of.fields.iter().find(|(_, field)| field.number.as_deref() == Some(&number));
        let Some((name, field)) = known else {
            // A field that is unknown, or whose own fields stand here.
            if let Raw::Bytes(message) = raw {
                let below = format!("{number}.");
                let is_inline = |number: &str| number.starts_with(&below);
                if of.fields.values().any(|field| field.number.as_deref().is_some_and(is_inline)) {
                    read_fields(message, of, &below, out)?;
                }
            }
            continue;
        };
        let schema = field.of.schema();
        match &*schema {
            Schema::List(list) => {
                let item = read(raw, &list.items)?;
                if let Some(items) = out.entry(&**name).or_insert_with(|| json!([])).as_array_mut() {
                    items.push(item);
                }
            }
            Schema::Map(map) if *map.values.schema() != Schema::Any => {
                let (key, value) = read_entry(raw, &map.values)?;
                if let Some(entries) = out.entry(&**name).or_insert_with(|| json!({})).as_object_mut() {
                    entries.insert(key, value);
                }
            }
            _ => {
                let value = read(raw, &field.of)?;
                if field.empty != Empty::Omitted || !is_empty(&value) {
                    out.insert(name.to_string(), value);
                }
            }
        }
    }
    Ok(())
}

/// Reads a value that is there once.
fn read(raw: Raw<'_>, of: &TypeRef) -> Result<Value, Malformed> {
    let schema = of.schema();
    match (&*schema, raw) {
        (Schema::Struct(of), Raw::Bytes(message)) => {
            let mut object = Map::new();
            read_fields(message, of, "", &mut object)?;
            Ok(object.into())
        }
        // A list that is no field is a message of its own.
        (Schema::List(of), Raw::Bytes(message)) => {
            Fields::of(message).map(|field| read(field?.1, &of.items)).collect::<Result<_, _>>().map(Value::Array)
        }
        (Schema::Any | Schema::Opaque | Schema::Map(_), Raw::Bytes(message)) => read_json(message),
        (Schema::Scalar(scalar), raw) => read_scalar(raw, *scalar),
        _ => Err(Malformed),
    }
}

fn read_entry(raw: Raw<'_>, values: &TypeRef) -> Result<(String, Value), Malformed> {
    let Raw::Bytes(entry) = raw else { return Err(Malformed) };
    // An empty value may be left out, and is then what an empty message is.
    let (mut key, mut value) = (String::new(), read(Raw::Bytes(&[]), values)?);
    for field in Fields::of(entry) {
        match field? {
            (1, Raw::Bytes(text)) => key = utf8(text)?.to_owned(),
            (2, raw) => value = read(raw, values)?,
            _ => {}
        }
    }
    Ok((key, value))
}

/// The JSON that a message carries as it is.
fn read_json(message: &[u8]) -> Result<Value, Malformed> {
    match Fields::of(message).next().transpose()? {
        Some((1, Raw::Bytes(text))) if !text.is_empty() => serde_json::from_slice(text).map_err(|_| Malformed),
        _ => Ok(Value::Null),
    }
}

fn read_scalar(raw: Raw<'_>, scalar: Scalar) -> Result<Value, Malformed> {
    Ok(match (scalar, raw) {
        (Scalar::String, Raw::Bytes(text)) => utf8(text)?.into(),
        (Scalar::Bytes, Raw::Bytes(bytes)) => STANDARD.encode(bytes).into(),
        (Scalar::Boolean, Raw::Number(number)) => (number != 0).into(),
        (Scalar::Int32 | Scalar::Int64, Raw::Number(number)) => number.cast_signed().into(),
        (Scalar::Number, Raw::Number(bits)) => f64::from_bits(bits).into(),
        (Scalar::Time | Scalar::MicroTime, Raw::Bytes(message)) => read_time(message, scalar == Scalar::MicroTime)?,
        (Scalar::Quantity, Raw::Bytes(message)) => match Fields::of(message).next().transpose()? {
            Some((1, Raw::Bytes(text))) => utf8(text)?.into(),
            _ => "0".into(),
        },
        (Scalar::IntOrString, Raw::Bytes(message)) => {
            let (mut is_text, mut number, mut text) = (false, 0, "");
            for field in Fields::of(message) {
                match field? {
                    (1, Raw::Number(kind)) => is_text = kind == 1,
                    (2, Raw::Number(value)) => number = value.cast_signed(),
                    (3, Raw::Bytes(value)) => text = utf8(value)?,
                    _ => {}
                }
            }
            if is_text { text.into() } else { number.into() }
        }
        _ => return Err(Malformed),
    })
}

fn read_time(message: &[u8], is_micro: bool) -> Result<Value, Malformed> {
    let (mut seconds, mut nanos) = (None, 0);
    for field in Fields::of(message) {
        match field? {
            (1, Raw::Number(value)) => seconds = Some(value),
            (2, Raw::Number(value)) => nanos = value,
            _ => {}
        }
    }
    // No time at all is an empty message.
    let Some(seconds) = seconds.filter(|seconds| *seconds < YEAR_10000) else { return Ok(Value::Null) };
    let text = timestamp::format(Duration::from_secs(seconds));
    let Some(whole) = text.strip_suffix('Z').filter(|_| is_micro) else { return Ok(text.into()) };
    Ok(format!("{whole}.{:06}Z", nanos / 1000 % 1_000_000).into())
}

/// In seconds since 1970; times have four digits for the year.
const YEAR_10000: u64 = 253_402_300_800;

fn utf8(bytes: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(bytes).map_err(|_| Malformed)
}

#[cfg(test)]
mod tests;
