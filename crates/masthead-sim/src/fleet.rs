//! Many pods at once, as a large cluster has them.

pub(crate) mod standing;

use std::{rc::Rc, time::Duration};

use masthead::runtime::Runtime;
use serde_json::{Value, json};

use crate::{
    Sim,
    body::{Pattern, Values, hole, number_hole},
    object::{Key, Object},
    store::Store,
    timestamp,
    world::World,
};

/// How many pods a node has and a namespace about.
const PER_NODE: usize = 50;
const PER_NAMESPACE: usize = 2000;
/// The most pods of one deployment.
const PER_DEPLOYMENT: usize = 96;

const APPS: [(&str, &str, u16); 12] = [
    ("storefront", "registry.acme.io/shop/storefront:2.41.0", 8080),
    ("checkout", "registry.acme.io/shop/checkout:1.18.3", 8080),
    ("catalog", "registry.acme.io/shop/catalog:5.2.1", 9090),
    ("payments", "registry.acme.io/pay/payments:3.7.0", 8443),
    ("ledger", "registry.acme.io/pay/ledger:0.92.4", 8443),
    ("search", "registry.acme.io/search/query:7.0.2", 9200),
    ("indexer", "registry.acme.io/search/indexer:7.0.2", 9300),
    ("ingest", "registry.acme.io/data/ingest:1.4.9", 8081),
    ("transform", "registry.acme.io/data/transform:1.4.9", 8081),
    ("notifier", "registry.acme.io/core/notifier:2.3.3", 8080),
    ("sessions", "registry.acme.io/core/sessions:4.0.0", 6379),
    ("gateway", "registry.acme.io/edge/gateway:11.6.5", 8000),
];

impl Sim {
    /// A server with `pods` pods as real ones are: of deployments and replica sets that are there too, in several
    /// namespaces, on nodes, ready, some of them restarted now and then.
    ///
    /// A pod takes about 6 KB on the wire, and much less here: siblings share what they have in common. Nothing lives
    /// by itself; see [`Sim::churn`].
    pub fn with_pods(runtime: Runtime, pods: usize) -> Sim {
        let sim = Sim::new(runtime);
        let nodes = pods.div_ceil(PER_NODE).max(3);
        let namespaces = pods.div_ceil(PER_NAMESPACE).clamp(4, 40);
        (0..nodes).for_each(|number| assert!(sim.insert(node(number)), "nodes are served"));
        for number in 0..namespaces {
            let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": team(number) } });
            assert!(sim.insert(namespace), "namespaces are served");
        }
        let (mut left, mut owner) = (pods, 0);
        while left > 0 {
            // Sizes as they are in a real cluster: most have a few pods, a few have many.
            let chance = sim.shared().runtime.random();
            let many = ((chance.powi(3) * PER_DEPLOYMENT as f64) as usize + 1).min(left);
            left -= many;
            sim.add_deployment(&Lot { owner, namespaces, nodes, first: left, many });
            owner += 1;
        }
        sim
    }

    /// Stores an object as it is given, and gives it back as it is stored.
    pub(crate) fn insert_and_read(&self, object: Value) -> Value {
        let key = crate::workloads::key_of(&object);
        let names = [&object["apiVersion"], &object["kind"]].map(|name| name.as_str().unwrap_or_default().to_owned());
        assert!(self.insert(object), "{} is served", names[1]);
        let world = self.shared().world.borrow();
        let kind = world.kinds.of_object(&names[0], &names[1]);
        kind.and_then(|kind| world.store.get(kind, &key)).map(|object| object.value()).unwrap_or_default()
    }

    fn add_deployment(&self, lot: &Lot) {
        let (shared, Lot { owner, namespaces, many, .. }) = (self.shared(), lot);
        let age = Duration::from_secs_f64(shared.runtime.random() * 30.0 * 86_400.0 + 600.0);
        let created = timestamp::format(shared.runtime.wall().saturating_sub(age));
        let (app, image, port) = APPS[owner % APPS.len()];
        let name = format!("{app}-{}", owner / APPS.len());
        let pods = standing::template(
            &json!({ "app": name, "team": team(owner % namespaces) }),
            &containers(app, image, port),
        );
        let namespace = team(owner % namespaces);
        let deployment = self.insert_and_read(standing::deployment(&namespace, &name, *many as u64, &pods, &created));
        let set = self.insert_and_read(standing::replica_set(&deployment));
        let World { kinds, store, .. } = &mut *shared.world.borrow_mut();
        let kind = kinds.find("", "v1", "pods").expect("pods are built in");
        let mut like = standing::pod(&set, &holes());
        like["metadata"]["resourceVersion"] = hole(11).into();
        let siblings = Siblings { pattern: Rc::new(Pattern::of(&like)), like: Object::new(kind, like, 0) };
        (0..*many).for_each(|number| siblings.add(store, &shared.runtime, lot, number));
    }
}

