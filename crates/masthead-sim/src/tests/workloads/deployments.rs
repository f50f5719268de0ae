//! Deployments and their replica sets.

use super::{Cluster, DEPLOYMENTS, PODS, REPLICA_SETS};
use crate::Behaviour;
use masthead::rest::Method::Delete;
use serde_json::{Value, json};

fn image(name: &str) -> Value {
    let pods = &super::deployment("web", 1, name)["spec"]["template"];
    json!({ "spec": { "template": pods } })
}

fn conditions(deployment: &Value) -> Vec<String> {
    let conditions = deployment["status"]["conditions"].as_array().unwrap().iter();
    let told = conditions.map(|one| {
        let text = |field: &str| one[field].as_str().unwrap();
        format!("{} {} {}: {}", text("type"), text("status"), text("reason"), text("message"))
    });
    told.collect()
}

#[test]
fn a_deployment_makes_a_replica_set_makes_pods() {
    let cluster = Cluster::new(3);
    cluster.deploy("web", 2, "nginx:1.25");
    cluster.after(30);
    let sets = cluster.list(REPLICA_SETS);
    let [set] = &sets[..] else { panic!("{sets:?}") };
    let (name, hash) = (set["metadata"]["name"].as_str().unwrap(), &set["metadata"]["labels"]["pod-template-hash"]);
    assert_eq!(name, format!("web-{}", hash.as_str().unwrap()));
    assert_eq!(
        set["metadata"]["annotations"],
        json!({
            "deployment.kubernetes.io/desired-replicas": "2", "deployment.kubernetes.io/max-replicas": "3",
            "deployment.kubernetes.io/revision": "1",
        })
    );
    let deployment = cluster.get(&format!("{DEPLOYMENTS}/web"));
    let progressed = format!("ReplicaSet \"{name}\" has successfully progressed.");
    assert_eq!(
        conditions(&deployment),
        [
            "Available True MinimumReplicasAvailable: Deployment has minimum availability.".to_owned(),
            format!("Progressing True NewReplicaSetAvailable: {progressed}"),
        ]
    );
    let mut status = deployment["status"].clone();
    status["conditions"].take();
    let counts = json!({
        "observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2, "availableReplicas": 2,
        "terminatingReplicas": 0, "conditions": null,
    });
    assert_eq!(status, counts);
    for pod in cluster.list(PODS) {
        assert!(pod["metadata"]["name"].as_str().unwrap().starts_with(&format!("{name}-")));
        assert_eq!(pod["metadata"]["ownerReferences"][0]["uid"], set["metadata"]["uid"]);
        assert_eq!(pod["status"]["phase"], "Running");
    }
    let told = cluster.told_of("Deployment", "web");
    assert_eq!(told, [format!("ScalingReplicaSet: Scaled up replica set {name} from 0 to 2")]);
    assert_eq!(cluster.reasons("ReplicaSet", name), ["SuccessfulCreate", "SuccessfulCreate"]);
}

#[test]
fn a_rollout_keeps_most_of_the_pods_and_can_be_undone() {
    let cluster = Cluster::new(3);
    cluster.deploy("web", 4, "nginx:1.25");
    cluster.after(30);
    let before = cluster.list(REPLICA_SETS)[0]["metadata"]["name"].as_str().unwrap().to_owned();
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &image("nginx:1.26"));
    let mut least = 4;
    for _ in 0..60 {
        cluster.after(1);
        let status = &cluster.get(&format!("{DEPLOYMENTS}/web"))["status"];
        least = least.min(status["availableReplicas"].as_u64().unwrap_or_default());
        assert!(status["replicas"].as_u64().unwrap() <= 5);
    }
    assert_eq!(least, 3);
    let deployment = cluster.get(&format!("{DEPLOYMENTS}/web"));
    assert_eq!(deployment["metadata"]["annotations"]["deployment.kubernetes.io/revision"], "2");
    assert_eq!((&deployment["status"]["updatedReplicas"], &deployment["status"]["replicas"]), (&json!(4), &json!(4)));
    let old = cluster.get(&format!("{REPLICA_SETS}/{before}"));
    assert_eq!((&old["spec"]["replicas"], &old["status"]["replicas"]), (&json!(0), &json!(0)));
    assert_eq!(cluster.list(PODS).len(), 4);
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &image("nginx:1.25"));
    cluster.after(60);
    let old = cluster.get(&format!("{REPLICA_SETS}/{before}"));
    assert_eq!(old["status"]["availableReplicas"], 4);
    assert_eq!(old["metadata"]["annotations"]["deployment.kubernetes.io/revision"], "3");
    assert_eq!(old["metadata"]["annotations"]["deployment.kubernetes.io/revision-history"], "1");
}

