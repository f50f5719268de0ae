//! A server on virtual time, asked in bytes or through the real clients.

use std::rc::Rc;

use crate::Sim;
use masthead::{
    rest::{Answer, Config, Headers, HttpRequest, Method, Response, RestClient, Transport},
    runtime::VirtualTime,
};
use serde_json::{Value, json};

pub(crate) struct Wire {
    pub(crate) time: VirtualTime,
    pub(crate) sim: Sim,
    pub(crate) client: RestClient,
}

impl Wire {
    pub(crate) fn new() -> Wire {
        Wire::on(VirtualTime::new())
    }

    pub(crate) fn on(time: VirtualTime) -> Wire {
        let sim = Sim::new(time.runtime());
        Wire::of(time, sim)
    }

    /// A server that is there already.
    pub(crate) fn of(time: VirtualTime, sim: Sim) -> Wire {
        let config = Config { qps: -1.0, ..Config::new("http://sim", Rc::new(sim.clone()), time.runtime()) };
        let client = RestClient::new(config).unwrap();
        let wire = Wire { time, sim, client };
        // Nearly every test is about these, and most begin with none.
        wire.json(Method::Delete, &format!("{CONFIG_MAPS}/kube-root-ca.crt"), "");
        wire
    }

    /// One request and its whole answer.
    pub(crate) fn ask(&self, method: Method, url: &str, headers: &[(&str, &str)], body: &str) -> Response {
        self.ask_bytes(method, url, headers, body.as_bytes())
    }

    /// The same for a body that is no text.
    pub(crate) fn ask_bytes(&self, method: Method, url: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let answer = self.open(method, url, headers, body);
        self.time.run(answer.collect(1 << 30)).unwrap()
    }

    /// One request, and its answer before any of the body was read.
    pub(crate) fn open(&self, method: Method, url: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut sent = Headers::default();
        headers.iter().for_each(|(name, value)| sent.add(*name, *value));
        let body = (!body.is_empty()).then(|| Rc::from(body));
        let request = HttpRequest { operation: "test".into(), method, url: url.into(), headers: sent, body };
        self.time.run(self.sim.send(request)).unwrap()
    }

    /// The code and the body of a request.
    pub(crate) fn json(&self, method: Method, url: &str, body: &str) -> (u16, Value) {
        let response = self.ask(method, url, &[("Content-Type", "application/json")], body);
        (response.code, serde_json::from_slice(&response.body).unwrap())
    }

    /// The code and the message of a refused request.
    pub(crate) fn refusal(&self, method: Method, url: &str, body: &str) -> (u16, String) {
        let (code, status) = self.json(method, url, body);
        assert_eq!(status["kind"], "Status", "{url} was not refused: {status}");
        assert_eq!(status["code"], code);
        (code, status["message"].as_str().unwrap_or_default().to_owned())
    }

    pub(crate) fn patch(&self, media: &str, url: &str, patch: &Value) -> (u16, Value) {
        let media = format!("application/{media}+json");
        let response = self.ask(Method::Patch, url, &[("Content-Type", &media)], &patch.to_string());
        (response.code, serde_json::from_slice(&response.body).unwrap())
    }

    pub(crate) fn create_config_map(&self, name: &str, labels: &Value) -> Value {
        let body = json!({ "metadata": { "name": name, "labels": labels }, "data": { "k": "v" } });
        let (code, created) = self.json(Method::Post, CONFIG_MAPS, &body.to_string());
        assert_eq!(code, 201, "{created}");
        created
    }

    /// The events of a watch that ends by itself.
    pub(crate) fn events(&self, url: &str) -> Vec<Value> {
        let response = self.ask(Method::Get, url, &[], "");
        assert_eq!(response.code, 200, "{url}");
        let lines = response.body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    }
}

/// An event in a word or two, as in `ADDED a`.
pub(crate) fn told(event: &Value) -> String {
    let metadata = &event["object"]["metadata"];
    let end = !metadata["annotations"]["k8s.io/initial-events-end"].is_null();
    let subject = match metadata["name"].as_str() {
        Some(name) => format!(" {name}"),
        None if end => " end".to_owned(),
        None => String::new(),
    };
    format!("{}{subject}", event["type"].as_str().unwrap())
}

pub(crate) const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";
