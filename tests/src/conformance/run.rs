//! A script's way through a server.

use std::{collections::HashMap, fmt, fmt::Write, rc::Rc, time::Duration};

use anyhow::{Context, Result, bail};
use masthead::{
    rest::{Answer, Headers, HttpRequest, Method, Response, Transport},
    runtime::Clock,
};
use serde_json::{Value, json};

use super::{
    Script, layout,
    mask::Mask,
    step::{Ask, Step, Until},
    stream::EventStream,
    variables::Variables,
};

/// One run of one script: sends its requests in order and writes down the answers.
///
/// Watches that are still open close with it.
pub struct Run {
    transport: Rc<dyn Transport>,
    clock: Rc<dyn Clock>,
    variables: Variables,
    mask: Mask,
    watches: HashMap<String, EventStream>,
    /// The last JSON that the server sent.
    last: Value,
    exchanges: usize,
    transcript: String,
}

impl Run {
    /// Runs `script` in the namespace `namespace`, which it makes first and deletes at last, and gives the transcript.
    ///
    /// Fails when no answer comes, or not the one that a script waits for; an answer is never judged here.
    pub async fn script(
        script: &Script,
        namespace: &str,
        transport: Rc<dyn Transport>,
        clock: Rc<dyn Clock>,
    ) -> Result<String> {
        let mut variables = Variables::default();
        variables.set("ns", namespace.to_owned());
        let mask = Mask::new(namespace);
        let (watches, last, transcript) = (HashMap::new(), Value::Null, String::new());
        let mut run = Run { transport, clock, variables, mask, watches, last, exchanges: 0, transcript };
        run.make_namespace(namespace).await?;
        let ran = run.steps(script).await;
        let deletion =
            Ask { method: Method::Delete, path: namespace_path(namespace), headers: json_type(), body: None };
        run.send(&deletion).await?.collect(MAX_BODY).await?;
        ran.with_context(|| format!("script {}", script.name()))?;
        Ok(run.transcript)
    }

    async fn make_namespace(&mut self, namespace: &str) -> Result<()> {
        let body = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } });
        let path = "/api/v1/namespaces".to_owned();
        let ask = Ask { method: Method::Post, path, headers: json_type(), body: Some(body.to_string()) };
        let answer = self.send(&ask).await?.collect(MAX_BODY).await?;
        if answer.code != 201 {
            bail!("the namespace {namespace}: {} {}", answer.code, String::from_utf8_lossy(&answer.body));
        }
        Ok(())
    }

    async fn steps(&mut self, script: &Script) -> Result<()> {
        for (number, step) in script.steps().iter().enumerate() {
            self.step(step).await.with_context(|| format!("step {}", number + 1))?;
        }
        Ok(())
    }

    async fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Ask(ask) => {
                self.title(&format!("{} {}", ask.method.as_str(), ask.path))?;
                let answer = self.send(&self.variables.fill_ask(ask)?).await?;
                self.answered(answer).await
            }
            Step::Watch { name, ask } => {
                self.title(&format!("WATCH {name} {}", ask.path))?;
                let answer = self.watch(&self.variables.fill_ask(ask)?).await?;
                if !answer.is_success() {
                    return self.answered(answer).await;
                }
                self.head(answer.code, &answer.headers)?;
                self.watches.insert(name.clone(), EventStream::new(answer.body, self.clock.clone()));
                Ok(())
            }
            Step::Events { watch, until } => self.events(watch, *until).await,
            Step::Save { variable, pointer } => {
                let value = self.last.pointer(pointer).with_context(|| format!("no {pointer} in {}", self.last))?;
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.variables.set(variable, value);
                Ok(())
            }
            Step::Await { code, ask } => self.until(*code, &self.variables.fill_ask(ask)?).await,
        }
    }

    async fn events(&mut self, name: &str, until: Until) -> Result<()> {
        let mut stream = self.watches.remove(name).with_context(|| format!("no watch {name} is open"))?;
        let count = match until {
            Until::Count(count) => count,
            Until::End => usize::MAX,
        };
        self.title(&format!("EVENTS {name}"))?;
        for _ in 0..count {
            let Some(event) = stream.next().await? else {
                writeln!(self.transcript, "end of the stream")?;
                return Ok(());
            };
            self.value(&event)?;
            self.last = event;
        }
        self.watches.insert(name.to_owned(), stream);
        Ok(())
    }

    async fn until(&self, code: u16, ask: &Ask) -> Result<()> {
        let start = self.clock.now();
        loop {
            let answer = self.send(ask).await?.collect(MAX_BODY).await?;
            if answer.code == code {
                return Ok(());
            }
            if self.clock.now() - start > PATIENCE {
                bail!("{} answers {} and not {code} for {} s", ask.path, answer.code, PATIENCE.as_secs());
            }
            self.clock.sleep(PAUSE).await;
        }
    }

    async fn send(&self, ask: &Ask) -> Result<Answer> {
        Ok(self.transport.send(request(ask)).await?)
    }

    async fn watch(&self, ask: &Ask) -> Result<Answer> {
        Ok(self.transport.watch(request(ask)).await?)
    }

    async fn answered(&mut self, answer: Answer) -> Result<()> {
        let Response { code, headers, body, .. } = answer.collect(MAX_BODY).await?;
        self.head(code, &headers)?;
        match serde_json::from_slice::<Value>(&body) {
            Ok(value) => {
                self.value(&value)?;
                self.last = value;
            }
            Err(_) => {
                let text = self.mask.text(&String::from_utf8_lossy(&body));
                writeln!(self.transcript, "{}", text.trim_end())?;
            }
        }
        Ok(())
    }

    fn title(&mut self, title: &str) -> fmt::Result {
        self.exchanges += 1;
        writeln!(self.transcript, "== {} {title}", self.exchanges)
    }

    fn head(&mut self, code: u16, headers: &Headers) -> fmt::Result {
        writeln!(self.transcript, "{code} {}", headers.get("Content-Type").unwrap_or("without a type"))?;
        for name in COMPARED {
            for value in headers.all(name) {
                writeln!(self.transcript, "{name}: {}", self.mask.text(value))?;
            }
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> fmt::Result {
        let masked = self.mask.value(value);
        writeln!(self.transcript, "{}", layout::text(&masked))
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("transcript", &self.transcript).finish_non_exhaustive()
    }
}

/// The headers besides the type that a client acts on.
const COMPARED: [&str; 4] = ["Warning", "Retry-After", "Allow", "Location"];

/// Larger than any answer to a script.
const MAX_BODY: usize = 8 << 20;

/// How long anything a script waits for may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);

fn request(ask: &Ask) -> HttpRequest {
    let mut headers = ask.headers.clone();
    // It names the manager of what a request writes.
    if headers.get("User-Agent").is_none() {
        headers.add("User-Agent", "conformance/1");
    }
    HttpRequest {
        operation: format!("{} {}", ask.method.as_str(), ask.path).into(),
        method: ask.method,
        url: ask.path.clone(),
        headers,
        body: ask.body.as_deref().map(|body| body.as_bytes().into()),
    }
}

fn namespace_path(namespace: &str) -> String {
    format!("/api/v1/namespaces/{namespace}")
}

fn json_type() -> Headers {
    let mut headers = Headers::default();
    headers.add("Content-Type", "application/json");
    headers
}

#[cfg(test)]
mod tests;
