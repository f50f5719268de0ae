//! A pod's status as its node writes it.

use serde_json::{Value, json};

use super::{
    Life, Stage,
    container::{Container, Doing, minutes, not_found},
};
use crate::{timestamp, workloads::facts::condition};

/// The status of a pod at `time` on the node with this address.
pub(super) fn of(pod: &Value, life: &Life, host: &str, time: Value) -> Value {
    let mut status = pod["status"].clone();
    let initialised = life.inits.iter().all(Container::has_passed);
    let begun = !matches!(life.stage, Stage::Preparing(_));
    if status["startTime"].is_null() {
        status["startTime"] = time.clone();
    }
    status["hostIP"] = host.into();
    status["hostIPs"] = json!([{ "ip": host }]);
    if begun {
        status["podIP"] = life.ip.as_str().into();
        status["podIPs"] = json!([{ "ip": life.ip }]);
    }
    let phase = phase(pod, life);
    status["phase"] = phase.into();
    status["observedGeneration"] = life.generation.clone();
    if !life.inits.is_empty() {
        let all: Vec<Value> = life.inits.iter().map(|one| container_status(pod, one, "PodInitializing")).collect();
        status["initContainerStatuses"] = all.into();
    }
    let waiting = if initialised { "ContainerCreating" } else { "PodInitializing" };
    status["containerStatuses"] = life.mains.iter().map(|one| container_status(pod, one, waiting)).collect();
    let over = matches!(phase, "Succeeded" | "Failed");
    let unready: Vec<&str> = life.mains.iter().filter(|one| !one.is_ready()).map(|one| &*one.name).collect();
    let incomplete: Vec<&str> = life.inits.iter().filter(|one| !one.has_passed()).map(|one| &*one.name).collect();
    let ready = match () {
        () if phase == "Succeeded" => json!({ "status": "False", "reason": "PodCompleted" }),
        () if over => json!({ "status": "False", "reason": "PodFailed" }),
        () if unready.is_empty() => json!({ "status": "True" }),
        () => {
            let message = format!("containers with unready status: [{}]", unready.join(" "));
            json!({ "status": "False", "reason": "ContainersNotReady", "message": message })
        }
    };
    let initialised = if initialised {
        json!({ "status": "True" })
    } else {
        let message = format!("containers with incomplete status: [{}]", incomplete.join(" "));
        json!({ "status": "False", "reason": "ContainersNotInitialized", "message": message })
    };
    let prepared = json!({ "status": if begun && !over { "True" } else { "False" } });
    let conditions = [
        ("PodReadyToStartContainers", prepared),
        ("Initialized", initialised),
        ("Ready", ready.clone()),
        ("ContainersReady", ready),
        ("PodScheduled", json!({ "status": "True" })),
    ];
    let conditions: Vec<Value> = conditions
        .into_iter()
        .map(|(name, mut new)| {
            let known = condition(pod, name).filter(|known| known["status"] == new["status"]);
            new["type"] = name.into();
            new["lastProbeTime"] = Value::Null;
            new["lastTransitionTime"] = known.map_or(time.clone(), |known| known["lastTransitionTime"].clone());
            new["observedGeneration"] = life.generation.clone();
            new
        })
        .collect();
    status["conditions"] = conditions.into();
    status
}

fn phase(pod: &Value, life: &Life) -> &'static str {
    let restarts = pod["spec"]["restartPolicy"].as_str().unwrap_or("Always");
    let failed = |one: &Container| matches!(one.doing, Doing::Done { code, .. } if code != 0);
    if life.inits.iter().any(failed) {
        return "Failed";
    }
    let new = |one: &Container| one.last.is_null() && !matches!(one.doing, Doing::Running { .. } | Doing::Done { .. });
    if life.inits.iter().any(|one| !one.has_passed()) || life.mains.iter().any(new) {
        return "Pending";
    }
    let over = life.mains.iter().all(|one| matches!(one.doing, Doing::Done { .. }));
    match restarts {
        "Always" => "Running",
        _ if over && life.mains.iter().any(failed) => "Failed",
        _ if over => "Succeeded",
        _ => "Running",
    }
}

fn container_status(pod: &Value, container: &Container, waiting: &str) -> Value {
    let waits = |reason: &str, message: Option<String>| match message {
        Some(message) => json!({ "waiting": { "reason": reason, "message": message } }),
        None => json!({ "waiting": { "reason": reason } }),
    };
    let ended_before = container.last.is_object();
    let state = match &container.doing {
        Doing::Running { since, .. } => json!({ "running": { "startedAt": timestamp::format(*since) } }),
        Doing::Done { state, .. } => json!({ "terminated": state }),
        Doing::Backoff { delay, .. } if !delay.is_zero() => {
            waits("CrashLoopBackOff", Some(back_off(pod, container, *delay)))
        }
        Doing::PullFailed { .. } => waits("ErrImagePull", Some(not_found(&container.image))),
        Doing::PullBackoff { .. } => {
            let why = not_found(&container.image);
            waits(
                "ImagePullBackOff",
                Some(format!("Back-off pulling image {:?}: ErrImagePull: {why}", container.image)),
            )
        }
        _ if ended_before => json!({ "terminated": container.last }),
        _ => waits(waiting, None),
    };
    let done = container.is_done();
    let mut status = json!({
        "name": container.name, "image": container.image, "imageID": container.image_id, "state": state,
        "lastState": if ended_before { json!({ "terminated": container.last }) } else { json!({}) },
        "ready": container.is_ready() || done, "restartCount": container.restarts, "started": container.is_running(),
    });
    if !container.id.is_empty() {
        status["containerID"] = container.id.as_str().into();
    }
    if container.is_running() {
        status["resources"] = container.resources.clone();
        if !container.resources["requests"].is_null() {
            status["allocatedResources"] = container.resources["requests"].clone();
        }
    }
    status
}

fn back_off(pod: &Value, container: &Container, delay: std::time::Duration) -> String {
    let text = |field: &str| pod["metadata"][field].as_str().unwrap_or_default();
    let place = format!("{}_{}({})", text("name"), text("namespace"), text("uid"));
    format!("back-off {} restarting failed container={} pod={place}", minutes(delay), container.name)
}
