//! The words of the overview.

/// What the overview says beside the server's own words.
#[derive(Debug)]
#[expect(missing_docs, reason = "a field's English text is its documentation")]
pub struct OverviewWords {
    pub title: &'static str,
    pub wrong: &'static str,
    pub still_loading: fn(&str) -> String,
    pub refused: fn(&str) -> String,
    pub not_counted: &'static str,
    pub pods: &'static str,
    pub pods_failing: &'static str,
    pub not_ready: &'static str,
    pub warnings: &'static str,
    pub nodes: &'static str,
    pub nodes_not_ready: &'static str,
    pub nodes_pressed: &'static str,
    pub nodes_cordoned: &'static str,
    pub workloads: &'static str,
    pub unavailable: &'static str,
    pub capacity: &'static str,
    pub requested_of: fn(&str, &str) -> String,
    pub changes: &'static str,
    pub created: &'static str,
    pub changed: &'static str,
    pub deleted: &'static str,
    pub no_changes: &'static str,
    pub all_well: fn(usize) -> String,
    pub watches: &'static str,
}
