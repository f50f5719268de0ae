//! Ingresses and policies of networks.

use serde_json::Value;

use super::{checker::Checker, format, selector};
use crate::{
    kind::Kind,
    tree::{items, text},
};

/// An object of the group `networking.k8s.io`.
pub(super) fn check(kind: &Kind, object: &Value, before: Option<&Value>, checker: &mut Checker) {
    match kind.kind.as_str() {
        "Ingress" => check_ingress(object, checker),
        "NetworkPolicy" => check_policy(&object["spec"], checker),
        "IngressClass" => check_class(&object["spec"], before, checker),
        _ => {}
    }
}

fn check_ingress(ingress: &Value, checker: &mut Checker) {
    let spec = &ingress["spec"];
    let rules = items(spec, "rules");
    if rules.is_empty() && spec["defaultBackend"].is_null() {
        checker.invalid("spec", &spec["rules"], "either `defaultBackend` or `rules` must be specified");
    }
    if spec["defaultBackend"].is_object() {
        check_backend(&spec["defaultBackend"], "spec.defaultBackend", checker);
    }
    for (at, rule) in rules.iter().enumerate() {
        let path = format!("spec.rules[{at}]");
        let host = text(rule, "host");
        if !host.is_empty() {
            let field = format!("{path}.host");
            if host.parse::<std::net::IpAddr>().is_ok() {
                checker.invalid(&field, &host.into(), "must be a DNS name, not an IP address");
            }
            check_host(host, &field, checker);
        }
        if rule["http"].is_object() {
            check_paths(&rule["http"], &format!("{path}.http"), checker);
        }
    }
    for (at, tls) in items(spec, "tls").iter().enumerate() {
        let path = format!("spec.tls[{at}]");
        for (number, host) in items(tls, "hosts").iter().enumerate() {
            check_host(host.as_str().unwrap_or_default(), &format!("{path}.hosts[{number}]"), checker);
        }
        let secret = text(tls, "secretName");
        if !secret.is_empty() {
            checker.text(&format!("{path}.secretName"), secret, format::subdomain(secret));
        }
    }
    if let Some(class) = spec["ingressClassName"].as_str() {
        checker.text("spec.ingressClassName", class, format::subdomain(class));
    }
}

fn check_host(host: &str, field: &str, checker: &mut Checker) {
    let wild = host.contains('*');
    checker.text(field, host, if wild { format::wildcard_subdomain(host) } else { format::subdomain(host) });
}

fn check_paths(http: &Value, path: &str, checker: &mut Checker) {
    let paths = items(http, "paths");
    if paths.is_empty() {
        checker.required(&format!("{path}.paths"), "");
    }
    for (at, one) in paths.iter().enumerate() {
        let path = format!("{path}.paths[{at}]");
        let (given, field) = (text(one, "path"), format!("{path}.path"));
        match one["pathType"].as_str() {
            None => {
                checker.required(&format!("{path}.pathType"), "pathType must be specified");
                continue;
            }
            Some("Exact" | "Prefix") => {
                if !given.starts_with('/') {
                    checker.invalid(&field, &given.into(), "must be an absolute path");
                }
                for bad in ["//", "/./", "/../", "%2f", "%2F"].into_iter().filter(|bad| given.contains(bad)) {
                    checker.invalid(&field, &given.into(), &format!("must not contain '{bad}'"));
                }
                for bad in ["/..", "/."].into_iter().filter(|bad| given.ends_with(bad)) {
                    checker.invalid(&field, &given.into(), &format!("cannot end with '{bad}'"));
                }
            }
            Some("ImplementationSpecific") => {
                if !given.is_empty() && !given.starts_with('/') {
                    checker.invalid(&field, &given.into(), "must be an absolute path");
                }
            }
            Some(_) => {
                let known = ["Exact", "ImplementationSpecific", "Prefix"];
                checker.unsupported(&format!("{path}.pathType"), &one["pathType"], &known);
            }
        }
        check_backend(&one["backend"], &format!("{path}.backend"), checker);
    }
}

