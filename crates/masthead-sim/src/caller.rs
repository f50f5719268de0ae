//! Who asks.

use masthead::rest::HttpRequest;

use crate::{access::User, query::Query};

/// In whose name a request acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) user: User,
    /// Who owns the fields that a write sets.
    pub(crate) manager: String,
}

impl Caller {
    /// A user, with the field manager that the request names, else the program that sent it.
    pub(crate) fn of(user: User, request: &HttpRequest, query: &Query) -> Caller {
        let agent = request.headers.get("User-Agent").unwrap_or_default();
        let program = agent.split('/').next().filter(|name| !name.is_empty()).unwrap_or("unknown");
        let manager = match query.text("fieldManager") {
            "" => program,
            named => named,
        };
        Caller { user, manager: manager.to_owned() }
    }

    /// A part of the cluster itself.
    pub(crate) fn component(name: &str) -> Caller {
        Caller { user: User::component(name), manager: name.to_owned() }
    }
}
