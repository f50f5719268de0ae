//! Where this workspace is on disk.

use std::path::PathBuf;

use anyhow::{Context, Result};

/// The folder of the workspace's Cargo.toml, whatever folder the command was started in.
///
/// `cargo xtask` tells at run time: two clones that share a target folder share this program too, and what was compiled into
/// it may be the other one's path.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.filter(|here| here.ends_with("crates/xtask")).unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    here.join("../..")
}

/// Where cargo puts what it builds: `CARGO_TARGET_DIR`, else `target` in the workspace.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The file of this program.
///
/// A test stage may build it anew meanwhile; Linux then marks the old file's name, and the new file has the plain one.
pub(crate) fn this_program() -> Result<PathBuf> {
    let path = std::env::current_exe().context("this program has no path")?;
    let plain = path.to_str().and_then(|text| text.strip_suffix(" (deleted)")).map(PathBuf::from);
    Ok(plain.unwrap_or(path))
}
