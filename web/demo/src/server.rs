//! The simulator as JavaScript sees it.

use std::{cell::RefCell, rc::Rc};

use futures::{
    StreamExt,
    stream::{AbortHandle, Abortable},
};
use masthead::{
    browser,
    rest::{Body, Headers, HttpRequest, Method, Transport},
};
use masthead_sim::Sim;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// A small company's cluster that lives for as long as the page.
#[expect(missing_debug_implementations, reason = "a class of JavaScript")]
#[wasm_bindgen]
pub struct Demo {
    sim: Sim,
}

/// An answer whose body is on its way.
#[expect(missing_debug_implementations, reason = "a class of JavaScript")]
#[wasm_bindgen]
pub struct DemoAnswer {
    code: u16,
    headers: Vec<String>,
    /// Gone while a chunk is waited for, and after the last.
    body: Rc<RefCell<Option<Abortable<Body>>>>,
    end: AbortHandle,
}

#[wasm_bindgen]
impl Demo {
    /// Founds the cluster.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Demo {
        Demo { sim: Sim::demo(browser::runtime()) }
    }

    /// Answers a request; names and values of headers take turns in their list.
    pub async fn send(
        &self,
        method: String,
        url: String,
        headers: Vec<String>,
        body: Option<Vec<u8>>,
    ) -> Result<DemoAnswer, JsError> {
        let known = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];
        let method = known.into_iter().find(|known| known.as_str() == method);
        let mut request = HttpRequest {
            operation: "ask the demo".into(),
            method: method.ok_or_else(|| JsError::new("a method that no API has"))?,
            url,
            headers: Headers::default(),
            body: body.map(Rc::from),
        };
        for pair in headers.chunks_exact(2) {
            request.headers.add(pair[0].as_str(), pair[1].as_str());
        }
        let answer = self.sim.send(request).await?;
        let headers = answer.headers.iter().flat_map(|(name, value)| [name.to_owned(), value.to_owned()]).collect();
        let (end, registration) = AbortHandle::new_pair();
        let body = Abortable::new(answer.body, registration);
        Ok(DemoAnswer { code: answer.code, headers, body: Rc::new(RefCell::new(Some(body))), end })
    }
}

#[wasm_bindgen]
impl DemoAnswer {
    /// The HTTP status.
    #[wasm_bindgen(getter)]
    pub fn code(&self) -> u16 {
        self.code
    }

    /// Names and values of the headers, in turns.
    #[wasm_bindgen(getter)]
    pub fn headers(&self) -> Vec<String> {
        self.headers.clone()
    }

    /// The next chunk; nothing after the last, and after the end.
    pub async fn next(&self) -> Result<Option<Vec<u8>>, JsError> {
        let Some(mut body) = self.body.take() else { return Ok(None) };
        let chunk = body.next().await.transpose()?;
        if chunk.is_some() {
            self.body.replace(Some(body));
        }
        Ok(chunk)
    }

    /// Ends the answer, also while a chunk is waited for.
    pub fn close(&self) {
        self.end.abort();
        let ended = self.body.take();
        drop(ended);
    }
}
