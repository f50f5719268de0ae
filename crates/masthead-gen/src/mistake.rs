//! What is wrong with an input, and where.

use std::{error::Error, fmt};

/// Something in an input that cannot be meant so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file as it was named.
    pub file: String,
    /// Its line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// Every mistake of an input, in the order of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Mistake::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl Error for Mistakes {}

/// A mistake whose file its reader knows.
pub(crate) type Found = (usize, String);
