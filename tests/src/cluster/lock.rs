//! One command at a time changes a cluster.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use anyhow::{Context, Result};

use super::layout::Layout;
use crate::Interrupt;
use crate::wait::{Asked, Wait};

/// The right to change a cluster's directory. Ends when dropped, or with the process that holds it.
#[must_use = "another command may change the cluster once this is dropped"]
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other command changes the cluster.
    pub(crate) fn take(layout: &Layout, interrupt: &Interrupt) -> Result<Self> {
        let mut told = false;
        let wait = Wait {
            what: "another `cargo xtask cluster` command to finish",
            limit: Duration::from_secs(1800),
            interrupt,
        };
        wait.until(|| {
            if let Some(file) = try_take(layout)? {
                return Ok(Asked::Done(Self { _file: file }));
            }
            if !told {
                eprintln!("another command is changing the cluster in {}; waiting for it", layout.dir().display());
                told = true;
            }
            Ok(Asked::NotYet("the lock is held".into()))
        })
    }
}

fn try_take(layout: &Layout) -> Result<Option<File>> {
    layout.create()?;
    let path = layout.lock();
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .with_context(|| format!("cannot write {}; choose another directory with --dir", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error).context("cannot lock the cluster's directory"),
    }
    // A `down` removes the file with everything else; a lock on what it removed would lock out nobody.
    let held = file.metadata()?.ino();
    let same = fs::metadata(&path).is_ok_and(|current| current.ino() == held);
    Ok(same.then_some(file))
}
