//! What a lock says about its holder.

use std::time::Duration;

use k8s_openapi::{api::coordination::v1::LeaseSpec, apimachinery::pkg::apis::meta::v1::MicroTime, jiff::Timestamp};

/// The content of a lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Who leads; empty when the lock was released.
    pub holder: String,
    /// How long the lease lasts after its last change was seen.
    pub lease_duration: Duration,
    /// When the holder acquired it, by the holder's clock.
    pub acquired: Option<MicroTime>,
    /// When the holder renewed it, by the holder's clock.
    pub renewed: Option<MicroTime>,
    /// How often the holder changed.
    pub transitions: i32,
}

impl Record {
    /// Reads the spec of a Lease.
    pub fn from_spec(spec: &LeaseSpec) -> Record {
        let seconds = spec.lease_duration_seconds.and_then(|seconds| u64::try_from(seconds).ok());
        Record {
            holder: spec.holder_identity.clone().unwrap_or_default(),
            lease_duration: Duration::from_secs(seconds.unwrap_or_default()),
            acquired: spec.acquire_time.clone(),
            renewed: spec.renew_time.clone(),
            transitions: spec.lease_transitions.unwrap_or_default(),
        }
    }

    /// The spec of a Lease that says this.
    pub fn to_spec(&self) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(self.holder.clone()),
            lease_duration_seconds: Some(i32::try_from(self.lease_duration.as_secs()).unwrap_or(i32::MAX)),
            acquire_time: self.acquired.clone(),
            renew_time: self.renewed.clone(),
            lease_transitions: Some(self.transitions),
            ..LeaseSpec::default()
        }
    }

    /// A record that `holder` acquires at `wall`, the time since 1970.
    pub(super) fn acquired_by(holder: &str, lease_duration: Duration, wall: Duration) -> Record {
        let now = micro_time(wall);
        Record { holder: holder.to_owned(), lease_duration, acquired: now.clone(), renewed: now, transitions: 0 }
    }
}

/// `None` for a clock that is set to a time which cannot be written.
fn micro_time(wall: Duration) -> Option<MicroTime> {
    let micros = i64::try_from(wall.as_micros()).ok()?;
    Timestamp::from_microsecond(micros).ok().map(MicroTime)
}
