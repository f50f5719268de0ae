//! What the npm package in `npm/` stands on: Masthead's clients and informers as classes of JavaScript.
//!
//! Nothing here is meant for people: the package's facade gives these classes a shape, and types. Objects cross as JSON
//! text, which costs one copy, and are parsed on the other side when somebody asks for them. Whatever waits is a
//! `Pending`; whatever fails throws JSON that the facade makes an error of. Only WebAssembly has anything in it.
#![cfg(target_family = "wasm")]
#![expect(missing_debug_implementations, reason = "classes of JavaScript")]

mod call;
mod client;
mod discovery;
mod elector;
mod entry;
mod entry_reader;
mod given;
mod informer;
mod pending;
mod queue;
mod reading;
mod recorder;
mod registration;
mod settings;
mod snapshot;
mod thrown;
mod watching;

pub use client::Client;
pub use discovery::Discovery;
pub use elector::Elector;
pub use entry::Moment;
pub use informer::Informer;
pub use pending::Pending;
pub use queue::{Queue, Work};
pub use reading::Reading;
pub use recorder::Recorder;
pub use registration::Registration;
pub use snapshot::Snapshot;
pub use watching::Watching;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn complain(text: &str);
}

/// A panic aborts the module; without this nobody learns why.
#[wasm_bindgen(start)]
pub fn begin() {
    std::panic::set_hook(Box::new(|panic| complain(&format!("masthead: {panic}"))));
}
