//! One container on its way: pulled, started, running, failed, started again.

use std::time::Duration;

use masthead::runtime::Instant;
use serde_json::{Value, json};

use crate::{
    timestamp,
    workloads::{actor::Turn, behaviour::Behaviour, recorder::Severity},
};

/// A container of a pod.
#[derive(Debug)]
pub(super) struct Container {
    pub(super) name: String,
    pub(super) image: String,
    /// What it asks for and may use.
    pub(super) resources: Value,
    /// Whether it runs beside the others, though it is started before them.
    pub(super) is_sidecar: bool,
    behaviour: Behaviour,
    policy: Policy,
    /// How long after its start its readiness probe succeeds, and how often it is asked; `None` without a probe.
    probe: Option<(Duration, Duration)>,
    pub(super) doing: Doing,
    pub(super) restarts: u64,
    /// How often it ended in a row without having run long.
    failures: u32,
    /// How it ended the last time; null before that.
    pub(super) last: Value,
    pub(super) id: String,
    pub(super) image_id: String,
}

/// When a container that ended is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    Always,
    OnFailure,
    Never,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Doing {
    /// Waits for its turn.
    Waiting,
    Pulling {
        since: Instant,
        until: Instant,
    },
    /// The pull failed; said so until then.
    PullFailed {
        until: Instant,
    },
    PullBackoff {
        until: Instant,
    },
    Starting {
        until: Instant,
    },
    Running {
        since: Duration,
        began: Instant,
        until: Option<Instant>,
        ready: bool,
        probe: Option<Instant>,
    },
    /// Ended, and is to start again then.
    Backoff {
        until: Instant,
        delay: Duration,
    },
    /// Ended for good, with this state.
    Done {
        code: u64,
        state: Value,
    },
}

/// After which time of running a failure counts as the first again.
const STEADY: Duration = Duration::from_secs(600);
const FIRST_BACKOFF: Duration = Duration::from_secs(10);
const LONGEST_BACKOFF: Duration = Duration::from_secs(300);

impl Container {
    /// A container as its spec and, for one that was there before, its status tell.
    pub(super) fn new(spec: &Value, known: &Value, policy: &str, behaviour: Behaviour, turn: &Turn<'_>) -> Container {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let seconds = |field: &str, usual| spec["readinessProbe"][field].as_u64().unwrap_or(usual);
        let probe = spec["readinessProbe"].is_object().then(|| {
            let period = Duration::from_secs(seconds("periodSeconds", 10).max(1));
            (
                Duration::from_secs(seconds("initialDelaySeconds", 0)) + period.mul_f64(turn.shared.runtime.random()),
                period,
            )
        });
        let restarts = known["restartCount"].as_u64().unwrap_or_default();
        let mut container = Container {
            name: text(&spec["name"]),
            image: text(&spec["image"]),
            resources: spec["resources"].clone(),
            is_sidecar: spec["restartPolicy"] == "Always",
            behaviour,
            policy: match policy {
                _ if spec["restartPolicy"] == "Always" => Policy::Always,
                "Never" => Policy::Never,
                "OnFailure" => Policy::OnFailure,
                _ => Policy::Always,
            },
            probe,
            doing: Doing::Waiting,
            restarts,
            failures: u32::try_from(restarts).unwrap_or(u32::MAX),
            last: known["lastState"]["terminated"].clone(),
            id: text(&known["containerID"]),
            image_id: text(&known["imageID"]),
        };
        container.resume(known, turn);
        container
    }

