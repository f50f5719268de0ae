//! What a controller says of an object.

use super::object::Object;
use crate::model::table::cell::Tone;

/// A condition of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What it is about, as in `Ready`.
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// How much attention it asks for.
    pub tone: Tone,
    /// One word why.
    pub reason: String,
    /// A sentence why.
    pub message: String,
    /// Since when it is so, in milliseconds since 1970.
    pub since: Option<i64>,
}

impl Condition {
    pub(super) fn all(object: Object<'_>) -> Vec<Condition> {
        let mut all: Vec<Condition> = object.items("/status/conditions").map(Condition::of).collect();
        all.sort_by_key(|condition| std::cmp::Reverse(condition.tone));
        all
    }

    fn of(written: Object<'_>) -> Condition {
        let [kind, status, reason, message] =
            ["/type", "/status", "/reason", "/message"].map(|path| written.text(path).to_owned());
        let since = ["/lastTransitionTime", "/lastUpdateTime"].iter().find_map(|path| written.time(path));
        let tone = tone(&kind, &status, &reason);
        Condition { kind, status, tone, reason, message, since }
    }
}

/// Most conditions are good news; of those that are not known nobody can tell.
fn tone(kind: &str, status: &str, reason: &str) -> Tone {
    let bad_news = ["Pressure", "Unavailable", "Failure", "Failed", "Degraded", "Stalled", "DisruptionTarget"];
    let good_news =
        ["Ready", "Available", "Progressing", "Initialized", "Scheduled", "Established", "Accepted", "Healthy"];
    let is_bad = bad_news.iter().any(|end| kind.ends_with(end));
    let is_good = good_news.iter().any(|end| kind.ends_with(end));
    match status {
        "True" if is_bad => Tone::Failure,
        "False" if is_good && reason != "PodCompleted" => Tone::Warning,
        "Unknown" if is_good || is_bad => Tone::Warning,
        _ => Tone::Quiet,
    }
}
