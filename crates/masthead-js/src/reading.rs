//! A body, as it comes.

use std::{cell::RefCell, rc::Rc};

use futures::StreamExt;
use js_sys::Uint8Array;
use masthead::rest::Body;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::pending::Pending;

/// An open body. Freeing it closes it, unless bytes are waited for: then ending that does.
#[wasm_bindgen]
pub struct Reading {
    /// Elsewhere while bytes are waited for.
    body: Rc<RefCell<Option<Body>>>,
}

impl Reading {
    pub(crate) fn new(body: Body) -> Reading {
        Reading { body: Rc::new(RefCell::new(Some(body))) }
    }
}

#[wasm_bindgen]
impl Reading {
    /// Gives the next bytes; nothing at the end. One at a time.
    pub fn next(&self) -> Pending {
        let place = Rc::clone(&self.body);
        Pending::begin("read", async move {
            let Some(mut body) = place.borrow_mut().take() else { return Ok(JsValue::UNDEFINED) };
            let next = body.next().await;
            place.replace(Some(body));
            let chunk = next.transpose()?;
            Ok(chunk.map_or(JsValue::UNDEFINED, |chunk| Uint8Array::from(chunk.as_slice()).into()))
        })
    }
}
