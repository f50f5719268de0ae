//! What queues and the correlator cost natively. `cargo xtask bench queue` runs it beside client-go.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints, and reads the machine's clock"
)]

#[cfg(not(target_family = "wasm"))]
mod queue;

#[cfg(not(target_family = "wasm"))]
fn main() {
    let (time, began) = (masthead::runtime::VirtualTime::new(), std::time::Instant::now());
    let now = || processor_time().unwrap_or_else(|| began.elapsed());
    let place = queue::Place { runtime: time.runtime(), now: &now, report: &|line| println!("{line}") };
    place.measure();
}

/// For how long this program was on a processor, as Linux counts it.
#[cfg(not(target_family = "wasm"))]
fn processor_time() -> Option<std::time::Duration> {
    let counts = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(std::time::Duration::from_nanos(counts.split_whitespace().next()?.parse().ok()?))
}

#[cfg(target_family = "wasm")]
fn main() {}
