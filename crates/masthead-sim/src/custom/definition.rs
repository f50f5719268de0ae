//! From a CustomResourceDefinition to the kinds it defines.

use std::rc::Rc;

use serde_json::Value;

use super::{Custom, Phase, ScalePaths};
use crate::{
    kind::{Kind, Naming, ResourceId, Scope, Subresource},
    schema::Schema,
    table::CustomColumns,
};

/// What a definition defines besides its versions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) resource: ResourceId,
    /// The version of the store since which its changes are known.
    pub(crate) since: u64,
    pub(crate) phase: Phase,
}

/// The versions that a definition has served, under the names that were accepted.
pub(crate) fn kinds(definition: &Value, place: Place) -> Vec<Rc<Kind>> {
    let versions: Vec<&Value> = definition["spec"]["versions"].as_array().into_iter().flatten().collect();
    let stored = versions.iter().find(|version| version["storage"] == true);
    let hub = stored.map(|version| Rc::new(kind(definition, version, place, None)));
    let served = versions.into_iter().filter(|version| version["served"] == true);
    served
        .map(|version| match &hub {
            Some(hub) if hub.version == version["name"] => Rc::clone(hub),
            _ => Rc::new(kind(definition, version, place, hub.clone())),
        })
        .collect()
}

fn kind(definition: &Value, version: &Value, place: Place, hub: Option<Rc<Kind>>) -> Kind {
    let Place { resource, since, phase } = place;
    let (spec, names) = (&definition["spec"], &definition["status"]["acceptedNames"]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let texts = |value: &Value| value.as_array().into_iter().flatten().map(text).collect();
    let (group, name) = (text(&spec["group"]), text(&names["kind"]));
    let schema = version["schema"]["openAPIV3Schema"].clone();
    let fields = version["selectableFields"].as_array().into_iter().flatten();
    let stored_version = hub.as_ref().map_or_else(|| text(&version["name"]), |hub| hub.version.clone());
    Kind {
        resource,
        hub,
        version: text(&version["name"]),
        plural: text(&names["plural"]),
        singular: text(&names["singular"]),
        short_names: texts(&names["shortNames"]),
        categories: texts(&names["categories"]),
        scope: if spec["scope"] == "Cluster" { Scope::Cluster } else { Scope::Namespaced },
        subresources: subresources(version),
        fields: fields.map(|field| text(&field["jsonPath"]).trim_start_matches('.').to_owned()).collect(),
        counts_generations: true,
        returns_deleted: false,
        needs_version: true,
        naming: Naming::Subdomain,
        verbs: verbs(phase),
        columns: Some(CustomColumns::new(&version["additionalPrinterColumns"])),
        stored_as: format!("{group}/{stored_version}/{name}"),
        schema: Schema::of_custom(&schema).into(),
        custom: Some(Custom {
            list_kind: text(&names["listKind"]),
            schema,
            scale: scale_paths(version),
            deprecation: deprecation(version, &group, &name),
            since,
            phase,
        }),
        group,
        kind: name,
    }
}

/// In the order that the real server has for these.
fn verbs(phase: Phase) -> &'static [&'static str] {
    match phase {
        Phase::Established => &["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        Phase::Terminating => &["delete", "deletecollection", "get", "list", "watch"],
    }
}

fn subresources(version: &Value) -> Vec<Subresource> {
    let has = |name: &str| version["subresources"].get(name).is_some_and(|part| !part.is_null());
    let parts = [("status", Subresource::Status), ("scale", Subresource::Scale)];
    parts.into_iter().filter(|(name, _)| has(name)).map(|(_, part)| part).collect()
}

fn scale_paths(version: &Value) -> Option<ScalePaths> {
    let scale = version["subresources"].get("scale")?;
    let path = |field: &str| Some(scale[field].as_str()?.replace('.', "/"));
    Some(ScalePaths {
        spec_replicas: path("specReplicasPath")?,
        status_replicas: path("statusReplicasPath")?,
        selector: path("labelSelectorPath"),
    })
}

fn deprecation(version: &Value, group: &str, kind: &str) -> Option<String> {
    let usual = || format!("{group}/{} {kind} is deprecated", version["name"].as_str().unwrap_or_default());
    let deprecated = version["deprecated"].as_bool() == Some(true);
    deprecated.then(|| version["deprecationWarning"].as_str().map_or_else(usual, str::to_owned))
}
