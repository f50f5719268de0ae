//! Tokens of service accounts: well formed, and signed by nobody.

use std::{rc::Rc, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::Write;
use crate::{
    cause::Cause,
    kind::Kind,
    object::{Key, Object},
    refusal::Refusal,
};

/// Who issues the tokens, and whom they are for where nobody says.
const ISSUER: &str = "https://kubernetes.default.svc";
const LIFE: u64 = 3600;

impl Write<'_> {
    /// Answers a request for a token of a service account.
    pub(crate) fn request_token(&mut self, kind: &Rc<Kind>, key: &Key, mut request: Value) -> Result<Value, Refusal> {
        let account = self.existing(kind, key)?;
        check(key, &request)?;
        let spec = &mut request["spec"];
        let life = spec["expirationSeconds"].as_u64().unwrap_or(LIFE);
        spec["expirationSeconds"] = life.into();
        if spec["audiences"].as_array().is_none_or(Vec::is_empty) {
            spec["audiences"] = json!([ISSUER]);
        }
        let (audiences, reference) = (spec["audiences"].clone(), spec["boundObjectRef"].clone());
        spec["boundObjectRef"] = reference.clone();
        let bound = self.bound(key, &reference)?;
        let token = self.token(&account, bound, life, audiences);
        let metadata = json!({
            "name": *key.name, "namespace": *key.namespace, "uid": account.uid,
            "creationTimestamp": self.time(Duration::ZERO),
        });
        let status = json!({ "token": token, "expirationTimestamp": self.time(Duration::from_secs(life)) });
        Ok(json!({
            "kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "metadata": metadata,
            "spec": request["spec"], "status": status,
        }))
    }

    /// The object that a token is to end with, as its claims name it.
    fn bound(&self, key: &Key, reference: &Value) -> Result<Option<(String, Value)>, Refusal> {
        if reference.is_null() {
            return Ok(None);
        }
        let text = |field: &str| reference[field].as_str().unwrap_or_default();
        let (namespace, plural) = match (text("apiVersion"), text("kind")) {
            ("v1", "Pod") => (&*key.namespace, "pods"),
            ("v1", "Secret") => (&*key.namespace, "secrets"),
            ("v1", "Node") => ("", "nodes"),
            (version, kind) => {
                let (group, version) = version.split_once('/').unwrap_or(("", version));
                let why = format!("cannot bind token to object of type {group}/{version}, Kind={kind}");
                return Err(Refusal::bad_request(why));
            }
        };
        let kind = self.kinds.find("", "v1", plural).cloned().ok_or_else(Refusal::unknown_resource)?;
        let object = self.existing(&kind, &Key::new(namespace, text("name")))?;
        let claim = json!({ "name": *object.key.name, "uid": object.uid });
        Ok(Some((kind.singular.clone(), claim)))
    }

    fn token(&self, account: &Object, bound: Option<(String, Value)>, life: u64, audiences: Value) -> String {
        let (now, Key { namespace, name }) = (self.runtime.wall().as_secs(), &account.key);
        let mut about = json!({
            "namespace": **namespace, "serviceaccount": { "name": **name, "uid": account.uid },
        });
        if let Some((kind, claim)) = bound {
            about[kind] = claim;
        }
        let claims = json!({
            "aud": audiences, "exp": now + life, "iat": now, "iss": ISSUER, "jti": self.uid(),
            "kubernetes.io": about, "nbf": now, "sub": format!("system:serviceaccount:{namespace}:{name}"),
        });
        let head = json!({ "alg": "ES256", "kid": "masthead-sim" });
        let signature: Vec<u8> = (0..64).map(|_| (self.runtime.random() * 256.0) as u8).collect();
        let parts = [head.to_string().into_bytes(), claims.to_string().into_bytes(), signature];
        parts.map(|part| URL_SAFE_NO_PAD.encode(part)).join(".")
    }
}

fn check(key: &Key, request: &Value) -> Result<(), Refusal> {
    for (field, known, what) in [("name", &key.name, "name"), ("namespace", &key.namespace, "namespace")] {
        let named = request["metadata"][field].as_str().unwrap_or_default();
        if !named.is_empty() && *named != **known {
            let why = format!("must match the service account {what} if specified");
            let cause = Cause::invalid(format!("metadata.{field}"), format_args!("{named:?}"), why);
            return Err(Refusal::invalid_token(&key.name, &[cause]));
        }
    }
    let why = match request["spec"]["expirationSeconds"].as_i64() {
        Some(seconds) if seconds < 600 => "may not specify a duration less than 10 minutes",
        Some(seconds) if seconds > 1 << 32 => "may not specify a duration larger than 2^32 seconds",
        _ => return Ok(()),
    };
    let cause = Cause::invalid("spec.expirationSeconds", &request["spec"]["expirationSeconds"], why);
    Err(Refusal::invalid_token(request["metadata"]["name"].as_str().unwrap_or_default(), &[cause]))
}