/// The pods of one deployment among all.
struct Lot {
    owner: usize,
    namespaces: usize,
    nodes: usize,
    /// How many pods come before these.
    first: usize,
    many: usize,
}

/// What the pods of one replica set have in common.
struct Siblings {
    pattern: Rc<Pattern>,
    like: Object,
}

impl Siblings {
    fn add(&self, store: &mut Store, runtime: &Runtime, lot: &Lot, number: usize) {
        let place = lot.first + number;
        let node = place % lot.nodes;
        let age = Duration::from_secs_f64(runtime.random().powi(2) * 7.0 * 86_400.0 + 30.0);
        let started = runtime.wall().saturating_sub(age);
        let restarts = if runtime.random() < 0.05 { (runtime.random() * 8.0) as u64 + 1 } else { 0 };
        let owner = self.like.labels.get("app").map_or("", String::as_str);
        let hash = self.like.labels.get("pod-template-hash").map_or("", String::as_str);
        let mut name = format!("{owner}-{hash}-{}", letters(runtime));
        while store.get(&self.like.kind, &Key::new(&self.like.key.namespace, &name)).is_some() {
            name = format!("{owner}-{hash}-{}", letters(runtime));
        }
        let values = [
            name.clone(),
            uid(runtime),
            timestamp::format(started.saturating_sub(Duration::from_secs(4))),
            timestamp::format(started),
            format!("10.{}.{}.{}", 128 + node / 256, node % 256, place / lot.nodes % 250 + 2),
            node_name(node),
            address(node),
            hex(runtime),
            hex(runtime),
            restarts.to_string(),
            letters(runtime),
            (store.version() + 1).to_string(),
        ];
        let values = Values::of(values.iter().map(String::as_str));
        store.put_object(Object::alike(&self.like, &self.pattern, &name, store.version() + 1, values));
    }
}

/// A pod's particulars as the holes of a pattern, in the order of the values.
fn holes() -> standing::Particulars {
    standing::Particulars {
        name: hole(0),
        uid: hole(1),
        created: hole(2),
        started: hole(3),
        ip: hole(4),
        node: hole(5),
        host: hole(6),
        ids: vec![hole(7), hole(8)],
        restarts: number_hole(9).into(),
        suffix: hole(10),
    }
}

fn containers(app: &str, image: &str, port: u16) -> Vec<Value> {
    vec![
        json!({
            "name": app, "image": image, "ports": [{ "name": "http", "containerPort": port, "protocol": "TCP" }],
            "resources": { "requests": { "cpu": "50m", "memory": "96Mi" }, "limits": { "memory": "256Mi" } },
        }),
        json!({
            "name": "proxy", "image": "docker.io/envoyproxy/envoy:v1.34.1",
            "resources": { "requests": { "cpu": "10m", "memory": "40Mi" }, "limits": { "memory": "128Mi" } },
        }),
    ]
}

/// A node that is ready, with room for more than it has.
fn node(number: usize) -> Value {
    let name = node_name(number);
    let zone = ["eu-central-1a", "eu-central-1b", "eu-central-1c"][number % 3];
    let room = json!({ "cpu": "16", "memory": "65536Mi", "pods": "110", "ephemeral-storage": "200Gi" });
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "labels": {
            "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name, "kubernetes.io/os": "linux",
            "node.kubernetes.io/instance-type": "m7i.4xlarge", "topology.kubernetes.io/region": "eu-central-1",
            "topology.kubernetes.io/zone": zone,
        } },
        "spec": { "podCIDR": format!("10.{}.{}.0/24", 128 + number / 256, number % 256) },
        "status": {
            "allocatable": room, "capacity": room,
            "addresses": [{ "type": "InternalIP", "address": address(number) }, { "type": "Hostname", "address": name }],
            "conditions": [{
                "type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status",
            }],
            "nodeInfo": { "kubeletVersion": "v1.36.3", "operatingSystem": "linux", "architecture": "amd64" },
        },
    })
}

fn node_name(number: usize) -> String {
    format!("node-{number:04}")
}

fn address(number: usize) -> String {
    format!("10.0.{}.{}", number / 250, number % 250 + 4)
}

fn team(number: usize) -> String {
    format!("team-{number:02}")
}

/// Five letters as generated names end with.
pub(crate) fn letters(runtime: &Runtime) -> String {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    (0..5).map(|_| char::from(LETTERS[(runtime.random() * LETTERS.len() as f64) as usize % LETTERS.len()])).collect()
}

pub(crate) fn uid(runtime: &Runtime) -> String {
    let word = || (runtime.random() * f64::from(u32::MAX)) as u32;
    let (a, b, c, d) = (word(), word(), word(), word());
    format!("{a:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{d:08x}", b >> 16, b & 0xfff, c >> 16 & 0x3fff | 0x8000, c & 0xffff)
}

/// Sixty-four hexadecimal digits.
pub(crate) fn hex(runtime: &Runtime) -> String {
    (0..8).map(|_| format!("{:08x}", (runtime.random() * f64::from(u32::MAX)) as u32)).collect()
}
