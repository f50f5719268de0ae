//! The row of a pod.

mod container;
mod life;

use std::borrow::Cow;

use masthead::lean::{Interned, Lean, Part};

use self::container::{Container, Init, State};
use super::{
    cells::Cells,
    condition::{self, Condition},
    heading::{Heading, wide, words},
    presence::Element,
    requests::Requests,
    subject::Subject,
    words::{NONE, or},
};
use crate::model::table::{cell::Tone, load::Load};

pub(super) const COLUMNS: &[Heading] = &[
    words("NAME"),
    words("READY"),
    words("STATUS"),
    words("RESTARTS"),
    words("AGE"),
    wide("IP"),
    wide("NODE"),
    wide("NOMINATED NODE"),
    wide("READINESS GATES"),
];

#[derive(Lean)]
pub(super) struct Pod {
    #[lean("spec.nodeName")]
    node: Interned,
    #[lean("spec.containers[*]")]
    containers: Vec<Element>,
    #[lean("spec.containers[*].resources.requests")]
    requests: Vec<Requests>,
    #[lean("spec.initContainers[*]")]
    inits: Vec<Part<Init>>,
    #[lean("spec.readinessGates[*].conditionType")]
    gates: Vec<Interned>,
    #[lean("status.phase")]
    phase: Interned,
    #[lean("status.reason")]
    reason: Interned,
    #[lean("status.conditions[*]")]
    conditions: Vec<Part<Condition>>,
    #[lean("status.initContainerStatuses[*]")]
    init_states: Vec<Container>,
    #[lean("status.containerStatuses[*]")]
    states: Vec<Container>,
    #[lean("status.podIP")]
    ip: Box<str>,
    #[lean("status.podIPs[*].ip")]
    ips: Vec<Box<str>>,
    #[lean("status.nominatedNodeName")]
    nominated: Interned,
}

pub(super) fn cells(subject: &Subject<Pod>, to: &mut Cells<'_>) {
    let (pod, summary) = (&subject.of, Summary::of(subject));
    to.load(pod.load());
    to.life(life::life(subject));
    to.name();
    to.ratio(count(summary.ready), count(summary.containers));
    to.status(&summary.reason, summary.tone());
    to.restarts(summary.restarts.count, summary.restarts.last);
    to.age();
    to.own(or(&pod.ip, pod.ips.first().map_or("", |ip| ip)), NONE);
    to.known(&pod.node, NONE);
    to.known(&pod.nominated, NONE);
    match pod.gates.len() {
        0 => to.word(NONE),
        gates => {
            let open = pod.gates.iter().filter(|gate| condition::holds(&pod.conditions, gate)).count();
            to.ratio(count(open), count(gates));
        }
    }
}

impl Pod {
    /// What the scheduler sets aside for it: enough for all containers that run side by side, and for each that runs before
    /// them with the sidecars that are there already.
    fn load(&self) -> Load {
        if matches!(self.phase.as_str(), "Succeeded" | "Failed") {
            return Load::default();
        }
        let (mut sidecars, mut most) = (Load::default(), Load::default());
        for init in &self.inits {
            match init.is_sidecar() {
                true => sidecars += init.requests.0,
                false => most = most.max(sidecars + init.requests.0),
            }
        }
        most.max(self.requests.iter().fold(sidecars, |sum, one| sum + one.0))
    }
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// What all the containers of a pod come down to.
struct Summary<'a> {
    containers: usize,
    ready: usize,
    restarts: Restarts,
    reason: Cow<'a, str>,
}

#[derive(Clone, Copy, Default)]
struct Restarts {
    count: u32,
    /// When the container that was restarted last had ended.
    last: Option<i64>,
}

impl Restarts {
    fn add(&mut self, container: &Container) {
        self.count = self.count.saturating_add(container.restarts);
        self.last = self.last.max(container.ended_before.0);
    }
}

