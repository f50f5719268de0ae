//! A simulated server at one moment, and what it answers.

use std::{rc::Rc, time::Duration};

use masthead::{
    rest::{Headers, HttpRequest, Method, Response, Transport},
    runtime::VirtualTime,
};
use masthead_sim::Sim;
use masthead_web::model::print::{Printer, printer};
use serde_json::{Value, json};

/// A server whose clock stands.
pub(super) struct Server {
    time: VirtualTime,
    sim: Sim,
}

/// Something that can be listed.
pub(super) struct Resource {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) plural: String,
    pub(super) path: String,
}

impl Resource {
    pub(super) fn printer(&self) -> Option<Printer> {
        printer(&self.group, &self.version, &self.plural)
    }

    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }
}

impl Server {
    /// A company's cluster that has lived for a while.
    pub(super) fn demo() -> Server {
        let time = VirtualTime::starting_at(Duration::from_millis(1_794_000_000_250), 7);
        let sim = Sim::demo(time.runtime());
        time.advance(Duration::from_secs(300));
        Server { time, sim }
    }

    /// Objects in many states that are told apart: those that the simulator is held to the real server by, and some more.
    pub(super) fn of_objects() -> Server {
        let time = VirtualTime::starting_at(Duration::from_millis(1_794_000_000_250), 7);
        let server = Server { sim: Sim::new(time.runtime()), time };
        server.write(Method::Post, "/api/v1/namespaces", &json!({ "metadata": { "name": "ns" } }));
        let objects = include_str!("../../../tests/tests/sim_tables/objects.json").replace("${ns}", "ns");
        for entry in serde_json::from_str::<Vec<Value>>(&objects).unwrap() {
            let collection = entry["path"].as_str().unwrap();
            let made = server.write(Method::Post, collection, &entry["object"]);
            let path = format!("{collection}/{}", made["metadata"]["name"].as_str().unwrap());
            if let Some(status) = entry.get("status") {
                server.write(Method::Patch, &format!("{path}/status"), &json!({ "status": status }));
            }
            if entry["delete"] == true {
                server.write(Method::Delete, &path, &Value::Null);
            }
        }
        for object in serde_json::from_str::<Vec<Value>>(include_str!("objects.json")).unwrap() {
            assert!(server.sim.insert(object.clone()), "the simulator does not take {object}");
        }
        server.time.advance(Duration::from_secs(75));
        server
    }

    /// The time, in milliseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        i64::try_from(self.time.runtime().wall().as_millis()).unwrap()
    }

    pub(super) fn get(&self, path: &str) -> Value {
        self.ask(Method::Get, path, "application/json", None)
    }

    pub(super) fn table(&self, path: &str) -> Value {
        self.ask(Method::Get, path, "application/json;as=Table;g=meta.k8s.io;v=v1", None)
    }

    fn write(&self, method: Method, path: &str, body: &Value) -> Value {
        self.ask(method, path, "application/json", Some(body))
    }

    fn ask(&self, method: Method, path: &str, accept: &str, body: Option<&Value>) -> Value {
        let mut headers = Headers::default();
        headers.add("Accept", accept);
        let content = if method == Method::Patch { "application/merge-patch+json" } else { "application/json" };
        headers.add("Content-Type", content);
        let body = body.filter(|body| !body.is_null()).map(|body| body.to_string().into_bytes());
        let operation = Rc::from("ask");
        let request = HttpRequest { operation, method, url: path.to_owned(), headers, body: body.map(Into::into) };
        let asked = async { self.sim.send(request).await?.collect(1 << 28).await };
        let Response { code, body, .. } = self.time.run(asked).unwrap();
        let answer: Value = serde_json::from_slice(&body).unwrap();
        assert!(code < 300, "{path}: {answer}");
        answer
    }

    /// Everything that can be listed, in every version.
    pub(super) fn resources(&self) -> Vec<Resource> {
        let mut versions = vec![(String::new(), "v1".to_owned(), "/api/v1".to_owned())];
        for group in self.get("/apis")["groups"].as_array().unwrap() {
            for version in group["versions"].as_array().unwrap() {
                let [name, version] = [&group["name"], &version["version"]].map(|it| it.as_str().unwrap().to_owned());
                let path = format!("/apis/{name}/{version}");
                versions.push((name, version, path));
            }
        }
        let mut found = Vec::new();
        for (group, version, path) in versions {
            for resource in self.get(&path)["resources"].as_array().unwrap() {
                let plural = resource["name"].as_str().unwrap().to_owned();
                if resource["verbs"].as_array().unwrap().contains(&json!("list")) {
                    let [group, version] = [&group, &version].map(Clone::clone);
                    found.push(Resource { path: format!("{path}/{plural}"), group, version, plural });
                }
            }
        }
        found
    }
}
