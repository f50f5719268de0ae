//! The REST client: any path, any verb, any body.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use masthead::{
    Error,
    rest::{Config, PatchKind, RestClient},
};
use serde_json::{Value, json};

async fn show(config: Config) -> Result<(), Error> {
    let client = RestClient::new(config)?;
    let version: Value = client.get().abs_path(["/version"]).send().await?.decode()?;
    println!("server {}", version["gitVersion"]);

    let core = client.group_version("", "v1");
    let pod = core.get().namespace("default").resource("pods").name("web");
    match pod.send().await {
        Ok(answer) => println!("pod {}", answer.decode::<Value>()?["metadata"]["name"]),
        Err(error) if error.is_not_found() => println!("no such pod: {error}"),
        Err(error) => return Err(error),
    }

    let label = json!({ "metadata": { "labels": { "tier": "front" } } });
    let patched = core.patch(PatchKind::Merge).namespace("default").resource("pods").name("web").json(&label);
    println!("patched with {}", patched.send().await?.code);
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[
    ("GET /version", r#"{"gitVersion":"v1.36.3"}"#),
    ("GET /api/v1/namespaces/default/pods/web", r#"{"metadata":{"name":"web"}}"#),
    ("PATCH /api/v1/namespaces/default/pods/web", r#"{"metadata":{"name":"web"}}"#),
];
