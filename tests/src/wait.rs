//! Bounded waiting.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::Interrupt;

/// A bounded wait for something that only asking can tell.
#[derive(Debug)]
pub(crate) struct Wait<'a> {
    /// Completes the sentence "waited 30 s for …".
    pub(crate) what: &'a str,
    pub(crate) limit: Duration,
    pub(crate) interrupt: &'a Interrupt,
}

impl Wait<'_> {
    /// Asks until `ask` gives a value or fails, the limit is over, or a signal comes.
    pub(crate) fn until<T>(&self, mut ask: impl FnMut() -> Result<Asked<T>>) -> Result<T> {
        let deadline = Instant::now() + self.limit;
        loop {
            self.interrupt.check()?;
            let seen = match ask()? {
                Asked::Done(value) => return Ok(value),
                Asked::NotYet(seen) => seen,
            };
            if Instant::now() >= deadline {
                bail!("waited {} s for {}; last seen: {seen}", self.limit.as_secs(), self.what);
            }
            thread::sleep(Duration::from_millis(40));
        }
    }
}

/// One answer on the way to the end of a [`Wait`].
#[derive(Debug)]
pub(crate) enum Asked<T> {
    /// The wait is over.
    Done(T),
    /// Ask again; what was seen instead is told when the time is up.
    NotYet(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(limit: Duration, answers: Vec<Asked<u8>>) -> Result<u8> {
        let interrupt = Interrupt::never();
        let mut answers = answers.into_iter();
        Wait { what: "a number", limit, interrupt: &interrupt }
            .until(|| Ok(answers.next().expect("the wait ends before the script does")))
    }

    #[test]
    fn gives_the_first_value() {
        let answers = vec![Asked::NotYet("nothing".into()), Asked::Done(7), Asked::Done(8)];
        assert_eq!(wait(Duration::from_secs(5), answers).unwrap(), 7);
    }

    #[test]
    fn tells_what_was_seen_when_the_time_is_up() {
        let failure = wait(Duration::ZERO, vec![Asked::NotYet("a letter".into())]).unwrap_err();
        assert_eq!(failure.to_string(), "waited 0 s for a number; last seen: a letter");
    }
}
