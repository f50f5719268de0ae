//! What a person calls a resource.

use std::{fmt, str::FromStr};

use crate::Error;

/// A name such as `deploy`, `deployments.apps`, `deployments.v1.apps` or `pods/log`.
///
/// Case does not matter. What follows the first dot may be a version and a group or a group alone: both are tried, in this
/// order, since `networking.k8s.io` could be either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceName {
    /// Plural, singular or short.
    resource: String,
    /// What follows the first dot; never empty.
    qualifier: Option<String>,
    sub_resource: Option<String>,
}

/// One way to understand a name. An absent part may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading<'a> {
    pub(super) resource: &'a str,
    pub(super) version: Option<&'a str>,
    pub(super) group: Option<&'a str>,
}

impl ResourceName {
    /// Plural, singular or short, in lower case.
    pub fn resource(&self) -> &str {
        &self.resource
    }

    /// The part of the resource that is meant, as `log`.
    pub fn sub_resource(&self) -> Option<&str> {
        self.sub_resource.as_deref()
    }

    /// The ways to understand it, the more specific one first.
    pub(super) fn readings(&self) -> impl Iterator<Item = Reading<'_>> {
        let qualifier = self.qualifier.as_deref();
        let full = qualifier.and_then(|qualifier| qualifier.split_once('.'));
        let full = full.map(|(version, group)| (Some(version), Some(group)));
        full.into_iter().chain([(None, qualifier)]).map(|(version, group)| Reading {
            resource: &self.resource,
            version: version.filter(|version| !version.is_empty()),
            group: group.filter(|group| !group.is_empty()),
        })
    }
}

impl FromStr for ResourceName {
    type Err = Error;

    fn from_str(text: &str) -> Result<ResourceName, Error> {
        let (name, sub_resource) = match text.split_once('/') {
            Some((name, part)) => (name, Some(part.to_ascii_lowercase())),
            None => (text, None),
        };
        let (resource, qualifier) = match name.split_once('.') {
            Some((resource, qualifier)) => (resource, Some(qualifier.to_ascii_lowercase())),
            None => (name, None),
        };
        if resource.is_empty() || sub_resource.as_deref() == Some("") {
            return Err(Error::invalid("map resource", format!("a resource must be present, got: {text:?}")));
        }
        let qualifier = qualifier.filter(|qualifier| !qualifier.is_empty());
        Ok(ResourceName { resource: resource.to_ascii_lowercase(), qualifier, sub_resource })
    }
}

impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.resource)?;
        if let Some(qualifier) = &self.qualifier {
            write!(f, ".{qualifier}")?;
        }
        if let Some(part) = &self.sub_resource {
            write!(f, "/{part}")?;
        }
        Ok(())
    }
}

/// As Go writes a group, version and resource.
impl fmt::Display for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, version) = (self.group.unwrap_or_default(), self.version.unwrap_or_default());
        write!(f, "{group}/{version}, Resource={}", self.resource)
    }
}
