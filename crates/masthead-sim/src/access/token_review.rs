//! Whose a token is: those of service accounts are known, for as long as they live.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The review with its answer. Tokens here are signed by nobody, so that whatever has their form is taken for one.
pub(super) fn answer(mut review: Value, wall: Duration) -> Result<Value, Refusal> {
    let token = review["spec"]["token"].as_str().unwrap_or_default();
    if token.is_empty() {
        return Err(Refusal::bad_request("token is required for TokenReview in authentication"));
    }
    review["status"] = match claims(token).and_then(|claims| status(&claims, wall)) {
        Some(status) => status,
        None => json!({ "user": {}, "error": "invalid bearer token" }),
    };
    Ok(review)
}

fn claims(token: &str) -> Option<Value> {
    let [_, claims, _] = token.split('.').collect::<Vec<_>>().try_into().ok()?;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
}

fn status(claims: &Value, wall: Duration) -> Option<Value> {
    let about = &claims["kubernetes.io"];
    let (subject, namespace) = (claims["sub"].as_str()?, about["namespace"].as_str()?);
    claims["exp"].as_u64().filter(|end| *end > wall.as_secs())?;
    let groups = [
        "system:serviceaccounts".to_owned(),
        format!("system:serviceaccounts:{namespace}"),
        "system:authenticated".into(),
    ];
    let id = format!("JTI={}", claims["jti"].as_str().unwrap_or_default());
    Some(json!({
        "authenticated": true, "audiences": claims["aud"],
        "user": {
            "username": subject, "uid": about["serviceaccount"]["uid"], "groups": groups,
            "extra": { "authentication.kubernetes.io/credential-id": [id] },
        },
    }))
}
