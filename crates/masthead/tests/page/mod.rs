//! What a test page can reach without a server: answers and sockets that the page itself makes.
#![allow(dead_code, reason = "every suite uses a part of it")]

use js_sys::Array;
use masthead::rest::{Headers, HttpRequest, Method};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen(module = "/tests/page/served.js")]
extern "C" {
    fn serve(path: &str, chunks: Option<Array>);
    #[wasm_bindgen(js_name = serveBytes)]
    fn serve_bytes(path: &str, code: u16, bytes: Vec<u8>, content_type: &str);
    #[wasm_bindgen(js_name = serveList)]
    fn serve_list(path: &str, code: u16, text: &str);
    fn aborts(path: &str) -> u32;
    fn requests(path: &str) -> Vec<String>;
}

#[wasm_bindgen(module = "/tests/page/sockets.js")]
extern "C" {
    fn script(path: &str, behaviour: &str, messages: Array);
    fn made(path: &str) -> Vec<String>;
    fn closed(path: &str) -> u32;
    #[wasm_bindgen(js_name = mostOpening)]
    fn most_opening(path: &str) -> u32;
}

/// A path of the page's own origin that the page answers itself, by fetch and by WebSocket.
pub(crate) struct Served(String);

impl Served {
    /// Answers with a stream of these chunks, which stays open.
    pub(crate) fn new(chunks: &[&str]) -> Served {
        Served::with(Some(texts(chunks)))
    }

    /// Accepts the request and never answers.
    pub(crate) fn never() -> Served {
        Served::with(None)
    }

    /// Answers with all of this.
    pub(crate) fn bytes(code: u16, bytes: &[u8], content_type: &str) -> Served {
        let served = Served::never();
        serve_bytes(&served.0, code, bytes.to_vec(), content_type);
        served
    }

    /// What a probe is answered with.
    pub(crate) fn list(self, code: u16, text: &str) -> Served {
        serve_list(&self.0, code, text);
        self
    }

    /// How sockets to it behave: `stay`, `finish`, `cut`, `drop`, `refuse` or `silent`.
    pub(crate) fn sockets(self, behaviour: &str, messages: &[&str]) -> Served {
        script(&self.0, behaviour, texts(messages));
        self
    }

    /// How sockets behave that have `base` before the path.
    pub(crate) fn sockets_below(&self, base: &str, behaviour: &str, messages: &[&str]) {
        script(&format!("{base}{}", self.0), behaviour, texts(messages));
    }

    /// How many sockets were made since their behaviour was last set, with `base` before the path.
    pub(crate) fn sockets_made_below(&self, base: &str) -> usize {
        made(&format!("{base}{}", self.0)).len()
    }

    pub(crate) fn path(&self) -> &str {
        &self.0
    }

    pub(crate) fn get(&self) -> HttpRequest {
        let url = self.0.clone();
        HttpRequest { operation: "get".into(), method: Method::Get, url, headers: Headers::default(), body: None }
    }

    pub(crate) fn watch(&self) -> HttpRequest {
        HttpRequest { operation: "watch".into(), url: format!("{}?watch=1", self.0), ..self.get() }
    }

    /// A watch that a socket cannot carry.
    pub(crate) fn table_watch(&self) -> HttpRequest {
        let mut request = self.watch();
        request.headers.add("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        request
    }

    pub(crate) fn aborted(&self) -> u32 {
        aborts(&self.0)
    }

    /// The queries of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        requests(&self.0)
    }

    /// The addresses of the sockets so far, with the subprotocols they offered.
    pub(crate) fn sockets_made(&self) -> Vec<String> {
        made(&self.0)
    }

    pub(crate) fn sockets_closed(&self) -> u32 {
        closed(&self.0)
    }

    pub(crate) fn most_sockets_opening(&self) -> u32 {
        most_opening(&self.0)
    }

    fn with(chunks: Option<Array>) -> Served {
        let path = format!("/served/{}", js_sys::Math::random());
        serve(&path, chunks);
        Served(path)
    }
}

fn texts(texts: &[&str]) -> Array {
    texts.iter().copied().map(JsValue::from_str).collect()
}

/// Tells the page that it is being left.
pub(crate) fn leave() {
    let event = web_sys::Event::new("pagehide").unwrap();
    let target: web_sys::EventTarget = wasm_bindgen::JsCast::unchecked_into(js_sys::global());
    target.dispatch_event(&event).unwrap();
}
