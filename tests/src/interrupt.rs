//! Signals, noticed instead of suffered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Notices Ctrl-C, SIGTERM and SIGHUP, so that long work can stop in good order instead of dying on the spot.
///
/// Clones share one flag.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over the three signals for the rest of the process.
    pub fn install() -> Result<Self> {
        let interrupt = Self::never();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&interrupt.raised)).context("cannot listen for signals")?;
        }
        Ok(interrupt)
    }

    /// An interrupt that no signal raises.
    pub fn never() -> Self {
        Self { raised: Arc::default() }
    }

    /// Whether a signal has come.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Fails once a signal has come.
    pub fn check(&self) -> Result<()> {
        if self.is_raised() {
            bail!("interrupted");
        }
        Ok(())
    }
}
