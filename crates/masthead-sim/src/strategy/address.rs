//! The addresses and ports of services.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    cause::Cause,
    kind::Kind,
    refusal::Refusal,
    tree::{drop_empty, fill, is_empty, items, made, members, text},
};

/// What services have already, and the chance that chooses from the rest.
pub(crate) struct Addresses<'a> {
    pub(crate) ips: BTreeSet<String>,
    pub(crate) ports: BTreeSet<u64>,
    pub(crate) random: &'a dyn Fn() -> f64,
    /// Whether nothing is taken in the end: then the real server does not ask what others have.
    pub(crate) dry_run: bool,
}

/// The network that addresses are taken from: its first two bytes, and how it is written.
const NETWORK: (&str, &str) = ("10.96", "10.96.0.0/16");
const PORTS: std::ops::RangeInclusive<u64> = 30_000..=32_767;

impl Addresses<'_> {
    /// Gives a service what it lacks, and refuses what it asks for and cannot have.
    pub(super) fn allocate(mut self, kind: &Kind, service: &mut Value) -> Result<(), Refusal> {
        let name = text(&service["metadata"], "name").to_owned();
        let refuse = |cause: Cause| Refusal::invalid(kind, &name, &[cause]);
        let Some(spec) = made(service, "spec") else { return Ok(()) };
        if text(spec, "type") == "ExternalName" {
            return Ok(());
        }
        complete_families(spec);
        self.allocate_ip(spec).map_err(refuse)?;
        let balanced = text(spec, "type") == "LoadBalancer";
        let ports = text(spec, "type") == "NodePort" || (balanced && spec["allocateLoadBalancerNodePorts"] == true);
        for (at, port) in members(spec, "ports").enumerate() {
            match port["nodePort"].as_u64().filter(|asked| *asked != 0) {
                Some(asked) => self.take_port(at, asked).map_err(refuse)?,
                None if ports => port["nodePort"] = self.free_port().into(),
                None => {}
            }
        }
        if balanced && text(spec, "externalTrafficPolicy") == "Local" && is_empty(&spec["healthCheckNodePort"]) {
            spec["healthCheckNodePort"] = self.free_port().into();
        }
        Ok(())
    }

    fn allocate_ip(&mut self, spec: &mut Value) -> Result<(), Cause> {
        let asked = match text(spec, "clusterIP") {
            "" => items(spec, "clusterIPs").first().and_then(Value::as_str).unwrap_or_default(),
            asked => asked,
        };
        let address = match asked {
            "None" => "None".to_owned(),
            "" => self.free_ip(),
            asked => {
                self.take_ip(asked)?;
                asked.to_owned()
            }
        };
        spec["clusterIP"] = address.as_str().into();
        fill(spec, "clusterIPs", json!([address]));
        Ok(())
    }

    fn take_ip(&mut self, asked: &str) -> Result<(), Cause> {
        let refuse = |why: String| {
            let why = format!("failed to allocate IP {asked}: {why}");
            Err(Cause::invalid("spec.clusterIPs", json!([asked]), why))
        };
        let inside = asked.strip_prefix(NETWORK.0).is_some_and(|rest| !matches!(rest, ".0.0" | ".255.255"));
        if !inside {
            let range = NETWORK.1;
            return refuse(format!(
                "the provided IP ({asked}) is not in the valid range. The range of valid IPs is {range}"
            ));
        }
        if !self.dry_run && !self.ips.insert(asked.to_owned()) {
            return refuse("provided IP is already allocated".to_owned());
        }
        Ok(())
    }

    fn take_port(&mut self, at: usize, asked: u64) -> Result<(), Cause> {
        let refuse = |why: &str| Err(Cause::invalid(format!("spec.ports[{at}].nodePort"), asked, why));
        if self.dry_run {
            return Ok(());
        }
        if !PORTS.contains(&asked) {
            return refuse("provided port is not in the valid range. The range of valid ports is 30000-32767");
        }
        if !self.ports.insert(asked) {
            return refuse("provided port is already allocated");
        }
        Ok(())
    }

    fn free_ip(&mut self) -> String {
        let start = ((self.random)() * 65_534.0) as u64;
        let all = (0..65_534).map(|step| (start + step) % 65_534 + 1);
        let mut written = all.map(|number| format!("{}.{}.{}", NETWORK.0, number >> 8, number & 255));
        let free = written.find(|address| !self.ips.contains(address)).unwrap_or_default();
        self.ips.insert(free.clone());
        free
    }

    fn free_port(&mut self) -> u64 {
        let count = PORTS.end() - PORTS.start() + 1;
        let start = ((self.random)() * count as f64) as u64;
        let mut all = (0..count).map(|step| PORTS.start() + (start + step) % count);
        let free = all.find(|port| !self.ports.contains(port)).unwrap_or_default();
        self.ports.insert(free);
        free
    }
}

