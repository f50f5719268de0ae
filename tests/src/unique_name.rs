//! Names that do not collide.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A name that begins with `what` and that no other test uses, in this run or another.
pub(crate) fn unique_name(what: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{what}-{:x}-{:x}-{count}", since.as_millis() & 0xff_ffff, std::process::id())
}
