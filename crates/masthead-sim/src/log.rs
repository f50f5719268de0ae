//! The logs of containers: what nobody wrote, made up from the image, the times and the seed when somebody reads.

mod following;
mod instance;
mod options;
mod output;
mod voice;

use serde_json::Value;

use crate::{
    kind::Kind,
    object::Key,
    query::Query,
    refusal::Refusal,
    reply::{Content, Reply},
    sim::Shared,
    tree::items,
};
use instance::Instance;
use options::LogOptions;

pub(crate) use following::Following;

/// Answers a request for the log of a container; refuses in the words of the real server and of the kubelet behind it.
pub(crate) fn open(shared: &Shared, kind: &Kind, key: &Key, query: &Query) -> Result<Reply, Refusal> {
    let options = LogOptions::read(query, &key.name)?;
    let world = shared.world.borrow();
    let pod = world.store.get(kind, key).ok_or_else(|| Refusal::not_found(kind, &key.name))?.value();
    let container = chosen(&pod, &key.name, query.text("container"))?;
    let node = pod["spec"]["nodeName"].as_str().unwrap_or_default();
    if node.is_empty() {
        return Ok(Reply::nothing());
    }
    let nodes = world.kinds.find("", "v1", "nodes").and_then(|nodes| world.store.get(nodes, &Key::new("", node)));
    if nodes.is_none() {
        // The real server takes the node for a pod here.
        return Err(Refusal::not_found_as("pods", node));
    }
    let instance = Instance::find(&pod, container, query.flag("previous"))?;
    let following = Following::new((kind.resource, key), instance, options, shared.runtime.wall(), world.life);
    let content = Content::Log(Box::new(following));
    Ok(Reply { content, content_type: "text/plain", ..Reply::json(200, Vec::new()) })
}

/// The container whose log is meant.
fn chosen<'a>(pod: &'a Value, name: &str, asked: &'a str) -> Result<&'a str, Refusal> {
    const LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];
    let named = LISTS.iter().flat_map(|list| items(&pod["spec"], list)).filter_map(|it| it["name"].as_str());
    let names: Vec<&str> = named.collect();
    if !asked.is_empty() {
        let known = names.contains(&asked);
        let refused = || Refusal::bad_request(format!("container {asked} is not valid for pod {name}"));
        return known.then_some(asked).ok_or_else(refused);
    }
    match items(&pod["spec"], "containers") {
        [one] => Ok(one["name"].as_str().unwrap_or_default()),
        [] => Err(Refusal::bad_request(format!("a container name must be specified for pod {name}"))),
        _ => {
            let all = names.join(" ");
            Err(Refusal::bad_request(format!(
                "a container name must be specified for pod {name}, choose one of: [{all}]"
            )))
        }
    }
}
