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
    /// The server answers.
    Live,
    /// The last attempt failed; another follows.
    Lost(Trouble),
}

/// What the chip in the bar says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// No answer yet.
    Connecting,
    /// The server answers.
    Live,
    /// Lost a moment ago.
    Reconnecting,
    /// Silent for so long that what is on screen may be wrong.
    Stale,
    /// Never connected.
    Offline,
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
    /// The server of the page answers, and it did not take the code that would have opened the API.
    CodeRefused,
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

    /// The same for a page whose code was refused: it does not know where the API is, so that what answers is not it.
    pub fn without_code(self) -> Self {
        match self.cause {
            Cause::NotAnApi => Self { cause: Cause::CodeRefused, ..self },
            _ => self,
        }
    }
}

impl Connection {
    /// The server gave a sign of life: an answer of whatever kind, or a change.
    pub fn alive(&mut self, now: i64) {
        self.phase = Phase::Live;
        self.proof = Some(now);
    }

    /// An attempt failed.
    pub fn lost(&mut self, trouble: Trouble) {
        self.phase = Phase::Lost(trouble);
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
        let silent = self.proof.is_some_and(|proof| now - proof >= STALE_AFTER_MS);
        match (&self.phase, self.proof) {
            (_, Some(_)) if silent => Chip::Stale,
            (Phase::Connecting, _) => Chip::Connecting,
            (Phase::Live, _) => Chip::Live,
            (Phase::Lost(_), None) => Chip::Offline,
            (Phase::Lost(_), Some(_)) => Chip::Reconnecting,
        }
    }
}

impl Chip {
    /// The state's name for styles and tests, which no language changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Live => "live",
            Self::Reconnecting => "reconnecting",
            Self::Stale => "stale",
            Self::Offline => "offline",
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

    /// Runs `alive@3 lost@5`, then writes the chip at each second asked for.
    fn check(script: &str, at: &[i64], expect: &str) {
        let mut connection = Connection::default();
        for step in script.split_whitespace() {
            let (event, second) = step.split_once('@').unwrap();
            match event {
                "alive" => connection.alive(second.parse::<i64>().unwrap() * 1000),
                _ => connection.lost(Trouble::of(&Error::network("list", "refused"))),
            }
        }
        let chips: Vec<&str> = at.iter().map(|second| connection.chip(second * 1000).name()).collect();
        assert_eq!(chips.join(" "), expect, "{script}");
    }

    #[test]
    fn follows_a_life() {
        check("", &[0, 60], "connecting connecting");
        check("alive@1", &[1, 10], "live live");
        check("alive@1 lost@5", &[5, 10, 11, 60], "reconnecting reconnecting stale stale");
        check("alive@1 lost@5 alive@20", &[20], "live");
        check("lost@1", &[1, 60], "offline offline");
        check("lost@1 alive@2", &[2], "live");
    }

    #[test]
    fn a_server_that_says_nothing_is_not_taken_for_alive() {
        check("alive@1", &[10, 11], "live stale");
    }

    #[test]
    fn a_failure_names_who_did_not_answer() {
        let check = |error: &Error, cause: Cause| assert_eq!(Trouble::of(error).cause, cause, "{error}");
        let status =
            |code, message: &str| Error::refused("list", Status { code, message: message.into(), ..Status::default() });
        check(&Error::network("list", "refused"), Cause::Unreachable);
        check(&Error::timed_out("list", Duration::from_secs(1)), Cause::Unreachable);
        check(&status(502, ""), Cause::Unreachable);
        check(&status(503, "the server is starting"), Cause::ServerFailing);
        check(&status(404, "no page"), Cause::NotAnApi);
        assert_eq!(Trouble::of(&status(404, "no page")).without_code().cause, Cause::CodeRefused);
        assert_eq!(Trouble::of(&Error::network("list", "refused")).without_code().cause, Cause::Unreachable);
    }
}
