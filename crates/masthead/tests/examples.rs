//! Every example runs to its end and says something.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{path::Path, process::Command};

#[test]
fn every_example_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let names = folder.read_dir().unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".rs").map(str::to_owned)
    });
    // Cargo builds them beside the folder of this test.
    let this = std::env::current_exe().unwrap();
    let built = this.ancestors().nth(2).unwrap().join("examples");
    let mut ran = 0;
    for name in names {
        let output = Command::new(built.join(&name)).output().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{name} says nothing");
        ran += 1;
    }
    assert!(ran >= 8, "{ran} examples ran");
}
