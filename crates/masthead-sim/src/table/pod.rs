//! The row of a pod.

use std::{collections::HashMap, time::Duration};

use serde_json::{Value, json};

use super::{
    age,
    cell::{NONE, cells, condition, flag, list, number, or, text, text_or},
};

pub(super) fn cells(pod: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&pod["spec"], &pod["status"]);
    let summary = Summary::of(pod);
    let restarts = match summary.restarts {
        Restarts { count, last: Some(last) } if count != 0 => format!("{count} ({} ago)", age::since(last, now)),
        Restarts { count, .. } => count.to_string(),
    };
    let ready = format!("{}/{}", summary.ready, summary.containers);
    let ip = or(text(&status["podIP"]), text(&status["podIPs"][0]["ip"]));
    cells![
        text(&pod["metadata"]["name"]),
        ready,
        summary.reason,
        restarts,
        age::of(pod, now),
        or(ip, NONE),
        text_or(&spec["nodeName"], NONE),
        text_or(&status["nominatedNodeName"], NONE),
        gates(pod),
    ]
}

/// What a row tells beside its cells: whether there is more to come.
pub(super) fn conditions(pod: &Value) -> Option<Value> {
    let (reason, message) = match text(&pod["status"]["phase"]) {
        "Succeeded" => ("Succeeded", "The pod has completed successfully."),
        "Failed" => ("Failed", "The pod failed."),
        _ => return None,
    };
    Some(json!([{ "type": "Completed", "status": "True", "reason": reason, "message": message }]))
}

/// What all the containers of a pod come down to.
struct Summary<'a> {
    containers: usize,
    ready: usize,
    restarts: Restarts<'a>,
    reason: String,
}

#[derive(Clone, Copy, Default)]
struct Restarts<'a> {
    count: i64,
    /// When the container that was restarted last had ended.
    last: Option<&'a Value>,
}

impl<'a> Restarts<'a> {
    fn add(&mut self, container: &'a Value) {
        self.count += number(&container["restartCount"]);
        let finished = &container["lastState"]["terminated"]["finishedAt"];
        if age::moment(finished) > self.last.and_then(age::moment) {
            self.last = Some(finished);
        }
    }
}

/// How far the init containers are.
#[derive(PartialEq)]
enum Init {
    Over,
    Underway,
}

impl<'a> Summary<'a> {
    fn of(pod: &'a Value) -> Summary<'a> {
        let (spec, status) = (&pod["spec"], &pod["status"]);
        let sidecars: HashMap<&str, bool> =
            list(&spec["initContainers"]).iter().map(|init| (text(&init["name"]), is_sidecar(init))).collect();
        let mut summary = Summary {
            containers: list(&spec["containers"]).len() + sidecars.values().filter(|sidecar| **sidecar).count(),
            ready: 0,
            restarts: Restarts::default(),
            reason: text_or(&status["reason"], text(&status["phase"])).to_owned(),
        };
        let gated = |condition: &Value| condition["type"] == "PodScheduled" && condition["reason"] == "SchedulingGated";
        if list(&status["conditions"]).iter().any(gated) {
            summary.reason = "SchedulingGated".to_owned();
        }
        let (init, of_sidecars) = summary.add_init_containers(pod, &sidecars);
        if init == Init::Over || is_true(pod, "Initialized") {
            // Those of init containers that ran to their end are forgotten.
            summary.restarts = of_sidecars;
            summary.add_containers(pod);
        }
        summary.add_deletion(pod);
        summary
    }

    /// Goes through the init containers up to the first that holds up the others; counts the restarts of sidecars apart.
    fn add_init_containers(&mut self, pod: &'a Value, sidecars: &HashMap<&str, bool>) -> (Init, Restarts<'a>) {
        let mut of_sidecars = Restarts::default();
        for (index, container) in list(&pod["status"]["initContainerStatuses"]).iter().enumerate() {
            let is_sidecar = sidecars.get(text(&container["name"])).copied().unwrap_or_default();
            self.restarts.add(container);
            if is_sidecar {
                of_sidecars.add(container);
            }
            let (terminated, waiting) = (&container["state"]["terminated"], &container["state"]["waiting"]);
            if terminated.is_object() && number(&terminated["exitCode"]) == 0 {
                continue;
            }
            if is_sidecar && flag(&container["started"]) {
                self.ready += usize::from(flag(&container["ready"]));
                continue;
            }
            self.reason = match text(&waiting["reason"]) {
                _ if terminated.is_object() => format!("Init:{}", end(terminated)),
                "" | "PodInitializing" => format!("Init:{index}/{}", list(&pod["spec"]["initContainers"]).len()),
                reason => format!("Init:{reason}"),
            };
            return (Init::Underway, of_sidecars);
        }
        (Init::Over, of_sidecars)
    }

    fn add_containers(&mut self, pod: &'a Value) {
        let (mut running, mut failure) = (false, None);
        for container in list(&pod["status"]["containerStatuses"]).iter().rev() {
            self.restarts.add(container);
            let state = &container["state"];
            let (terminated, waiting) = (&state["terminated"], text(&state["waiting"]["reason"]));
            if !waiting.is_empty() {
                waiting.clone_into(&mut self.reason);
            } else if terminated.is_object() {
                self.reason = end(terminated);
                if number(&terminated["exitCode"]) != 0 {
                    failure = Some(self.reason.clone());
                }
            } else if flag(&container["ready"]) && state["running"].is_object() {
                running = true;
                self.ready += 1;
            }
        }
        // One container that is done does not make a pod done.
        if self.reason == "Completed" {
            if running && is_true(pod, "Ready") {
                self.reason = "Running".to_owned();
            } else if let Some(failure) = failure {
                self.reason = failure;
            } else if running {
                self.reason = "NotReady".to_owned();
            }
        }
    }

    fn add_deletion(&mut self, pod: &Value) {
        let status = &pod["status"];
        if pod["metadata"]["deletionTimestamp"].is_null() {
            return;
        }
        if status["reason"] == "NodeLost" {
            self.reason = "Unknown".to_owned();
        } else if !matches!(text(&status["phase"]), "Succeeded" | "Failed") {
            self.reason = "Terminating".to_owned();
        }
    }
}

fn is_sidecar(container: &Value) -> bool {
    container["restartPolicy"] == "Always"
}

fn is_true(pod: &Value, name: &str) -> bool {
    condition(pod, name).is_some_and(|condition| condition["status"] == "True")
}

/// How a container ended.
fn end(terminated: &Value) -> String {
    match (text(&terminated["reason"]), number(&terminated["signal"])) {
        ("", 0) => format!("ExitCode:{}", number(&terminated["exitCode"])),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.to_owned(),
    }
}

/// How many readiness gates are open, of how many.
fn gates(pod: &Value) -> String {
    let gates = list(&pod["spec"]["readinessGates"]);
    let open = gates.iter().filter(|gate| is_true(pod, text(&gate["conditionType"]))).count();
    if gates.is_empty() { NONE.to_owned() } else { format!("{open}/{}", gates.len()) }
}
