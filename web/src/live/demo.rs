//! The demo cluster: a simulated API server beside the page, fetched when somebody wants to explore it.

use std::{cell::RefCell, rc::Rc};

use futures::{
    FutureExt,
    future::{LocalBoxFuture, Shared},
    stream,
};
use masthead::{
    Error,
    rest::{Answer, Body, Headers, HttpRequest, Transport},
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Fetches and starts the program; `web/boot.js` has it.
    #[wasm_bindgen(js_name = mastheadDemo, catch)]
    async fn load() -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = Demo)]
    #[derive(Clone, Debug)]
    type Program;

    #[wasm_bindgen(method, catch)]
    async fn send(
        this: &Program,
        method: &str,
        url: &str,
        headers: Vec<String>,
        body: Option<Vec<u8>>,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = DemoAnswer)]
    type Reply;

    #[wasm_bindgen(method, getter)]
    fn code(this: &Reply) -> u16;

    #[wasm_bindgen(method, getter)]
    fn headers(this: &Reply) -> Vec<String>;

    #[wasm_bindgen(method, catch)]
    async fn next(this: &Reply) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn close(this: &Reply);
}

/// Carries requests to the demo cluster. It is fetched with the first one.
#[derive(Default)]
pub(crate) struct Demo {
    program: RefCell<Option<Loading>>,
}

type Loading = Shared<LocalBoxFuture<'static, Result<Program, String>>>;

impl Demo {
    fn program(&self) -> Loading {
        let loading = || {
            let program = load().map(|loaded| loaded.map(JsCast::unchecked_into).map_err(|error| told(&error)));
            program.boxed_local().shared()
        };
        self.program.borrow_mut().get_or_insert_with(loading).clone()
    }
}

impl Transport for Demo {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let program = self.program();
        async move {
            let HttpRequest { operation, method, url, headers, body } = request;
            let failed = |why: String| Error::network(&operation, why);
            let program: Program = program.await.map_err(failed)?;
            let headers = headers.iter().flat_map(|(name, value)| [name.to_owned(), value.to_owned()]).collect();
            let body = body.map(|body| body.to_vec());
            let sent = program.send(method.as_str(), &url, headers, body).await;
            let open = Open(sent.map_err(|error| failed(told(&error)))?.unchecked_into());
            let mut headers = Headers::default();
            for pair in open.0.headers().chunks_exact(2) {
                headers.add(pair[0].as_str(), pair[1].as_str());
            }
            let (code, operation) = (open.0.code(), Rc::clone(&operation));
            let chunks = stream::unfold((open, Rc::clone(&operation)), |(open, operation)| async move {
                let chunk = match open.0.next().await {
                    Ok(chunk) if chunk.is_undefined() => return None,
                    Ok(chunk) => Ok(js_sys::Uint8Array::from(chunk).to_vec()),
                    Err(error) => Err(Error::network(&operation, told(&error))),
                };
                Some((chunk, (open, operation)))
            });
            Ok(Answer { operation, method, code, headers, body: Body::new(chunks) })
        }
        .boxed_local()
    }
}

/// An answer that is read; dropping it ends it.
struct Open(Reply);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn told(error: &JsValue) -> String {
    let text = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    text.unwrap_or_else(|| "the demo cluster failed".to_owned())
}
