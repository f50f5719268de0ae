//! What the server says it serves, through the real discovery client.

use super::wire::Wire;
use kube_core::{GroupVersion, GroupVersionResource};
use masthead::discovery::{DiscoveryClient, Format, RestMapper};

#[test]
fn both_forms_say_the_same() {
    let wire = Wire::new();
    let client = DiscoveryClient::over(wire.client.clone());
    let aggregated = wire.time.run(client.server_groups_and_resources()).unwrap();
    let legacy = wire.time.run(client.with_format(Format::Legacy).server_groups_and_resources()).unwrap();
    assert!(aggregated.failed.is_empty() && legacy.failed.is_empty());
    let shown = |catalog: &masthead::discovery::Catalog| {
        let mut names: Vec<String> = catalog.resources().map(|resource| format!("{:?}", resource.gvr())).collect();
        names.sort();
        names
    };
    assert_eq!(shown(&aggregated), shown(&legacy));
    assert!(shown(&legacy).len() > 60);
}

#[test]
fn short_names_and_categories_find_their_kinds() {
    let wire = Wire::new();
    let client = DiscoveryClient::over(wire.client.clone());
    let mapper = RestMapper::new(&wire.time.run(client.server_preferred_resources()).unwrap());
    let deployments = mapper.resource_for(&"deploy".parse().unwrap()).unwrap();
    assert_eq!(deployments.gvr(), GroupVersionResource::gvr("apps", "v1", "deployments"));
    assert!(mapper.category("all").iter().any(|resource| resource.name == "pods"));
}

#[test]
fn groups_and_versions_are_there_or_not() {
    let wire = Wire::new();
    let client = DiscoveryClient::over(wire.client.clone());
    let version = wire.time.run(client.server_version()).unwrap();
    assert_eq!((version.major.as_str(), version.minor.as_str()), ("1", "36"));
    let list = wire.time.run(client.server_resources_for_group_version(&GroupVersion::gv("apps", "v1"))).unwrap();
    assert!(list.resources.iter().any(|resource| resource.name == "deployments/scale"));
    let unknown = wire.time.run(client.server_resources_for_group_version(&GroupVersion::gv("nope", "v1")));
    assert!(unknown.unwrap_err().is_not_found());
}
