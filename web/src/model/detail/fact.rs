//! What is told of an object in a few words.

use super::{label::Label, object::Object, reference::Reference};
use crate::model::table::cell::Tone;

/// One thing that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub label: Label,
    /// How it stands.
    pub told: Told,
}

/// A value, and what can be made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Words of the server.
    Text(String),
    /// A word that says how something is.
    State(String, Tone),
    /// A moment, in milliseconds since 1970.
    Time(i64),
    /// Another object.
    Link(Reference),
}

/// Facts in the making. What the object does not say is left out.
#[derive(Debug, Default)]
pub(super) struct Facts(pub(super) Vec<Fact>);

impl Facts {
    pub(super) fn tell(&mut self, label: Label, told: Told) {
        self.0.push(Fact { label, told });
    }

    pub(super) fn text(&mut self, label: Label, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.tell(label, Told::Text(text));
        }
    }

    /// The value at a path, as it is written.
    pub(super) fn at(&mut self, label: Label, object: Object<'_>, path: &str) {
        self.text(label, object.written(path));
    }

    /// The values at some paths, each with its label.
    pub(super) fn all(&mut self, object: Object<'_>, paths: &[(Label, &str)]) {
        paths.iter().for_each(|(label, path)| self.at(*label, object, path));
    }

    pub(super) fn time(&mut self, label: Label, time: Option<i64>) {
        if let Some(time) = time {
            self.tell(label, Told::Time(time));
        }
    }

    /// An object by its kind and name.
    pub(super) fn link(&mut self, label: Label, [api_version, kind]: [&str; 2], [namespace, name]: [&str; 2]) {
        if !name.is_empty() {
            self.tell(label, Told::Link(Reference::new(api_version, kind, namespace, name)));
        }
    }
}
