//! The containers of a pod, or of what makes pods.

use rustc_hash::FxHashMap;

use super::object::Object;
use crate::model::table::cell::Tone;

/// A container: what was asked for, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// When it runs.
    pub role: Role,
    /// The image that was asked for.
    pub image: String,
    /// What runs now; nothing for what only makes pods.
    pub state: Option<State>,
    /// How the run before this one ended.
    pub last: Option<State>,
    /// Whether it takes traffic.
    pub ready: bool,
    /// How often it was restarted.
    pub restarts: i64,
    /// What it asks for and what it may take, by resource.
    pub resources: Vec<Resource>,
    /// Its ports, as in `http 8080/TCP`.
    pub ports: Vec<String>,
    /// What tells this run from others; empty before the first.
    pub run: String,
}

/// When a container runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// With the others.
    Main,
    /// Before the others.
    Init,
    /// Before the others and beside them.
    Sidecar,
    /// When somebody looks into a pod.
    Ephemeral,
}

/// What a container does, or did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// In kubectl's words.
    pub word: String,
    /// How much attention it asks for.
    pub tone: Tone,
    /// More about it, in the server's words.
    pub message: String,
    /// The exit code, once it is over.
    pub code: Option<i64>,
    /// When it began, in milliseconds since 1970.
    pub began: Option<i64>,
    /// When it ended, in milliseconds since 1970.
    pub ended: Option<i64>,
}

/// An amount that a container asks for, and the one it may not exceed; empty where there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// As in `cpu`.
    pub name: String,
    /// What the scheduler sets aside.
    pub request: String,
    /// What it may take.
    pub limit: String,
}

impl Container {
    /// The containers of a pod, in the order in which they run.
    pub fn of_pod(pod: &serde_json::Value) -> Vec<Container> {
        Container::all(Object(pod).at("/spec"), Object(pod).at("/status"))
    }

    /// The container that a pod's author wants people to see first, as kubectl does; empty where nobody said.
    pub fn preferred(pod: &serde_json::Value) -> &str {
        Object(pod).text("/metadata/annotations/kubectl.kubernetes.io~1default-container")
    }

    pub(super) fn all(spec: Object<'_>, status: Object<'_>) -> Vec<Container> {
        let groups = [
            ("/initContainers", "/initContainerStatuses", Role::Init),
            ("/containers", "/containerStatuses", Role::Main),
            ("/ephemeralContainers", "/ephemeralContainerStatuses", Role::Ephemeral),
        ];
        let mut all = Vec::new();
        for (asked, became, role) in groups {
            let states: FxHashMap<&str, Object<'_>> =
                status.items(became).map(|status| (status.text("/name"), status)).collect();
            for written in spec.items(asked) {
                all.push(Container::of(written, states.get(written.text("/name")).copied(), role));
            }
        }
        all
    }

    fn of(asked: Object<'_>, became: Option<Object<'_>>, role: Role) -> Container {
        let sidecar = role == Role::Init && asked.text("/restartPolicy") == "Always";
        let state = |path| became.and_then(|became| State::of(became.at(path)));
        Container {
            name: asked.text("/name").to_owned(),
            role: if sidecar { Role::Sidecar } else { role },
            image: asked.text("/image").to_owned(),
            state: state("/state"),
            last: state("/lastState"),
            ready: became.is_some_and(|became| became.is("/ready")),
            restarts: became.and_then(|became| became.number("/restartCount")).unwrap_or(0),
            resources: Resource::all(asked.at("/resources")),
            ports: asked.items("/ports").map(port).collect(),
            run: became.map(|became| became.text("/containerID").to_owned()).unwrap_or_default(),
        }
    }
}

impl State {
    fn of(written: Object<'_>) -> Option<State> {
        let [waiting, running, over] = ["/waiting", "/running", "/terminated"].map(|path| written.at(path));
        if waiting.exists() {
            let word = Some(waiting.text("/reason")).filter(|reason| !reason.is_empty()).unwrap_or("Waiting");
            let busy = matches!(word, "Waiting" | "ContainerCreating" | "PodInitializing");
            let tone = if busy { Tone::Busy } else { Tone::Failure };
            let message = waiting.text("/message").to_owned();
            return Some(State { word: word.to_owned(), tone, message, code: None, began: None, ended: None });
        }
        if running.exists() {
            let began = running.time("/startedAt");
            let word = "Running".to_owned();
            return Some(State { word, tone: Tone::Quiet, message: String::new(), code: None, began, ended: None });
        }
        over.exists().then(|| {
            let code = over.number("/exitCode").unwrap_or(0);
            let word = match (over.text("/reason"), over.number("/signal")) {
                ("", Some(signal)) if signal != 0 => format!("Signal:{signal}"),
                ("", _) => format!("ExitCode:{code}"),
                (reason, _) => reason.to_owned(),
            };
            State {
                word,
                tone: if code == 0 { Tone::Quiet } else { Tone::Failure },
                message: over.text("/message").trim_end().to_owned(),
                code: Some(code),
                began: over.time("/startedAt"),
                ended: over.time("/finishedAt"),
            }
        })
    }
}

impl Resource {
    fn all(resources: Object<'_>) -> Vec<Resource> {
        let mut names: Vec<&str> = resources.keys("/requests").chain(resources.keys("/limits")).collect();
        names.sort();
        names.dedup();
        let amount = |kind: &str, name: &str| {
            resources.pairs(kind).find(|(key, _)| *key == name).map(|(_, amount)| amount).unwrap_or_default()
        };
        let one = |name: &str| Resource {
            name: name.to_owned(),
            request: amount("/requests", name),
            limit: amount("/limits", name),
        };
        names.into_iter().map(one).collect()
    }
}

fn port(port: Object<'_>) -> String {
    let protocol = Some(port.text("/protocol")).filter(|protocol| !protocol.is_empty()).unwrap_or("TCP");
    format!("{} {}/{protocol}", port.text("/name"), port.written("/containerPort")).trim_start().to_owned()
}
