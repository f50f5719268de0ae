//! The connection to one server.

use js_sys::Function;
use masthead::{
    Error,
    rest::{Json, Request, RestClient},
};
use serde_json::value::RawValue;
use std::rc::Rc;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    call::Call, discovery::Discovery, elector::Elector, informer::Informer, pending::Pending, queue::Queue,
    reading::Reading, recorder::Recorder, settings, thrown::thrown, watching::Watching,
};

/// A client of one server.
#[wasm_bindgen]
pub struct Client {
    rest: RestClient,
}

#[wasm_bindgen]
impl Client {
    /// A client by the JSON of its settings. `token` gives a token or a promise of one, `warn` is told the server's
    /// warnings.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str, token: Option<Function>, warn: Option<Function>) -> Result<Client, JsValue> {
        let made = settings::config(settings, token, warn).and_then(RestClient::new);
        made.map(|rest| Client { rest }).map_err(|error| thrown(&error))
    }

    /// Sends a request; gives the text of its answer.
    pub fn send(&self, call: &str, body: Option<String>) -> Result<Pending, JsValue> {
        let (operation, request) = self.asked(call, body)?;
        Ok(Pending::begin(&operation, async move {
            let response = request.send().await?;
            let text = String::from_utf8_lossy(&response.body);
            Ok(JsValue::from_str(&text))
        }))
    }

    /// Sends a request whose answer is read as it comes; gives a `Reading`.
    pub fn open(&self, call: &str) -> Result<Pending, JsValue> {
        let (operation, request) = self.asked(call, None)?;
        Ok(Pending::begin(&operation, async move { Ok(Reading::new(request.stream().await?).into()) }))
    }

    /// Opens a watch; gives a `Watching`.
    pub fn watch(&self, call: &str) -> Result<Pending, JsValue> {
        let (operation, request) = self.asked(call, None)?;
        Ok(Pending::begin(&operation, async move {
            let watch = request.watch_decoded::<Box<RawValue>>(Rc::new(Json::new())).await?;
            Ok(Watching::new(watch).into())
        }))
    }

    /// An informer of what `call` lists, not started yet.
    ///
    /// `plan` says which fields and indexes there are, and which namespaces are read side by side in place of the call's
    /// own; `prepare` may change what is kept of an object, and `trouble` is told what goes wrong.
    pub fn informer(
        &self,
        call: &str,
        plan: &str,
        prepare: Option<Function>,
        trouble: Option<Function>,
    ) -> Result<Informer, JsValue> {
        Informer::new(&self.rest, call, plan, (prepare, trouble)).map_err(|error| thrown(&error))
    }

    /// What the server serves.
    pub fn discovery(&self) -> Discovery {
        Discovery::new(&self.rest)
    }

    /// A candidate for the lease `namespace/name`, by the JSON of its times.
    pub fn elector(&self, namespace: &str, name: &str, identity: &str, times: &str) -> Result<Elector, JsValue> {
        Elector::new(&self.rest, (namespace, name), identity, times).map_err(|error| thrown(&error))
    }

    /// A work queue, by the JSON of its limits.
    pub fn queue(&self, limits: &str) -> Result<Queue, JsValue> {
        Queue::new(&self.rest.config().runtime, limits).map_err(|error| thrown(&error))
    }

    /// A recorder of the events of a component: of `core/v1`, or `modern` ones of `events.k8s.io/v1`.
    pub fn recorder(
        &self,
        component: &str,
        host: Option<String>,
        modern: bool,
        lost: Option<Function>,
    ) -> Result<Recorder, JsValue> {
        Recorder::new(&self.rest, (component, host), modern, lost).map_err(|error| thrown(&error))
    }
}

impl Client {
    /// What a request is called, and the request.
    fn asked(&self, call: &str, body: Option<String>) -> Result<(String, Request), JsValue> {
        let made = || {
            let call = Call::parse(call)?;
            Ok((call.operation(), call.request(&self.rest, body)?))
        };
        made().map_err(|error: Error| thrown(&error))
    }
}
