//! A candidate for a lease, for pages that are killed.

use std::{rc::Rc, time::Duration};

use masthead::{
    browser,
    leaderelection::{Config, Elector, LeaseLock},
    rest::{self, RestClient},
    runtime::Task,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Takes part in an election for as long as its page lives, again whenever it has lost.
#[expect(missing_debug_implementations, reason = "a class of JavaScript")]
#[wasm_bindgen]
pub struct Candidate {
    elector: Rc<Elector>,
    _running: Task,
}

#[wasm_bindgen]
impl Candidate {
    /// A candidate for the Lease `namespace/name` of the server at `url`.
    #[wasm_bindgen(constructor)]
    pub fn new(url: &str, namespace: &str, name: &str, identity: &str) -> Result<Candidate, JsError> {
        let client = RestClient::new(rest::Config { qps: -1.0, ..browser::config(url) })?;
        // As short as a lease can be that holds whole seconds and survives a busy machine.
        let [lease_duration, renew_deadline, retry_period] = [2000, 1500, 250].map(Duration::from_millis);
        let config = Config { lease_duration, renew_deadline, retry_period };
        let elector = Rc::new(Elector::new(LeaseLock::new(&client, namespace, name), identity, config)?);
        let runs = Rc::clone(&elector);
        let running = client.config().runtime.spawn(async move {
            loop {
                runs.run(|_| {}).await;
            }
        });
        Ok(Candidate { elector, _running: running })
    }

    /// Whether it leads at this moment.
    pub fn leads(&self) -> bool {
        self.elector.is_leader()
    }
}
