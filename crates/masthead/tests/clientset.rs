//! The ClientSet and the factory of Kubernetes' own kinds on a simulated server, with what people wrote for them.

use std::rc::Rc;

use k8s_openapi::api::{
    coordination::v1::Lease,
    core::v1::{Event, ObjectReference, Pod},
};
use kube_core::{ObjectMeta, Resource};
use masthead::{
    Error,
    cache::{Object, SharedInformer},
    informers::SharedInformerFactory,
    kubernetes::{ClientSet, core_v1::EventClient},
    labels::Selector,
    rest::{ListOptions, PatchKind},
    runtime::VirtualTime,
    typed::ProxyTarget,
};
use masthead_sim::FakeClientSet;
use serde_json::{Value, json};

fn fake(objects: impl IntoIterator<Item = Value>) -> (VirtualTime, FakeClientSet) {
    let time = VirtualTime::new();
    let clients = FakeClientSet::new(time.runtime(), objects).expect("objects of known kinds");
    (time, clients)
}

fn config_map(namespace: &str, name: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": namespace } })
}

fn event(name: &str, about: &ObjectReference) -> Event {
    let event =
        json!({ "metadata": { "name": name, "namespace": "default" }, "involvedObject": about, "reason": "Test" });
    serde_json::from_value(event).expect("an event")
}

#[test]
fn kinds_are_where_their_group_is() -> Result<(), Error> {
    let deployment = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web", "namespace": "default" },
        "spec": { "replicas": 1, "selector": { "matchLabels": { "app": "web" } }, "template": {
            "metadata": { "labels": { "app": "web" } }, "spec": { "containers": [{ "name": "main", "image": "i" }] } } } });
    let (time, clients) = fake([config_map("default", "m"), deployment]);
    let maps = clients.core_v1().config_maps("default");
    assert_eq!(time.run(maps.get("m", &Default::default()))?.metadata.name.as_deref(), Some("m"));
    let everywhere = time.run(clients.core_v1().config_maps("").list(&ListOptions::default()))?;
    assert!(everywhere.items.iter().any(|map| map.metadata.name.as_deref() == Some("m")));

    let deployments = clients.apps_v1().deployments("default");
    let mut scale = time.run(deployments.get_scale("web", &Default::default()))?;
    scale.spec.get_or_insert_default().replicas = Some(3);
    time.run(deployments.update_scale("web", &scale, &Default::default()))?;
    let patch = json!({ "metadata": { "labels": { "seen": "yes" } } });
    let patched = time.run(deployments.patch("web", PatchKind::Merge, &patch, &Default::default()))?;
    assert_eq!(patched.spec.and_then(|spec| spec.replicas), Some(3));
    let roles = time.run(clients.rbac_v1().cluster_roles().list(&ListOptions::default()))?;
    assert!(!roles.items.is_empty());
    Ok(())
}

