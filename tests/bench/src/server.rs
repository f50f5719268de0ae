//! The pages of a large cluster, as the simulator writes them.
//!
//! It runs in an instance of its own, so that its memory is not counted with that of the cache it feeds.

use masthead::{
    rest::{Answer, Headers, HttpRequest, Method, Response, Transport},
    runtime::VirtualTime,
};
use masthead_sim::Sim;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// A server with many pods.
#[expect(missing_debug_implementations, reason = "a class of JavaScript")]
#[wasm_bindgen]
pub struct Server {
    time: VirtualTime,
    sim: Sim,
}

const PAGE: u32 = 500;
const LIMIT: usize = 64 << 20;

#[wasm_bindgen]
impl Server {
    /// A server with this many.
    #[wasm_bindgen(constructor)]
    pub fn new(pods: usize) -> Server {
        let time = VirtualTime::new();
        let sim = Sim::with_pods(time.runtime(), pods);
        Server { time, sim }
    }

    /// One page of all pods, from the continue token on that the page before it has.
    pub fn page(&self, token: &str) -> Result<Vec<u8>, JsError> {
        let request = HttpRequest {
            operation: "list pods".into(),
            method: Method::Get,
            url: format!("/api/v1/pods?limit={PAGE}&continue={token}"),
            headers: Headers::default(),
            body: None,
        };
        let sent = self.sim.send(request);
        let answered: Result<Response, masthead::Error> =
            self.time.run(async { Answer::collect(sent.await?, LIMIT).await });
        Ok(answered?.checked()?.body)
    }
}
