//! What a test page can fetch without a server: blobs, and answers made of a stream.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use web_sys::{Blob, BlobPropertyBag, Url};

#[wasm_bindgen(module = "/tests/page/served.js")]
extern "C" {
    fn serve(url: &str, chunks: Option<Array>);
    fn aborts(url: &str) -> u32;
}

/// An address that answers with `bytes`.
pub(crate) fn blob(bytes: &[u8], content_type: &str) -> String {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let options = BlobPropertyBag::new();
    options.set_type(content_type);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options).unwrap();
    Url::create_object_url_with_blob(&blob).unwrap()
}

/// An address of the page's own origin that answers with a stream which stays open, and counts its aborts.
pub(crate) struct Served(String);

impl Served {
    pub(crate) fn new(chunks: &[&str]) -> Self {
        Self::with(Some(chunks.iter().copied().map(JsValue::from_str).collect()))
    }

    /// Accepts the request and never answers.
    pub(crate) fn never() -> Self {
        Self::with(None)
    }

    pub(crate) fn url(&self) -> &str {
        &self.0
    }

    pub(crate) fn aborted(&self) -> u32 {
        aborts(&self.0)
    }

    fn with(chunks: Option<Array>) -> Self {
        let url = format!("/served/{}", js_sys::Math::random());
        serve(&url, chunks);
        Self(url)
    }
}
