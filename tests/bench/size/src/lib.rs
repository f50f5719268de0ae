//! Small programs whose .wasm is weighed: the same task by the generic client and by the generated one. A feature is a
//! program, and only WebAssembly has anything in it.
#![cfg(target_family = "wasm")]

#[cfg(any(feature = "inform-generic", feature = "inform-factory"))]
pub mod inform;
#[cfg(any(feature = "list-generic", feature = "list-clientset"))]
pub mod list;
