//! Limit ranges: what containers get that ask for nothing, and what nobody may exceed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Cluster;
use crate::{
    kind::Kind,
    quantity::Quantity,
    refusal::Refusal,
    tree::{entries, items, made, members, text},
};

type Amounts = BTreeMap<String, Quantity>;

/// Fills the requests and limits of containers from the limit ranges of the namespace.
pub(super) fn complete_pod(cluster: Cluster<'_>, pod: &mut Value) {
    for range in ranges(cluster, pod) {
        let of_containers = items(&range["spec"], "limits").iter().filter(|limit| text(limit, "type") == "Container");
        let (mut limits, mut requests) = (json!({}), json!({}));
        for limit in of_containers {
            entries(limit, "default").for_each(|(name, amount)| limits[name] = amount.clone());
            entries(limit, "defaultRequest").for_each(|(name, amount)| requests[name] = amount.clone());
        }
        let mut set = Vec::new();
        let Some(spec) = made(pod, "spec") else { return };
        for (list, called) in [("containers", "container"), ("initContainers", "init container")] {
            for container in members(spec, list) {
                let name = text(container, "name").to_owned();
                for (part, word, amounts) in [("requests", "request", &requests), ("limits", "limit", &limits)] {
                    let added = add(container, part, amounts);
                    if !added.is_empty() {
                        set.push(format!("{} {word} for {called} {name}", added.join(", ")));
                    }
                }
            }
        }
        if !set.is_empty() {
            let note = format!("LimitRanger plugin set: {}", set.join("; "));
            pod["metadata"]["annotations"]["kubernetes.io/limit-ranger"] = note.into();
        }
    }
}

/// Refuses a pod or a claim that asks for more or less than it may.
pub(super) fn check(cluster: Cluster<'_>, kind: &Kind, object: &Value) -> Result<(), Refusal> {
    let mut complaints = Vec::new();
    for range in ranges(cluster, object) {
        for limit in items(&range["spec"], "limits") {
            match (text(limit, "type"), kind.kind.as_str()) {
                ("Container", "Pod") => {
                    let spec = &object["spec"];
                    for container in items(spec, "containers").iter().chain(items(spec, "initContainers")) {
                        let [requests, limits] =
                            ["requests", "limits"].map(|part| amounts(&container["resources"], part));
                        complain(limit, "Container", &requests, &limits, &mut complaints);
                    }
                }
                ("Pod", "Pod") => {
                    let [requests, limits] = ["requests", "limits"].map(|part| of_pod(&object["spec"], part));
                    complain(limit, "Pod", &requests, &limits, &mut complaints);
                }
                ("PersistentVolumeClaim", "PersistentVolumeClaim") => {
                    let requests = amounts(&object["spec"]["resources"], "requests");
                    complain_claim(limit, &requests, &mut complaints);
                }
                _ => {}
            }
        }
    }
    let mut told: Vec<&str> = Vec::new();
    for complaint in &complaints {
        if !told.contains(&complaint.as_str()) {
            told.push(complaint);
        }
    }
    let why = match told[..] {
        [] => return Ok(()),
        [one] => one.to_owned(),
        _ => format!("[{}]", told.join(", ")),
    };
    Err(Refusal::forbidden(kind, super::name(object), &why))
}

/// What all containers of a pod ask for together: init containers run before the others, sidecars along with them.
pub(super) fn of_pod(spec: &Value, part: &str) -> Amounts {
    let mut together = Amounts::new();
    for container in items(spec, "containers") {
        add_all(&mut together, &amounts(&container["resources"], part));
    }
    let (mut sidecars, mut first) = (Amounts::new(), Amounts::new());
    for container in items(spec, "initContainers") {
        let mut own = amounts(&container["resources"], part);
        if text(container, "restartPolicy") == "Always" {
            add_all(&mut together, &own);
            add_all(&mut sidecars, &own);
            own.clone_from(&sidecars);
        } else {
            add_all(&mut own, &sidecars);
        }
        raise_all(&mut first, own);
    }
    raise_all(&mut together, first);
    for (name, amount) in amounts(&spec["resources"], part) {
        if matches!(name.as_str(), "cpu" | "memory") {
            together.insert(name, amount);
        }
    }
    together
}

