//! Discovery: what a server serves, and what people call it.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use masthead::{
    Error,
    discovery::{CachedDiscovery, DeferredRestMapper, DiscoveryClient},
    rest::Config,
};

async fn show(config: Config) -> Result<(), Error> {
    let discovery = DiscoveryClient::new(config)?;
    let catalog = discovery.server_groups_and_resources().await?;
    for resource in catalog.supporting(&["list", "watch"]).resources() {
        println!("{} in {}", resource.name, resource.group_version.api_version());
    }
    // One broken API server behind the aggregator costs its own groups and no others.
    for (group_version, error) in &catalog.failed {
        println!("{}: {error}", group_version.api_version());
    }

    let mapper = DeferredRestMapper::new(CachedDiscovery::new(discovery));
    let found = mapper.resource_for(&"po".parse()?).await?;
    println!("po is {} of kind {}", found.name, found.kind.kind);
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[
    ("GET /api", r#"{"kind":"APIVersions","versions":["v1"]}"#),
    ("GET /apis", r#"{"kind":"APIGroupList","groups":[]}"#),
    (
        "GET /api/v1",
        r#"{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","singularName":"pod","namespaced":true,
            "kind":"Pod","verbs":["get","list","watch"],"shortNames":["po"]}]}"#,
    ),
];
