//! What every container says.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::layout::{Layout, write_private};

/// The log that every container of every pod shares: a file in the format of a container runtime, which kwok serves.
#[derive(Debug)]
pub(crate) struct PodLog {
    path: PathBuf,
}

/// Beyond this nothing is appended: a forgotten churn must not fill the disk.
const MAX_BYTES: u64 = 32 << 20;

/// How many lines a fresh cluster's log has.
const FIRST_LINES: u64 = 200;

impl PodLog {
    pub(crate) fn of(layout: &Layout) -> Self {
        Self { path: layout.pod_log() }
    }

    /// Writes the first lines, one a second up to now, and the configuration that lets kwok serve them.
    pub(crate) fn create(&self, layout: &Layout) -> Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let lines: String = (0..FIRST_LINES)
            .map(|index| {
                let at = now.saturating_sub(Duration::from_secs(FIRST_LINES - index));
                line(at, &format!("level=info msg=\"request served\" id={index} status=200"))
            })
            .collect();
        write_private(&self.path, lines.as_bytes())?;
        let config = json!({
            "apiVersion": "kwok.x-k8s.io/v1alpha1",
            "kind": "ClusterLogs",
            "metadata": { "name": "every-container" },
            "spec": { "logs": [{ "logsFile": self.path, "previousLogsFile": self.path, "follow": true }] },
        });
        write_private(&layout.kwok_config(), &serde_json::to_vec_pretty(&config)?)
    }

    pub(crate) fn append(&self, message: &str) -> Result<()> {
        let mut file = OpenOptions::new()
            .append(true)
            .open(&self.path)
            .with_context(|| format!("cannot append to {}", self.path.display()))?;
        if file.metadata()?.len() > MAX_BYTES {
            bail!("the pod log {} is full", self.path.display());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        Ok(file.write_all(line(now, message).as_bytes())?)
    }
}

fn line(at: Duration, message: &str) -> String {
    format!("{} stdout F {message}\n", timestamp(at))
}

/// `at` since 1970 as Kubernetes writes it, such as `2026-11-16T13:00:00.000000000Z`.
fn timestamp(at: Duration) -> String {
    let (days, second) = (at.as_secs() / 86_400, at.as_secs() % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:09}Z", at.subsec_nanos())
}

/// The date that lies `days` after 1970-01-01, counted in years that begin in March so that leap days come last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_times_as_the_container_runtime_does() {
        let check = |seconds, expect| assert_eq!(timestamp(Duration::from_secs(seconds)), expect);
        check(0, "1970-01-01T00:00:00.000000000Z");
        check(951_782_400, "2000-02-29T00:00:00.000000000Z");
        check(1_709_251_199, "2024-02-29T23:59:59.000000000Z");
        check(4_107_542_400, "2100-03-01T00:00:00.000000000Z");
    }
}
