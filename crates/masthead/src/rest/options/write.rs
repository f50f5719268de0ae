//! Options of the verbs that write.

use std::fmt;

use super::{Params, ParamsIter};

/// How to create an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CreateOptions {
    /// Check everything and store nothing.
    pub dry_run: bool,
    /// Who owns the fields that are set; empty for a name made of the user agent.
    pub field_manager: String,
    /// What the server does about fields it does not know.
    pub field_validation: Option<FieldValidation>,
}

/// How to replace an object: as it is created.
pub type UpdateOptions = CreateOptions;

impl IntoIterator for &CreateOptions {
    type Item = (&'static str, String);
    type IntoIter = ParamsIter;

    fn into_iter(self) -> ParamsIter {
        Params::default()
            .dry_run(self.dry_run)
            .text("fieldManager", &self.field_manager)
            .value("fieldValidation", self.field_validation)
            .finish()
    }
}

/// What the server does about fields it does not know, or finds twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldValidation {
    /// Drops them in silence.
    Ignore,
    /// Drops them and warns.
    Warn,
    /// Refuses the request.
    Strict,
}

impl fmt::Display for FieldValidation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FieldValidation::Ignore => "Ignore",
            FieldValidation::Warn => "Warn",
            FieldValidation::Strict => "Strict",
        })
    }
}

/// How to patch an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatchOptions {
    /// Check everything and store nothing.
    pub dry_run: bool,
    /// Who owns the fields that are set; required by [`PatchKind::Apply`](crate::rest::PatchKind::Apply).
    pub field_manager: String,
    /// What the server does about fields it does not know.
    pub field_validation: Option<FieldValidation>,
    /// Take fields from their owners. For [`PatchKind::Apply`](crate::rest::PatchKind::Apply) only: the server refuses it
    /// otherwise.
    pub force: Option<bool>,
}

impl IntoIterator for &PatchOptions {
    type Item = (&'static str, String);
    type IntoIter = ParamsIter;

    fn into_iter(self) -> ParamsIter {
        Params::default()
            .dry_run(self.dry_run)
            .value("force", self.force)
            .text("fieldManager", &self.field_manager)
            .value("fieldValidation", self.field_validation)
            .finish()
    }
}

/// How to apply a configuration on the server's side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    /// Check everything and store nothing.
    pub dry_run: bool,
    /// Take fields from their owners, where it would be a conflict.
    pub force: bool,
    /// Who owns the fields that are set. The server requires it.
    pub field_manager: String,
}

impl From<&ApplyOptions> for PatchOptions {
    fn from(options: &ApplyOptions) -> PatchOptions {
        PatchOptions {
            dry_run: options.dry_run,
            field_manager: options.field_manager.clone(),
            field_validation: None,
            force: Some(options.force),
        }
    }
}
