//! What all transports of this page share, because the browser makes them share it.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use wasm_bindgen::JsValue;

use crate::browser::{Budget, address};

thread_local! {
    /// By origin; as many as there are servers that this page ever asked.
    static STREAMS: RefCell<FxHashMap<String, Budget>> = RefCell::default();
    static OPENINGS: Budget = Budget::default();
}

/// The streams that are open to the origin of `url`.
pub(super) fn streams(url: &str) -> Budget {
    let origin = match address::origin(url) {
        "" => origin().unwrap_or_default(),
        named => named.to_owned(),
    };
    STREAMS.with_borrow_mut(|streams| streams.entry(origin).or_default().clone())
}

/// The sockets that are opening, wherever to.
pub(super) fn openings() -> Budget {
    OPENINGS.with(Budget::clone)
}

/// The origin that relative addresses are meant for; `None` where there is no page, as in Node.
pub(super) fn origin() -> Option<String> {
    let property = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &JsValue::from_str(name)).ok();
    let location = property(&js_sys::global(), "location").filter(JsValue::is_object)?;
    property(&location, "origin")?.as_string()
}
