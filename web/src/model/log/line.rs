//! A line of a log.

use super::ansi::{self, Span};
use crate::model::timestamp;

/// A line, as the server sent it with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    text: Box<str>,
    /// How many bytes of the text are its time and the space behind it.
    stamp: usize,
    /// Whether the line was too long, and goes on in the next one.
    pub cut: bool,
}

impl Line {
    /// Reads a line that begins with its time, as the server writes it on request; one without is all text.
    pub fn read(text: &str, cut: bool) -> Line {
        let stamp = text.split_once(' ').filter(|(time, _)| timestamp::parse(time).is_some());
        let stamp = stamp.map_or(0, |(time, _)| time.len() + 1);
        Line { text: text.into(), stamp, cut }
    }

    /// A later slice of a line, which has no time of its own.
    pub fn slice(text: &str, cut: bool) -> Line {
        Line { text: text.into(), stamp: 0, cut }
    }

    /// The time as the server wrote it; empty where it did not.
    pub fn time(&self) -> &str {
        self.text[..self.stamp].trim_end()
    }

    /// What the container wrote, escapes and all.
    pub fn raw(&self) -> &str {
        &self.text[self.stamp..]
    }

    /// What a person reads, in parts that look alike.
    pub fn spans(&self) -> Vec<Span> {
        ansi::spans(self.raw())
    }

    /// What a person reads.
    pub fn plain(&self) -> String {
        self.spans().into_iter().map(|span| span.text).collect()
    }

    /// How much work it is to lay it out, in letters: a part with a look of its own counts as many.
    pub(super) fn weight(&self) -> usize {
        let escapes = self.raw().bytes().filter(|byte| *byte == 0x1b).count();
        self.raw().len() + PART * (1 + escapes.min(ansi::SPANS))
    }

    /// How much memory it takes.
    pub(super) fn size(&self) -> usize {
        self.text.len() + size_of::<Line>()
    }
}

/// As many letters as are laid out in the time that an element takes.
const PART: usize = 64;
