//! Types as they were recorded and as a custom kind describes them.

use std::rc::Rc;

use serde_json::json;

use super::{Empty, Field, ListMerge, ListType, Scalar, Schema, StructType, TypeRef, Unknown, recorded};
use crate::registry::Registry;

fn at(schema: &Rc<Schema>, path: &str) -> Rc<Schema> {
    path.split('.').fold(Rc::clone(schema), |schema, step| match (&*schema, step) {
        (Schema::List(ListType { items, .. }), "[]") => items.schema(),
        _ => schema.under(step).unwrap_or_else(|| panic!("nothing at {step} of {path}")),
    })
}

fn field(schema: &Schema, name: &str) -> Field {
    match schema {
        Schema::Struct(StructType { fields, .. }) => fields[name].clone(),
        other => panic!("no struct: {other:?}"),
    }
}

#[test]
fn every_kind_has_a_type() {
    for kind in Registry::new().all() {
        assert!(matches!(&*at(&kind.schema, "metadata.labels"), Schema::Map(_)), "{}", kind.kind);
    }
    for (group, version, kind) in [("autoscaling", "v1", "Scale"), ("policy", "v1", "Eviction"), ("", "v1", "Binding")]
    {
        assert!(Schema::of_kind(group, version, kind).is_some(), "{kind}");
    }
    assert!(Schema::recorded("meta.v1.DeleteOptions").is_some());
    assert_eq!(Schema::of_kind("", "v1", "Nope"), None);
}

#[test]
fn every_type_is_made_of_types_that_are_there() {
    fn check(of: &TypeRef, inside: &str) {
        match of {
            TypeRef::Here(schema) => match &**schema {
                Schema::List(list) => check(&list.items, inside),
                Schema::Map(map) => check(&map.values, inside),
                _ => {}
            },
            TypeRef::Recorded(name) | TypeRef::RecordedAs { name, .. } => {
                assert!(Schema::recorded(name).is_some(), "{inside} names {name}");
            }
        }
    }
    assert!(recorded::names().len() > 400);
    for name in recorded::names() {
        if let Some(Schema::Struct(of)) = Schema::recorded(name).as_deref() {
            of.fields.values().for_each(|field| check(&field.of, name));
        }
    }
}

#[test]
fn a_recorded_type_says_how_it_merges() {
    let pod = Schema::of_kind("", "v1", "Pod").unwrap();
    let ports = at(&pod, "spec.containers.[].ports");
    let Schema::List(ListType { merge, .. }) = &*ports else { panic!("{ports:?}") };
    assert_eq!(*merge, ListMerge::Keyed(vec!["containerPort".into(), "protocol".into()]));
    let port = at(&ports, "[]");
    assert_eq!(field(&port, "protocol").default, Some(json!("TCP")));
    assert_eq!(field(&port, "protocol").go.as_deref(), Some("v1.Protocol"));
    assert!(field(&port, "containerPort").required);
    assert!(at(&pod, "spec.nodeSelector").is_atomic());
    assert!(at(&pod, "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution").is_atomic());
    assert!(!at(&pod, "metadata.labels").is_atomic());
    let volumes = field(&at(&pod, "spec"), "volumes").patch;
    assert!(volumes.merges && volumes.retains_keys);
    assert_eq!(volumes.merge_key.as_deref(), Some("name"));
    let volume = Schema::of_kind("", "v1", "PersistentVolume").unwrap();
    assert!(!at(&volume, "spec.claimRef").is_atomic() && at(&volume, "spec.local").under("path").is_some());
}

#[test]
fn a_recorded_type_says_what_is_written() {
    let deployment = Schema::of_kind("apps", "v1", "Deployment").unwrap();
    let empty = |path: &str, name: &str| field(&at(&deployment, path), name).empty;
    assert_eq!(empty("spec", "replicas"), Empty::Kept);
    assert_eq!(empty("spec", "paused"), Empty::Omitted);
    assert_eq!(empty("spec", "strategy"), Empty::Written);
    assert_eq!(empty("spec", "selector"), Empty::WrittenNull);
    assert_eq!(empty("spec.template.metadata", "creationTimestamp"), Empty::Omitted);
}

#[test]
fn a_type_may_hold_itself() {
    let custom = Schema::of_kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition").unwrap();
    let deep = at(&custom, "spec.versions.[].schema.openAPIV3Schema.properties.x.properties.y.type");
    assert_eq!(*deep, Schema::Scalar(Scalar::String));
}

#[test]
fn a_custom_type_is_what_its_schema_says() {
    let schema = Rc::new(Schema::of_custom(&json!({
        "type": "object",
        "properties": {
            "spec": {
                "type": "object",
                "required": ["size"],
                "properties": {
                    "size": { "type": "integer", "default": 3 },
                    "free": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
                    "either": { "x-kubernetes-int-or-string": true },
                    "limits": { "type": "object", "additionalProperties": { "type": "string" } },
                    "whole": { "type": "object", "x-kubernetes-map-type": "atomic" },
                    "doors": {
                        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                        "items": { "type": "object", "properties": { "name": { "type": "string" } } },
                    },
                },
            },
        },
    })));
    let size = field(&at(&schema, "spec"), "size");
    assert_eq!((size.required, size.default), (true, Some(json!(3))));
    let free = at(&schema, "spec.free");
    assert!(matches!(&*free, Schema::Struct(StructType { unknown: Unknown::Kept, .. })));
    assert_eq!(*at(&free, "a.b"), Schema::Any);
    assert_eq!(at(&schema, "spec").under("nope"), None);
    assert_eq!(*at(&schema, "spec.either"), Schema::Scalar(Scalar::IntOrString));
    assert_eq!(*at(&schema, "spec.limits.cpu"), Schema::Scalar(Scalar::String));
    assert!(at(&schema, "spec.whole").is_atomic());
    let doors = at(&schema, "spec.doors");
    assert!(matches!(&*doors, Schema::List(ListType { merge: ListMerge::Keyed(keys), .. }) if keys.len() == 1));
    assert_eq!(*at(&doors, "[].name"), Schema::Scalar(Scalar::String));
    assert!(matches!(&*at(&schema, "metadata.ownerReferences"), Schema::List(_)));
}