/// The amounts of a list of resources.
pub(super) fn amounts(parent: &Value, part: &str) -> Amounts {
    let all = entries(parent, part);
    all.filter_map(|(name, amount)| Some((name.clone(), Quantity::parse(amount.as_str()?)?))).collect()
}

fn ranges(cluster: Cluster<'_>, object: &Value) -> Vec<Value> {
    cluster.within(("", "v1", "limitranges"), super::namespace(object))
}

fn add(container: &mut Value, part: &str, from: &Value) -> Vec<String> {
    let mut added = Vec::new();
    let Some(all) = from.as_object().filter(|all| !all.is_empty()) else { return added };
    let list = made(container, "resources").and_then(|resources| made(resources, part)).and_then(Value::as_object_mut);
    if let Some(list) = list {
        for (name, amount) in all {
            if !list.contains_key(name) {
                list.insert(name.clone(), amount.clone());
                added.push(name.clone());
            }
        }
    }
    added
}

fn add_all(sum: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        let known = sum.get(name).copied().unwrap_or(Quantity::ZERO);
        sum.insert(name.clone(), known.plus(*amount));
    }
}

fn raise_all(least: &mut Amounts, other: Amounts) {
    for (name, amount) in other {
        if least.get(&name).is_none_or(|known| amount.exceeds(*known)) {
            least.insert(name, amount);
        }
    }
}

fn complain(limit: &Value, of: &str, requests: &Amounts, limits: &Amounts, complaints: &mut Vec<String>) {
    for (name, least) in amounts(limit, "min") {
        let (request, given) = (requests.get(&name), limits.get(&name));
        let start = format!("minimum {name} usage per {of} is {least}");
        match (request, given) {
            (None, _) => complaints.push(format!("{start}.  No request is specified")),
            (Some(request), _) if least.exceeds(*request) => {
                complaints.push(format!("{start}, but request is {request}"));
            }
            (_, Some(given)) if least.exceeds(*given) => complaints.push(format!("{start}, but limit is {given}")),
            _ => {}
        }
    }
    for (name, most) in amounts(limit, "max") {
        let (request, given) = (requests.get(&name), limits.get(&name));
        let start = format!("maximum {name} usage per {of} is {most}");
        match (request, given) {
            (_, None) => complaints.push(format!("{start}.  No limit is specified")),
            (_, Some(given)) if given.exceeds(most) => complaints.push(format!("{start}, but limit is {given}")),
            (Some(request), _) if request.exceeds(most) => {
                complaints.push(format!("{start}, but request is {request}"));
            }
            _ => {}
        }
    }
    for (name, most) in amounts(limit, "maxLimitRequestRatio") {
        let start = format!("{name} max limit to request ratio per {of} is {most}");
        let nonzero = |list: &Amounts| list.get(&name).copied().filter(|amount| !amount.is_zero());
        match (nonzero(requests), nonzero(limits)) {
            (None, _) => complaints.push(format!("{start}, but no request is specified or request is 0")),
            (_, None) => complaints.push(format!("{start}, but no limit is specified or limit is 0")),
            (Some(request), Some(given)) => {
                let ratio = given.as_f64() / request.as_f64();
                if ratio > most.as_f64() {
                    complaints.push(format!("{start}, but provided ratio is {ratio:.6}"));
                }
            }
        }
    }
}

fn complain_claim(limit: &Value, requests: &Amounts, complaints: &mut Vec<String>) {
    let of = "PersistentVolumeClaim";
    for (name, least) in amounts(limit, "min") {
        let start = format!("minimum {name} usage per {of} is {least}");
        match requests.get(&name) {
            None => complaints.push(format!("{start}.  No request is specified")),
            Some(request) if least.exceeds(*request) => complaints.push(format!("{start}, but request is {request}")),
            Some(_) => {}
        }
    }
    for (name, most) in amounts(limit, "max") {
        let start = format!("maximum {name} usage per {of} is {most}");
        match requests.get(&name) {
            None => complaints.push(format!("{start}.  No request is specified")),
            Some(request) if request.exceeds(most) => complaints.push(format!("{start}, but request is {request}")),
            Some(_) => {}
        }
    }
}
