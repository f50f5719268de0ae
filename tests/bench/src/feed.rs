//! A server whose pages come from JavaScript.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture, stream};
use js_sys::{Function, Uint8Array};
use masthead::{
    Error,
    rest::{Answer, Body, Headers, HttpRequest, Transport},
};
use wasm_bindgen::{JsCast, JsValue};

/// Answers lists with what a function gives for the continue token, and watches with silence.
pub(crate) struct Feed {
    page: Function,
}

/// As large as the chunks that fetch gives at most.
const CHUNK: u32 = 64 << 10;

impl Feed {
    pub(crate) fn new(page: Function) -> Rc<Feed> {
        Rc::new(Feed { page })
    }

    fn page(&self, request: &HttpRequest) -> Result<Uint8Array, Error> {
        let token = request.url.split(['?', '&']).find_map(|param| param.strip_prefix("continue="));
        let wrong = |what: JsValue| Error::network(&request.operation, format!("{what:?}"));
        let page = self.page.call1(&JsValue::NULL, &token.unwrap_or_default().into()).map_err(wrong)?;
        page.dyn_into::<Uint8Array>().map_err(wrong)
    }
}

impl Transport for Feed {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let answer = self.page(&request).map(|page| {
            let chunks = (0..page.length().div_ceil(CHUNK)).map(move |number| {
                let start = number * CHUNK;
                Ok(page.subarray(start, (start + CHUNK).min(page.length())).to_vec())
            });
            answer(request, Body::new(stream::iter(chunks)))
        });
        async move { answer }.boxed_local()
    }

    fn watch(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        async move { Ok(answer(request, Body::new(stream::pending()))) }.boxed_local()
    }
}

fn answer(request: HttpRequest, body: Body) -> Answer {
    let mut headers = Headers::default();
    headers.add("Content-Type", "application/json");
    Answer { operation: request.operation, method: request.method, code: 200, headers, body }
}
