//! Something that JavaScript waits for, and may stop waiting for.

use std::future::Future;

use futures::{
    FutureExt,
    channel::oneshot,
    future::{self, Either, LocalBoxFuture},
};
use js_sys::Promise;
use masthead::Error;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;

use crate::thrown::thrown;

/// A promise that ends when this is freed: whatever it does is dropped, and it is rejected as aborted.
#[wasm_bindgen]
pub struct Pending {
    promise: Promise,
    _until: oneshot::Sender<()>,
}

#[wasm_bindgen]
impl Pending {
    /// What is waited for.
    #[wasm_bindgen(getter)]
    pub fn promise(&self) -> Promise {
        self.promise.clone()
    }
}

impl Pending {
    /// Begins; `operation` is what an error of the end is called by.
    pub(crate) fn begin(operation: &str, work: impl Future<Output = Result<JsValue, Error>> + 'static) -> Pending {
        Pending::begin_boxed(operation, work.boxed_local())
    }

    /// Compiled once, not for every kind of work.
    fn begin_boxed(operation: &str, work: LocalBoxFuture<'static, Result<JsValue, Error>>) -> Pending {
        let (until, stopped) = oneshot::channel::<()>();
        let operation = operation.to_owned();
        let promise = future_to_promise(async move {
            let outcome = match future::select(work, stopped).await {
                Either::Left((outcome, _)) => outcome,
                Either::Right(_) => Err(Error::aborted(&operation)),
            };
            outcome.map_err(|error| thrown(&error))
        });
        Pending { promise, _until: until }
    }
}