#[test]
fn a_rollout_to_a_missing_image_gets_stuck_and_says_so() {
    let cluster = Cluster::with(2, &[("missing", Behaviour::ImageMissing)]);
    cluster.deploy("web", 4, "nginx:1.25");
    cluster.after(30);
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &image("nginx:missing"));
    cluster.after(700);
    let deployment = cluster.get(&format!("{DEPLOYMENTS}/web"));
    let told = conditions(&deployment);
    assert!(told[0].starts_with("Available True"), "{told:?}");
    assert!(told[1].starts_with("Progressing False ProgressDeadlineExceeded: ReplicaSet \"web-"), "{told:?}");
    assert!(told[1].ends_with("has timed out progressing."), "{told:?}");
    assert_eq!(deployment["status"]["availableReplicas"], 3);
    assert_eq!(deployment["status"]["unavailableReplicas"], 2);
}

#[test]
fn recreate_ends_the_old_pods_before_it_makes_new_ones() {
    let cluster = Cluster::new(1);
    let mut recreate = super::deployment("web", 2, "nginx:1");
    recreate["spec"]["strategy"] = json!({ "type": "Recreate" });
    cluster.create(DEPLOYMENTS, &recreate);
    cluster.after(30);
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &image("nginx:2"));
    for _ in 0..30 {
        cluster.after(1);
        let images: Vec<Value> =
            cluster.list(PODS).iter().map(|pod| pod["spec"]["containers"][0]["image"].clone()).collect();
        assert!(images.windows(2).all(|pair| pair[0] == pair[1]), "{images:?}");
    }
    assert_eq!(cluster.get(&format!("{DEPLOYMENTS}/web"))["status"]["updatedReplicas"], 2);
}

#[test]
fn a_paused_deployment_scales_and_does_not_roll() {
    let cluster = Cluster::new(1);
    cluster.deploy("web", 2, "nginx:1");
    cluster.after(30);
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &json!({ "spec": { "paused": true, "replicas": 3 } }));
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &image("nginx:2"));
    cluster.after(30);
    let deployment = cluster.get(&format!("{DEPLOYMENTS}/web"));
    assert_eq!(cluster.list(REPLICA_SETS).len(), 1);
    assert_eq!(deployment["status"]["readyReplicas"], 3);
    let paused = "Progressing Unknown DeploymentPaused: Deployment is paused";
    assert!(conditions(&deployment).iter().any(|told| told == paused));
    cluster.patch(&format!("{DEPLOYMENTS}/web"), &json!({ "spec": { "paused": false } }));
    cluster.after(60);
    assert_eq!(cluster.list(REPLICA_SETS).len(), 2);
    assert_eq!(cluster.get(&format!("{DEPLOYMENTS}/web"))["status"]["updatedReplicas"], 3);
}

#[test]
fn a_deleted_deployment_takes_its_pods_along_in_their_time() {
    let cluster = Cluster::new(1);
    cluster.deploy("web", 2, "nginx:1");
    cluster.after(30);
    assert_eq!(cluster.wire.json(Delete, &format!("{DEPLOYMENTS}/web"), "").0, 200);
    let pods = cluster.list(PODS);
    assert_eq!(pods.len(), 2);
    assert!(pods.iter().all(|pod| pod["metadata"]["deletionGracePeriodSeconds"] == 30));
    cluster.after(10);
    assert_eq!(cluster.list(PODS).len(), 0);
    assert!(cluster.told_of("Pod", "web").iter().any(|told| told == "Killing: Stopping container app"));
}
