//! What the row of a pod tells the timeline.

use super::{
    life::Life,
    phase::{Phase, Phases},
};
use crate::model::table::{cell::Cell, row::Row};

/// Where in its life a pod is.
pub(super) fn life(pod: &Row) -> Life {
    pod.life.unwrap_or(Life::new(Phase::Pending, None))
}

/// What its past was, as far as it tells.
pub(super) fn past(pod: &Row, phases: &mut Phases, now: i64) {
    let life = life(pod);
    let created = pod.created.unwrap_or(now);
    phases.enter(created, if restarts(pod) > 0 { Phase::Running } else { Phase::Pending });
    phases.enter(life.since().unwrap_or(now).max(created), life.phase);
}

/// What changed since `old`, in words; `None` where nothing did that a person would want to know.
pub(super) fn change(old: &Row, new: &Row) -> Option<String> {
    let mut said = Vec::new();
    let (before, after) = (life(old).phase, life(new).phase);
    if before != after {
        said.push(format!("{} → {}", before.name(), after.name()));
    }
    let (before, after) = (restarts(old), restarts(new));
    if before != after {
        said.push(format!("restarts {before} → {after}"));
    }
    (!said.is_empty()).then(|| said.join(", "))
}

fn restarts(pod: &Row) -> u32 {
    let count = |cell: &Cell| if let Cell::Restarts { count, .. } = cell { Some(*count) } else { None };
    pod.cells.iter().find_map(count).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::timeline::fixture::object;

    fn check_past(status: Value, expect: &[(Phase, i64)]) {
        let metadata = json!({ "name": "web", "uid": "u", "creationTimestamp": "1970-01-01T00:00:10Z" });
        let pod = object("", "pods", &json!({ "metadata": metadata, "status": status }));
        let mut phases = Phases::default();
        past(&pod, &mut phases, 99_000);
        let told: Vec<_> = phases.within(0, 99_000).map(|stretch| (stretch.phase, stretch.from)).collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn a_pod_tells_its_past() {
        let running = |restarts: u32| {
            json!({ "phase": "Running", "containerStatuses": [{ "name": "a", "ready": true, "restartCount": restarts,
                "state": { "running": { "startedAt": "1970-01-01T00:00:20Z" } } }] })
        };
        check_past(running(0), &[(Phase::Pending, 10_000), (Phase::Running, 20_000)]);
        check_past(running(2), &[(Phase::Running, 10_000)]);
        check_past(json!({ "phase": "Pending" }), &[(Phase::Pending, 10_000)]);
    }

    #[test]
    fn only_what_people_want_to_know_is_a_change() {
        let at = |ready: bool, restarts: u32| {
            object(
                "",
                "pods",
                &json!({ "metadata": { "name": "web", "uid": "u" }, "status": { "phase": "Running",
                "podIP": restarts.to_string(),
                "containerStatuses": [{ "name": "a", "ready": ready, "restartCount": restarts }] } }),
            )
        };
        assert_eq!(change(&at(false, 0), &at(true, 0)).as_deref(), Some("not-ready → running"));
        assert_eq!(change(&at(true, 2), &at(true, 3)).as_deref(), Some("restarts 2 → 3"));
        assert_eq!(change(&at(true, 3), &at(true, 3)), None);
    }
}
