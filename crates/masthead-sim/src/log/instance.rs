//! One run of a container, from its start to its end.

use std::time::Duration;

use serde_json::Value;

use super::output::{End, Output};
use crate::{refusal::Refusal, timestamp, tree::items};

/// A run of a container, and what it writes.
#[derive(Debug)]
pub(super) struct Instance {
    container: String,
    /// How often the container had been started again before this run.
    restarts: u64,
    pub(super) output: Output,
}

impl Instance {
    /// The run that is or was, or the one before it; refuses in the words of the kubelet where there is none.
    pub(super) fn find(pod: &Value, container: &str, previous: bool) -> Result<Instance, Refusal> {
        let name = pod["metadata"]["name"].as_str().unwrap_or_default();
        let refuse = |why: &str| Err(Refusal::bad_request(format!("container {container:?} in pod {name:?} {why}")));
        let Some(status) = status_of(pod, container) else { return refuse("is not available") };
        let restarts = status["restartCount"].as_u64().unwrap_or_default();
        let (state, last) = (&status["state"], &status["lastState"]["terminated"]);
        let run = |restarts: u64, started: &Value, end: Option<End>| {
            let started = started.as_str().and_then(timestamp::parse).unwrap_or_default();
            let output = Output::new(pod, container, restarts, started, end);
            Ok(Instance { container: container.to_owned(), restarts, output })
        };
        let before = restarts.saturating_sub(1);
        if previous {
            if last.is_null() {
                let why = format!("previous terminated container {container:?} in pod {name:?} not found");
                return Err(Refusal::bad_request(why));
            }
            return run(before, &last["startedAt"], end_of(last));
        }
        if state["running"].is_object() {
            return run(restarts, &state["running"]["startedAt"], None);
        }
        if state["terminated"].is_object() {
            return run(restarts, &state["terminated"]["startedAt"], end_of(&state["terminated"]));
        }
        if !last.is_null() {
            return run(restarts, &last["startedAt"], end_of(last));
        }
        match state["waiting"]["reason"].as_str() {
            Some("ErrImagePull") => refuse("is waiting to start: image can't be pulled"),
            Some("ImagePullBackOff") => refuse("is waiting to start: trying and failing to pull image"),
            Some(reason) => refuse(&format!("is waiting to start: {reason}")),
            None => refuse("is waiting to start - no logs yet"),
        }
    }

    /// Sees whether this run has ended; `pod` is `None` once the pod is gone.
    pub(super) fn look(&mut self, pod: Option<&Value>, wall: Duration) {
        if self.output.has_ended() {
            return;
        }
        let status = pod.and_then(|pod| status_of(pod, &self.container));
        let Some(status) = status else { return self.output.set_end(End { at: wall, code: END_OF_POD }) };
        let restarted = status["restartCount"].as_u64().unwrap_or_default() > self.restarts;
        let (state, last) = (&status["state"], &status["lastState"]["terminated"]);
        let end = match (state["running"].is_object() && !restarted, state["terminated"].is_object()) {
            (true, _) => return,
            (false, true) if !restarted => end_of(&state["terminated"]),
            (false, _) => end_of(last),
        };
        self.output.set_end(end.unwrap_or(End { at: wall, code: END_OF_POD }));
    }
}

/// What a container exits with that is asked to end.
const END_OF_POD: i64 = 143;

fn status_of<'a>(pod: &'a Value, container: &str) -> Option<&'a Value> {
    const LISTS: [&str; 3] = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
    LISTS.iter().flat_map(|list| items(&pod["status"], list)).find(|status| status["name"] == container)
}

fn end_of(terminated: &Value) -> Option<End> {
    // Statuses have whole seconds: what was written in the last of them was written.
    let at = timestamp::parse(terminated["finishedAt"].as_str()?)? + Duration::from_millis(999);
    Some(End { at, code: terminated["exitCode"].as_i64().unwrap_or_default() })
}
