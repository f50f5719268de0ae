//! The definition of a custom resource.

use super::{
    place::{Place, Wrong},
    schema::Reader,
    shape::{Field, Shape, Struct},
};
use crate::package::is_version;

/// What a `CustomResourceDefinition` says about its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) list_kind: String,
    /// The resource in paths.
    pub(super) plural: String,
    pub(super) namespaced: bool,
    /// Those that are served, in the order of the definition.
    pub(super) versions: Vec<Version>,
}

/// A version of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) name: String,
    /// Why it should not be used any more.
    pub(super) deprecated: Option<String>,
    pub(super) doc: String,
    pub(super) fields: Struct,
    /// Whether its status has a path of its own.
    pub(super) has_status: bool,
    /// Whether its number of replicas has a path of its own.
    pub(super) has_scale: bool,
}

impl Definition {
    /// Reads an object, if it is a definition: other kinds are none of ours.
    ///
    /// # Errors
    ///
    /// Everything that is wrong in it.
    pub(super) fn read(object: &Place) -> Result<Option<Definition>, Vec<Wrong>> {
        let kind = object.need("kind", "`CustomResourceDefinition`").and_then(|kind| kind.text());
        let version = object.need("apiVersion", "`apiextensions.k8s.io/v1`").and_then(|version| version.text());
        let (kind, version) = match (kind, version) {
            (Ok(kind), Ok(version)) => (kind, version),
            (kind, version) => return Err(kind.err().into_iter().chain(version.err()).collect()),
        };
        match (kind, version.split_once('/')) {
            ("CustomResourceDefinition", Some(("apiextensions.k8s.io", "v1"))) => read(object).map(Some),
            ("CustomResourceDefinition", Some(("apiextensions.k8s.io", _))) => {
                let why = format!(
                    "`{version}` is not read: Kubernetes 1.22 was the first without v1beta1; `kubectl get crd -o yaml` on a \
                     cluster prints the definition as v1"
                );
                Err(object.at("apiVersion").map(|place| place.wrong(why)).into_iter().collect())
            }
            _ => Ok(None),
        }
    }

    /// Whether both define the same, so that a cluster has one of them only.
    pub(super) fn is_same(&self, other: &Definition) -> bool {
        self.group == other.group && (self.plural == other.plural || self.kind == other.kind)
    }
}

fn read(object: &Place) -> Result<Definition, Vec<Wrong>> {
    let head = head(object).map_err(|wrong| vec![wrong])?;
    let Head { spec, group, kind, list_kind, plural, namespaced } = head;
    let versions = spec.need("versions", "a list with at least one version").and_then(|versions| versions.list());
    let mut reader = Reader::default();
    let mut versions_read: Vec<Version> = Vec::new();
    match (versions, spec.flag("preserveUnknownFields")) {
        (Ok(versions), Ok(keeps_unknown)) => {
            reader.keeps_unknown = keeps_unknown;
            for place in &versions {
                match version(place, &mut reader) {
                    Ok(Some(version)) if versions_read.iter().any(|known| known.name == version.name) => {
                        reader.wrong.push(place.wrong(format!("there are two versions {}", version.name)));
                    }
                    Ok(version) => versions_read.extend(version),
                    Err(wrong) => reader.wrong.push(wrong),
                }
            }
        }
        (versions, keeps) => reader.wrong.extend(versions.err().into_iter().chain(keeps.err())),
    }
    if versions_read.is_empty() && reader.wrong.is_empty() {
        let versions = spec.at("versions").unwrap_or_else(|| spec.clone());
        reader.wrong.push(versions.wrong("no version is served: there would be nothing to talk to"));
    }
    if !reader.wrong.is_empty() {
        return Err(reader.wrong);
    }
    Ok(Definition { group, kind, list_kind, plural, namespaced, versions: versions_read })
}

/// What all versions have in common.
struct Head<'a> {
    spec: Place<'a>,
    group: String,
    kind: String,
    list_kind: String,
    plural: String,
    namespaced: bool,
}

fn head<'a>(object: &Place<'a>) -> Result<Head<'a>, Wrong> {
    let spec = object.need("spec", "the definition itself: group, names, scope and versions")?;
    let group = spec.need("group", "an API group, as in `example.com`")?;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    if !group.text()?.contains('.') || !group.text()?.chars().all(fits) {
        return Err(group.wrong("no API group: they are written like `example.com`"));
    }
    let names = spec.need("names", "a map with `kind` and `plural`")?;
    let kind = names.need("kind", "the name of the kind, as in `Certificate`")?;
    if !kind.text()?.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(kind.wrong("no kind: they are written like `Certificate`"));
    }
    let plural = names.need("plural", "the resource in paths, as in `certificates`")?;
    let in_path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if plural.text()?.is_empty() || !plural.text()?.chars().all(in_path) {
        return Err(plural.wrong("no resource: they are written like `certificates`"));
    }
    let list_kind = names
        .text_at("listKind")?
        .map_or_else(|| kind.text().map(|kind| format!("{kind}List")), |list| Ok(list.to_owned()))?;
    let scope = spec.need("scope", "`Namespaced` or `Cluster`")?;
    let namespaced = match scope.text()? {
        "Namespaced" => true,
        "Cluster" => false,
        other => return Err(scope.wrong(format!("`{other}` is neither `Namespaced` nor `Cluster`"))),
    };
    Ok(Head {
        group: group.text()?.to_owned(),
        kind: kind.text()?.to_owned(),
        list_kind,
        plural: plural.text()?.to_owned(),
        namespaced,
        spec,
    })
}

/// A version, or none if it is not served.
fn version(place: &Place, reader: &mut Reader) -> Result<Option<Version>, Wrong> {
    let name = place.need("name", "a version, as in `v1`")?;
    if !is_version(name.text()?) {
        return Err(name.wrong("no version: they are written like `v1` or `v2beta1`"));
    }
    if !place.flag("served")? {
        return Ok(None);
    }
    let schema =
        place.at("schema").map(|schema| schema.need("openAPIV3Schema", "the schema of the kind")).transpose()?;
    if schema.is_none() && !reader.keeps_unknown {
        place.need("schema", "`openAPIV3Schema: …` below it, which the types are made from")?;
    }
    let mut fields = match &schema {
        Some(schema) => reader.root(schema),
        None => Struct { fields: Vec::new(), keeps_unknown: true },
    };
    let subresources = place.at("subresources");
    let has = |name: &str| subresources.as_ref().is_some_and(|parts| parts.at(name).is_some());
    if has("status") && fields.keeps_unknown && fields.field("status").is_none() {
        let doc = "Whatever the controller writes: the definition does not say.".to_owned();
        fields.fields.push(Field {
            name: "status".to_owned(),
            shape: Shape::Anything,
            optional: true,
            nullable: false,
            doc,
            notes: Vec::new(),
        });
    }
    let doc = schema.map(|schema| schema.text_at("description")).transpose()?.flatten().unwrap_or_default();
    let warning = place.text_at("deprecationWarning")?.unwrap_or("this version will go away").to_owned();
    Ok(Some(Version {
        name: name.text()?.to_owned(),
        deprecated: place.flag("deprecated")?.then_some(warning),
        doc: doc.to_owned(),
        fields,
        has_status: has("status"),
        has_scale: has("scale"),
    }))
}