#[test]
fn events_are_searched_by_object_and_written_to_their_namespace() -> Result<(), Error> {
    let (time, clients) = fake([config_map("default", "one"), config_map("default", "two")]);
    let maps = clients.core_v1().config_maps("default");
    let [one, two] = ["one", "two"].map(|name| time.run(maps.get(name, &Default::default())));
    let [one, two] = [one?.object_ref(&()), two?.object_ref(&())];
    let everywhere = clients.core_v1().events("");
    let first = time.run(everywhere.create_with_event_namespace(&event("first", &one)))?;
    time.run(everywhere.create_with_event_namespace(&event("second", &two)))?;
    time.run(everywhere.update_with_event_namespace(&Event { count: Some(2), ..first.clone() }))?;
    let patched = time.run(everywhere.patch_with_event_namespace(&first, &json!({ "message": "again" })))?;
    assert_eq!((patched.count, patched.message.as_deref()), (Some(2), Some("again")));

    let found = time.run(clients.core_v1().events("default").search(&one))?;
    let names: Vec<Option<&str>> = found.items.iter().map(|event| event.metadata.name.as_deref()).collect();
    assert_eq!(names, [Some("first")]);
    let elsewhere = clients.core_v1().events("kube-system");
    for refused in [
        time.run(elsewhere.search(&one)).map(drop),
        time.run(elsewhere.create_with_event_namespace(&event("third", &one))).map(drop),
    ] {
        let refused = refused.unwrap_err();
        assert!(refused.to_string().contains(r#"namespace "default" is not "kube-system""#), "{refused}");
    }
    Ok(())
}

#[test]
fn a_selector_asks_for_what_the_reference_has() {
    let named = ObjectReference { name: Some("a".into()), uid: Some("u,1".into()), ..Default::default() };
    let selector = EventClient::field_selector(&named).to_string();
    assert_eq!(selector, r"involvedObject.name=a,involvedObject.uid=u\,1");
    assert!(EventClient::field_selector(&ObjectReference::default()).is_empty());
}

#[test]
fn the_proxy_of_pods_and_services_is_a_request_like_others() {
    let (_time, clients) = fake([]);
    let target = ProxyTarget { name: "web", port: "8080", scheme: "https" };
    let pod = clients.core_v1().pods("default").proxy_get(&target, "/metrics/all").param("q", "1");
    assert_eq!(pod.url(), "http://sim/api/v1/namespaces/default/pods/https:web:8080/proxy/metrics/all?q=1");
    let plain = ProxyTarget { name: "web", ..Default::default() };
    let service = clients.core_v1().services("default").proxy_get(&plain, "");
    assert_eq!(service.url(), "http://sim/api/v1/namespaces/default/services/web/proxy");
}

#[test]
fn informers_of_a_factory_are_found_by_name_too() -> Result<(), Error> {
    let lease = json!({ "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": { "name": "l", "namespace": "default" } });
    let (time, clients) = fake([lease]);
    let factory = SharedInformerFactory::new(clients.rest_client());
    // A version is asked, not the factory: that would compile the informers of all kinds into this test.
    let coordination = factory.coordination().v1();
    let leases = coordination.leases();
    let generic = coordination.for_resource("leases").expect("leases have an informer");
    let shared = generic.downcast::<Lease>().expect("it is of leases");
    assert!(shared.is_same(leases.informer()));
    assert!(coordination.for_resource("pods").is_none(), "they are another group's");
    let nodes = factory.core().v1().nodes();
    factory.start();
    time.run(factory.synced())?;
    assert!(leases.lister().namespace("default").get("l").is_ok());
    let absent = nodes.lister().get("n").unwrap_err();
    assert!(absent.is_not_found(), "{absent}");
    assert!(nodes.lister().list(&Selector::everything()).is_empty());
    factory.stop();
    assert!(!leases.informer().is_running());
    Ok(())
}

#[test]
fn a_clientset_tells_what_its_server_is() -> Result<(), Error> {
    let (time, clients) = fake([]);
    let plain: &ClientSet = &clients;
    assert!(time.run(plain.discovery().server_version())?.git_version.starts_with("v1.36"));
    Ok(())
}

/// The names of what may control or protect a pod with the label `app=web`, by the lister that `of_pod` asks.
fn check_of_pod<T: Object>(
    kind: (&str, &str),
    of_pod: impl FnOnce(&SharedInformerFactory) -> OfPod<T>,
    expect: &[&str],
) {
    let (api_version, kind) = kind;
    let object = |name: &str, namespace: &str, selector: Value| {
        let template = json!({ "metadata": { "labels": { "app": "web" } },
            "spec": { "containers": [{ "name": "main", "image": "i" }], "restartPolicy": "Never" } });
        json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": name, "namespace": namespace },
            "spec": { "selector": selector, "template": template, "serviceName": "s" } })
    };
    let fits = json!({ "matchLabels": { "app": "web" } });
    let (time, clients) = fake([
        object("fits", "default", fits.clone()),
        object("elsewhere", "kube-system", fits),
        object("other", "default", json!({ "matchLabels": { "app": "db" } })),
        object("empty", "default", json!({})),
    ]);
    let factory = SharedInformerFactory::new(clients.rest_client());
    let (informer, of_pod) = of_pod(&factory);
    factory.start();
    time.run(factory.synced()).expect("a list of them");
    assert_eq!(informer.store().len(), 4);
    let pod = json!({ "metadata": { "name": "p", "namespace": "default", "labels": { "app": "web" } } });
    let pod: Pod = serde_json::from_value(pod).expect("a pod");
    let mut names: Vec<String> = of_pod(&pod).iter().map(|object| object.key().name().to_owned()).collect();
    names.sort();
    assert_eq!(names, expect, "{kind}");
    let unlabelled = of_pod(&Pod { metadata: ObjectMeta { labels: None, ..pod.metadata.clone() }, ..pod });
    assert!(unlabelled.iter().all(|object| object.key().name() == "empty"), "{kind}");
}

type OfPod<T> = (SharedInformer<T>, Box<dyn Fn(&Pod) -> Vec<Rc<T>>>);

#[test]
fn listers_find_what_may_control_or_protect_a_pod() {
    macro_rules! by {
        ($group:ident, $accessor:ident) => {
            |factory: &SharedInformerFactory| {
                let it = factory.$group().v1().$accessor();
                let lister = it.lister();
                (it.informer().clone(), Box::new(move |pod: &Pod| lister.of_pod(pod)))
            }
        };
    }
    check_of_pod(("apps/v1", "ReplicaSet"), by!(apps, replica_sets), &["fits"]);
    check_of_pod(("apps/v1", "StatefulSet"), by!(apps, stateful_sets), &["fits"]);
    check_of_pod(("apps/v1", "DaemonSet"), by!(apps, daemon_sets), &["fits"]);
    check_of_pod(("batch/v1", "Job"), by!(batch, jobs), &["fits"]);
    check_of_pod(("policy/v1", "PodDisruptionBudget"), by!(policy, pod_disruption_budgets), &["empty", "fits"]);
}

#[test]
fn replication_controllers_select_by_plain_labels() -> Result<(), Error> {
    let controller = |name: &str, selector: Value| {
        json!({ "apiVersion": "v1", "kind": "ReplicationController", "metadata": { "name": name, "namespace": "default" },
            "spec": { "selector": selector } })
    };
    let (time, clients) = fake([
        controller("fits", json!({ "app": "web" })),
        controller("other", json!({ "app": "web", "tier": "db" })),
        controller("empty", json!({})),
    ]);
    let factory = SharedInformerFactory::new(clients.rest_client());
    let controllers = factory.core().v1().replication_controllers();
    factory.start();
    time.run(factory.synced())?;
    let metadata = ObjectMeta {
        namespace: Some("default".into()),
        labels: Some([("app".to_owned(), "web".to_owned())].into()),
        ..Default::default()
    };
    let found = controllers.lister().of_pod(&Pod { metadata, ..Default::default() });
    assert_eq!(found.iter().map(|it| it.metadata.name.as_deref()).collect::<Vec<_>>(), [Some("fits")]);
    Ok(())
}
