//! What one run of a peer gave.

use anyhow::{Context, Result};
use serde_json::Value;

/// Memory is in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    pub(super) seconds: f64,
    /// How many pods it has; who throws the bytes away does not count them.
    pub(super) objects: Option<usize>,
    /// The longest time in milliseconds for which nothing else got the thread; of those that have one thread.
    pub(super) longest: Option<f64>,
    /// What is in use once all is there. WebAssembly's memory never shrinks, so that of it this is the most there was.
    pub(super) live: Option<f64>,
    /// The most that the process, in Chromium that of the page, ever had.
    pub(super) peak: Option<f64>,
}

impl Figures {
    /// Reads the JSON that every peer's program prints.
    pub(super) fn read(text: &str) -> Result<Figures> {
        let value: Value = serde_json::from_str(text.trim()).with_context(|| format!("not a line of JSON: {text}"))?;
        let number = |name: &str| value[name].as_f64();
        Ok(Figures {
            seconds: number("seconds").with_context(|| format!("no seconds in {text}"))?,
            objects: value["objects"].as_u64().and_then(|objects| usize::try_from(objects).ok()),
            longest: number("longest"),
            live: number("live"),
            peak: number("peak"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Figures;

    #[test]
    fn what_a_peer_cannot_tell_is_left_out_but_seconds_are_needed() {
        let figures = Figures::read("{\"seconds\":1.5,\"objects\":3,\"peak\":1000}\n").unwrap();
        let expected = Figures { seconds: 1.5, objects: Some(3), peak: Some(1000.0), longest: None, live: None };
        assert_eq!(figures, expected);
        assert!(Figures::read("{\"objects\":3}").is_err());
        assert!(Figures::read("the server is away").is_err());
    }
}
