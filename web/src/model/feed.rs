//! What to ask next: list or watch, and after which pause.
//!
//! A list names a version, the watch goes on from it, and every event moves it. The version survives a lost connection,
//! so that nothing is read twice; it is forgotten where only a new list can tell what is true.

use std::time::Duration;

use masthead::Error;

use crate::model::backoff::Backoff;

/// The next request.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Read everything.
    List,
    /// Read changes since this version.
    Watch(String),
}

/// How a request ended.
#[derive(Debug)]
pub enum Ended {
    /// The watch ran for `lasted` and the server closed it as agreed.
    Cleanly {
        /// How long the watch was open.
        lasted: Duration,
    },
    /// The watch showed no sign of life for too long.
    Silently,
    /// With an error, which an ERROR event is too.
    With(Error),
}

/// The position in the stream of changes.
#[derive(Debug, Default)]
pub struct Feed {
    version: Option<String>,
    backoff: Backoff,
}

impl Feed {
    /// The next request.
    pub fn next(&self) -> Next {
        self.version.clone().map_or(Next::List, Next::Watch)
    }

    /// Everything up to `version` was read.
    pub fn reached(&mut self, version: String) {
        self.version = Some(version);
        self.backoff.reset();
    }

    /// Decides what a request's end means and how long to pause; `random` is in 0..1.
    pub fn ended(&mut self, ended: &Ended, random: f64) -> Duration {
        match ended {
            Ended::Cleanly { lasted } if *lasted >= SHORT_WATCH => Duration::ZERO,
            Ended::Cleanly { .. } => self.backoff.next(random),
            Ended::Silently => {
                self.version = None;
                Duration::ZERO
            }
            Ended::With(error) => self.failed(error, random),
        }
    }

    fn failed(&mut self, error: &Error, random: f64) -> Duration {
        let refused = error.is_forbidden() || error.is_unauthorized();
        let may_resume = refused || error.is_network() || error.is_server_failure() || error.is_too_many_requests();
        if !may_resume {
            self.version = None;
        }
        let pause = if refused { REFUSED_PAUSE } else { self.backoff.next(random) };
        pause.max(error.retry_after().unwrap_or_default())
    }
}

/// A watch that ends sooner than this would be asked for again in a loop.
const SHORT_WATCH: Duration = Duration::from_secs(5);

/// Permissions change by hand, so that asking more often only fills the audit log.
const REFUSED_PAUSE: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use masthead::rest::Status;

    use super::*;

    fn refused(code: u16) -> Ended {
        Ended::With(Error::refused("watch", Status { code, ..Status::default() }))
    }

    /// The feed had reached version 7 when the request ended.
    fn check(ended: Ended, next: Next, pause_ms: u64) {
        let mut feed = Feed::default();
        feed.reached("7".into());
        assert_eq!(feed.ended(&ended, 0.0), Duration::from_millis(pause_ms), "{ended:?}");
        assert_eq!(feed.next(), next, "{ended:?}");
    }

    fn watch() -> Next {
        Next::Watch("7".into())
    }

    #[test]
    fn a_clean_end_and_a_lost_connection_resume() {
        check(Ended::Cleanly { lasted: Duration::from_secs(300) }, watch(), 0);
        check(Ended::Cleanly { lasted: Duration::from_millis(3) }, watch(), 500);
        check(Ended::With(Error::network("watch", "cut")), watch(), 500);
        check(refused(500), watch(), 500);
        check(refused(429), watch(), 500);
    }

    #[test]
    fn what_only_a_list_can_tell_is_listed() {
        check(refused(410), Next::List, 500);
        check(refused(404), Next::List, 500);
        check(refused(400), Next::List, 500);
        check(Ended::Silently, Next::List, 0);
    }

    #[test]
    fn a_refusal_is_asked_again_slowly() {
        check(refused(403), watch(), 30_000);
        check(refused(401), watch(), 30_000);
    }

    #[test]
    fn pauses_grow_until_something_arrives() {
        let mut feed = Feed::default();
        let cut = || Ended::With(Error::network("list", "cut"));
        assert_eq!(feed.ended(&cut(), 0.0), Duration::from_millis(500));
        assert_eq!(feed.ended(&cut(), 0.0), Duration::from_millis(1000));
        feed.reached("8".into());
        assert_eq!(feed.ended(&cut(), 0.0), Duration::from_millis(500));
    }

    #[test]
    fn the_server_s_own_pause_is_kept() {
        let details = masthead::rest::StatusDetails { retry_after_seconds: 9, ..Default::default() };
        let status = Status { code: 429, details: Some(details), ..Status::default() };
        check(Ended::With(Error::refused("watch", status)), watch(), 9000);
    }
}