impl std::fmt::Debug for Addresses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Addresses").field("ips", &self.ips.len()).finish_non_exhaustive()
    }
}

/// Keeps what a service was given where an update leaves it out, and drops what its type no longer has.
pub(super) fn keep(before: &Value, next: &mut Value) {
    let Some(spec) = made(next, "spec") else { return };
    let before = &before["spec"];
    let [was, is] = [before, &*spec].map(|spec| text(spec, "type").to_owned());
    let has_address = |kind: &str| kind != "ExternalName";
    match (has_address(&was), has_address(&is)) {
        (true, true) => {
            for field in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
                if is_empty(&spec[field]) && !before[field].is_null() {
                    spec[field] = before[field].clone();
                }
            }
        }
        (true, false) => {
            let own = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"];
            drop_same(spec, before, &own);
        }
        _ => {}
    }
    let has_ports = |kind: &str| matches!(kind, "NodePort" | "LoadBalancer");
    if has_ports(&was) {
        keep_ports(before, spec, has_ports(&is));
    }
    if was == "LoadBalancer" && is != "LoadBalancer" {
        drop_same(spec, before, &["allocateLoadBalancerNodePorts", "healthCheckNodePort", "loadBalancerClass"]);
    }
    if has_ports(&was) && !has_ports(&is) {
        drop_same(spec, before, &["externalTrafficPolicy"]);
    }
    if was == "LoadBalancer" && is == "LoadBalancer" && is_empty(&spec["healthCheckNodePort"]) {
        let known = before["healthCheckNodePort"].clone();
        if !is_empty(&known) {
            spec["healthCheckNodePort"] = known;
        }
    }
    if is != "LoadBalancer" {
        next["status"]["loadBalancer"] = json!({});
    }
}

fn keep_ports(before: &Value, spec: &mut Value, has_ports: bool) {
    let known = |field: &Value| items(before, "ports").iter().find(|port| port["name"] == *field).cloned();
    let of =
        |spec: &Value| -> Vec<Value> { items(spec, "ports").iter().map(|port| port["nodePort"].clone()).collect() };
    let (old, new) = (of(before), of(spec));
    if !has_ports {
        if old == new {
            members(spec, "ports").for_each(|port| drop(port.as_object_mut().and_then(|it| it.remove("nodePort"))));
        }
        return;
    }
    for port in members(spec, "ports") {
        let given = known(&port["name"]).map(|port| port["nodePort"].clone()).unwrap_or_default();
        if is_empty(&port["nodePort"]) && !is_empty(&given) && !new.contains(&given) {
            port["nodePort"] = given;
        }
    }
}

fn drop_same(spec: &mut Value, before: &Value, fields: &[&str]) {
    for field in fields {
        if spec[*field] == before[*field] {
            drop(spec.as_object_mut().and_then(|all| all.remove(*field)));
        }
    }
}

fn complete_families(spec: &mut Value) {
    let headless = text(spec, "clusterIP") == "None" || spec["clusterIPs"] == json!(["None"]);
    // Whoever answers for a headless service without a selector may have addresses of either family.
    let either = headless && is_empty(&spec["selector"]) && spec["ipFamilyPolicy"].is_null();
    drop_empty(spec, &["ipFamilies"]);
    fill(spec, "ipFamilies", if either { json!(["IPv4", "IPv6"]) } else { json!(["IPv4"]) });
    fill(spec, "ipFamilyPolicy", if either { "RequireDualStack" } else { "SingleStack" });
}
