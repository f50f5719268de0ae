//! What a verb can be asked beside its object: the options of meta/v1, as a request's query or body.

mod delete;
mod list;
mod write;

pub use delete::{DeleteOptions, Preconditions, PropagationPolicy};
pub use list::{GetOptions, ListOptions, ResourceVersionMatch};
pub use write::{ApplyOptions, CreateOptions, FieldValidation, PatchOptions, UpdateOptions};

/// Parameters in the making: what is not set is not sent.
#[derive(Default)]
pub(crate) struct Params(Vec<(&'static str, String)>);

/// What [`Request::params`](crate::rest::Request::params) takes.
pub(crate) type ParamsIter = std::vec::IntoIter<(&'static str, String)>;

impl Params {
    /// A text, unless it is empty.
    pub(crate) fn text(mut self, name: &'static str, text: &str) -> Params {
        if !text.is_empty() {
            self.0.push((name, text.to_owned()));
        }
        self
    }

    /// A value, if there is one.
    pub(crate) fn value(mut self, name: &'static str, value: Option<impl ToString>) -> Params {
        self.0.extend(value.map(|value| (name, value.to_string())));
        self
    }

    /// A switch, if it is on.
    pub(crate) fn flag(self, name: &'static str, on: bool) -> Params {
        self.value(name, on.then_some(true))
    }

    /// The only dry run there is, if it is asked for.
    pub(crate) fn dry_run(self, on: bool) -> Params {
        self.value("dryRun", on.then_some("All"))
    }

    pub(crate) fn finish(self) -> ParamsIter {
        self.0.into_iter()
    }
}
