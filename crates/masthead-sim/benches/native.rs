//! What the simulator costs on this machine. `cargo xtask bench sim` runs it.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints, and reads the machine's clock"
)]

#[cfg(not(target_family = "wasm"))]
mod measures;

#[cfg(not(target_family = "wasm"))]
fn main() {
    let began = std::time::Instant::now();
    let place = measures::Place {
        now: &|| began.elapsed(),
        memory: &resident,
        floor: &measures::copy,
        floor_name: "copying the bytes",
    };
    place.measure(&mut |line| println!("{line}"));
}

/// The process's memory in bytes, as Linux counts it; 0 where it does not.
#[cfg(not(target_family = "wasm"))]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or_default() << 10
}

#[cfg(target_family = "wasm")]
fn main() {}
