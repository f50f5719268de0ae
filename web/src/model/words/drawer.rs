//! The words of the drawer.

use crate::model::detail::{Label, Role};

/// What the drawer says beside the server's own words.
#[derive(Debug)]
#[expect(missing_docs, reason = "a field's English text is its documentation")]
pub struct DrawerWords {
    pub label: fn(Label) -> &'static str,
    pub role: fn(Role) -> &'static str,
    pub overview: &'static str,
    pub logs: &'static str,
    pub timeline: &'static str,
    pub related: &'static str,
    pub tabs: &'static str,
    pub conditions: &'static str,
    pub containers: &'static str,
    pub capacity: &'static str,
    pub keys: &'static str,
    pub labels: &'static str,
    pub annotations: &'static str,
    pub owners: &'static str,
    pub uses: &'static str,
    pub used_by: fn(&str) -> String,
    pub selected_by: fn(&str) -> String,
    pub unused: &'static str,
    pub looking: fn(&str) -> String,
    pub not_looked: fn(&str) -> String,
    pub restarts: fn(i64) -> String,
    pub not_ready: &'static str,
    pub ago: fn(&str) -> String,
    pub last_run: &'static str,
    pub exit_code: fn(i64) -> String,
    pub request_limit: fn(&str, &str) -> String,
    pub no_requests: &'static str,
    pub taken_of: fn(&str, &str) -> String,
    pub none_here: &'static str,
    pub more: fn(usize) -> String,
    pub show_table: &'static str,
    pub show_value: fn(&str) -> String,
    pub hide_value: fn(&str) -> String,
    pub copy_value: fn(&str) -> String,
    pub bytes: fn(usize) -> String,
    pub secret_says: &'static str,
    pub secret_asks: &'static str,
    pub secret_masked: &'static str,
    pub no_events: &'static str,
    pub times: fn(i64) -> String,
}
