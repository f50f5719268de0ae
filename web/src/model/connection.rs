//! The page's connection to the API server, as a state machine.

use masthead::Error;

/// Where the connection stands, and when the server last gave a sign of life.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    phase: Phase,
    proof: Option<i64>,
}

/// What the connection is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// The first request is under way.
    #[default]
    Connecting,
    /// The server answers and changes arrive.
    Live,
    /// The last attempt failed; another follows.
    Lost(Trouble),
    /// The server answered, and said no.
    Refused(Refusal),
}

/// What the chip in the bar says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// No answer yet.
    Connecting,
    /// Changes arrive.
    Live,
    /// Lost a moment ago.
    Reconnecting,
    /// Lost for so long that what is on screen may be wrong.
    Stale,
    /// Never connected.
    Offline,
    /// Refused.
    Forbidden,
}

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// What kind of failure it is, for the advice.
    pub cause: Cause,
    /// The error in full.
    pub detail: String,
}

/// Who did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nobody answers at the address.
    Unreachable,
    /// A proxy answers, the API server behind it fails.
    ServerFailing,
    /// Somebody answers who is not an API server.
    NotAnApi,
}

/// What the server refused, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The verb, as RBAC names it.
    pub verb: &'static str,
    /// The resource, as RBAC names it.
    pub resource: &'static str,
    /// 401 or 403.
    pub code: u16,
    /// The server's own words.
    pub why: String,
}

impl Refusal {
    /// Reads a refusal out of an error; `None` when the error is of another kind.
    pub fn of(error: &Error, verb: &'static str, resource: &'static str) -> Option<Self> {
        let status = error.status().filter(|status| matches!(status.code, 401 | 403))?;
        Some(Self { verb, resource, code: status.code, why: status.message.clone() })
    }
}

impl Trouble {
    /// Classifies a failure that is not a refusal.
    ///
    /// A 502 or an error without a word is from a server that forwards to a proxy, and the proxy does not run.
    pub fn of(error: &Error) -> Self {
        let cause = if error.is_not_json() || error.is_not_found() || error.is_undecodable() {
            Cause::NotAnApi
        } else if error.status().is_some_and(|status| status.code != 502 && !status.message.is_empty()) {
            Cause::ServerFailing
        } else {
            Cause::Unreachable
        };
        Self { cause, detail: error.to_string() }
    }
}

impl Connection {
    /// The server gave a sign of life: an answer, an event, a bookmark.
    pub fn alive(&mut self, now: i64) {
        self.phase = Phase::Live;
        self.proof = Some(now);
    }

    /// An attempt failed.
    pub fn lost(&mut self, trouble: Trouble) {
        self.phase = Phase::Lost(trouble);
    }

    /// The server said no, which is a sign of life too.
    pub fn refused(&mut self, refusal: Refusal, now: i64) {
        self.phase = Phase::Refused(refusal);
        self.proof = Some(now);
    }

    /// What the connection is doing.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// When the server last gave a sign of life.
    pub fn proof(&self) -> Option<i64> {
        self.proof
    }

    /// What the chip says at `now`.
    pub fn chip(&self, now: i64) -> Chip {
        match (&self.phase, self.proof) {
            (Phase::Connecting, _) => Chip::Connecting,
            (Phase::Live, _) => Chip::Live,
            (Phase::Refused(_), _) => Chip::Forbidden,
            (Phase::Lost(_), None) => Chip::Offline,
            (Phase::Lost(_), Some(proof)) if now - proof < STALE_AFTER_MS => Chip::Reconnecting,
            (Phase::Lost(_), Some(_)) => Chip::Stale,
        }
    }
}

impl Chip {
    /// The word on the chip, which is also its state for tests and styles.
    pub fn label(self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Live => "live",
            Self::Reconnecting => "reconnecting",
            Self::Stale => "stale",
            Self::Offline => "offline",
            Self::Forbidden => "forbidden",
        }
    }
}

/// Rows that nobody vouched for in this time are marked.
const STALE_AFTER_MS: i64 = 10_000;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use masthead::rest::Status;

    use super::*;

    /// Runs `alive@3 lost@5 refused@7`, then writes the chip at each second asked for.
    fn check(script: &str, at: &[i64], expect: &str) {
        let mut connection = Connection::default();
        for step in script.split_whitespace() {
            let (event, second) = step.split_once('@').unwrap();
            let now = second.parse::<i64>().unwrap() * 1000;
            match event {
                "alive" => connection.alive(now),
                "lost" => connection.lost(Trouble::of(&Error::network("list", "refused"))),
                _ => connection.refused(refusal(403).unwrap(), now),
            }
        }
        let chips: Vec<&str> = at.iter().map(|second| connection.chip(second * 1000).label()).collect();
        assert_eq!(chips.join(" "), expect, "{script}");
    }

    fn refusal(code: u16) -> Option<Refusal> {
        let status = Status { code, message: "no".into(), ..Status::default() };
        Refusal::of(&Error::refused("list namespaces", status), "list", "namespaces")
    }

    #[test]
    fn follows_a_life() {
        check("", &[0, 60], "connecting connecting");
        check("alive@1", &[1, 600], "live live");
        check("alive@1 lost@5", &[5, 10, 11, 60], "reconnecting reconnecting stale stale");
        check("alive@1 lost@5 alive@20", &[20], "live");
        check("lost@1", &[1, 60], "offline offline");
        check("lost@1 alive@2", &[2], "live");
        check("refused@1", &[1, 60], "forbidden forbidden");
        check("refused@1 lost@2", &[3, 12], "reconnecting stale");
    }

    #[test]
    fn only_401_and_403_are_refusals() {
        assert!(refusal(403).is_some());
        assert!(refusal(401).is_some());
        assert!(refusal(500).is_none());
    }

    #[test]
    fn tells_who_did_not_answer() {
        let says =
            |code, message: &str| Error::refused("list", Status { code, message: message.into(), ..Status::default() });
        let cause = |error: Error| Trouble::of(&error).cause;
        assert_eq!(cause(Error::timed_out("list", Duration::from_secs(9))), Cause::Unreachable);
        assert_eq!(cause(says(500, "")), Cause::Unreachable);
        assert_eq!(cause(says(502, "connection refused")), Cause::Unreachable);
        assert_eq!(cause(says(500, "dial tcp: connection refused")), Cause::ServerFailing);
        assert_eq!(cause(says(404, "404 page not found")), Cause::NotAnApi);
    }
}
