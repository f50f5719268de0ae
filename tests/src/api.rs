//! A blocking HTTP client for `kubectl proxy` on loopback.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use ureq::Agent;
use ureq::Body;
use ureq::http::{Request, Response};

/// A blocking client for one address, made for `kubectl proxy` on loopback: plain HTTP, no credentials of its own.
///
/// Cheap to clone; clones share connections.
#[derive(Clone, Debug)]
pub struct Api {
    base: String,
    agent: Agent,
}

/// What the server said, whatever the status.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body as it came.
    pub text: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.text)
            .with_context(|| format!("the answer with status {} is not JSON: {}", self.status, self.text))
    }
}

/// What to do at a path.
#[derive(Debug)]
pub enum Verb<'a> {
    /// Read it.
    Get,
    /// Add this object to the collection.
    Create(&'a Value),
    /// Change it by this strategic merge patch.
    Patch(&'a Value),
    /// Delete it.
    Delete,
}

impl Verb<'_> {
    fn parts(&self) -> (&'static str, Option<(&'static str, &Value)>) {
        match self {
            Self::Get => ("GET", None),
            Self::Create(object) => ("POST", Some(("application/json", object))),
            Self::Patch(patch) => ("PATCH", Some(("application/strategic-merge-patch+json", patch))),
            Self::Delete => ("DELETE", None),
        }
    }
}

impl Api {
    /// A client for `base`, such as `http://127.0.0.1:8001`; answers that take longer than ten seconds fail.
    pub fn new(base: impl Into<String>) -> Self {
        Self::with_timeout(base, Duration::from_secs(10))
    }

    /// A client whose answers may take `timeout`.
    pub fn with_timeout(base: impl Into<String>, timeout: Duration) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(timeout))
            .max_idle_connections(32)
            .max_idle_connections_per_host(32)
            .build();
        Self { base: base.into(), agent: config.into() }
    }

    /// The address this client talks to.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Sends one request; any status is an answer, only a broken connection is an error.
    pub fn request(&self, verb: &Verb<'_>, path: &str) -> Result<Answer> {
        let (method, content) = verb.parts();
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let response = match content {
            None => self.agent.run(request.body(())?),
            Some((kind, object)) => {
                let request = request.header("content-type", kind);
                self.agent.run(request.body(serde_json::to_vec(object)?)?)
            }
        };
        read(response.with_context(|| format!("{method} {}{path}", self.base))?)
    }

    /// GETs JSON; a status other than 200 is an error with the server's words.
    pub fn get(&self, path: &str) -> Result<Value> {
        self.expect(&Verb::Get, path)
    }

    /// POSTs an object to a collection and gives what the server made of it.
    pub fn create(&self, path: &str, object: &Value) -> Result<Value> {
        self.expect(&Verb::Create(object), path)
    }

    /// Applies a strategic merge patch.
    pub fn patch(&self, path: &str, patch: &Value) -> Result<Value> {
        self.expect(&Verb::Patch(patch), path)
    }

    /// Deletes an object in the background; one that is gone already is no error.
    pub fn delete(&self, path: &str) -> Result<()> {
        let answer = self.request(&Verb::Delete, path)?;
        match answer.status {
            200 | 202 | 404 => Ok(()),
            status => bail!("DELETE {path}: {status} {}", words(&answer.text)),
        }
    }

    /// Opens a stream of lines, such as a watch or followed logs; it ends when the server closes it or `limit` is over.
    pub fn lines(&self, path: &str, limit: Duration) -> Result<impl Iterator<Item = Result<String>> + use<>> {
        let request = self.agent.get(format!("{}{path}", self.base));
        let mut response = request
            .config()
            .timeout_global(Some(limit))
            .build()
            .call()
            .with_context(|| format!("GET {}{path}", self.base))?;
        if response.status() != 200 {
            let text = response.body_mut().read_to_string()?;
            bail!("GET {path}: {} {}", response.status(), words(&text));
        }
        let lines = BufReader::new(response.into_body().into_reader()).lines();
        Ok(lines.map(|line| line.context("the stream broke")))
    }

    fn expect(&self, verb: &Verb<'_>, path: &str) -> Result<Value> {
        let answer = self.request(verb, path)?;
        if !(200..300).contains(&answer.status) {
            let (method, _) = verb.parts();
            bail!("{method} {path}: {} {}", answer.status, words(&answer.text));
        }
        answer.json()
    }
}

fn read(mut response: Response<Body>) -> Result<Answer> {
    let status = response.status().as_u16();
    // A list of ten thousand pods is 120 MB.
    let text = response.body_mut().with_config().limit(1 << 30).read_to_string()?;
    Ok(Answer { status, text })
}

/// The message of a Kubernetes `Status`, or the body itself when it is none.
fn words(body: &str) -> String {
    match serde_json::from_str::<Value>(body) {
        Ok(status) => status["message"].as_str().unwrap_or(body).to_owned(),
        Err(_) => body.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_speaks_in_its_message_and_anything_else_for_itself() {
        assert_eq!(words(r#"{"kind":"Status","message":"pods is forbidden"}"#), "pods is forbidden");
        assert_eq!(words("404 page not found\n"), "404 page not found");
        assert_eq!(words("[1]"), "[1]");
    }
}
