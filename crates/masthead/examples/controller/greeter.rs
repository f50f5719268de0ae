//! The controller: the same code against the simulator, and in a page against a real cluster.

use k8s_openapi::{
    api::core::v1::{ConfigMap, Namespace},
    apimachinery::pkg::apis::meta::v1::OwnerReference,
};
use kube_core::ObjectMeta;
use masthead::{
    Error,
    cache::{InformerFactory, ObjectKey, Store},
    controller::{Controller, Failure, Outcome, Running},
    rest::{DeleteOptions, RestClient},
    typed::Client,
};

const LABEL: &str = "greeting";
const NAME: &str = "greeting";

/// Keeps `configmap/greeting` in every Namespace that has the label `greeting`, with the label's value as its text, and in no
/// other one.
pub(crate) fn run(client: &RestClient) -> Result<Running, Error> {
    let factory = InformerFactory::default();
    let namespaces = factory.informer(&Client::<Namespace>::cluster(client), &Default::default());
    let maps = factory.informer(&Client::<ConfigMap>::all_namespaces(client), &Default::default());
    let greeter = Greeter { client: client.clone(), namespaces: namespaces.store(), maps: maps.store() };
    Controller::new(&namespaces).owns(&maps).run(async move |key| greeter.reconcile(key).await)
}

struct Greeter {
    client: RestClient,
    namespaces: Store<Namespace>,
    maps: Store<ConfigMap>,
}

impl Greeter {
    /// Looks at what is there and at what should be, whatever it was that changed.
    async fn reconcile(&self, key: ObjectKey) -> Result<Outcome, Failure> {
        let Some(namespace) = self.namespaces.get(&key) else { return Ok(Outcome::Done) };
        let there = self.maps.get(&ObjectKey::new(key.name(), NAME));
        let client = Client::<ConfigMap>::namespaced(&self.client, key.name());
        let is_going = namespace.metadata.deletion_timestamp.is_some();
        let wanted = namespace.metadata.labels.as_ref().and_then(|labels| labels.get(LABEL)).filter(|_| !is_going);
        match (wanted, there) {
            (None, Some(map)) if is_ours(&map, &namespace) && !is_going => {
                let deleted = client.delete(NAME, &DeleteOptions::default()).await;
                // Somebody was faster, or the local copy is behind: either way it is gone.
                deleted.or_else(|error| if error.is_not_found() { Ok(()) } else { Err(error) })?;
            }
            (Some(text), None) => drop(client.create(&greeting(&namespace, text), &Default::default()).await?),
            (Some(_), Some(map)) if !is_ours(&map, &namespace) => {
                return Err(Failure::terminal("somebody else's config map is in the way"));
            }
            (Some(text), Some(map)) if text_of(&map) != Some(text) => {
                let mut changed = (*map).clone();
                changed.data = greeting(&namespace, text).data;
                client.update(&changed, &Default::default()).await?;
            }
            _ => {}
        }
        Ok(Outcome::Done)
    }
}

/// What should be in `namespace`: owned by it, so that the controller is told of it.
fn greeting(namespace: &Namespace, text: &str) -> ConfigMap {
    let owner = OwnerReference {
        api_version: "v1".into(),
        kind: "Namespace".into(),
        name: namespace.metadata.name.clone().unwrap_or_default(),
        uid: namespace.metadata.uid.clone().unwrap_or_default(),
        controller: Some(true),
        ..OwnerReference::default()
    };
    let metadata = ObjectMeta { name: Some(NAME.into()), owner_references: Some(vec![owner]), ..ObjectMeta::default() };
    ConfigMap { metadata, data: Some([("text".to_owned(), text.to_owned())].into()), ..ConfigMap::default() }
}

fn is_ours(map: &ConfigMap, namespace: &Namespace) -> bool {
    let owners = map.metadata.owner_references.iter().flatten();
    owners.into_iter().any(|owner| Some(&owner.uid) == namespace.metadata.uid.as_ref())
}

fn text_of(map: &ConfigMap) -> Option<&String> {
    map.data.as_ref()?.get("text")
}
