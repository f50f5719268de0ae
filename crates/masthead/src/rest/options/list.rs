//! Options of the verbs that read.

use std::{fmt, time::Duration};

use super::{Params, ParamsIter};

/// Which objects to list or watch, from when, and how many at once. What is empty is not sent.
///
/// ```
/// use masthead::rest::ListOptions;
///
/// let options = ListOptions { label_selector: "app=web".into(), limit: Some(500), ..Default::default() };
/// let params: Vec<_> = options.into_iter().collect();
/// assert_eq!(params, [("labelSelector", "app=web".to_owned()), ("limit", "500".to_owned())]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Only objects with these labels, as in `app=web,tier!=db`.
    pub label_selector: String,
    /// Only objects with these fields, as in `spec.nodeName=n1`.
    pub field_selector: String,
    /// Send changes as they come. The clients set it themselves.
    pub watch: bool,
    /// Let a watch also tell how far it is while nothing changes.
    pub allow_watch_bookmarks: bool,
    /// Where to list or watch from. `0` is anything the server has at hand; opaque otherwise.
    pub resource_version: String,
    /// How a list relates to `resource_version`.
    pub resource_version_match: Option<ResourceVersionMatch>,
    /// After how many seconds the server ends the request; the clients then give up too.
    pub timeout_seconds: Option<u32>,
    /// How many objects a page has at most; 0 and `None` are all of them.
    pub limit: Option<u32>,
    /// Where the last page ended.
    pub continue_token: String,
    /// Begin a watch with the present state. Needs `resource_version_match` and, for its end, `allow_watch_bookmarks`.
    pub send_initial_events: Option<bool>,
}

impl ListOptions {
    /// What a reflector asks for, of the objects that `which` selects.
    pub(crate) fn of(self, which: &ListOptions) -> ListOptions {
        ListOptions {
            label_selector: which.label_selector.clone(),
            field_selector: which.field_selector.clone(),
            ..self
        }
    }

    /// The bound that `timeout_seconds` puts on the request itself.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.timeout_seconds.map(|seconds| Duration::from_secs(seconds.into()))
    }
}

impl IntoIterator for &ListOptions {
    type Item = (&'static str, String);
    type IntoIter = ParamsIter;

    fn into_iter(self) -> ParamsIter {
        Params::default()
            .text("labelSelector", &self.label_selector)
            .text("fieldSelector", &self.field_selector)
            .flag("watch", self.watch)
            .flag("allowWatchBookmarks", self.allow_watch_bookmarks)
            .text("resourceVersion", &self.resource_version)
            .value("resourceVersionMatch", self.resource_version_match)
            .value("timeoutSeconds", self.timeout_seconds)
            .value("limit", self.limit.filter(|limit| *limit > 0))
            .text("continue", &self.continue_token)
            .value("sendInitialEvents", self.send_initial_events)
            .finish()
    }
}

/// How a list relates to the version it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceVersionMatch {
    /// At exactly this version.
    Exact,
    /// At this version or a later one.
    NotOlderThan,
}

impl fmt::Display for ResourceVersionMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResourceVersionMatch::Exact => "Exact",
            ResourceVersionMatch::NotOlderThan => "NotOlderThan",
        })
    }
}

/// From when to read one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetOptions {
    /// Empty for the latest; `0` for what the server has at hand.
    pub resource_version: String,
}

impl IntoIterator for &GetOptions {
    type Item = (&'static str, String);
    type IntoIter = ParamsIter;

    fn into_iter(self) -> ParamsIter {
        Params::default().text("resourceVersion", &self.resource_version).finish()
    }
}
