//! The shop as it was before.

// +groupName=shop.example.com

use kube_core::{ObjectMeta, TypeMeta};
use serde::{Deserialize, Serialize};

/// Something for sale.
// +genclient
// +genclient:noStatus
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Widget {
    #[serde(flatten)]
    pub types: TypeMeta,
    pub metadata: ObjectMeta,
    pub spec: Option<serde_json::Value>,
    pub status: Option<serde_json::Value>,
}