impl<'a> Summary<'a> {
    fn of(subject: &'a Subject<Pod>) -> Summary<'a> {
        let pod = &subject.of;
        let mut summary = Summary {
            containers: pod.containers.len() + pod.inits.iter().filter(|init| init.is_sidecar()).count(),
            ready: 0,
            restarts: Restarts::default(),
            reason: or(&pod.reason, &pod.phase).into(),
        };
        let gated = |it: &Part<Condition>| it.kind == "PodScheduled" && it.reason == "SchedulingGated";
        if pod.conditions.iter().any(gated) {
            summary.reason = "SchedulingGated".into();
        }
        if let Some(of_sidecars) = summary.add_init_containers(pod) {
            // Those of init containers that ran to their end are forgotten.
            summary.restarts = of_sidecars;
            summary.add_containers(pod);
        }
        if subject.meta.deleted.is_some() {
            summary.add_deletion(pod);
        }
        summary
    }

    /// Goes through the init containers up to the first that holds up the others; the restarts of sidecars if none does.
    fn add_init_containers(&mut self, pod: &'a Pod) -> Option<Restarts> {
        let mut of_sidecars = Restarts::default();
        for (index, container) in pod.init_states.iter().enumerate() {
            let is_sidecar = pod.inits.iter().any(|init| init.is_sidecar() && init.name == container.name);
            self.restarts.add(container);
            if is_sidecar {
                of_sidecars.add(container);
            }
            let held_up: Cow<'_, str> = match &container.state {
                State::Ended { failed: false, .. } => continue,
                _ if is_sidecar && container.started => {
                    self.ready += usize::from(container.ready);
                    continue;
                }
                State::Ended { how, .. } => format!("Init:{how}").into(),
                State::Waiting(reason) if reason != "PodInitializing" => format!("Init:{reason}").into(),
                _ => format!("Init:{index}/{}", pod.inits.len()).into(),
            };
            self.reason = held_up;
            return condition::holds(&pod.conditions, "Initialized").then_some(of_sidecars);
        }
        Some(of_sidecars)
    }

    fn add_containers(&mut self, pod: &'a Pod) {
        let (mut running, mut failure) = (false, None);
        for container in pod.states.iter().rev() {
            self.restarts.add(container);
            match &container.state {
                State::Waiting(reason) => self.reason = reason.as_str().into(),
                State::Ended { how, failed } => {
                    self.reason = how.as_str().into();
                    if *failed {
                        failure = Some(how.as_str());
                    }
                }
                State::Running if container.ready => {
                    running = true;
                    self.ready += 1;
                }
                State::Running | State::Unknown => {}
            }
        }
        // One container that is done does not make a pod done.
        if self.reason == "Completed" {
            if running && condition::holds(&pod.conditions, "Ready") {
                self.reason = "Running".into();
            } else if let Some(failure) = failure {
                self.reason = failure.into();
            } else if running {
                self.reason = "NotReady".into();
            }
        }
    }

    fn add_deletion(&mut self, pod: &Pod) {
        if pod.reason == "NodeLost" {
            self.reason = "Unknown".into();
        } else if !matches!(pod.phase.as_str(), "Succeeded" | "Failed") {
            self.reason = "Terminating".into();
        }
    }

    fn tone(&self) -> Tone {
        let reason = self.reason.strip_prefix("Init:").unwrap_or(&self.reason);
        match reason {
            "Running" if self.ready < self.containers => Tone::Warning,
            "Running" | "Completed" | "Succeeded" => Tone::Quiet,
            "Pending" | "ContainerCreating" | "PodInitializing" | "Terminating" | "SchedulingGated" => Tone::Busy,
            "NotReady" | "Unknown" => Tone::Warning,
            // `Init:0/2`.
            step if step.starts_with(|first: char| first.is_ascii_digit()) => Tone::Busy,
            _ => Tone::Failure,
        }
    }
}
