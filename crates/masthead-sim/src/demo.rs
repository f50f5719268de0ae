//! A believable small company's cluster, with things going wrong.

mod company;
mod furnishing;
mod nodes;
mod past;
mod trouble;

use std::time::Duration;

use masthead::runtime::Runtime;
use serde_json::{Value, json};

use crate::{
    Sim, Workloads,
    fleet::{
        self,
        standing::{self, Particulars},
    },
    object::Key,
    timestamp,
    workloads::template,
};
use company::{APPS, App, CRON_JOBS, NAMESPACES, Shape, Twist};
use nodes::NODES;

impl Sim {
    /// A cluster to explore: a shop with payments, search, data pipelines, monitoring and CI on seven nodes, some two
    /// hundred pods that have run for days, and the troubles that such a cluster has.
    ///
    /// It is there at once, with a past, and goes on living: pods crash, roll out and get scaled, a node comes and goes,
    /// jobs run on their schedules.
    ///
    /// ```
    /// use masthead::runtime::VirtualTime;
    /// use masthead_sim::Sim;
    ///
    /// let time = VirtualTime::new();
    /// let sim = Sim::demo(time.runtime());
    /// time.advance(std::time::Duration::from_secs(60));
    /// # drop(sim);
    /// ```
    pub fn demo(runtime: Runtime) -> Sim {
        let sim = Sim::new(runtime);
        Founding::new(&sim).found();
        let unrest = Some(Duration::from_secs(150));
        sim.run_workloads(Workloads { unrest, ..Workloads::default() }).forget();
        sim
    }
}

/// A cluster in the making.
struct Founding<'a> {
    sim: &'a Sim,
    /// The time since 1970.
    now: Duration,
    /// How many pods were put on nodes.
    placed: usize,
    /// The last address that each node gave.
    addresses: [u8; NODES.len()],
    /// How many events were put into the past.
    remembered: u64,
}

