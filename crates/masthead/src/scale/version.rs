//! The versions that a scale may come in.

use k8s_openapi::api::autoscaling::v1::{Scale, ScaleStatus};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Error, rest::Response};

/// Reads a scale of any version as `autoscaling/v1`.
pub(super) fn decode(response: &Response) -> Result<Scale, Error> {
    let scale: AnyScale = response.decode()?;
    match scale.api_version.as_str() {
        "autoscaling/v1" => response.decode(),
        "extensions/v1beta1" | "apps/v1beta1" | "apps/v1beta2" => Ok(scale.into()),
        other => {
            let why = format!("a scale of version {other:?} is not known");
            Err(Error::undecodable(&response.operation, serde::de::Error::custom(why)))
        }
    }
}

/// What all versions have in common, and where the old ones differ: their selector is a map, with a string beside it for
/// what a map cannot say.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnyScale {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    metadata: kube_core::ObjectMeta,
    spec: Option<k8s_openapi::api::autoscaling::v1::ScaleSpec>,
    status: Option<AnyStatus>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnyStatus {
    #[serde(default)]
    replicas: i32,
    selector: Option<Value>,
    target_selector: Option<String>,
}

impl From<AnyScale> for Scale {
    fn from(scale: AnyScale) -> Scale {
        let status = scale.status.map(|status| ScaleStatus {
            replicas: status.replicas,
            selector: status.target_selector.filter(|selector| !selector.is_empty()).or_else(|| {
                match status.selector {
                    Some(Value::Object(labels)) => Some(joined(&labels)),
                    _ => None,
                }
            }),
        });
        Scale { metadata: scale.metadata, spec: scale.spec, status }
    }
}

fn joined(labels: &Map<String, Value>) -> String {
    let pairs = labels.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
    pairs.collect::<Vec<_>>().join(",")
}
