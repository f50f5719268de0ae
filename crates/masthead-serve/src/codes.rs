//! The prefix of the API, and the one-time codes that a page exchanges for it.

use std::{
    collections::VecDeque,
    hint::black_box,
    io,
    sync::{Mutex, PoisonError},
};

use serde::Serialize;

/// Where a page sends its code, as the body of a POST.
pub const CODE_PATH: &str = "/masthead/session";

/// What a page gets for its code, as JSON.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Session {
    /// The path on this origin below which the API is.
    pub api: String,
}

/// Why a code was not exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Used,
    Unknown,
}

/// The prefix and the codes that were given out for it.
pub(crate) struct Codes {
    /// `/k-` and 128 random bits: whoever knows it may use the API.
    prefix: String,
    /// The newest last, at most `MAX_CODES`; an older one is unknown.
    given: Mutex<VecDeque<Code>>,
}

struct Code {
    text: String,
    is_used: bool,
}

impl Codes {
    pub(crate) fn new() -> io::Result<Codes> {
        Ok(Codes { prefix: format!("/k-{}", random_hex()?), given: Mutex::default() })
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// A new code, good for one exchange.
    pub(crate) fn give(&self) -> io::Result<String> {
        let text = random_hex()?;
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        if given.len() == MAX_CODES {
            given.pop_front();
        }
        given.push_back(Code { text: text.clone(), is_used: false });
        Ok(text)
    }

    pub(crate) fn exchange(&self, code: &[u8]) -> Result<Session, Refusal> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Err(Refusal::Unknown);
        for known in given.iter_mut().filter(|known| is_equal(known.text.as_bytes(), code)) {
            found = if known.is_used { Err(Refusal::Used) } else { Ok(Session { api: self.prefix.clone() }) };
            known.is_used = true;
        }
        found
    }

    /// What follows the prefix in `path`, from its slash on.
    pub(crate) fn below_prefix<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (start, rest) = path.split_at_checked(self.prefix.len())?;
        (is_equal(start.as_bytes(), self.prefix.as_bytes()) && rest.starts_with('/')).then_some(rest)
    }
}

/// Takes as long for texts that differ early as for those that differ late.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
    one.len() == other.len() && difference == 0
}

/// 128 random bits.
fn random_hex() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(format!("no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// More than a person opens before using the first.
const MAX_CODES: usize = 64;

#[cfg(test)]
mod tests {
    use super::{Codes, MAX_CODES, Refusal};

    #[test]
    fn a_code_is_good_for_one_exchange() {
        let codes = Codes::new().unwrap();
        let (one, other) = (codes.give().unwrap(), codes.give().unwrap());
        assert_eq!(codes.exchange(one.as_bytes()).unwrap().api, codes.prefix());
        assert_eq!(codes.exchange(one.as_bytes()), Err(Refusal::Used));
        assert_eq!(codes.exchange(&one.as_bytes()[1..]), Err(Refusal::Unknown));
        assert_eq!(codes.exchange(b""), Err(Refusal::Unknown));
        assert!(codes.exchange(other.as_bytes()).is_ok());
    }

    #[test]
    fn only_the_newest_codes_are_known() {
        let codes = Codes::new().unwrap();
        let given: Vec<String> = (0..=MAX_CODES).map(|_| codes.give().unwrap()).collect();
        assert_eq!(codes.exchange(given[0].as_bytes()), Err(Refusal::Unknown));
        assert!(codes.exchange(given[1].as_bytes()).is_ok());
    }

    #[test]
    fn the_prefix_ends_at_a_slash() {
        let codes = Codes::new().unwrap();
        let prefix = codes.prefix();
        assert_eq!(codes.below_prefix(&format!("{prefix}/api")), Some("/api"));
        for path in [prefix.to_owned(), format!("{prefix}x/api"), "/".to_owned(), format!("/é{prefix}/")] {
            assert_eq!(codes.below_prefix(&path), None, "{path}");
        }
    }
}
