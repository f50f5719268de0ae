//! Who asks.

use masthead::rest::HttpRequest;

use crate::query::Query;

/// In whose name a request acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// Empty for the server itself and for whoever did not say: both may do everything.
    pub(crate) user: String,
    pub(crate) groups: Vec<String>,
    /// Who owns the fields that a write sets.
    pub(crate) manager: String,
}

impl Caller {
    /// The user that the request impersonates; the manager that it names, else the program that sent it.
    pub(crate) fn of(request: &HttpRequest, query: &Query) -> Caller {
        let header = |name: &str| request.headers.get(name).unwrap_or_default();
        let program = header("User-Agent").split('/').next().filter(|name| !name.is_empty()).unwrap_or("unknown");
        let manager = match query.text("fieldManager") {
            "" => program,
            named => named,
        };
        Caller {
            user: header("Impersonate-User").to_owned(),
            groups: request.headers.all("Impersonate-Group").map(str::to_owned).collect(),
            manager: manager.to_owned(),
        }
    }

    /// A part of the cluster itself.
    pub(crate) fn component(name: &str) -> Caller {
        Caller { user: String::new(), groups: Vec::new(), manager: name.to_owned() }
    }
}
