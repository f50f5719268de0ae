//! Where the API is, and what the page's address says about it.
//!
//! The address of the page is `/#/?code=0123abc`, with a code that the server exchanges once for the API's path, or
//! `/#/?api=/k-abc123` with the path itself: everything after `#` stays in the browser. Both are taken once and then removed
//! from what is visible, because the path is what keeps other pages out.

/// The path under which the API lives on the page's own origin; empty for the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiPath(String);

impl ApiPath {
    /// Accepts a path on this origin; anything that could name another origin or escape the path is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let path = text.trim_end_matches('/');
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
        let segments = path.strip_prefix('/').map(|rest| rest.split('/'));
        let safe = match segments {
            None => path.is_empty(),
            Some(mut segments) => segments
                .all(|segment| !segment.is_empty() && segment != "." && segment != ".." && segment.chars().all(plain)),
        };
        (safe && path.len() <= MAX_PATH).then(|| Self(path.to_owned()))
    }

    /// Whether the API is at the root of the origin.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path, without a slash at its end.
    pub fn path(&self) -> &str {
        &self.0
    }
}

/// What the fragment of the address says.
#[derive(Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The fragment without its `api` and `code` parameters, ready to be put back; empty when nothing else was in it.
    pub visible: String,
    /// The API's place, when the fragment names one.
    pub api: NamedApi,
    /// What the server exchanges for the API's place, when the fragment has one.
    pub code: Option<String>,
}

/// The `api` parameter of a fragment.
#[derive(Debug, PartialEq, Eq)]
pub enum NamedApi {
    /// There is none.
    Absent,
    /// A path on this origin.
    Path(ApiPath),
    /// Something that is not a path on this origin; it must not be used.
    Refused(String),
}

impl Fragment {
    /// Reads `location.hash`, with or without its `#`.
    pub fn parse(hash: &str) -> Self {
        let fragment = hash.strip_prefix('#').unwrap_or(hash);
        let (route, query) = fragment.split_once('?').unwrap_or((fragment, ""));
        let (mut api, mut code, mut others) = (NamedApi::Absent, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("api", value)) => api = named(value),
                Some(("code", value)) => code = Some(value.chars().take(MAX_PATH).collect()),
                _ => others.push(pair),
            }
        }
        let visible = match (route, others.as_slice()) {
            ("" | "/", []) => String::new(),
            (route, []) => format!("#{route}"),
            (route, others) => format!("#{route}?{}", others.join("&")),
        };
        Self { visible, api, code }
    }

    /// Whether it says anything about where the API is.
    pub fn names_api(&self) -> bool {
        self.api != NamedApi::Absent || self.code.is_some()
    }
}

fn named(value: &str) -> NamedApi {
    let decoded = value.replace("%2F", "/").replace("%2f", "/");
    match ApiPath::parse(&decoded) {
        Some(base) => NamedApi::Path(base),
        None => NamedApi::Refused(value.chars().take(MAX_PATH).collect()),
    }
}

/// Longer than any prefix worth typing, short enough to show in an error.
const MAX_PATH: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hash: &str, visible: &str, api: &str) {
        let fragment = Fragment::parse(hash);
        let found = match fragment.api {
            NamedApi::Absent => "absent".to_owned(),
            NamedApi::Path(base) => format!("path {}", base.path()),
            NamedApi::Refused(text) => format!("refused {text}"),
        };
        assert_eq!((fragment.visible.as_str(), found.as_str()), (visible, api), "{hash:?}");
    }

    #[test]
    fn takes_the_api_out_of_the_address() {
        check("#/?api=/k-abc123", "", "path /k-abc123");
        check("#/?api=%2Fk-abc123%2F", "", "path /k-abc123");
        check("#/pods?ns=web&api=/k-1&sort=age", "#/pods?ns=web&sort=age", "path /k-1");
        check("#/?api=/", "", "path ");
    }

    #[test]
    fn takes_the_code_out_of_the_address() {
        let check = |hash: &str, visible: &str, code: Option<&str>| {
            let fragment = Fragment::parse(hash);
            assert_eq!((fragment.visible.as_str(), fragment.code.as_deref()), (visible, code), "{hash:?}");
            assert_eq!(fragment.names_api(), code.is_some(), "{hash:?}");
        };
        check("#/?code=0123abc", "", Some("0123abc"));
        check("#/pods?ns=web&code=0&sort=age", "#/pods?ns=web&sort=age", Some("0"));
        check("#/pods?codes=0", "#/pods?codes=0", None);
    }

    #[test]
    fn leaves_an_address_without_one_alone() {
        check("", "", "absent");
        check("#/", "", "absent");
        check("#/pods", "#/pods", "absent");
        check("#/pods?apix=/a", "#/pods?apix=/a", "absent");
    }

    #[test]
    fn refuses_what_could_lead_elsewhere() {
        for value in
            ["https://evil.example", "//evil.example", "/\\evil", "k-abc", "/a//b", "/../x", "/a?b", "/a%3Fb", "/@x:1"]
        {
            check(&format!("#/?api={value}"), "", &format!("refused {value}"));
        }
    }
}
