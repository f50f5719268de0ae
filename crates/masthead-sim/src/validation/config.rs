//! Config maps and secrets.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::{
    cause::Cause,
    tree::{entries, text},
};

/// How many bytes one object may hold.
const MOST: usize = 1 << 20;
const FROZEN: &str = "field is immutable when `immutable` is set";

/// A config map.
pub(super) fn check_map(map: &Value, before: Option<&Value>, checker: &mut Checker) {
    check_frozen(map, before, &["data", "binaryData"], checker);
    let mut size = 0;
    for (key, value) in entries(map, "data") {
        let field = format!("data[{key}]");
        checker.text(&field, key, format::key(key));
        if map["binaryData"].get(key).is_some() {
            checker.invalid(&field, &key.as_str().into(), "duplicate of key present in binaryData");
        }
        size += value.as_str().unwrap_or_default().len();
    }
    for (key, value) in entries(map, "binaryData") {
        checker.text(&format!("binaryData[{key}]"), key, format::key(key));
        size += decoded_length(value);
    }
    if size > MOST {
        checker.causes.push(Cause::too_long("", MOST));
    }
}

/// A secret.
pub(super) fn check_secret(secret: &Value, before: Option<&Value>, checker: &mut Checker) {
    if let Some(before) = before {
        checker.unchanged("type", &before["type"], &secret["type"]);
    }
    check_frozen(secret, before, &["data"], checker);
    let mut size = 0;
    for (key, value) in entries(secret, "data") {
        checker.text(&format!("data[{key}]"), key, format::key(key));
        size += decoded_length(value);
    }
    if size > MOST {
        checker.causes.push(Cause::too_long("data", MOST));
    }
    let mut require = |keys: &[&str]| {
        for key in keys.iter().filter(|key| secret["data"].get(**key).is_none()) {
            checker.required(&format!("data[{key}]"), "");
        }
    };
    match text(secret, "type") {
        "kubernetes.io/service-account-token" => {
            const ACCOUNT: &str = "kubernetes.io/service-account.name";
            if text(&secret["metadata"]["annotations"], ACCOUNT).is_empty() {
                checker.required(&format!("metadata.annotations[{ACCOUNT}]"), "");
            }
        }
        "kubernetes.io/dockercfg" => require(&[".dockercfg"]),
        "kubernetes.io/dockerconfigjson" => require(&[".dockerconfigjson"]),
        "kubernetes.io/basic-auth" => {
            let keys = ["username", "password"];
            if keys.iter().all(|key| secret["data"].get(key).is_none()) {
                require(&keys);
            }
        }
        "kubernetes.io/ssh-auth" => require(&["ssh-privatekey"]),
        "kubernetes.io/tls" => require(&["tls.crt", "tls.key"]),
        _ => {}
    }
}

fn check_frozen(object: &Value, before: Option<&Value>, fields: &[&str], checker: &mut Checker) {
    let Some(before) = before.filter(|before| before["immutable"] == true) else { return };
    if object["immutable"] != true {
        checker.forbidden("immutable", FROZEN);
    }
    for field in fields.iter().filter(|field| before[**field] != object[**field]) {
        checker.forbidden(field, FROZEN);
    }
}

/// How many bytes a text in base64 stands for.
fn decoded_length(value: &Value) -> usize {
    let text = value.as_str().unwrap_or_default();
    (text.len() / 4 * 3).saturating_sub(text.len() - text.trim_end_matches('=').len())
}
