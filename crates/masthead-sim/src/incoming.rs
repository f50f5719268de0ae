//! The body of a create or update, read as an object of a kind.

use serde_json::{Value, json};

use crate::{
    custom,
    json::Json,
    kind::Kind,
    refusal::Refusal,
    registry::Registry,
    schema::{Decoded, Schema},
    write::check_shape,
    write_options::FieldValidation,
};

/// Reads a body. What is unknown or there twice is refused, or told in `warnings`, as the caller asked.
pub(crate) fn decode(
    kinds: &Registry,
    kind: &Kind,
    body: &[u8],
    validation: FieldValidation,
    warnings: &mut Vec<String>,
) -> Result<Value, Refusal> {
    let unrecognised = |why: &str| Refusal::unrecognised(kind, body, why);
    let parse_error = |why: &str| unrecognised(&format!("couldn't get version/kind; json parse error: {why}"));
    let json = match Json::parse(body) {
        Ok(Json::Null) => Json::Object(Vec::new()),
        Ok(json) => json,
        Err(why) => return Err(parse_error(&why)),
    };
    let (api_version, name) = type_of(&json).map_err(|why| parse_error(&why))?;
    if api_version.matches('/').count() > 1 {
        return Err(unrecognised(&format!("unexpected GroupVersion string: {api_version}")));
    }
    let api_version = if api_version.is_empty() { kind.api_version() } else { api_version.to_owned() };
    let name = if name.is_empty() { kind.kind.clone() } else { name.to_owned() };
    if kind.is_custom() {
        custom::check_type(kind, body, &json.to_value())?;
    } else {
        check_type(kinds, kind, &api_version, &name)?;
    }
    let refuse = |why: &str| {
        let Kind { kind, version, .. } = kind;
        Refusal::bad_request(format!("{kind} in version \"{version}\" cannot be handled as a {kind}: {why}"))
    };
    let schema = if kind.is_custom() { &Schema::Any } else { &*kind.schema };
    let Decoded { value: mut object, mut strict } = schema.decode(&json).map_err(|why| refuse(&why))?;
    if kind.is_custom() {
        custom::check_metadata(&object["metadata"]).map_err(|why| refuse(&why))?;
        strict.extend(custom::unknown_fields(kind, &object));
    }
    match validation {
        FieldValidation::Strict if !strict.is_empty() => {
            return Err(refuse(&format!("strict decoding error: {}", strict.join(", "))));
        }
        FieldValidation::Warn => warnings.extend(strict),
        _ => {}
    }
    object["apiVersion"] = api_version.into();
    object["kind"] = name.into();
    if object["metadata"].is_null() {
        object["metadata"] = json!({});
    }
    check_shape(kind, &object)?;
    Ok(object)
}

/// The version and kind that a body names, empty where it names none.
fn type_of(json: &Json) -> Result<(&str, &str), String> {
    let Json::Object(fields) = json else {
        let into =
            r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;
        return Err(format!("json: cannot unmarshal {} into Go value of type {into}", json.kind()));
    };
    let text = |name: &str| match fields.iter().rev().find(|(key, _)| key == name) {
        None | Some((_, Json::Null)) => Ok(""),
        Some((_, Json::String(text))) => Ok(text.as_str()),
        Some((_, other)) => {
            Err(format!("json: cannot unmarshal {} into Go struct field .{name} of type string", other.kind()))
        }
    };
    Ok((text("apiVersion")?, text("kind")?))
}

fn check_type(kinds: &Registry, kind: &Kind, api_version: &str, name: &str) -> Result<(), Refusal> {
    let expected = kind.api_version();
    if api_version == expected && name == kind.kind {
        return Ok(());
    }
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let unfit = |why: &str| {
        Refusal::bad_request(format!("{name} in version \"{version}\" cannot be handled as a {}: {why}", kind.kind))
    };
    if kinds.of_object(api_version, name).is_none() {
        return Err(unfit(&format!(
            "no kind \"{name}\" is registered for version \"{api_version}\" in scheme \"pkg/runtime/scheme.go:111\""
        )));
    }
    let same_group = api_version.split_once('/').map_or("", |(group, _)| group) == kind.group;
    if name == kind.kind && same_group {
        let why = format!("the API version in the data ({api_version}) does not match the expected API version");
        return Err(Refusal::bad_request(format!("{why} ({expected})")));
    }
    let group = kind.group.split('.').next().filter(|group| !group.is_empty()).unwrap_or("core");
    let why = format!("converting ({version}.{name}) to ({group}.{}): unknown conversion", kind.kind);
    Err(unfit(&why))
}
