//! Where this workspace is on disk.

use std::path::{Path, PathBuf};

/// The folder of the workspace's Cargo.toml, whatever folder the command was started in.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Where cargo puts what it builds: `CARGO_TARGET_DIR`, else `target` in the workspace.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
