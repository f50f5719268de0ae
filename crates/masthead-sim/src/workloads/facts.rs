//! What controllers ask of a pod, read once for each of its states.

use std::{rc::Rc, time::Duration};

use serde_json::Value;

use super::resource::Resource;
use crate::{
    object::{Key, Object},
    quantity::Quantity,
    timestamp,
};

/// One state of a pod, in short.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facts {
    pub(super) uid: String,
    /// The controller among its owners.
    pub(super) owner: Option<(Resource, Key)>,
    /// Empty while it has none.
    pub(super) node: Rc<str>,
    pub(super) phase: Phase,
    /// Since when it is ready, as the time since 1970.
    pub(super) ready: Option<Duration>,
    /// Whether somebody asked for its end.
    pub(super) ending: bool,
    pub(super) created: Duration,
    pub(super) requests: Requests,
    pub(super) ip: String,
    /// `controller-revision-hash`, or the template's hash.
    pub(super) revision: String,
    /// The index within a job that counts them.
    pub(super) index: Option<u64>,
    /// How often its containers were started again.
    pub(super) restarts: u64,
    /// Whether a job has yet to count it.
    pub(super) tracked: bool,
    /// Whether somebody keeps the scheduler from it.
    pub(super) gated: bool,
    /// The claims whose volumes it uses.
    pub(super) claims: Vec<String>,
}

/// Where a pod is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Pending,
    Running,
    Succeeded,
    Failed,
}

/// How much of a node a pod asks for, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    pub(super) cpu: i128,
    pub(super) memory: i128,
    pub(super) storage: i128,
    /// One for a pod.
    pub(super) pods: i128,
}

impl Facts {
    pub(super) fn of(object: &Object) -> Facts {
        let pod = object.value();
        let time = |value: &Value| value.as_str().and_then(timestamp::parse);
        let ready = condition(&pod, "Ready").filter(|ready| ready["status"] == "True");
        let label = |key: &str| object.labels.get(key).cloned();
        let phase = match pod["status"]["phase"].as_str().unwrap_or_default() {
            "Running" => Phase::Running,
            "Succeeded" => Phase::Succeeded,
            "Failed" => Phase::Failed,
            _ => Phase::Pending,
        };
        let statuses = pod["status"]["containerStatuses"].as_array().into_iter().flatten();
        let mut finalizers = pod["metadata"]["finalizers"].as_array().into_iter().flatten();
        let volumes = pod["spec"]["volumes"].as_array().into_iter().flatten();
        let claims = volumes.filter_map(|volume| volume["persistentVolumeClaim"]["claimName"].as_str());
        Facts {
            claims: claims.map(str::to_owned).collect(),
            gated: pod["spec"]["schedulingGates"].as_array().is_some_and(|gates| !gates.is_empty()),
            restarts: statuses.filter_map(|status| status["restartCount"].as_u64()).sum(),
            tracked: finalizers.any(|finalizer| finalizer == "batch.kubernetes.io/job-tracking"),
            uid: object.uid.clone(),
            owner: controller(&pod).map(|(resource, name)| (resource, Key::new(&object.key.namespace, &name))),
            node: pod["spec"]["nodeName"].as_str().unwrap_or_default().into(),
            phase,
            ready: ready.and_then(|ready| time(&ready["lastTransitionTime"])),
            ending: !pod["metadata"]["deletionTimestamp"].is_null(),
            created: time(&pod["metadata"]["creationTimestamp"]).unwrap_or_default(),
            requests: Requests::of(&pod["spec"]),
            ip: pod["status"]["podIP"].as_str().unwrap_or_default().to_owned(),
            revision: label("controller-revision-hash").or_else(|| label("pod-template-hash")).unwrap_or_default(),
            index: label("batch.kubernetes.io/job-completion-index").and_then(|index| index.parse().ok()),
        }
    }

    /// Whether it runs or will, and nobody asked for its end.
    pub(super) fn is_active(&self) -> bool {
        !self.is_over() && !self.ending
    }

    /// Whether all it had to do is done, or failed.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Succeeded | Phase::Failed)
    }

    /// Whether it has been ready for `seconds` at `wall`.
    pub(super) fn is_available(&self, seconds: u64, wall: Duration) -> bool {
        self.ready.is_some_and(|since| since + Duration::from_secs(seconds) <= wall || seconds == 0)
    }
}

impl Requests {
    /// What the containers of a pod's spec ask for: all together, or the largest that runs before them.
    pub(super) fn of(spec: &Value) -> Requests {
        let containers = |field: &str| {
            let all = spec[field].as_array().into_iter().flatten();
            all.map(|container| Requests::named(&container["resources"]["requests"])).collect::<Vec<_>>()
        };
        let together = containers("containers").into_iter().fold(Requests::default(), Requests::plus);
        let most = containers("initContainers").into_iter().fold(together, Requests::or);
        Requests { pods: 1, ..most.plus(Requests::named(&spec["overhead"])) }
    }

    /// What a node has to give.
    pub(super) fn allocatable(node: &Value) -> Requests {
        let given = &node["status"]["allocatable"];
        Requests { pods: milli(&given["pods"]).unwrap_or_default() / 1000, ..Requests::named(given) }
    }

    fn named(resources: &Value) -> Requests {
        let of = |name: &str| milli(&resources[name]).unwrap_or_default();
        Requests { cpu: of("cpu"), memory: of("memory"), storage: of("ephemeral-storage"), pods: 0 }
    }

    pub(super) fn plus(self, other: Requests) -> Requests {
        Requests {
            cpu: self.cpu + other.cpu,
            memory: self.memory + other.memory,
            storage: self.storage + other.storage,
            pods: self.pods + other.pods,
        }
    }

    pub(super) fn minus(self, other: Requests) -> Requests {
        Requests {
            cpu: self.cpu - other.cpu,
            memory: self.memory - other.memory,
            storage: self.storage - other.storage,
            pods: self.pods - other.pods,
        }
    }

    fn or(self, other: Requests) -> Requests {
        Requests {
            cpu: self.cpu.max(other.cpu),
            memory: self.memory.max(other.memory),
            storage: self.storage.max(other.storage),
            pods: self.pods,
        }
    }
}

/// A condition of an object's status.
pub(super) fn condition<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    object["status"]["conditions"].as_array()?.iter().find(|condition| condition["type"] == name)
}

/// Kind and name of the owner that controls an object.
pub(super) fn controller(object: &Value) -> Option<(Resource, String)> {
    let owners = object["metadata"]["ownerReferences"].as_array()?;
    let owner = owners.iter().find(|owner| owner["controller"] == true)?;
    Some((Resource::of_kind(owner["kind"].as_str()?)?, owner["name"].as_str()?.to_owned()))
}

/// A quantity in thousandths.
pub(super) fn milli(value: &Value) -> Option<i128> {
    let quantity = match value {
        Value::String(text) => Quantity::parse(text),
        Value::Number(number) => Quantity::parse(&number.to_string()),
        _ => None,
    };
    quantity.map(|quantity| (quantity.as_f64() * 1000.0).ceil() as i128)
}
