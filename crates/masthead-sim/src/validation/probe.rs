//! Probes and hooks of containers.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::tree::{items, text};

/// The probes and hooks of a container that runs as long as its pod; `grace` is what the pod has to end.
pub(super) fn check(container: &Value, path: &str, grace: i64, checker: &mut Checker) {
    for hook in ["postStart", "preStop"] {
        if container["lifecycle"][hook].is_object() {
            check_handler(&container["lifecycle"][hook], &format!("{path}.lifecycle.{hook}"), grace, checker);
        }
    }
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = &container[name];
        if !probe.is_object() {
            continue;
        }
        let path = format!("{path}.{name}");
        check_probe(probe, &path, grace, checker);
        if name == "readinessProbe" {
            let seconds = &probe["terminationGracePeriodSeconds"];
            if !seconds.is_null() {
                let field = format!("{path}.terminationGracePeriodSeconds");
                checker.invalid(&field, seconds, "must not be set for readinessProbes");
            }
        } else if probe["successThreshold"].as_i64() != Some(1) {
            checker.invalid(&format!("{path}.successThreshold"), &probe["successThreshold"], "must be 1");
        }
    }
}

/// What a container may not have that runs before the others and ends.
pub(super) fn check_none(container: &Value, path: &str, checker: &mut Checker) {
    for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
        if !container[name].is_null() {
            let why = "may not be set for init containers without restartPolicy=Always";
            checker.forbidden(&format!("{path}.{name}"), why);
        }
    }
}

fn check_probe(probe: &Value, path: &str, grace: i64, checker: &mut Checker) {
    check_handler(probe, path, grace, checker);
    for number in ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] {
        checker.not_negative(probe, path, number);
    }
    let seconds = &probe["terminationGracePeriodSeconds"];
    if seconds.as_i64().is_some_and(|seconds| seconds <= 0) {
        checker.invalid(&format!("{path}.terminationGracePeriodSeconds"), seconds, "must be greater than 0");
    }
}

fn check_handler(handler: &Value, path: &str, grace: i64, checker: &mut Checker) {
    let mut first = true;
    for name in ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] {
        let action = &handler[name];
        if !action.is_object() {
            continue;
        }
        let path = format!("{path}.{name}");
        if !first {
            checker.forbidden(&path, "may not specify more than 1 handler type");
            continue;
        }
        first = false;
        match name {
            "exec" if items(action, "command").is_empty() => checker.required(&format!("{path}.command"), ""),
            "exec" => {}
            "httpGet" => check_get(action, &path, checker),
            "sleep" => {
                let seconds = action["seconds"].as_i64().unwrap_or_default();
                if seconds < 0 || seconds > grace {
                    let why = format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
                    checker.invalid(&path, &seconds.into(), &why);
                }
            }
            _ => checker.port_or_name(&format!("{path}.port"), &action["port"]),
        }
    }
    if first {
        checker.required(path, "must specify a handler type");
    }
}

fn check_get(action: &Value, path: &str, checker: &mut Checker) {
    checker.port_or_name(&format!("{path}.port"), &action["port"]);
    checker.one_of(&format!("{path}.scheme"), &action["scheme"], &["HTTP", "HTTPS"]);
    for header in items(action, "httpHeaders") {
        let name = text(header, "name");
        checker.text(&format!("{path}.httpHeaders"), name, format::header(name));
    }
}
