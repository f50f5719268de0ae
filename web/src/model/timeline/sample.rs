//! A busy cluster's points, out of nothing: to see and measure what many of them do.

use super::record::Record;

const SPACES: [&str; 12] = [
    "payments",
    "search",
    "checkout",
    "catalog",
    "identity",
    "billing",
    "media",
    "ingest",
    "ml-serving",
    "ci",
    "monitoring",
    "kube-system",
];

const REASONS: [(&str, &str, &str); 10] = [
    ("Scheduled", "", "Successfully assigned to a node"),
    ("Pulled", "", "Container image already present on machine"),
    ("Created", "", "Container created"),
    ("Started", "", "Container started"),
    ("Killing", "", "Stopping container"),
    ("Pulling", "", "Pulling image"),
    ("Unhealthy", "warning", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
    ("BackOff", "failure", "Back-off restarting failed container"),
    ("FailedScheduling", "failure", "0/7 nodes are available: 7 Insufficient memory"),
    ("FailedMount", "failure", "MountVolume.SetUp failed for volume: timed out"),
];

/// `count` points in the `span` milliseconds before `now`, the same for the same `seed`.
///
/// They come in bursts, as they do, in a dozen namespaces of forty workloads each.
pub fn records(count: u32, now: i64, span: i64, seed: u64) -> Vec<Record> {
    let mut dice = Dice(seed);
    let mut burst = now - span / 2;
    (0..count)
        .map(|number| {
            if number % 50 == 0 {
                burst = now - dice.roll(span as usize) as i64;
            }
            let time = (burst + dice.roll(90_000) as i64).min(now);
            let space = SPACES[dice.roll(SPACES.len())];
            let app = format!("app-{:02}", dice.roll(40));
            let set = format!("{app}-{:08x}", dice.roll(3) + 0x7c9f_0000);
            // Three of four times all is well, as with the first six reasons.
            let sides = if dice.roll(4) == 0 { REASONS.len() } else { 6 };
            let (reason, status, message) = REASONS[dice.roll(sides)];
            Record {
                time,
                kind: "Pod".to_owned(),
                namespace: space.to_owned(),
                name: format!("{set}-{:05x}", dice.roll(12)),
                class: if number % 9 == 0 { "created" } else { "event" }.to_owned(),
                status: status.to_owned(),
                reason: reason.to_owned(),
                message: message.to_owned(),
                source: "kubelet".to_owned(),
                origin: format!("{:x}", u64::from(number) ^ (seed << 32)),
                ordinal: 1,
                owners: vec![("ReplicaSet".to_owned(), set), ("Deployment".to_owned(), app)],
            }
        })
        .collect()
}

/// The same numbers at every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}
