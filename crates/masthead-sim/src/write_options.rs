//! The options of a request that writes, with the checks that the real server makes on them.

use crate::{cause::Cause, query::Query, refusal::Refusal};

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WriteOptions {
    /// Check everything and change nothing.
    pub(crate) dry_run: bool,
    /// Take fields from those who own them.
    pub(crate) force: bool,
    pub(crate) validation: FieldValidation,
}

/// What to do about fields that are unknown or there twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    Ignore,
    /// Tell them beside the answer.
    Warn,
    /// Refuse them.
    Strict,
}

/// The verbs that have such options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteVerb {
    Create,
    Update,
    Patch,
    /// A patch that says who applies it.
    Apply,
}

/// The longest name of a manager, in bytes.
const MAX_MANAGER: usize = 128;

impl WriteOptions {
    /// Reads the options of a verb from a query.
    pub(crate) fn of(verb: WriteVerb, query: &Query) -> Result<WriteOptions, Refusal> {
        let (manager, force) = (query.text("fieldManager"), query.maybe_flag("force"));
        let mut causes = Vec::new();
        match verb {
            WriteVerb::Apply if manager.is_empty() => {
                causes.push(Cause::required("fieldManager", "is required for apply patch"));
            }
            WriteVerb::Patch if force.is_some() => {
                causes.push(Cause::forbidden("force", "may not be specified for non-apply patch"));
            }
            _ => {}
        }
        causes.extend(wrong_manager(manager));
        let dry_run: Vec<&str> = query.all("dryRun").filter(|value| !value.is_empty()).collect();
        if dry_run.iter().any(|value| *value != "All") {
            let shown: Vec<String> = dry_run.iter().map(|value| format!("\"{value}\"")).collect();
            causes.push(Cause::unsupported("dryRun", &format!("[{}]", shown.join(",")), "\"All\""));
        }
        let validation = match query.text("fieldValidation") {
            "Ignore" => FieldValidation::Ignore,
            "" | "Warn" => FieldValidation::Warn,
            "Strict" => FieldValidation::Strict,
            other => {
                let supported = "\"\", \"Ignore\", \"Strict\", \"Warn\"";
                causes.push(Cause::unsupported("fieldValidation", &format!("\"{other}\""), supported));
                FieldValidation::Strict
            }
        };
        if causes.is_empty() {
            let force = force.unwrap_or_default();
            return Ok(WriteOptions { dry_run: !dry_run.is_empty(), force, validation });
        }
        let options = match verb {
            WriteVerb::Create => "CreateOptions",
            WriteVerb::Update => "UpdateOptions",
            WriteVerb::Patch | WriteVerb::Apply => "PatchOptions",
        };
        Err(Refusal::invalid_options(options, &causes))
    }
}

fn wrong_manager(manager: &str) -> Vec<Cause> {
    const FIELD: &str = "fieldManager";
    let mut causes = Vec::new();
    if manager.len() > MAX_MANAGER {
        causes.push(Cause::too_long(FIELD, MAX_MANAGER));
    }
    for (at, letter) in manager.char_indices().filter(|(_, letter)| letter.is_control()) {
        let why = format!("invalid character U+{:04X} (at position {at})", u32::from(letter));
        causes.push(Cause::invalid(FIELD, format_args!("{manager:?}"), why));
    }
    causes
}