    fn resume(&mut self, known: &Value, turn: &Turn<'_>) {
        let state = &known["state"];
        let now = turn.now();
        if let Some(since) = state["running"]["startedAt"].as_str().and_then(timestamp::parse) {
            self.doing = self.running(since, turn.moment(since));
            if let (Doing::Running { ready, .. }, Some(true)) = (&mut self.doing, known["ready"].as_bool()) {
                *ready = true;
            }
        } else if state["terminated"].is_object() {
            let code = state["terminated"]["exitCode"].as_u64().unwrap_or_default();
            self.after(code, state["terminated"].clone(), now);
        } else if self.last.is_object() {
            let delay = self.delay();
            self.doing = Doing::Backoff { until: now + delay.mul_f64(turn.shared.runtime.random()), delay };
        } else if matches!(state["waiting"]["reason"].as_str(), Some("ImagePullBackOff" | "ErrImagePull")) {
            self.doing = Doing::PullBackoff { until: now + LONGEST_BACKOFF.mul_f64(turn.shared.runtime.random()) };
            self.failures = 6;
        }
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.doing, Doing::Running { .. })
    }

    pub(super) fn is_ready(&self) -> bool {
        matches!(self.doing, Doing::Running { ready: true, .. })
    }

    /// Whether it has ended for good, and well.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.doing, Doing::Done { code: 0, .. })
    }

    /// Whether what comes after it may begin.
    pub(super) fn has_passed(&self) -> bool {
        self.is_done() || self.is_sidecar && self.is_running()
    }

    /// When to look at it again.
    pub(super) fn next(&self) -> Option<Instant> {
        match &self.doing {
            Doing::Waiting | Doing::Done { .. } => None,
            Doing::Pulling { until, .. }
            | Doing::PullFailed { until }
            | Doing::PullBackoff { until }
            | Doing::Starting { until }
            | Doing::Backoff { until, .. } => Some(*until),
            Doing::Running { until, probe, .. } => until.iter().chain(probe).min().copied(),
        }
    }

    /// Ends it as a container ends that is told to.
    pub(super) fn end(&mut self, wall: Duration) {
        if let Doing::Running { since, .. } = self.doing {
            let state = self.ended(since, wall, 0, "Completed");
            self.doing = Doing::Done { code: 0, state };
        }
    }

    fn running(&self, since: Duration, began: Instant) -> Doing {
        let until = match self.behaviour {
            Behaviour::Completes { after } | Behaviour::Crashes { after, .. } | Behaviour::OutOfMemory { after } => {
                Some(began + after)
            }
            Behaviour::Runs | Behaviour::ImageMissing | Behaviour::Unready { .. } => None,
        };
        let unready = matches!(self.behaviour, Behaviour::Unready { .. });
        let probe = match (self.probe, unready) {
            (Some((delay, _)), _) => Some(began + delay),
            (None, true) => Some(began + FIRST_BACKOFF),
            (None, false) => None,
        };
        Doing::Running { since, began, until, ready: probe.is_none(), probe }
    }

    /// How long to wait before the next start: not at all at first, then ever longer.
    fn delay(&self) -> Duration {
        match self.failures {
            0 | 1 => Duration::ZERO,
            many => FIRST_BACKOFF.saturating_mul(1 << (many - 2).min(5)).min(LONGEST_BACKOFF),
        }
    }

    fn ended(&self, since: Duration, wall: Duration, code: u64, reason: &str) -> Value {
        json!({
            "exitCode": code, "reason": reason, "startedAt": timestamp::format(since),
            "finishedAt": timestamp::format(wall), "containerID": self.id,
        })
    }

    /// What is to become of it now that it ended.
    fn after(&mut self, code: u64, state: Value, now: Instant) {
        let again = match self.policy {
            Policy::Always => true,
            Policy::OnFailure => code != 0,
            Policy::Never => false,
        };
        if again {
            self.failures = self.failures.saturating_add(1);
            let delay = self.delay();
            self.last = state;
            self.doing = Doing::Backoff { until: now + delay, delay };
        } else {
            self.doing = Doing::Done { code, state };
        }
    }
}

