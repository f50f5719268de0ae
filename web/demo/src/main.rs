//! The demo cluster: the simulator as a program of its own, so that nobody else has to fetch it.
//!
//! The page loads it beside itself and reaches it as it reaches any server: a method, an address, headers and a body in; a
//! code, headers and chunks out.

#[cfg(target_family = "wasm")]
mod server;

#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    eprintln!("masthead-demo runs in a browser, beside the dashboard");
    std::process::ExitCode::FAILURE
}
