//! What queues and the correlator cost natively. `cargo xtask bench queue` runs it beside client-go.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[cfg(not(target_family = "wasm"))]
mod queue;

#[cfg(not(target_family = "wasm"))]
fn main() {
    let time = masthead::runtime::VirtualTime::new();
    let place = queue::Place { runtime: time.runtime(), now: &processor_time, report: &|line| println!("{line}") };
    place.measure();
}

/// For how long this program was on a processor.
#[cfg(not(target_family = "wasm"))]
fn processor_time() -> std::time::Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    used.try_into().unwrap_or_default()
}

#[cfg(target_family = "wasm")]
fn main() {}
