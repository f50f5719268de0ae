//! How the rows of one table are supplied: whether they came, and whether they still follow the server.

use std::{collections::BTreeMap, rc::Rc};

use masthead::{Error, cache::StaleObject};

use crate::model::connection::Trouble;

/// How a list stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Supply {
    /// Whether the rows are complete.
    pub complete: bool,
    /// Why they are not, or no longer.
    pub hindrance: Option<Hindrance>,
    /// Objects that the server sent and this page could not read.
    pub unread: Unread,
    /// Objects of which only an earlier state, or none, could be read.
    pub stale: Stale,
}

/// What stands between a list and the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Hindrance {
    /// The server said no.
    Refused(Refusal),
    /// The server does not have this kind.
    NoKind,
    /// Something failed, and is tried again.
    Failing(Trouble),
}

/// What the server refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The verb, as RBAC names it.
    pub verb: &'static str,
    /// 401 or 403.
    pub code: u16,
    /// The server's own words: they name the user, the resource and the namespace.
    pub why: String,
}

/// Objects that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// How many.
    pub count: usize,
    /// The latest reason.
    pub latest: String,
}

/// Objects that the server has and whose present state this page could not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// How many.
    pub count: usize,
    /// Why, by namespace and name; of the first [`Stale::LISTED`].
    listed: BTreeMap<String, String>,
}

impl Stale {
    /// More than a person looks at: where all objects of a kind cannot be read, the first ones tell why.
    const LISTED: usize = 1000;

    /// What the store says.
    pub fn of(objects: &[Rc<StaleObject>]) -> Stale {
        let listed = objects.iter().take(Stale::LISTED);
        let listed = listed.map(|object| (object.key.to_string(), object.error.to_string())).collect();
        Stale { count: objects.len(), listed }
    }

    /// Why the state of this object could not be read; `None` where it could.
    pub fn why(&self, key: &str) -> Option<&str> {
        self.listed.get(key).map(String::as_str)
    }

    /// Why the first of them could not be read.
    pub fn first(&self) -> Option<&str> {
        self.listed.values().next().map(String::as_str)
    }
}

impl Supply {
    /// A list or watch failed. An expired version is the server's way to ask for a new list, not a failure.
    pub fn failed(&mut self, verb: &'static str, error: &Error) {
        if !error.is_gone() {
            self.hindrance = Some(Hindrance::of(verb, error));
        }
    }

    /// A change arrived, or a version that was not known before: the list follows the server.
    pub fn followed(&mut self) {
        self.hindrance = None;
    }

    /// The server answers again. What it refused it still refuses.
    pub fn reachable(&mut self) {
        if matches!(self.hindrance, Some(Hindrance::Failing(_))) {
            self.hindrance = None;
        }
    }

    /// An object could not be read.
    pub fn skipped(&mut self, error: &Error) {
        self.unread.count += 1;
        self.unread.latest = error.to_string();
    }
}

impl Hindrance {
    /// The server's own words, where it said any.
    pub fn why(&self) -> Option<String> {
        match self {
            Hindrance::Refused(refusal) => Some(refusal.why.clone()),
            Hindrance::NoKind | Hindrance::Failing(_) => None,
        }
    }

    fn of(verb: &'static str, error: &Error) -> Hindrance {
        match error.status().filter(|status| matches!(status.code, 401 | 403)) {
            Some(status) => Hindrance::Refused(Refusal { verb, code: status.code, why: status.message.clone() }),
            None if error.is_not_found() => Hindrance::NoKind,
            None => Hindrance::Failing(Trouble::of(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use masthead::rest::Status;

    use super::*;

    fn refused(code: u16) -> Error {
        Error::refused("list pods", Status { code, message: "no".into(), ..Status::default() })
    }

    fn check(script: &str, expect: &str) {
        let mut supply = Supply::default();
        for step in script.split_whitespace() {
            match step {
                "followed" => supply.followed(),
                "reachable" => supply.reachable(),
                "network" => supply.failed("list", &Error::network("list pods", "refused")),
                code => supply.failed("list", &refused(code.parse().unwrap())),
            }
        }
        let state = match supply.hindrance {
            None => "none".to_owned(),
            Some(Hindrance::NoKind) => "no kind".to_owned(),
            Some(Hindrance::Refused(refusal)) => format!("refused {}", refusal.code),
            Some(Hindrance::Failing(_)) => "failing".to_owned(),
        };
        assert_eq!(state, expect, "{script}");
    }

    #[test]
    fn what_hinders_a_list_goes_when_it_is_over() {
        check("", "none");
        check("network", "failing");
        check("network reachable", "none");
        check("500 followed", "none");
        check("403", "refused 403");
        check("401 reachable", "refused 401");
        check("403 followed", "none");
        check("404", "no kind");
        check("404 reachable", "no kind");
        check("410", "none");
    }
}
