//! The names at the left of the lanes.

use super::{
    lane::{Lane, LaneKey},
    words::Words,
};
use crate::model::visible::{excerpt, visible};

/// What stands at the left of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// In front, quietly.
    pub space: String,
    /// The name.
    pub name: String,
    /// At the right, quietly.
    pub kind: String,
}

impl Name {
    /// The name of a lane.
    pub fn of(lane: &Lane, words: &Words) -> Name {
        match &lane.key {
            LaneKey::Subject(subject) => {
                let space = if lane.depth == 0 { visible(&subject.namespace).into_owned() } else { String::new() };
                Name {
                    space,
                    name: visible(&subject.name).into_owned(),
                    kind: visible(&short(&subject.kind)).into_owned(),
                }
            }
            LaneKey::Namespace(space) if space.is_empty() => plain(words.cluster_wide),
            LaneKey::Namespace(name) | LaneKey::Reason(name) => plain(name),
        }
    }
}

fn plain(name: &str) -> Name {
    Name { space: String::new(), name: excerpt(name, 300).into_owned(), kind: String::new() }
}

/// A kind as kubectl abbreviates it, where it does.
fn short(kind: &str) -> String {
    let short = match kind {
        "Deployment" => "deploy",
        "ReplicaSet" => "rs",
        "StatefulSet" => "sts",
        "DaemonSet" => "ds",
        "CronJob" => "cj",
        "HorizontalPodAutoscaler" => "hpa",
        "PersistentVolumeClaim" => "pvc",
        "PersistentVolume" => "pv",
        "PodDisruptionBudget" => "pdb",
        "Namespace" => "ns",
        "Service" => "svc",
        "Ingress" => "ing",
        "ServiceAccount" => "sa",
        "ConfigMap" => "cm",
        "Endpoints" => "ep",
        other => return other.to_ascii_lowercase(),
    };
    short.to_owned()
}

/// `text` in at most `room` letters: what is left out is left out in the middle, as names differ at their ends.
pub fn fitted(text: &str, room: usize) -> String {
    let length = text.chars().count();
    if length <= room {
        return text.to_owned();
    }
    let tail = room.saturating_sub(1) * 2 / 5;
    let head = room.saturating_sub(1 + tail);
    text.chars().take(head).chain(['…']).chain(text.chars().skip(length - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::subject::Subject;

    #[test]
    fn a_lane_in_another_does_not_repeat_its_namespace() {
        let lane = |depth: usize| {
            let key = LaneKey::Subject(Subject::new("ReplicaSet", "shop", "web-1"));
            Name::of(&Lane::new(key, None, None, depth), Words::of("en"))
        };
        assert_eq!(lane(0), Name { space: "shop".into(), name: "web-1".into(), kind: "rs".into() });
        assert_eq!(lane(1).space, "");
        let none = Lane::new(LaneKey::Namespace("".into()), None, None, 0);
        assert_eq!(Name::of(&none, Words::of("zh-CN")).name, "无命名空间");
    }

    #[test]
    fn what_does_not_fit_loses_its_middle() {
        assert_eq!(fitted("web-7c9f8d6b5-x2x4z", 19), "web-7c9f8d6b5-x2x4z");
        assert_eq!(fitted("web-7c9f8d6b5-x2x4z", 12), "web-7c9…2x4z");
        assert_eq!(fitted("日志收集器", 3), "日志…");
        assert_eq!(fitted("abc", 1), "…");
    }
}
