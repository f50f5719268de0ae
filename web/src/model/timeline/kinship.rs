//! Who owns whom, as events tell it.
//!
//! A pod that is gone tells nothing any more, but the event of whoever made it names it.

use super::subject::Subject;

/// What an event of `owner` says that it owns.
pub(super) fn named_by(owner: &Subject, reason: &str, message: &str) -> Option<Subject> {
    let (kind, name) = match (owner.kind.as_str(), reason) {
        ("ReplicaSet" | "DaemonSet" | "Job" | "ReplicationController", "SuccessfulCreate" | "SuccessfulDelete") => {
            ("Pod", message.split_once("pod: ")?.1)
        }
        ("StatefulSet", "SuccessfulCreate" | "SuccessfulDelete") => ("Pod", message.split_once("Pod ")?.1),
        ("Deployment", "ScalingReplicaSet") => ("ReplicaSet", message.split_once("replica set ")?.1),
        ("CronJob", "SuccessfulCreate" | "SuccessfulDelete") => ("Job", message.split_once("job ")?.1),
        _ => return None,
    };
    let name = name.split([' ', ',']).next().filter(|name| !name.is_empty())?;
    let plain =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    plain.then(|| Subject { kind: kind.into(), namespace: owner.namespace.clone(), name: name.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &str, reason: &str, message: &str, expect: Option<(&str, &str)>) {
        let named = named_by(&Subject::new(kind, "shop", "web"), reason, message);
        let expect = expect.map(|(kind, name)| Subject::new(kind, "shop", name));
        assert_eq!(named, expect, "{message}");
    }

    /// The sentences of the controllers of Kubernetes 1.36.
    #[test]
    fn events_name_what_was_made() {
        check("ReplicaSet", "SuccessfulCreate", "Created pod: web-7c9f-x2x", Some(("Pod", "web-7c9f-x2x")));
        check("Job", "SuccessfulDelete", "Deleted pod: report-1", Some(("Pod", "report-1")));
        let create = "create Pod web-0 in StatefulSet web successful";
        check("StatefulSet", "SuccessfulCreate", create, Some(("Pod", "web-0")));
        let scaled = "Scaled up replica set web-7c9f from 0 to 3";
        check("Deployment", "ScalingReplicaSet", scaled, Some(("ReplicaSet", "web-7c9f")));
        check("CronJob", "SuccessfulCreate", "Created job backup-29", Some(("Job", "backup-29")));
        let claim = "create Claim data-web-0 Pod web-0 in StatefulSet web success";
        check("StatefulSet", "SuccessfulCreate", claim, Some(("Pod", "web-0")));
    }

    #[test]
    fn other_sentences_name_nobody() {
        check("Pod", "SuccessfulCreate", "Created pod: web", None);
        check("ReplicaSet", "FailedCreate", "Error creating: pods \"web\" is forbidden", None);
        check("ReplicaSet", "SuccessfulCreate", "Created pod: ", None);
        check("ReplicaSet", "SuccessfulCreate", "Created pod: <b>", None);
    }
}