fn check_backend(backend: &Value, path: &str, checker: &mut Checker) {
    let service = &backend["service"];
    match (backend["resource"].is_object(), service.is_object()) {
        (true, true) => checker.invalid(path, &"".into(), "cannot set both resource and service backends"),
        (true, false) => {}
        (false, false) => checker.invalid(path, &"".into(), "resource or service backend is required"),
        (false, true) => {
            match text(service, "name") {
                "" => checker.required(&format!("{path}.service.name"), ""),
                name => checker.text(&format!("{path}.service.name"), name, format::label(name)),
            }
            let (name, number) =
                (text(&service["port"], "name"), service["port"]["number"].as_i64().unwrap_or_default());
            match (name, number) {
                ("", 0) => checker.required(path, "port name or number is required"),
                ("", number) => checker.port(&format!("{path}.service.port.number"), number),
                (name, 0) => checker.text(&format!("{path}.service.port.name"), name, format::port_name(name)),
                _ => checker.invalid(path, &"".into(), "cannot set both port name & port number"),
            }
        }
    }
}

fn check_policy(spec: &Value, checker: &mut Checker) {
    selector::check(&spec["podSelector"], "spec.podSelector", checker);
    for (direction, peers) in [("ingress", "from"), ("egress", "to")] {
        for (at, rule) in items(spec, direction).iter().enumerate() {
            let path = format!("spec.{direction}[{at}]");
            for (number, port) in items(rule, "ports").iter().enumerate() {
                check_port(port, &format!("{path}.ports[{number}]"), checker);
            }
            for (number, peer) in items(rule, peers).iter().enumerate() {
                check_peer(peer, &format!("{path}.{peers}[{number}]"), checker);
            }
        }
    }
    let kinds = items(spec, "policyTypes");
    if kinds.len() > 2 {
        return checker.invalid("spec.policyTypes", &spec["policyTypes"], "may not specify more than two policyTypes");
    }
    for (at, kind) in kinds.iter().enumerate() {
        checker.one_of(&format!("spec.policyTypes[{at}]"), kind, &["Ingress", "Egress"]);
    }
}

fn check_port(port: &Value, path: &str, checker: &mut Checker) {
    if !port["protocol"].is_null() {
        checker.one_of(&format!("{path}.protocol"), &port["protocol"], &["TCP", "UDP", "SCTP"]);
    }
    let end = &port["endPort"];
    let field = format!("{path}.endPort");
    match &port["port"] {
        Value::Null => {
            if !end.is_null() {
                checker.invalid(&field, end, "may not be specified when `port` is not specified");
            }
        }
        Value::String(name) => {
            if !end.is_null() {
                checker.invalid(&field, end, "may not be specified when `port` is non-numeric");
            }
            checker.text(&format!("{path}.port"), name, format::port_name(name));
        }
        number => {
            let start = number.as_i64().unwrap_or_default();
            checker.port(&format!("{path}.port"), start);
            if let Some(end) = end.as_i64() {
                if end < start {
                    checker.invalid(&field, number, "must be greater than or equal to `port`");
                }
                checker.port(&field, end);
            }
        }
    }
}

fn check_peer(peer: &Value, path: &str, checker: &mut Checker) {
    let mut count = 0;
    for field in ["podSelector", "namespaceSelector"].into_iter().filter(|field| peer[field].is_object()) {
        count += 1;
        selector::check(&peer[field], &format!("{path}.{field}"), checker);
    }
    let block = &peer["ipBlock"];
    if block.is_object() {
        let field = format!("{path}.ipBlock.cidr");
        match text(block, "cidr") {
            "" => checker.required(&field, ""),
            cidr if !is_network(cidr) => {
                let why = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
                checker.invalid(&field, &cidr.into(), why);
            }
            _ => {}
        }
        if count > 0 {
            checker.forbidden(path, "may not specify both ipBlock and another peer");
        }
    } else if count == 0 {
        checker.required(path, "must specify a peer");
    }
}

fn is_network(cidr: &str) -> bool {
    let Some((address, bits)) = cidr.split_once('/') else { return false };
    let most = match address.parse() {
        Ok(std::net::IpAddr::V4(_)) => 32,
        Ok(std::net::IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    bits.parse::<u32>().is_ok_and(|bits| bits <= most)
}

fn check_class(spec: &Value, before: Option<&Value>, checker: &mut Checker) {
    if let Some(before) = before {
        return checker.unchanged("spec.controller", &before["spec"]["controller"], &spec["controller"]);
    }
    let controller = text(spec, "controller");
    if controller.is_empty() {
        checker.required("spec.controller", "");
    } else if !controller.contains('/') {
        let why = "must be a domain-prefixed path (such as \"acme.io/foo\")";
        checker.invalid("spec.controller", &controller.into(), why);
    }
}
