//! Where in its life a pod is.

use masthead::lean::Interned;

use super::{
    super::subject::Subject,
    Pod,
    container::{Container, State},
};
use crate::model::timeline::{life::Life, phase::Phase};

/// Where in its life a pod is, and since when, as far as it tells.
pub(super) fn life(subject: &Subject<Pod>) -> Life {
    let (pod, phase) = (&subject.of, phase(subject));
    let latest = |of: fn(&Container) -> Option<i64>| pod.states.iter().filter_map(of).max();
    let since = match phase {
        Phase::Running | Phase::NotReady => latest(|it| it.since.0.filter(|_| matches!(it.state, State::Running))),
        // What never ran cannot start since it is there.
        Phase::CrashLooping => latest(|it| it.ended_before.0).or(subject.meta.created.0),
        Phase::Failed | Phase::Succeeded => latest(|it| it.since.0.filter(|_| matches!(it.state, State::Ended { .. }))),
        Phase::Pending => subject.meta.created.0,
        Phase::Absent | Phase::Terminating => None,
    };
    Life::new(phase, since)
}

fn phase(subject: &Subject<Pod>) -> Phase {
    let pod = &subject.of;
    let stuck =
        |reason: &Interned| reason.ends_with("BackOff") || reason.starts_with("Err") || reason.ends_with("Error");
    let is_stuck = |container: &Container| matches!(&container.state, State::Waiting(reason) if stuck(reason));
    match pod.phase.as_str() {
        "Failed" => Phase::Failed,
        "Succeeded" => Phase::Succeeded,
        _ if subject.meta.deleted.is_some() => Phase::Terminating,
        _ if pod.states.iter().chain(&pod.init_states).any(is_stuck) => Phase::CrashLooping,
        "Running" if pod.states.iter().all(|container| container.ready) => Phase::Running,
        "Running" => Phase::NotReady,
        _ => Phase::Pending,
    }
}

#[cfg(test)]
mod tests {
    use masthead::rest::MediaType;
    use serde_json::{Value, json};

    use super::*;
    use crate::model::print::printer;

    fn life(status: Value) -> Life {
        let metadata = json!({ "name": "web", "uid": "u", "creationTimestamp": "1970-01-01T00:00:10Z" });
        let pod = json!({ "metadata": metadata, "status": status }).to_string();
        let printer = printer("", "v1", "pods").unwrap();
        printer.decoder.decode(MediaType::Json, pod.as_bytes()).unwrap().life.unwrap()
    }

    fn container(ready: bool, state: &Value) -> Value {
        json!({ "name": "a", "ready": ready, "state": state,
            "lastState": { "terminated": { "finishedAt": "1970-01-01T00:00:30Z" } } })
    }

    #[test]
    fn a_pod_is_what_its_containers_are() {
        let check = |status: Value, phase: Phase, since: Option<i64>| assert_eq!(life(status), Life::new(phase, since));
        let running = json!({ "running": { "startedAt": "1970-01-01T00:00:20Z" } });
        let over = json!({ "terminated": { "finishedAt": "1970-01-01T00:00:40Z", "exitCode": 0 } });
        let waiting = |reason: &str| json!({ "waiting": { "reason": reason } });
        let with = |phase: &str, container: Value| json!({ "phase": phase, "containerStatuses": [container] });
        check(json!({ "phase": "Pending" }), Phase::Pending, Some(10_000));
        check(with("Running", container(true, &running)), Phase::Running, Some(20_000));
        check(with("Running", container(false, &running)), Phase::NotReady, Some(20_000));
        let crashing = waiting("CrashLoopBackOff");
        check(with("Running", container(false, &crashing)), Phase::CrashLooping, Some(30_000));
        let image = json!({ "name": "i", "state": waiting("ErrImagePull") });
        check(json!({ "phase": "Pending", "initContainerStatuses": [image] }), Phase::CrashLooping, Some(10_000));
        check(with("Pending", container(false, &waiting("ContainerCreating"))), Phase::Pending, Some(10_000));
        check(with("Succeeded", container(false, &over)), Phase::Succeeded, Some(40_000));
        check(with("Failed", container(false, &over)), Phase::Failed, Some(40_000));
    }
}
