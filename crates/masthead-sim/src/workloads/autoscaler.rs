//! The controller of horizontal autoscalers, on a load that drifts by chance.

use std::time::Duration;

use serde_json::{Value, json};

use super::{actor::Turn, component::Component, engine::Work, recorder::Happening, resource::Resource, template};
use crate::{object::Key, write::Half};

const BY: Component = Component::Autoscaling;
/// How often the load is looked at.
const PERIOD: Duration = Duration::from_secs(60);
/// By how much the load may miss its target before anything is done.
const TOLERANCE: f64 = 0.1;
/// How far the load of all pods together moves between two looks, at most.
const DRIFT: f64 = 0.08;

impl Turn<'_> {
    pub(super) fn sync_autoscaler(&mut self, key: &Key) {
        let Some(autoscaler) = self.get(Resource::Autoscaler, key) else {
            self.state.loads.remove(key);
            return self.state.agenda.unset(&Work::Autoscaler(key.clone()));
        };
        if self.state.agenda.has_deadline(&Work::Autoscaler(key.clone())) {
            return;
        }
        let next = self.now() + PERIOD;
        self.state.agenda.set(next, Work::Autoscaler(key.clone()));
        let target = &autoscaler["spec"]["scaleTargetRef"];
        let resource = target["kind"].as_str().and_then(Resource::of_kind);
        let scaled = template::beside(&autoscaler, target["name"].as_str().unwrap_or_default());
        let Some((resource, workload)) = resource.and_then(|resource| Some((resource, self.get(resource, &scaled)?)))
        else {
            return;
        };
        let replicas = workload["spec"]["replicas"].as_u64().unwrap_or(1);
        if replicas == 0 {
            return;
        }
        let wanted =
            autoscaler["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"].as_f64().unwrap_or(80.0);
        let use_now = self.utilization(key, replicas, wanted);
        let desired = desired_size(&autoscaler, replicas, use_now / wanted);
        if desired != replicas {
            self.rescale(&autoscaler, resource, workload, (desired, desired > replicas));
        }
        self.write_autoscaler_status(autoscaler, (replicas, desired), use_now);
    }

    /// How much of what they ask for the pods use, in percent: the load of all of them, shared out.
    fn utilization(&mut self, key: &Key, replicas: u64, wanted: f64) -> f64 {
        let step = (self.shared.runtime.random() * 2.0 - 1.0) * DRIFT;
        let usual = replicas as f64 * wanted * 0.95;
        let load = self.state.loads.entry(key.clone()).or_insert((usual, usual));
        // Drawn back to where it began, so that it wanders around that.
        load.0 = (load.0 * (1.0 + step) + (load.1 - load.0) * 0.05).max(1.0);
        load.0 / replicas as f64
    }

    fn rescale(&mut self, autoscaler: &Value, resource: Resource, mut workload: Value, (size, up): (u64, bool)) {
        workload["spec"]["replicas"] = size.into();
        if !self.update(BY, resource, Half::Main, workload) {
            return;
        }
        let why = if up {
            "cpu resource utilization (percentage of request) above target"
        } else {
            "All metrics below target"
        };
        let message = format!("New size: {size}; reason: {why}");
        self.record(&Happening::normal(BY, autoscaler, "SuccessfulRescale", message));
    }

    fn write_autoscaler_status(&mut self, mut autoscaler: Value, (before, desired): (u64, u64), use_now: f64) {
        let condition = |kind: &str, reason: &str, message: &str| {
            let known = super::facts::condition(&autoscaler, kind).map(|known| known["lastTransitionTime"].clone());
            json!({
                "type": kind, "status": "True", "reason": reason, "message": message,
                "lastTransitionTime": known.unwrap_or_else(|| self.time()),
            })
        };
        let conditions = [
            condition("AbleToScale", "ReadyForNewScale", "recommended size matches current size"),
            condition(
                "ScalingActive",
                "ValidMetricFound",
                "the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of \
                 request)",
            ),
        ];
        let last = match (before == desired, &autoscaler["status"]["lastScaleTime"]) {
            (false, _) => self.time(),
            (true, known) => known.clone(),
        };
        let percent = use_now.round() as u64;
        let current = json!({ "averageUtilization": percent, "averageValue": format!("{}m", percent * 3 / 2) });
        let mut status = json!({
            "currentReplicas": before,
            "desiredReplicas": desired, "conditions": conditions,
            "currentMetrics": [{ "type": "Resource", "resource": { "name": "cpu", "current": current } }],
        });
        if !last.is_null() {
            status["lastScaleTime"] = last;
        }
        autoscaler["status"] = status;
        self.update(BY, Resource::Autoscaler, Half::Status, autoscaler);
    }
}

/// The size that brings the load to its target; one fewer at a time when it is too large.
fn desired_size(autoscaler: &Value, replicas: u64, ratio: f64) -> u64 {
    let least = autoscaler["spec"]["minReplicas"].as_u64().unwrap_or(1);
    let most = autoscaler["spec"]["maxReplicas"].as_u64().unwrap_or(replicas);
    let sized = match ratio {
        ratio if (ratio - 1.0).abs() <= TOLERANCE => replicas,
        ratio if ratio > 1.0 => (replicas as f64 * ratio).ceil() as u64,
        _ => replicas - 1,
    };
    sized.clamp(least, most.max(least))
}
