//! What a lock says about its holder.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::timestamp;

/// The content of a lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Who leads; empty when the lock was released.
    pub holder: String,
    /// How long the lease lasts after its last change was seen.
    pub lease_duration: Duration,
    /// When the holder acquired it, by the holder's clock; as it is written.
    pub acquired: Option<String>,
    /// When the holder renewed it, by the holder's clock; as it is written.
    pub renewed: Option<String>,
    /// How often the holder changed.
    pub transitions: i32,
}

impl Record {
    /// Reads the spec of a Lease.
    pub fn from_spec(spec: &Value) -> Record {
        let text = |field: &str| spec[field].as_str().map(str::to_owned);
        Record {
            holder: text("holderIdentity").unwrap_or_default(),
            lease_duration: Duration::from_secs(spec["leaseDurationSeconds"].as_u64().unwrap_or_default()),
            acquired: text("acquireTime"),
            renewed: text("renewTime"),
            transitions: spec["leaseTransitions"].as_i64().and_then(|count| count.try_into().ok()).unwrap_or_default(),
        }
    }

    /// The spec of a Lease that says this.
    pub fn to_spec(&self) -> Value {
        let seconds = i32::try_from(self.lease_duration.as_secs()).unwrap_or(i32::MAX);
        let mut spec = Map::from_iter([
            ("holderIdentity".to_owned(), self.holder.as_str().into()),
            ("leaseDurationSeconds".to_owned(), seconds.into()),
            ("leaseTransitions".to_owned(), self.transitions.into()),
        ]);
        for (field, time) in [("acquireTime", &self.acquired), ("renewTime", &self.renewed)] {
            spec.extend(time.as_deref().map(|time| (field.to_owned(), time.into())));
        }
        spec.into()
    }

    /// A record that `holder` acquires at `wall`, the time since 1970.
    pub(super) fn acquired_by(holder: &str, lease_duration: Duration, wall: Duration) -> Record {
        let now = Some(timestamp::format_micro(wall));
        Record { holder: holder.to_owned(), lease_duration, acquired: now.clone(), renewed: now, transitions: 0 }
    }
}
