//! Asks what the person may do, so that the rail can say so before somebody runs into it.

use leptos::prelude::{Get, Memo, Set, With};
use masthead::{Error, rest::RestClient};
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen_futures::spawn_local;

use crate::{live::Session, model::access::Rules};

/// Asks again whenever the server or the namespaces change.
pub(crate) fn follow(session: Session) {
    let namespaces = Memo::new(move |_| session.route.with(|route| route.namespaces.clone()));
    leptos::prelude::Effect::new(move || {
        let client = session.server.get().client;
        // Without a namespace nobody's rules are complete; what is allowed everywhere is allowed in this one.
        let mut asked = namespaces.get();
        if asked.is_empty() {
            asked.push("default".to_owned());
        }
        asked.truncate(NAMESPACES);
        spawn_local(async move {
            let mut answers = Vec::new();
            for namespace in &asked {
                match ask(&client, namespace).await {
                    Ok(rules) => answers.push(rules),
                    // Who may not even ask learns it kind by kind.
                    Err(_) => return session.rules.set(Vec::new()),
                }
            }
            session.rules.set(answers);
        });
    });
}

async fn ask(client: &RestClient, namespace: &str) -> Result<Rules, Error> {
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectRulesReview",
        "spec": { "namespace": namespace }
    });
    let group = client.group_version("authorization.k8s.io", "v1");
    let answer = group.post().resource("selfsubjectrulesreviews").json(&review).send().await?;
    answer.decode::<Review>().map(|review| review.status)
}

#[derive(Deserialize)]
struct Review {
    status: Rules,
}

/// As many questions as a change of namespaces is worth.
const NAMESPACES: usize = 4;
