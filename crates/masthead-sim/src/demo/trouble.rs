//! What goes wrong in the demo's cluster.

use serde_json::{Value, json};

use super::{Founding, past::Memory};
use crate::{fleet::standing, workloads::template};

impl Founding<'_> {
    /// A deployment whose pods of the new template have no image.
    pub(super) fn stuck_rollout(&mut self, before: Value, image: &str) {
        let old = self.put(standing::replica_set(&self.sim.insert_and_read(before.clone())));
        let replicas = before["spec"]["replicas"].as_u64().unwrap_or_default();
        let mut after = before.clone();
        after["spec"]["template"]["spec"]["containers"][0]["image"] = image.into();
        after["spec"]["template"]["metadata"]["annotations"] = json!({ "sim.masthead.dev/behaviour": "image-missing" });
        after["metadata"]["annotations"]["deployment.kubernetes.io/revision"] = "2".into();
        let mut new = standing::replica_set(&after);
        let late = format!("ReplicaSet {:?} has timed out progressing.", template::name(&new));
        let since = self.minutes_ago(48);
        after["status"]["conditions"][1] = json!({
            "type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": late,
            "lastUpdateTime": since, "lastTransitionTime": since,
        });
        after["status"]["updatedReplicas"] = 1.into();
        after["status"]["replicas"] = (replicas + 1).into();
        after["status"]["unavailableReplicas"] = 1.into();
        let deployment = self.put(after);
        new["metadata"]["ownerReferences"] = json!([template::reference(&deployment)]);
        new["metadata"]["annotations"]["deployment.kubernetes.io/revision"] = "2".into();
        new["metadata"]["creationTimestamp"] = self.minutes_ago(58).into();
        new["spec"]["replicas"] = 1.into();
        new["status"] = json!({
            "replicas": 1, "fullyLabeledReplicas": 1, "terminatingReplicas": 0, "observedGeneration": 1,
        });
        let new = self.put(new);
        let created = self.minutes_ago(18 * 60);
        for _ in 0..replicas {
            let pod = self.pod(&old, &format!("{}-", template::name(&old)), (&created, &created), 0);
            self.put(pod);
        }
        let created = self.minutes_ago(58);
        let mut pod = self.pod(&new, &format!("{}-", template::name(&new)), (&created, &created), 0);
        without_image(&mut pod);
        let pod = self.put(pod);
        let message = format!("Scaled up replica set {} from 0 to 1", template::name(&new));
        let by = "deployment-controller";
        let when = (58, 58, 1);
        self.remember(&Memory { about: &deployment, by, warns: false, reason: "ScalingReplicaSet", message, when });
        let message = format!("Back-off pulling image {image:?}");
        self.remember(&Memory {
            about: &pod,
            by: "kubelet",
            warns: false,
            reason: "BackOff",
            message,
            when: (57, 2, 214),
        });
        let message = "Error: ImagePullBackOff".to_owned();
        self.remember(&Memory {
            about: &pod,
            by: "kubelet",
            warns: true,
            reason: "Failed",
            message,
            when: (57, 2, 214),
        });
    }

    /// A deployment whose pod is too large for every node.
    pub(super) fn unplaced(&mut self, mut deployment: Value) {
        deployment["status"]["readyReplicas"] = 0.into();
        deployment["status"]["availableReplicas"] = 0.into();
        deployment["status"]["unavailableReplicas"] = 1.into();
        let deployment = self.put(deployment);
        let mut set = standing::replica_set(&deployment);
        set["status"]["readyReplicas"] = 0.into();
        set["status"]["availableReplicas"] = 0.into();
        let set = self.put(set);
        let mut pod = template::pod(&set["spec"]["template"], &set, &format!("{}-x7k2p", template::name(&set)));
        pod["metadata"]["creationTimestamp"] = self.hours_ago(5).into();
        pod["status"] = json!({ "phase": "Pending", "qosClass": "Burstable" });
        self.put(pod);
    }

    /// What was told of the cluster in its last hour.
    pub(super) fn tell_of_the_past(&mut self) {
        let node = self.read("Node", "", "worker-c2");
        let message = "Node worker-c2 status is now: NodeNotReady".to_owned();
        let by = "node-controller";
        self.remember(&Memory { about: &node, by, warns: false, reason: "NodeNotReady", message, when: (41, 16, 2) });
        let message = "Node worker-c2 status is now: NodeReady".to_owned();
        self.remember(&Memory {
            about: &node,
            by: "kubelet",
            warns: false,
            reason: "NodeReady",
            message,
            when: (39, 14, 2),
        });
        let claim = self.read("PersistentVolumeClaim", "shop", "data-postgres-0");
        let message = "Volume is 91% full: 45.7Gi of 50Gi used".to_owned();
        let by = "volume-monitor";
        self.remember(&Memory {
            about: &claim,
            by,
            warns: true,
            reason: "VolumeUsageHigh",
            message,
            when: (55, 5, 11),
        });
        let autoscaler = self.read("HorizontalPodAutoscaler", "shop", "storefront");
        let message = "New size: 8; reason: cpu resource utilization (percentage of request) above target".to_owned();
        let by = "horizontal-pod-autoscaler";
        self.remember(&Memory {
            about: &autoscaler,
            by,
            warns: false,
            reason: "SuccessfulRescale",
            message,
            when: (34, 34, 1),
        });
        for (namespace, app) in [("payments", "webhooks"), ("shop", "recommendations")] {
            for pod in self.pods_of(namespace, app) {
                let metadata = &pod["metadata"];
                let text = |field: &str| metadata[field].as_str().unwrap_or_default();
                let place = format!("{}_{}({})", text("name"), text("namespace"), text("uid"));
                let message = format!("Back-off restarting failed container {app} in pod {place}");
                let by = "kubelet";
                self.remember(&Memory { about: &pod, by, warns: true, reason: "BackOff", message, when: (58, 3, 96) });
            }
        }
    }
}

