//! A namespace, as lean as its row.

use serde::Deserialize;

use crate::model::timestamp;

/// What the table shows of a namespace, and what identifies it.
#[derive(Clone, Debug, PartialEq)]
pub struct Namespace {
    /// Differs between two namespaces of one name where one was deleted and made again.
    pub uid: String,
    /// The name.
    pub name: String,
    /// Where in its life it is.
    pub phase: Phase,
    /// The server's creation time, as it wrote it.
    pub created_text: String,
    /// The same in milliseconds since 1970; `None` when absent or unreadable.
    pub created: Option<i64>,
    /// The version of this state; opaque.
    pub resource_version: String,
}

/// `status.phase` of a namespace.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// In use.
    Active,
    /// Being deleted.
    Terminating,
    /// What this page does not know by name.
    Unrecognised(String),
}

impl Phase {
    /// The server's own word.
    pub fn label(&self) -> &str {
        match self {
            Self::Active => "Active",
            Self::Terminating => "Terminating",
            Self::Unrecognised(phase) => phase,
        }
    }
}

impl<'de> Deserialize<'de> for Namespace {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Wire { metadata, status } = Wire::deserialize(deserializer)?;
        Ok(Self {
            uid: metadata.uid,
            name: metadata.name,
            phase: match status.phase.as_str() {
                "Active" => Phase::Active,
                "Terminating" => Phase::Terminating,
                _ => Phase::Unrecognised(status.phase),
            },
            created: timestamp::parse(&metadata.creation_timestamp),
            created_text: metadata.creation_timestamp,
            resource_version: metadata.resource_version,
        })
    }
}

#[derive(Deserialize)]
struct Wire {
    metadata: WireMeta,
    #[serde(default)]
    status: WireStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireMeta {
    uid: String,
    name: String,
    resource_version: String,
    #[serde(default)]
    creation_timestamp: String,
}

#[derive(Default, Deserialize)]
struct WireStatus {
    #[serde(default)]
    phase: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_server_sends_and_ignores_the_rest() {
        let json = r#"{"kind":"Namespace","metadata":{"name":"web","uid":"u1","resourceVersion":"5",
            "creationTimestamp":"1970-01-01T00:00:01Z","labels":{"a":"b"}},"spec":{"finalizers":["kubernetes"]},
            "status":{"phase":"Terminating"}}"#;
        let namespace: Namespace = serde_json::from_str(json).unwrap();
        assert_eq!((namespace.name.as_str(), namespace.created), ("web", Some(1000)));
        assert_eq!(namespace.phase, Phase::Terminating);
    }

    #[test]
    fn one_without_a_uid_cannot_be_a_row() {
        let json = r#"{"metadata":{"name":"web","resourceVersion":"5"}}"#;
        assert!(serde_json::from_str::<Namespace>(json).is_err());
    }
}