impl<'a> Founding<'a> {
    fn new(sim: &'a Sim) -> Founding<'a> {
        let now = sim.shared().runtime.wall();
        Founding { sim, now, placed: 0, addresses: [1; NODES.len()], remembered: 0 }
    }

    fn found(&mut self) {
        let (created, heard) = (self.hours_ago(2200), timestamp::format(self.now));
        (0..NODES.len()).for_each(|number| drop(self.put(nodes::node(number, &created, &heard))));
        for name in NAMESPACES {
            let metadata =
                json!({ "name": name, "creationTimestamp": self.hours_ago(1500), "labels": { "team": name } });
            self.put(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": metadata }));
        }
        self.furnish();
        APPS.iter().for_each(|app| self.app(app));
        CRON_JOBS.into_iter().for_each(|row| self.cron_job(row));
        self.tell_of_the_past();
    }

    /// Stores an object, and gives it back as it is stored.
    fn put(&mut self, object: Value) -> Value {
        self.sim.insert_and_read(object)
    }

    /// The object of a kind and name.
    fn read(&self, kind: &str, namespace: &str, name: &str) -> Value {
        let world = self.sim.shared().world.borrow();
        let kind = world.kinds.all().find(|known| known.kind == kind);
        let object = kind.and_then(|kind| world.store.get(kind, &Key::new(namespace, name)));
        object.map(|object| object.value()).unwrap_or_default()
    }

    /// The pods of an app.
    fn pods_of(&self, namespace: &str, app: &str) -> Vec<Value> {
        let world = self.sim.shared().world.borrow();
        let pods =
            world.kinds.find("", "v1", "pods").into_iter().flat_map(|kind| world.store.all_within(kind, namespace));
        let named = pods.filter(|pod| pod.labels.get("app.kubernetes.io/name").is_some_and(|name| name == app));
        named.map(|pod| pod.value()).collect()
    }

    fn hours_ago(&self, hours: u64) -> String {
        self.minutes_ago(hours * 60)
    }

    fn minutes_ago(&self, minutes: u64) -> String {
        timestamp::format(self.now.saturating_sub(Duration::from_secs(minutes * 60)))
    }

    fn app(&mut self, app: &App) {
        let labels = json!({ "app.kubernetes.io/name": app.name, "app.kubernetes.io/part-of": app.namespace });
        let mut pods = standing::template(&labels, &[container(app)]);
        if let Twist::Behaves(does, _) = app.twist {
            pods["metadata"]["annotations"]["sim.masthead.dev/behaviour"] = does.into();
        }
        match app.shape {
            Shape::Deployment(replicas) => self.deployment(app, replicas, &pods),
            Shape::StatefulSet(replicas, size) => self.stateful_set(app, (replicas, size), &pods),
            Shape::DaemonSet => self.daemon_set(app, &pods),
        }
        self.service(app, &labels);
    }

    fn deployment(&mut self, app: &App, replicas: u64, pods: &Value) {
        let created = self.hours_ago(app.age * 2);
        let deployment = standing::deployment(app.namespace, app.name, replicas, pods, &created);
        match app.twist {
            Twist::Stuck(image) => return self.stuck_rollout(deployment, image),
            Twist::Unplaced => return self.unplaced(deployment),
            _ => {}
        }
        let deployment = self.put(deployment);
        let set = self.put(standing::replica_set(&deployment));
        let prefix = format!("{}-", template::name(&set));
        for _ in 0..replicas {
            let pod = self.old_pod(app, &set, &prefix);
            self.put(pod);
        }
    }

    /// A pod that has been there for about as long as its app.
    fn old_pod(&mut self, app: &App, owner: &Value, name: &str) -> Value {
        let chance = self.sim.shared().runtime.random();
        let minutes = (app.age * 60).saturating_sub((chance * app.age as f64 * 12.0) as u64).max(4);
        let restarts = match app.twist {
            Twist::Behaves(_, restarts) => restarts.saturating_sub((chance * restarts as f64 * 0.4) as u64),
            _ if chance > 0.93 => 1,
            _ => 0,
        };
        let started = if restarts > 0 { ((chance * 9.0) as u64 + 1).min(minutes) } else { minutes };
        let (created, started) = (self.minutes_ago(minutes), self.minutes_ago(started));
        let mut pod = self.pod(owner, name, (&created, &started), restarts);
        match app.twist {
            Twist::Behaves("image-missing", _) => trouble::without_image(&mut pod),
            Twist::Behaves(does, _) if restarts > 0 => trouble::with_failures(&mut pod, does, &created, &started),
            _ => {}
        }
        pod
    }

    /// A pod that runs on the next node, with a name or the beginning of one.
    fn pod(&mut self, owner: &Value, name: &str, (created, started): (&str, &str), restarts: u64) -> Value {
        // The first node is the control plane's own.
        let node = 1 + self.placed % (NODES.len() - 1);
        self.placed += 1;
        self.pod_on(node, owner, name, (created, started, restarts))
    }

    fn pod_on(
        &mut self,
        node: usize,
        owner: &Value,
        name: &str,
        (created, started, restarts): (&str, &str, u64),
    ) -> Value {
        let runtime = &self.sim.shared().runtime;
        let containers = owner["spec"]["template"]["spec"]["containers"].as_array().map_or(0, Vec::len);
        self.addresses[node] = self.addresses[node].saturating_add(1);
        let name = if name.ends_with('-') { format!("{name}{}", fleet::letters(runtime)) } else { name.to_owned() };
        standing::pod(
            owner,
            &Particulars {
                name,
                uid: fleet::uid(runtime),
                created: created.to_owned(),
                started: started.to_owned(),
                ip: format!("10.244.{node}.{}", self.addresses[node]),
                node: NODES[node].0.to_owned(),
                host: nodes::address(node),
                ids: (0..containers).map(|_| fleet::hex(runtime)).collect(),
                restarts: restarts.into(),
                suffix: fleet::letters(runtime),
            },
        )
    }

    fn stateful_set(&mut self, app: &App, (replicas, size): (u64, &str), pods: &Value) {
        let created = self.hours_ago(app.age);
        let set = self.put(json!({
            "apiVersion": "apps/v1", "kind": "StatefulSet",
            "metadata": {
                "name": app.name, "namespace": app.namespace, "creationTimestamp": created,
                "labels": pods["metadata"]["labels"],
            },
            "spec": {
                "replicas": replicas, "serviceName": app.name, "template": pods,
                "selector": { "matchLabels": pods["metadata"]["labels"] },
                "volumeClaimTemplates": [{
                    "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" },
                    "spec": {
                        "accessModes": ["ReadWriteOnce"], "storageClassName": "gp3",
                        "resources": { "requests": { "storage": size } },
                    },
                }],
            },
        }));
        let revision = format!("{}-{}", app.name, template::hash(&set["spec"]["template"], 0));
        for number in 0..replicas {
            let name = format!("{}-{number}", app.name);
            let mut pod = self.old_pod(app, &set, &name);
            let labels = &mut pod["metadata"]["labels"];
            labels["apps.kubernetes.io/pod-index"] = number.to_string().into();
            labels["statefulset.kubernetes.io/pod-name"] = name.as_str().into();
            labels["controller-revision-hash"] = revision.as_str().into();
            pod["metadata"]["generateName"] = format!("{}-", app.name).into();
            pod["spec"]["hostname"] = name.as_str().into();
            pod["spec"]["subdomain"] = app.name.into();
            let claim = json!({ "name": "data", "persistentVolumeClaim": { "claimName": format!("data-{name}") } });
            if let Some(volumes) = pod["spec"]["volumes"].as_array_mut() {
                volumes.insert(0, claim);
            }
            self.claim(app, &name, size, &created);
            self.put(pod);
        }
    }

    fn daemon_set(&mut self, app: &App, pods: &Value) {
        let mut pods = pods.clone();
        pods["spec"]["tolerations"] = json!([{ "operator": "Exists" }]);
        let set = self.put(json!({
            "apiVersion": "apps/v1", "kind": "DaemonSet",
            "metadata": {
                "name": app.name, "namespace": app.namespace, "creationTimestamp": self.hours_ago(app.age),
                "labels": pods["metadata"]["labels"],
            },
            "spec": { "template": pods, "selector": { "matchLabels": pods["metadata"]["labels"] } },
        }));
        let revision = template::hash(&set["spec"]["template"], 0);
        let created = self.hours_ago(app.age);
        for node in 0..NODES.len() {
            let mut pod = self.pod_on(node, &set, &format!("{}-", app.name), (&created, &created, 0));
            pod["metadata"]["labels"]["controller-revision-hash"] = revision.as_str().into();
            pod["metadata"]["labels"]["pod-template-generation"] = "1".into();
            self.put(pod);
        }
    }
}

fn container(app: &App) -> Value {
    let (cpu, memory) = app.asks;
    let port = if app.port == 53 { "dns" } else { "http" };
    json!({
        "name": app.name, "image": app.image,
        "ports": [{ "name": port, "containerPort": app.port, "protocol": "TCP" }],
        "env": [{ "name": "LOG_LEVEL", "value": "info" }, { "name": "ENVIRONMENT", "value": "production" }],
        "resources": { "requests": { "cpu": cpu, "memory": memory }, "limits": { "memory": memory } },
    })
}
