//! Nodes.

use super::{Amount, Detail, Facts, Label, Listing, Object, Relation, Told, listing::text};
use crate::model::table::cell::Tone;

pub(super) fn tell(node: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    if node.is("/spec/unschedulable") {
        facts.tell(Label::Scheduling, Told::State("SchedulingDisabled".to_owned(), Tone::Warning));
    }
    for address in node.items("/status/addresses") {
        facts.text(Label::Address, format!("{} {}", address.text("/type"), address.text("/address")));
    }
    facts.all(
        node,
        &[
            (Label::Kubelet, "/status/nodeInfo/kubeletVersion"),
            (Label::OsImage, "/status/nodeInfo/osImage"),
            (Label::Kernel, "/status/nodeInfo/kernelVersion"),
            (Label::Architecture, "/status/nodeInfo/architecture"),
            (Label::Runtime, "/status/nodeInfo/containerRuntimeVersion"),
            (Label::PodCidr, "/spec/podCIDR"),
            (Label::ProviderId, "/spec/providerID"),
        ],
    );
    let amount = |(name, of): (&str, String)| Amount { name: name.to_owned(), taken: String::new(), of };
    detail.amounts = node.pairs("/status/allocatable").filter(|(_, of)| of != "0").map(amount).collect();
    let taint =
        |taint: Object<'_>| [taint.text("/key"), taint.text("/value"), taint.text("/effect")].map(text).to_vec();
    let heads = [Label::Key, Label::Value, Label::Effect];
    detail.listings.extend(Listing::new(Label::Taints, &heads, node.items("/spec/taints").map(taint)));
    let mut pods = Relation::pods(node, String::new());
    pods.fields = format!("spec.nodeName={}", node.text("/metadata/name"));
    detail.relations.push(pods);
}
