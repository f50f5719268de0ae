//! People at work on a cluster: now and then somebody rolls out a version, scales something or deletes a pod.

use std::time::Duration;

use serde_json::Value;

use super::{
    actor::Turn, behaviour::Behaviour, component::Component, engine::Work, recorder::Happening, resource::Resource,
    template,
};
use crate::write::Half;

const BY: Component = Component::People;

impl Turn<'_> {
    /// Lets something happen, and something else a while later.
    pub(super) fn stir(&mut self) {
        let Some(period) = self.state.workloads.unrest else { return };
        let next = self.now() + self.between(period.mul_f64(0.4), period.mul_f64(1.6));
        self.state.agenda.set(next, Work::Unrest);
        let chance = self.shared.runtime.random();
        let Some(deployment) = self.some_deployment() else { return };
        match chance {
            few if few < 0.5 => self.roll_out(deployment),
            few if few < 0.7 => self.change_size(deployment),
            few if few < 0.9 => self.delete_some_pod(&deployment),
            _ => self.warn_of_volume(),
        }
    }

    /// A deployment that works as it should.
    fn some_deployment(&self) -> Option<Value> {
        let all = self.list(Resource::Deployment, None).into_iter().map(|deployment| deployment.value());
        let works = |deployment: &Value| {
            let told = &deployment["spec"]["template"]["metadata"]["annotations"][Behaviour::ANNOTATION];
            let (spec, status) = (&deployment["spec"], &deployment["status"]);
            told.is_null()
                && deployment["metadata"]["namespace"] != "kube-system"
                && status["availableReplicas"] == spec["replicas"]
        };
        let mut working: Vec<Value> = all.filter(works).collect();
        let at = (self.shared.runtime.random() * working.len() as f64) as usize;
        (at < working.len()).then(|| working.swap_remove(at))
    }

    fn roll_out(&mut self, mut deployment: Value) {
        let container = &mut deployment["spec"]["template"]["spec"]["containers"][0];
        let image = container["image"].as_str().unwrap_or_default().to_owned();
        let Some(next) = next_version(&image) else { return };
        container["image"] = next.as_str().into();
        let tag = next.rsplit(':').next().unwrap_or_default();
        deployment["metadata"]["annotations"]["kubernetes.io/change-cause"] = format!("release {tag}").into();
        self.update(BY, Resource::Deployment, Half::Main, deployment);
    }

    fn change_size(&mut self, mut deployment: Value) {
        let size = deployment["spec"]["replicas"].as_u64().unwrap_or(1);
        let more = size < 3 || self.shared.runtime.random() < 0.5;
        deployment["spec"]["replicas"] = if more { size + 1 } else { size - 1 }.into();
        let key = super::actor::key_of(&deployment);
        // What an autoscaler looks after is left to it.
        let scaled = self
            .list(Resource::Autoscaler, Some(&key.namespace))
            .into_iter()
            .any(|autoscaler| autoscaler.value()["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]);
        if !scaled {
            self.update(BY, Resource::Deployment, Half::Main, deployment);
        }
    }

    fn delete_some_pod(&mut self, deployment: &Value) {
        let sets = self.owned(Resource::ReplicaSet, template::uid(deployment));
        let pod = sets.iter().find_map(|set| self.pods_of(&set.value()).into_iter().next());
        if let Some((key, _)) = pod {
            self.delete(BY, Resource::Pod, &key, None);
        }
    }

    fn warn_of_volume(&mut self) {
        let Some(claim) = self.list(Resource::Claim, None).into_iter().next_back() else { return };
        let (claim, used) = (claim.value(), 88 + (self.shared.runtime.random() * 10.0) as u64);
        let size = claim["status"]["capacity"]["storage"].as_str().unwrap_or_default();
        let message = format!("Volume is {used}% full: {size} in all");
        self.record(&Happening::warning(Component::Volumes, &claim, "VolumeUsageHigh", message));
    }
}

/// The next patch version of an image whose tag ends with a number.
fn next_version(image: &str) -> Option<String> {
    let digits = image.len() - image.bytes().rev().take_while(u8::is_ascii_digit).count();
    let number: u64 = image[digits..].parse().ok()?;
    Some(format!("{}{}", &image[..digits], number + 1))
}

/// How long after the start of the engine the first unrest comes at the earliest.
pub(super) const CALM: Duration = Duration::from_secs(20);