/// Lets a pod wait for an image that is nowhere.
pub(super) fn without_image(pod: &mut Value) {
    let status = &mut pod["status"];
    status["phase"] = "Pending".into();
    let mut names = Vec::new();
    for container in status["containerStatuses"].as_array_mut().into_iter().flatten() {
        names.push(container["name"].as_str().unwrap_or_default().to_owned());
        let image = container["image"].as_str().unwrap_or_default();
        let message = format!("Back-off pulling image {image:?}");
        container["state"] = json!({ "waiting": { "reason": "ImagePullBackOff", "message": message } });
        container["ready"] = false.into();
        container["started"] = false.into();
        container["imageID"] = "".into();
        if let Some(fields) = container.as_object_mut() {
            fields.remove("containerID");
        }
    }
    unready(status, &names);
}

/// Lets a pod's containers have ended before as they do.
pub(super) fn with_failures(pod: &mut Value, does: &str, created: &str, started: &str) {
    let (code, reason) = if does.starts_with("oom") { (137, "OOMKilled") } else { (1, "Error") };
    for container in pod["status"]["containerStatuses"].as_array_mut().into_iter().flatten() {
        container["lastState"] = json!({ "terminated": {
            "exitCode": code, "reason": reason, "startedAt": created, "finishedAt": started,
            "containerID": container["containerID"],
        } });
    }
}

fn unready(status: &mut Value, names: &[String]) {
    let message = format!("containers with unready status: [{}]", names.join(" "));
    for condition in status["conditions"].as_array_mut().into_iter().flatten() {
        if condition["type"] == "Ready" || condition["type"] == "ContainersReady" {
            condition["status"] = "False".into();
            condition["reason"] = "ContainersNotReady".into();
            condition["message"] = message.as_str().into();
        }
    }
}
