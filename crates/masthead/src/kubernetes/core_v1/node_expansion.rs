//! What nodes can do beyond their verbs: have their status patched.

use k8s_openapi::api::core::v1::Node;
use serde::Serialize;

use super::NodeClient;
use crate::{
    Error,
    rest::{PatchKind, PatchOptions},
};

impl NodeClient {
    /// Changes the status of the node of this name by a strategic merge, as kubelets do.
    #[inline]
    pub async fn patch_status(&self, name: &str, body: &impl Serialize) -> Result<Node, Error> {
        let status = self.client.subresource("status");
        status.patch(name, PatchKind::StrategicMerge, body, &PatchOptions::default()).await
    }
}
