//! The page's entry point.

#[cfg(target_family = "wasm")]
fn main() {
    masthead_web::start();
}

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    eprintln!("masthead-web runs in a browser: build and serve it with `cargo xtask serve` or `trunk serve`");
    std::process::ExitCode::FAILURE
}
