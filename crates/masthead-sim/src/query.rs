//! The parameters of a request, with the checks that the real server makes on them.

use crate::{cause::Cause, refusal::Refusal};

/// The query of a URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

/// What version a list or watch asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Named none: the latest.
    Latest,
    /// `0`: whatever is at hand.
    Any,
    Version(u64),
}

/// How a list or watch relates to its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    Unset,
    Exact,
    NotOlderThan,
}

impl Query {
    pub(crate) fn parse(query: &str) -> Query {
        Query(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// The value of `name`, empty when there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Every value of `name`.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether `name` is there and not `false` or `0`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.maybe_flag(name).unwrap_or_default()
    }

    pub(crate) fn maybe_flag(&self, name: &str) -> Option<bool> {
        let value = self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())?;
        Some(!matches!(value, "false" | "0"))
    }

    /// A number, if there is one; less than nothing counts as nothing.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        match self.text(name) {
            "" => Ok(None),
            text => text
                .parse::<i64>()
                .map(|number| Some(number.max(0).unsigned_abs()))
                .map_err(|_| Refusal::bad_request(format!("strconv.ParseInt: parsing \"{text}\": invalid syntax"))),
        }
    }

    /// The version to read from, or what is wrong with it.
    pub(crate) fn version(&self) -> Result<From, String> {
        match self.text("resourceVersion") {
            "" => Ok(From::Latest),
            "0" => Ok(From::Any),
            text => text.parse().map(From::Version).map_err(|_| {
                let why = format!("strconv.ParseUint: parsing \"{text}\": invalid syntax");
                format!("resourceVersion: Invalid value: \"{text}\": {why}")
            }),
        }
    }

    /// Whether to check everything and change nothing; `options` names the options of the verb.
    pub(crate) fn dry_run(&self, options: &str) -> Result<bool, Refusal> {
        match self.text("dryRun") {
            "" => Ok(false),
            "All" => Ok(true),
            other => {
                let cause = Cause::unsupported("dryRun", &format!("[\"{other}\"]"), "\"All\"");
                Err(Refusal::invalid_options(options, &[cause]))
            }
        }
    }

    /// `resourceVersionMatch` of a list, which does not fit every version.
    pub(crate) fn list_match(&self) -> Result<Match, Refusal> {
        const FIELD: &str = "resourceVersionMatch";
        let refuse = |causes: &[Cause]| Err(Refusal::invalid_options("ListOptions", causes));
        if self.maybe_flag("sendInitialEvents").is_some() {
            return refuse(&[Cause::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")]);
        }
        let (text, version) = (self.text(FIELD), self.text("resourceVersion"));
        if text.is_empty() {
            return Ok(Match::Unset);
        }
        let mut causes = Vec::new();
        if version.is_empty() {
            let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            causes.push(Cause::forbidden(FIELD, why));
        }
        if !self.text("continue").is_empty() {
            causes.push(Cause::forbidden(FIELD, "resourceVersionMatch is forbidden when continue is provided"));
        }
        if !matches!(text, "Exact" | "NotOlderThan") {
            let supported = "\"Exact\", \"NotOlderThan\", \"\"";
            causes.push(Cause::unsupported(FIELD, &format!("\"{text}\""), supported));
        }
        if text == "Exact" && version == "0" {
            let why = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
            causes.push(Cause::forbidden(FIELD, why));
        }
        match text {
            _ if !causes.is_empty() => refuse(&causes),
            "Exact" => Ok(Match::Exact),
            _ => Ok(Match::NotOlderThan),
        }
    }

    /// Whether a watch begins with the present state.
    pub(crate) fn initial_events(&self) -> Result<bool, Refusal> {
        const FIELD: &str = "resourceVersionMatch";
        let (text, asked) = (self.text(FIELD), self.maybe_flag("sendInitialEvents"));
        let mut causes = Vec::new();
        if asked.is_some() && text != "NotOlderThan" {
            let why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
            causes.push(Cause::forbidden(FIELD, why));
        }
        if asked.is_none() && !text.is_empty() {
            let why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
            causes.push(Cause::forbidden(FIELD, why));
        }
        if asked.is_some() && !matches!(text, "" | "NotOlderThan") {
            causes.push(Cause::unsupported(FIELD, &format!("\"{text}\""), "\"NotOlderThan\""));
        }
        if !causes.is_empty() {
            return Err(Refusal::invalid_options("ListOptions", &causes));
        }
        Ok(asked.unwrap_or(matches!(self.version(), Ok(From::Latest | From::Any))))
    }
}
