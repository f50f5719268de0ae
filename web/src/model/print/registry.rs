//! Which kinds have a printer.

use std::rc::Rc;

use masthead::{
    lean::{Lean, Strings},
    packed::Packed,
    rest::Decoder,
};

use super::{
    Printer, access, admission, autoscaler,
    decoder::{Print, decoder},
    event,
    heading::Heading,
    job, limit, network, node, plain, pod, service, volume, workload,
};
use crate::model::table::row::Row;

/// The printer of a resource, such as `("apps", "v1", "deployments")`; `None` where the server's own table shows it.
///
/// A version that is not known here may have other fields, so it has no printer.
pub fn printer(group: &str, version: &str, resource: &str) -> Option<Printer> {
    if version != if group == "autoscaling" { "v2" } else { "v1" } {
        return None;
    }
    let short = match group.strip_suffix(".k8s.io") {
        Some(short) => short,
        None if group.contains('.') => return None,
        None => group,
    };
    of_workloads(short, resource).or_else(|| of_the_cluster(short, resource))
}

fn of_workloads(group: &str, resource: &str) -> Option<Printer> {
    let printer = match (group, resource) {
        ("", "componentstatuses") => new(plain::COMPONENT, plain::component),
        ("", "configmaps") => new(plain::CONFIG_MAP, plain::config_map),
        ("", "endpoints") => new(service::ENDPOINTS, service::endpoints),
        ("" | "events", "events") => new(event::COLUMNS, event::cells),
        ("", "limitranges") => new(plain::DATED, plain::dated),
        ("", "namespaces") => new(plain::NAMESPACE, plain::namespace),
        ("", "nodes") => new(node::COLUMNS, node::cells),
        ("", "persistentvolumeclaims") => new(volume::CLAIM, volume::claim),
        ("", "persistentvolumes") => new(volume::VOLUME, volume::volume),
        ("", "pods") => new(pod::COLUMNS, pod::cells),
        ("", "podtemplates") => new(workload::POD_TEMPLATE, workload::pod_template),
        ("", "replicationcontrollers") => new(workload::REPLICAS, workload::replication_controller),
        ("", "resourcequotas") => new(limit::QUOTA, limit::quota),
        ("", "serviceaccounts") => new(plain::AGED, plain::aged),
        ("", "services") => new(service::SERVICE, service::service),
        ("apps", "controllerrevisions") => new(workload::CONTROLLER_REVISION, workload::controller_revision),
        ("apps", "daemonsets") => new(workload::DAEMON_SET, workload::daemon_set),
        ("apps", "deployments") => new(workload::DEPLOYMENT, workload::deployment),
        ("apps", "replicasets") => new(workload::REPLICAS, workload::replica_set),
        ("apps", "statefulsets") => new(workload::STATEFUL_SET, workload::stateful_set),
        ("autoscaling", "horizontalpodautoscalers") => new(autoscaler::COLUMNS, autoscaler::cells),
        ("batch", "cronjobs") => new(job::CRON_JOB, job::cron_job),
        ("batch", "jobs") => new(job::JOB, job::job),
        _ => return None,
    };
    Some(printer)
}

fn of_the_cluster(group: &str, resource: &str) -> Option<Printer> {
    let printer = match (group, resource) {
        ("admissionregistration", "mutatingadmissionpolicies") => new(admission::MUTATING_POLICY, admission::policy),
        ("admissionregistration", "validatingadmissionpolicies") => {
            new(admission::VALIDATING_POLICY, admission::policy)
        }
        ("admissionregistration", "mutatingadmissionpolicybindings" | "validatingadmissionpolicybindings") => {
            new(admission::POLICY_BINDING, admission::policy_binding)
        }
        ("admissionregistration", "mutatingwebhookconfigurations" | "validatingwebhookconfigurations") => {
            new(admission::WEBHOOKS, admission::webhooks)
        }
        ("apiextensions", "customresourcedefinitions") => new(plain::DATED, plain::dated),
        ("apiregistration", "apiservices") => new(admission::API_SERVICE, admission::api_service),
        ("certificates", "certificatesigningrequests") => new(access::SIGNING_REQUEST, access::signing_request),
        ("coordination", "leases") => new(plain::LEASE, plain::lease),
        ("discovery", "endpointslices") => new(service::ENDPOINT_SLICE, service::endpoint_slice),
        ("flowcontrol.apiserver", "flowschemas") => new(admission::FLOW_SCHEMA, admission::flow_schema),
        ("flowcontrol.apiserver", "prioritylevelconfigurations") => {
            new(admission::PRIORITY_LEVEL, admission::priority_level)
        }
        ("networking", "ingressclasses") => new(network::INGRESS_CLASS, network::ingress_class),
        ("networking", "ingresses") => new(network::INGRESS, network::ingress),
        ("networking", "ipaddresses") => new(network::IP_ADDRESS, network::ip_address),
        ("networking", "networkpolicies") => new(network::NETWORK_POLICY, network::network_policy),
        ("networking", "servicecidrs") => new(network::SERVICE_CIDR, network::service_cidr),
        ("node", "runtimeclasses") => new(plain::RUNTIME_CLASS, plain::runtime_class),
        ("policy", "poddisruptionbudgets") => new(limit::DISRUPTION_BUDGET, limit::disruption_budget),
        ("rbac.authorization", "clusterrolebindings" | "rolebindings") => new(access::BINDING, access::binding),
        ("rbac.authorization", "clusterroles" | "roles") => new(plain::DATED, plain::dated),
        ("resource", "deviceclasses" | "resourceclaimtemplates") => new(plain::AGED, plain::aged),
        ("resource", "resourceclaims") => new(plain::RESOURCE_CLAIM, plain::resource_claim),
        ("resource", "resourceslices") => new(plain::RESOURCE_SLICE, plain::resource_slice),
        ("scheduling", "priorityclasses") => new(limit::PRIORITY_CLASS, limit::priority_class),
        ("storage", "csidrivers") => new(volume::CSI_DRIVER, volume::csi_driver),
        ("storage", "csinodes") => new(volume::CSI_NODE, volume::csi_node),
        ("storage", "csistoragecapacities") => new(plain::DATED, plain::dated),
        ("storage", "storageclasses") => new(volume::STORAGE_CLASS, volume::storage_class),
        ("storage", "volumeattachments") => new(volume::ATTACHMENT, volume::attachment),
        ("storage", "volumeattributesclasses") => new(volume::ATTRIBUTES_CLASS, volume::attributes_class),
        _ => return None,
    };
    Some(printer)
}

thread_local! {
    /// The texts of every row of the page.
    static STRINGS: Strings = Strings::new();
}

fn new<K: Lean>(headings: &[Heading], print: Print<K>) -> Printer {
    titled(headings, STRINGS.with(|strings| decoder(headings.len(), print, strings)))
}

/// Not generic: fifty kinds share it.
fn titled(headings: &[Heading], decoder: Rc<dyn Decoder<Packed<Row>>>) -> Printer {
    Printer { columns: headings.iter().map(From::from).collect(), decoder }
}
