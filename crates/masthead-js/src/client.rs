//! The connection to one server.

use js_sys::Function;
use masthead::{
    Error,
    rest::{Json, RestClient},
};
use serde_json::value::RawValue;
use std::rc::Rc;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    call::Call, discovery::Discovery, elector::Elector, informer::Informer, pending::Pending, queue::Queue,
    recorder::Recorder, settings::Settings, thrown::thrown, watching::Watching,
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
        let made = || {
            let settings: Settings = serde_json::from_str(settings)
                .map_err(|error| Error::invalid("configure client", error.to_string()))?;
            RestClient::new(settings.config(token, warn)?)
        };
        made().map(|rest| Client { rest }).map_err(|error| thrown(&error))
    }

    /// Sends a request; gives the text of its answer.
    pub fn send(&self, call: &str, body: Option<String>) -> Result<Pending, JsValue> {
        let made = || {
            let call = Call::parse(call)?;
            Ok((call.operation(), call.request(&self.rest, body)?))
        };
        let (operation, request) = made().map_err(|error: Error| thrown(&error))?;
        Ok(Pending::begin(&operation, async move {
            let response = request.send().await?;
            let text = String::from_utf8_lossy(&response.body);
            Ok(JsValue::from_str(&text))
        }))
    }

    /// Opens a watch; gives a `Watching`.
    pub fn watch(&self, call: &str) -> Result<Pending, JsValue> {
        let made = || {
            let call = Call::parse(call)?;
            Ok((call.operation(), call.request(&self.rest, None)?))
        };
        let (operation, request) = made().map_err(|error: Error| thrown(&error))?;
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

    /// A recorder of the events of a component.
    pub fn recorder(&self, component: &str, host: Option<String>, lost: Option<Function>) -> Result<Recorder, JsValue> {
        Recorder::new(&self.rest, component, host, lost).map_err(|error| thrown(&error))
    }
}
