//! The dynamic client: objects of a kind that the program has no type for.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use kube_core::GroupVersionResource;
use masthead::{
    Error,
    dynamic::DynamicClient,
    rest::{Config, PatchKind, RestClient},
};
use serde_json::json;

async fn show(config: Config) -> Result<(), Error> {
    let certificates = GroupVersionResource::gvr("cert-manager.io", "v1", "certificates");
    let client = DynamicClient::new(&RestClient::new(config)?).resource(&certificates).namespace("default");
    for certificate in client.list(&Default::default()).await?.items {
        let kind = certificate.types.map(|types| types.kind);
        println!("{kind:?} {:?} {}", certificate.metadata.name, certificate.data["spec"]["dnsNames"]);
    }
    let patch = json!({"metadata": {"labels": {"seen": "yes"}}});
    let patched = client.patch("web", PatchKind::Merge, &patch, &Default::default()).await?;
    println!("{:?}", patched.metadata.labels);
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[
    (
        "GET /apis/cert-manager.io/v1/namespaces/default/certificates",
        r#"{"apiVersion":"cert-manager.io/v1","kind":"CertificateList","metadata":{"resourceVersion":"1"},
            "items":[{"metadata":{"name":"web"},"spec":{"dnsNames":["example.com"]}}]}"#,
    ),
    (
        "PATCH /apis/cert-manager.io/v1/namespaces/default/certificates/web",
        r#"{"metadata":{"name":"web","labels":{"seen":"yes"}}}"#,
    ),
];
