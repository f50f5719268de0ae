//! The ways to say what should change.

/// How the body of a PATCH is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatchKind {
    /// RFC 6902: a list of operations.
    Json,
    /// RFC 7386: an object laid over the other; lists are replaced.
    Merge,
    /// Kubernetes' own: lists merge by their key. Built-in kinds only.
    StrategicMerge,
    /// Server-side apply: the fields this manager wants to own.
    Apply,
}

impl PatchKind {
    /// The content type that the server knows it by.
    pub fn content_type(self) -> &'static str {
        match self {
            PatchKind::Json => "application/json-patch+json",
            PatchKind::Merge => "application/merge-patch+json",
            PatchKind::StrategicMerge => "application/strategic-merge-patch+json",
            PatchKind::Apply => "application/apply-patch+yaml",
        }
    }
}
