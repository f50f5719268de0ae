//! The words of logs.

/// What the log of a container says beside its lines.
#[derive(Debug)]
#[expect(missing_docs, reason = "a field's English text is its documentation")]
pub struct LogWords {
    pub container: &'static str,
    pub follow: &'static str,
    pub previous: &'static str,
    pub wrap: &'static str,
    pub times: &'static str,
    pub search: &'static str,
    pub next: &'static str,
    pub before: &'static str,
    pub found: fn(usize, usize) -> String,
    pub opening: &'static str,
    pub empty: &'static str,
    pub ended: &'static str,
    pub failed: fn(&str) -> String,
    pub again: &'static str,
    pub dropped: fn(usize) -> String,
    pub cut: &'static str,
    pub to_end: &'static str,
    pub copy: &'static str,
    pub download: &'static str,
    pub label: fn(&str) -> String,
}
