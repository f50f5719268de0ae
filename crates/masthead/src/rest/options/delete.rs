//! Options of deletion, which go in the body.

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// How to delete. What is `None` is the server's choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// Check everything and delete nothing.
    pub dry_run: bool,
    /// How long the object may take to end by itself; 0 is at once.
    pub grace_period_seconds: Option<u32>,
    /// What happens to the objects it owns.
    pub propagation_policy: Option<PropagationPolicy>,
    /// What must be true of the object, or nothing is deleted.
    pub preconditions: Option<Preconditions>,
    /// Delete an object that the server can no longer read, without its finalizers. Unsafe for what it owns.
    pub ignore_store_read_error: bool,
}

/// What happens to the objects that a deleted one owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum PropagationPolicy {
    /// They stay.
    Orphan,
    /// They go after it.
    Background,
    /// They go before it.
    Foreground,
}

/// What must be true of an object for it to be deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preconditions {
    /// It is still the same object, and not another of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// It has not changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<String>,
}

impl Serialize for DeleteOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// A field that is left out when it is not set.
        fn maybe<S: SerializeStruct>(
            body: &mut S,
            name: &'static str,
            value: Option<&impl Serialize>,
        ) -> Result<(), S::Error> {
            match value {
                Some(value) => body.serialize_field(name, value),
                None => body.skip_field(name),
            }
        }
        let mut body = serializer.serialize_struct("DeleteOptions", 7)?;
        body.serialize_field("kind", "DeleteOptions")?;
        // The server takes this version for every group.
        body.serialize_field("apiVersion", "v1")?;
        maybe(&mut body, "dryRun", self.dry_run.then_some(&["All"]))?;
        maybe(&mut body, "gracePeriodSeconds", self.grace_period_seconds.as_ref())?;
        maybe(&mut body, "propagationPolicy", self.propagation_policy.as_ref())?;
        maybe(&mut body, "preconditions", self.preconditions.as_ref())?;
        maybe(
            &mut body,
            "ignoreStoreReadErrorWithClusterBreakingPotential",
            self.ignore_store_read_error.then_some(&true),
        )?;
        body.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_is_set_and_nothing_else() {
        let write = |options: &DeleteOptions| serde_json::to_string(options).unwrap();
        assert_eq!(write(&DeleteOptions::default()), r#"{"kind":"DeleteOptions","apiVersion":"v1"}"#);
        let options = DeleteOptions {
            dry_run: true,
            grace_period_seconds: Some(0),
            propagation_policy: Some(PropagationPolicy::Foreground),
            preconditions: Some(Preconditions { uid: Some("u".into()), resource_version: None }),
            ignore_store_read_error: false,
        };
        assert_eq!(
            write(&options),
            r#"{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"gracePeriodSeconds":0,"propagationPolicy":"Foreground","preconditions":{"uid":"u"}}"#
        );
    }
}
