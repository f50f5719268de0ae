//! Packed objects are what they were, in a tenth of the memory.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use k8s_openapi::api::core::v1::Pod;
use kube_core::DynamicObject;
use masthead::{
    cache::Object,
    lean::{Interned, Lean},
    packed::{Packed, Packer},
    rest::{Decoder, MediaType},
    runtime::Chance,
};
use serde_json::{Value, json};

#[derive(Debug, Lean)]
struct PodRow {
    #[lean("spec.nodeName")]
    node: Interned,
}

/// A pod of an owner; `template` is what siblings have in common.
fn pod(owner: &str, template: &str, number: usize) -> Value {
    let env: Vec<Value> =
        (0..20).map(|n| json!({ "name": format!("{template}_{n}"), "value": template.repeat(n) })).collect();
    let mut pod = json!({
        "metadata": {
            "name": format!("{owner}-{number}"), "namespace": "shop", "uid": format!("uid-{owner}-{number}"),
            "resourceVersion": (number * 7).to_string(),
            "managedFields": [{ "manager": "kubelet", "fieldsV1": { "f:status": { "k:{\"type\":\"Ready\"}": {} } } }],
            "ownerReferences": [{ "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": owner }],
        },
        "spec": { "nodeName": format!("node-{}", number % 3), "containers": [{ "name": "a", "env": env }] },
    });
    if owner.is_empty() {
        pod["metadata"].as_object_mut().unwrap().remove("ownerReferences");
    }
    pod
}

/// What is left of an object when it is packed.
fn bare(mut object: Value) -> Value {
    object["metadata"].as_object_mut().unwrap().remove("managedFields");
    object
}

fn pack(packer: &Packer<PodRow>, object: &Value) -> Packed<PodRow> {
    packer.decode(MediaType::Json, object.to_string().as_bytes()).unwrap()
}

#[test]
fn other_fields_can_be_made_of_those_that_were_read() {
    let pod = pod("set", "t", 1);
    let packed = pack(&Packer::new(), &pod).map(|row| format!("{} on {}", row.key().name(), row.node));
    assert_eq!(packed.fields(), "set-1 on node-1");
    assert_eq!((packed.key().as_str(), packed.uid()), ("shop/set-1", "uid-set-1"));
    assert_eq!(packed.resource_version(), "7");
    assert_eq!(packed.read::<Value>().unwrap(), bare(pod));
}

#[test]
fn siblings_take_a_tenth_and_are_what_they_were() {
    let packer = Packer::new();
    let pods: Vec<Value> = (0..300).map(|n| pod(&format!("set-{}", n / 20), &format!("t{}", n / 20), n)).collect();
    let packed: Vec<Packed<PodRow>> = pods.iter().map(|pod| pack(&packer, pod)).collect();
    for (pod, packed) in pods.iter().zip(&packed) {
        assert_eq!(packed.read::<Value>().unwrap(), bare(pod.clone()));
        assert_eq!(packed.node, pod["spec"]["nodeName"].as_str().unwrap());
        assert_eq!(packed.uid(), pod["metadata"]["uid"].as_str().unwrap());
    }
    let before: usize = pods.iter().map(|pod| bare(pod.clone()).to_string().len()).sum();
    let after = packed.iter().map(Packed::bytes).sum::<usize>();
    assert!(after * 5 < before, "{after} of {before}, and {} shared", packer.bytes());
    let typed: Pod = packed[17].read().unwrap();
    assert_eq!(typed.metadata.name, packed[17].read::<DynamicObject>().unwrap().metadata.name);
    assert!(typed.metadata.managed_fields.is_none());
}

#[test]
fn managed_fields_are_cut_out_wherever_they_stand() {
    let packer = Packer::<PodRow>::new();
    let check = |before: &str, after: &str| {
        let packed = packer.decode(MediaType::Json, before.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(packed.json().unwrap()).unwrap(), after);
    };
    check(r#"{"metadata":{"managedFields":[{"a":"]"}],"name":"a"}}"#, r#"{"metadata":{"name":"a"}}"#);
    check(r#"{"metadata":{"name":"a","managedFields":[]}}"#, r#"{"metadata":{"name":"a"}}"#);
    check(
        r#"{"metadata":{"name":"a" , "managedFields" : [ ] , "uid":"b"}}"#,
        r#"{"metadata":{"name":"a" ,  "uid":"b"}}"#,
    );
    check(r#"{"metadata":{"name":"a"},"managedFields":[1]}"#, r#"{"metadata":{"name":"a"},"managedFields":[1]}"#);
}

#[test]
fn a_new_template_of_an_owner_makes_a_new_dictionary() {
    let packer = Packer::new();
    let first = pack(&packer, &pod("set", "old", 0));
    let old = pack(&packer, &pod("set", "old", 1));
    let rolled: Vec<Packed<PodRow>> = (2..12).map(|n| pack(&packer, &pod("set", "entirely-different", n))).collect();
    let sibling = old.bytes();
    assert!(rolled.last().unwrap().bytes() < 2 * sibling, "{} and {sibling}", rolled.last().unwrap().bytes());
    drop(first);
    assert_eq!(old.read::<Value>().unwrap(), bare(pod("set", "old", 1)), "its dictionary lives on");
}

#[test]
fn objects_without_owner_and_objects_that_are_like_no_other_are_kept_too() {
    let packer = Packer::new();
    for n in 0..20 {
        let object = pod("", "config", n);
        assert_eq!(pack(&packer, &object).read::<Value>().unwrap(), bare(object));
    }
    let random = Chance::new(3);
    for n in 0..20 {
        let noise: String = (0..2000).map(|_| char::from(33 + (random.next() * 90.0) as u8)).collect();
        let mut object = pod("noise", "", n);
        object["spec"]["noise"] = noise.into();
        let packed = pack(&packer, &object);
        let length = bare(object.clone()).to_string().len();
        assert!(packed.bytes() < length + 400, "{} of {length}", packed.bytes());
        assert_eq!(packed.read::<Value>().unwrap(), bare(object));
    }
    let small = packer.decode(MediaType::Json, br#"{"metadata":{"name":"a"}}"#).unwrap();
    assert_eq!(small.json().unwrap(), br#"{"metadata":{"name":"a"}}"#);
}

#[test]
fn memory_is_given_back_with_the_objects() {
    let packer = Packer::new();
    let pods = |from: usize| -> Vec<Packed<PodRow>> {
        (from..from + 600).map(|n| pack(&packer, &pod(&format!("set-{}", n / 4), &format!("t{}", n / 4), n))).collect()
    };
    drop(pods(0));
    let base = packer.bytes();
    let held = pods(10_000);
    let full = packer.bytes();
    assert!(full > base + 30_000, "{base} to {full}: dictionaries are counted");
    drop(held);
    for round in 0..6 {
        drop(pods(20_000 + round * 10_000));
    }
    assert!(packer.bytes() < base + full, "{} after {base}, {full}", packer.bytes());
}
