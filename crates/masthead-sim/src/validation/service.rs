//! Services.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{checker::Checker, format};
use crate::tree::{items, text};

/// A service, before it has its addresses.
pub(super) fn check(service: &Value, before: Option<&Value>, checker: &mut Checker) {
    let spec = &service["spec"];
    if let Some(before) = before {
        check_addresses_kept(&before["spec"], spec, checker);
    }
    let kind = text(spec, "type");
    let headless = text(spec, "clusterIP") == "None";
    let ports = items(spec, "ports");
    if ports.is_empty() && !headless && kind != "ExternalName" {
        checker.required("spec.ports", "");
    }
    match kind {
        "LoadBalancer" | "NodePort" if headless => {
            let why = format!("may not be set to 'None' for {kind} services");
            checker.invalid("spec.clusterIPs[0]", &"None".into(), &why);
        }
        "ExternalName" => check_external_name(spec, checker),
        _ => {}
    }
    check_ports(ports, checker);
    checker.labels(spec, "spec", "selector");
    check_affinity(spec, checker);
    if kind != "ExternalName" {
        check_addresses(spec, checker);
    }
    for (at, address) in items(spec, "externalIPs").iter().enumerate() {
        check_ip(address, &format!("spec.externalIPs[{at}]"), checker);
    }
    checker.one_of("spec.type", &spec["type"], &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
    check_uses(spec, ports, checker);
    check_traffic(spec, checker);
}

fn check_ports(ports: &[Value], checker: &mut Checker) {
    let mut names = BTreeSet::new();
    for (at, port) in ports.iter().enumerate() {
        let path = format!("spec.ports[{at}]");
        let name = text(port, "name");
        if !name.is_empty() {
            checker.text(&format!("{path}.name"), name, format::label(name));
            if !names.insert(name) {
                checker.duplicate(&format!("{path}.name"), &name.into());
            }
        } else if ports.len() > 1 {
            checker.required(&format!("{path}.name"), "");
        }
        checker.port(&format!("{path}.port"), port["port"].as_i64().unwrap_or_default());
        checker.one_of(&format!("{path}.protocol"), &port["protocol"], &["SCTP", "TCP", "UDP"]);
        checker.port_or_name(&format!("{path}.targetPort"), &port["targetPort"]);
        let protocol = text(port, "appProtocol");
        if !protocol.is_empty() {
            checker.text(&format!("{path}.appProtocol"), protocol, format::qualified_name(protocol));
        }
    }
}

fn check_external_name(spec: &Value, checker: &mut Checker) {
    for field in ["clusterIPs", "ipFamilies"] {
        if !items(spec, field).is_empty() {
            checker.forbidden(&format!("spec.{field}"), "may not be set for ExternalName services");
        }
    }
    if !spec["ipFamilyPolicy"].is_null() {
        checker.forbidden("spec.ipFamilyPolicy", "may not be set for ExternalName services");
    }
    match text(spec, "externalName").trim_end_matches('.') {
        "" => checker.required("spec.externalName", ""),
        name => checker.text("spec.externalName", name, format::subdomain(name)),
    }
}

fn check_affinity(spec: &Value, checker: &mut Checker) {
    checker.one_of("spec.sessionAffinity", &spec["sessionAffinity"], &["ClientIP", "None"]);
    let seconds = &spec["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"];
    if text(spec, "sessionAffinity") == "ClientIP"
        && seconds.as_i64().is_some_and(|seconds| !(1..=86_400).contains(&seconds))
    {
        let field = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
        checker.invalid(field, seconds, "must be greater than 0 and less than 86400");
    }
}

fn check_addresses(spec: &Value, checker: &mut Checker) {
    let (first, all) = (text(spec, "clusterIP"), items(spec, "clusterIPs"));
    if first.is_empty() && !all.is_empty() {
        let why = "must be empty when `clusterIP` is not specified";
        checker.invalid("spec.clusterIPs", &spec["clusterIPs"], why);
    }
    if !first.is_empty() && !all.is_empty() && all[0] != first {
        checker.invalid("spec.clusterIPs", &spec["clusterIPs"], "first value must match `clusterIP`");
    }
    for (at, family) in items(spec, "ipFamilies").iter().enumerate() {
        checker.one_of(&format!("spec.ipFamilies[{at}]"), family, &["IPv4", "IPv6"]);
    }
    if !spec["ipFamilyPolicy"].is_null() {
        let known = ["PreferDualStack", "RequireDualStack", "SingleStack"];
        checker.one_of("spec.ipFamilyPolicy", &spec["ipFamilyPolicy"], &known);
    }
    let given = if all.is_empty() && !first.is_empty() { vec![Value::from(first)] } else { all.to_vec() };
    for (at, address) in given.iter().enumerate().filter(|(_, address)| *address != "None") {
        check_ip(address, &format!("spec.clusterIPs[{at}]"), checker);
    }
}

fn check_ip(address: &Value, field: &str, checker: &mut Checker) {
    if address.as_str().is_none_or(|text| text.parse::<std::net::IpAddr>().is_err()) {
        checker.invalid(field, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
}

fn check_addresses_kept(before: &Value, spec: &Value, checker: &mut Checker) {
    let unaddressed = [before, spec].iter().any(|spec| text(spec, "type") == "ExternalName");
    let headless = [before, spec].iter().all(|spec| text(spec, "clusterIP") == "None");
    if unaddressed || headless {
        return;
    }
    let (old, new) = (items(before, "clusterIPs"), items(spec, "clusterIPs"));
    for (at, address) in old.iter().enumerate() {
        if new.get(at).is_some_and(|new| new != address) {
            checker.invalid(&format!("spec.clusterIPs[{at}]"), &spec["clusterIPs"], "may not change once set");
        }
    }
}

fn check_uses(spec: &Value, ports: &[Value], checker: &mut Checker) {
    let (mut nodes, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    let node = |port: &Value| port["nodePort"].as_i64().filter(|number| *number != 0);
    for (at, _) in ports.iter().enumerate().filter(|(_, port)| node(port).is_some()) {
        if text(spec, "type") == "ClusterIP" {
            let why = "may not be used when `type` is 'ClusterIP'";
            checker.forbidden(&format!("spec.ports[{at}].nodePort"), why);
        }
    }
    for (at, port) in ports.iter().enumerate() {
        if let Some(number) = node(port)
            && !nodes.insert((text(port, "protocol"), number))
        {
            checker.duplicate(&format!("spec.ports[{at}].nodePort"), &number.into());
        }
    }
    for (at, port) in ports.iter().enumerate() {
        let number = port["port"].as_i64().unwrap_or_default();
        if !numbers.insert((text(port, "protocol"), number)) {
            let shown = json!({
                "Name": "", "Protocol": port["protocol"], "AppProtocol": null, "Port": number, "TargetPort": 0, "NodePort": 0,
            });
            checker.causes.push(crate::cause::Cause::duplicate(format!("spec.ports[{at}]"), in_order(&shown)));
        }
    }
    if !items(spec, "loadBalancerSourceRanges").is_empty() && text(spec, "type") != "LoadBalancer" {
        let why = "may only be used when `type` is 'LoadBalancer'";
        checker.forbidden("spec.LoadBalancerSourceRanges", why);
    }
    if !spec["allocateLoadBalancerNodePorts"].is_null() && text(spec, "type") != "LoadBalancer" {
        let why = "may only be used when `type` is 'LoadBalancer'";
        checker.forbidden("spec.allocateLoadBalancerNodePorts", why);
    }
}

/// A port as the real server shows it: its own names in its own order.
fn in_order(port: &Value) -> String {
    let order = ["Name", "Protocol", "AppProtocol", "Port", "TargetPort", "NodePort"];
    let members: Vec<String> = order.iter().map(|name| format!("\"{name}\":{}", port[*name])).collect();
    format!("{{{}}}", members.join(","))
}

fn check_traffic(spec: &Value, checker: &mut Checker) {
    let kind = text(spec, "type");
    let external =
        matches!(kind, "LoadBalancer" | "NodePort") || (kind == "ClusterIP" && !items(spec, "externalIPs").is_empty());
    let policy = &spec["externalTrafficPolicy"];
    if external {
        checker.one_of("spec.externalTrafficPolicy", policy, &["Cluster", "Local"]);
    } else if !policy.is_null() {
        checker.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services");
    }
    let checked = kind == "LoadBalancer" && policy == "Local";
    let port = &spec["healthCheckNodePort"];
    if !checked && port.as_i64().is_some_and(|port| port != 0) {
        let why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
        checker.invalid("spec.healthCheckNodePort", port, why);
    }
    if !spec["internalTrafficPolicy"].is_null() {
        checker.one_of("spec.internalTrafficPolicy", &spec["internalTrafficPolicy"], &["Cluster", "Local"]);
    }
}
