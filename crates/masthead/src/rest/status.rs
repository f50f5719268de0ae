//! `Status`: how a Kubernetes API server says what failed.

use std::{fmt, time::Duration};

use serde::Deserialize;

/// The `metav1.Status` of a failed request or of an ERROR watch event.
///
/// Absent fields are empty: servers, proxies and webhooks leave out most of them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Status {
    /// The HTTP code the server means; inside a watch stream it differs from the code of the response.
    pub code: u16,
    /// One word for a program, such as `Forbidden` or `Expired`.
    pub reason: String,
    /// A sentence for a person.
    pub message: String,
    /// What the failure is about.
    pub details: Option<StatusDetails>,
}

impl Status {
    /// Whether the version or continue token the request named is too old, so that only a new list helps.
    pub fn is_gone(&self) -> bool {
        // Both reasons occur with and without the code, depending on where in the server the request ended.
        self.code == 410 || self.reason == "Expired" || self.reason == "Gone"
    }

    /// Whether the request named a version that this server has not reached.
    pub fn is_too_large_resource_version(&self) -> bool {
        let causes = self.details.iter().flat_map(|details| &details.causes);
        let named = causes.into_iter().any(|cause| cause.reason == "ResourceVersionTooLarge");
        // Servers before 1.17 name no cause.
        named || (self.reason == "Timeout" && self.message.contains("Too large resource version"))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        if !self.reason.is_empty() {
            write!(f, " {}", self.reason)?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

/// What a [`Status`] is about.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub struct StatusDetails {
    /// Name of the object, when the request named one.
    pub name: String,
    /// API group, empty for core.
    pub group: String,
    /// The resource in lower case plural, in spite of its name.
    pub kind: String,
    /// Uid of the object, when the request named one.
    pub uid: String,
    /// What is wrong in particular.
    pub causes: Vec<StatusCause>,
    /// Seconds to wait before another attempt; 0 when the server did not say.
    pub retry_after_seconds: u32,
}

/// One of the causes of a failure.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct StatusCause {
    /// One word for a program, such as `FieldValueRequired`.
    pub reason: String,
    /// A sentence for a person.
    pub message: String,
    /// The field it is about, as in `spec.replicas`.
    pub field: String,
}

impl StatusDetails {
    /// How long the server asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        (self.retry_after_seconds > 0).then(|| Duration::from_secs(self.retry_after_seconds.into()))
    }
}