impl Turn<'_> {
    /// Takes a container one step on, if one is due. Gives back whether it was.
    pub(super) fn step(&mut self, pod: &Value, container: &mut Container) -> bool {
        let now = self.now();
        let is_due = container.next().is_some_and(|at| at <= now);
        if !is_due && container.doing != Doing::Waiting {
            return false;
        }
        match container.doing.clone() {
            Doing::Waiting => self.fetch(pod, container),
            Doing::Pulling { since, .. } => self.pulled(pod, container, now.since(since)),
            Doing::PullFailed { .. } => self.back_off_pull(pod, container),
            Doing::PullBackoff { .. } => self.pull(pod, container),
            Doing::Starting { .. } => self.start(pod, container),
            Doing::Running { until: Some(until), since, began, .. } if until <= now => {
                self.exit(pod, container, since, now.since(began));
            }
            Doing::Running { .. } => self.probe(pod, container),
            Doing::Backoff { .. } => {
                container.restarts += 1;
                self.fetch(pod, container);
            }
            Doing::Done { .. } => return false,
        }
        true
    }

    fn fetch(&mut self, pod: &Value, container: &mut Container) {
        let node = pod["spec"]["nodeName"].as_str().unwrap_or_default().to_owned();
        let missing = container.behaviour == Behaviour::ImageMissing;
        if missing || !self.state.images.contains(&(node, container.image.clone())) {
            return self.pull(pod, container);
        }
        let image = &container.image;
        let message = format!("Container image {image:?} already present on machine and can be accessed by the pod");
        self.tell(pod, &container.name, (Severity::Normal, "Pulled"), message);
        self.prepare(container);
    }

    fn pull(&mut self, pod: &Value, container: &mut Container) {
        let message = format!("Pulling image {:?}", container.image);
        self.tell(pod, &container.name, (Severity::Normal, "Pulling"), message);
        let took = self.between(Duration::from_millis(900), Duration::from_millis(6000));
        container.doing = Doing::Pulling { since: self.now(), until: self.now() + took };
    }

    fn pulled(&mut self, pod: &Value, container: &mut Container, took: Duration) {
        let image = container.image.clone();
        if container.behaviour == Behaviour::ImageMissing {
            let message = format!("Failed to pull image {image:?}: {}", not_found(&image));
            self.tell(pod, &container.name, (Severity::Warning, "Failed"), message);
            self.tell(pod, &container.name, (Severity::Warning, "Failed"), "Error: ErrImagePull".to_owned());
            container.doing = Doing::PullFailed { until: self.now() + Duration::from_secs(2) };
            return;
        }
        let size = image.bytes().fold(31u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let (bytes, took) = (8_000_000 + size % 180_000_000, seconds(took));
        let message = format!(
            "Successfully pulled image {image:?} in {took} ({took} including waiting). Image size: {bytes} bytes."
        );
        self.tell(pod, &container.name, (Severity::Normal, "Pulled"), message);
        let node = pod["spec"]["nodeName"].as_str().unwrap_or_default().to_owned();
        self.state.images.insert((node, image));
        self.prepare(container);
    }

    fn back_off_pull(&mut self, pod: &Value, container: &mut Container) {
        container.failures = container.failures.saturating_add(1);
        let message = format!("Back-off pulling image {:?}", container.image);
        self.tell(pod, &container.name, (Severity::Normal, "BackOff"), message);
        self.tell(pod, &container.name, (Severity::Warning, "Failed"), "Error: ImagePullBackOff".to_owned());
        let delay = FIRST_BACKOFF.saturating_mul(1 << (container.failures - 1).min(5)).min(LONGEST_BACKOFF);
        container.doing = Doing::PullBackoff { until: self.now() + delay };
    }

    fn prepare(&mut self, container: &mut Container) {
        let took = self.between(Duration::from_millis(100), Duration::from_millis(700));
        container.doing = Doing::Starting { until: self.now() + took };
    }

    fn start(&mut self, pod: &Value, container: &mut Container) {
        container.id = format!("containerd://{}", self.hex(64));
        if container.image_id.is_empty() {
            let digest = crate::workloads::template::hash(&Value::from(container.image.as_str()), 0);
            let digest: String = digest.bytes().cycle().take(32).map(|byte| format!("{byte:02x}")).collect();
            container.image_id = format!("{}@sha256:{digest}", full_name(&container.image));
        }
        self.tell(pod, &container.name, (Severity::Normal, "Created"), "Container created".to_owned());
        self.tell(pod, &container.name, (Severity::Normal, "Started"), "Container started".to_owned());
        container.doing = container.running(self.wall(), self.now());
    }

    fn exit(&mut self, pod: &Value, container: &mut Container, since: Duration, ran: Duration) {
        let (code, reason) = match container.behaviour {
            Behaviour::Crashes { code, .. } => (u64::from(code), if code == 0 { "Completed" } else { "Error" }),
            Behaviour::OutOfMemory { .. } => (137, "OOMKilled"),
            _ => (0, "Completed"),
        };
        if ran >= STEADY {
            container.failures = 0;
        }
        let state = container.ended(since, self.wall(), code, reason);
        container.after(code, state, self.now());
        if let Doing::Backoff { delay, .. } = container.doing
            && !delay.is_zero()
        {
            let metadata = &pod["metadata"];
            let text = |field: &str| metadata[field].as_str().unwrap_or_default();
            let place = format!("{}_{}({})", text("name"), text("namespace"), text("uid"));
            let message = format!("Back-off restarting failed container {} in pod {place}", container.name);
            self.tell(pod, &container.name, (Severity::Warning, "BackOff"), message);
        }
    }

    /// Asks a container whether it is ready.
    fn probe(&mut self, pod: &Value, container: &mut Container) {
        let now = self.now();
        let period = container.probe.map_or(FIRST_BACKOFF, |(_, period)| period);
        let Doing::Running { began, ready, probe, .. } = &mut container.doing else { return };
        let fails = match container.behaviour {
            Behaviour::Unready { during } => *began + during > now,
            _ => false,
        };
        *ready = !fails;
        // One that succeeds is not asked again: nothing would change.
        *probe = fails.then(|| now + period);
        if fails {
            let message = "Readiness probe failed: HTTP probe failed with statuscode: 503".to_owned();
            self.tell(pod, &container.name, (Severity::Warning, "Unhealthy"), message);
        }
    }
}

/// A short time as Go writes it: `1.234s`, `750ms`.
fn seconds(time: Duration) -> String {
    let millis = time.as_millis();
    if millis < 1000 {
        return format!("{millis}ms");
    }
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A time of whole seconds as Go writes it: `10s`, `1m20s`, `5m0s`.
pub(super) fn minutes(time: Duration) -> String {
    match time.as_secs() {
        short @ 0..60 => format!("{short}s"),
        long => format!("{}m{}s", long / 60, long % 60),
    }
}

fn full_name(image: &str) -> String {
    let name = image.split('@').next().unwrap_or_default();
    let name = name.rsplit_once(':').filter(|(_, tag)| !tag.contains('/')).map_or(name, |(name, _)| name);
    match name.split_once('/') {
        None => format!("docker.io/library/{name}"),
        Some((host, _)) if host.contains(['.', ':']) => name.to_owned(),
        Some(_) => format!("docker.io/{name}"),
    }
}

/// The runtime's words for an image that is nowhere.
pub(super) fn not_found(image: &str) -> String {
    let tag = image.rsplit_once(':').map(|(_, tag)| tag).filter(|tag| !tag.contains('/')).unwrap_or("latest");
    let full = format!("{}:{tag}", full_name(image));
    format!(
        "rpc error: code = NotFound desc = failed to pull and unpack image {full:?}: failed to resolve reference {full:?}: \
         {full}: not found"
    )
}
