//! Which columns and cells a kind has.

use std::{rc::Rc, time::Duration};

use serde_json::Value;

use super::{
    CustomColumns, access, admission, autoscaler, columns, event, job, limit, network, node, plain, pod, service,
    volume, workload,
};
use crate::{kind::Kind, object::Object};

/// Makes the rows of one kind.
pub(super) enum Printer<'a> {
    Builtin {
        resource: String,
        cells: Cells,
    },
    Custom(&'a CustomColumns),
    /// For what the real server has no printer: name and time of creation.
    Default,
}

/// The cells of an object at a time.
type Cells = fn(&Value, Duration) -> Vec<Value>;

impl Printer<'_> {
    pub(super) fn of(kind: &Kind) -> Printer<'_> {
        match &kind.columns {
            Some(columns) => Printer::Custom(columns),
            None => match cells_of(&kind.group, &kind.plural) {
                Some(cells) => Printer::Builtin { resource: kind.qualified_plural(), cells },
                None => Printer::Default,
            },
        }
    }

    pub(super) fn scale() -> Printer<'static> {
        Printer::Builtin { resource: "scale".to_owned(), cells: workload::scale }
    }

    pub(super) fn columns(&self) -> Value {
        match self {
            Printer::Builtin { resource, .. } => columns::of(resource).unwrap_or_default(),
            Printer::Custom(columns) => columns.definitions(),
            // Limit ranges are one of those kinds.
            Printer::Default => columns::of("limitranges").unwrap_or_default(),
        }
    }

    pub(super) fn cells(&self, object: &Value, now: Duration) -> Vec<Value> {
        match self {
            Printer::Builtin { cells, .. } => cells(object, now),
            Printer::Custom(columns) => columns.cells(object, now),
            Printer::Default => plain::dated(object),
        }
    }

    /// What a row tells beside its cells.
    pub(super) fn conditions(&self, object: &Value) -> Option<Value> {
        if self.is("pods") { pod::conditions(object) } else { None }
    }

    /// Puts rows into the order they are shown in, which is that of the names but for flow schemas.
    pub(super) fn sort(&self, rows: &mut [(Value, &Rc<Object>)]) {
        if self.is("flowschemas.flowcontrol.apiserver.k8s.io") {
            rows.sort_by_key(|(schema, _)| schema["spec"]["matchingPrecedence"].as_i64());
        }
    }

    /// What stands for no rows at all; the real server's default has no empty list.
    pub(super) fn no_rows(&self) -> &'static str {
        if matches!(self, Printer::Default) { "null" } else { "[]" }
    }

    fn is(&self, name: &str) -> bool {
        matches!(self, Printer::Builtin { resource, .. } if resource == name)
    }
}

/// The cells of a built-in kind, where it has a printer.
pub(super) fn cells_of(group: &str, plural: &str) -> Option<Cells> {
    let cells: Cells = match (group.split('.').next().unwrap_or_default(), plural) {
        ("", "componentstatuses") => plain::component,
        ("", "configmaps") => plain::config_map,
        ("", "endpoints") => service::endpoints,
        ("" | "events", "events") => event::cells,
        ("", "namespaces") => plain::namespace,
        ("", "nodes") => node::cells,
        ("", "persistentvolumeclaims") => volume::claim,
        ("", "persistentvolumes") => volume::volume,
        ("", "pods") => pod::cells,
        ("", "podtemplates") => workload::pod_template,
        ("", "replicationcontrollers") => workload::replication_controller,
        ("", "resourcequotas") => limit::quota,
        ("", "secrets") => plain::secret,
        ("", "serviceaccounts") => plain::aged,
        ("", "services") => service::service,
        ("apps", "controllerrevisions") => workload::controller_revision,
        ("apps", "daemonsets") => workload::daemon_set,
        ("apps", "deployments") => workload::deployment,
        ("apps", "replicasets") => workload::replica_set,
        ("apps", "statefulsets") => workload::stateful_set,
        ("autoscaling", "horizontalpodautoscalers") => autoscaler::cells,
        ("batch", "cronjobs") => job::cron_job,
        ("batch", "jobs") => job::job,
        _ => return cells_of_cluster(group, plural),
    };
    Some(cells)
}

/// The same for the groups that are mostly of the cluster's own, lest one function be endless.
fn cells_of_cluster(group: &str, plural: &str) -> Option<Cells> {
    let cells: Cells = match (group.split('.').next().unwrap_or_default(), plural) {
        ("admissionregistration", "mutatingadmissionpolicies") => admission::mutating_policy,
        ("admissionregistration", "validatingadmissionpolicies") => admission::validating_policy,
        ("admissionregistration", "mutatingadmissionpolicybindings" | "validatingadmissionpolicybindings") => {
            admission::policy_binding
        }
        ("admissionregistration", "mutatingwebhookconfigurations" | "validatingwebhookconfigurations") => {
            admission::webhooks
        }
        ("apiregistration", "apiservices") => admission::api_service,
        ("certificates", "certificatesigningrequests") => access::signing_request,
        ("coordination", "leases") => plain::lease,
        ("discovery", "endpointslices") => service::endpoint_slice,
        ("flowcontrol", "flowschemas") => admission::flow_schema,
        ("flowcontrol", "prioritylevelconfigurations") => admission::priority_level,
        ("networking", "ingressclasses") => network::ingress_class,
        ("networking", "ingresses") => network::ingress,
        ("networking", "ipaddresses") => network::ip_address,
        ("networking", "networkpolicies") => network::network_policy,
        ("networking", "servicecidrs") => network::service_cidr,
        ("node", "runtimeclasses") => plain::runtime_class,
        ("policy", "poddisruptionbudgets") => limit::disruption_budget,
        ("rbac", "clusterrolebindings" | "rolebindings") => access::binding,
        ("resource", "deviceclasses" | "resourceclaimtemplates") => plain::aged,
        ("resource", "resourceclaims") => plain::resource_claim,
        ("resource", "resourceslices") => plain::resource_slice,
        ("scheduling", "priorityclasses") => limit::priority_class,
        ("storage", "csidrivers") => volume::csi_driver,
        ("storage", "csinodes") => volume::csi_node,
        ("storage", "storageclasses") => volume::storage_class,
        ("storage", "volumeattachments") => volume::attachment,
        ("storage", "volumeattributesclasses") => volume::attributes_class,
        _ => return None,
    };
    Some(cells)
}
