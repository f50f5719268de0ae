//! Whether an event is as it should be.

use std::{fmt, str::FromStr};

use crate::Error;

/// What an event says about the state of its object. The API knows no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventType {
    /// Nothing to worry about.
    Normal,
    /// Somebody may have to look.
    Warning,
}

impl EventType {
    /// As the API writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            EventType::Normal => "Normal",
            EventType::Warning => "Warning",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EventType {
    type Err = Error;

    fn from_str(text: &str) -> Result<EventType, Error> {
        match text {
            "Normal" => Ok(EventType::Normal),
            "Warning" => Ok(EventType::Warning),
            other => Err(Error::invalid("parse event type", format!("Unsupported event type: {other:?}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EventType;

    #[test]
    fn there_are_two() {
        for known in [EventType::Normal, EventType::Warning] {
            assert_eq!(known.to_string().parse::<EventType>().unwrap(), known);
        }
        for wrong in ["normal", "", "Error"] {
            let error = wrong.parse::<EventType>().unwrap_err();
            assert_eq!(error.to_string(), format!("parse event type: Unsupported event type: {wrong:?}"));
        }
    }
}
