//! The lines of a log that are kept.

use std::{collections::VecDeque, ops::Range};

use super::line::Line;

/// The latest lines of a log: at most [`Ring::LINES`] of them and [`Ring::BYTES`] in all. The oldest go first, and are counted.
/// A slice of a long line counts as a line.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    lines: VecDeque<Line>,
    bytes: usize,
    dropped: usize,
    /// The bytes of a line whose end has not come yet. No longer than [`Ring::LINE`].
    tail: Vec<u8>,
    /// What became of the slices before `tail`, if it goes on with a line.
    begun: Option<Beginning>,
    /// The time of the latest line: whatever is not younger was seen before.
    latest: String,
}

/// The first slice of a line that was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    Kept,
    /// The line was in an earlier stream.
    LeftOut,
}

impl Ring {
    /// How many lines are kept.
    pub const LINES: usize = 20_000;
    /// How many bytes they take.
    pub const BYTES: usize = 8 << 20;
    /// How many bytes a line has at most; a longer one is cut into slices of this size, each a line that says it goes on.
    pub const LINE: usize = 4 << 10;

    /// How many lines browsers lay out without effort.
    pub const WINDOW: usize = 400;

    /// Takes a chunk of the log, cut anywhere.
    pub fn push(&mut self, mut chunk: &[u8]) {
        while let Some(end) = chunk.iter().position(|byte| *byte == b'\n') {
            self.extend(&chunk[..end]);
            self.finish(false);
            chunk = &chunk[end + 1..];
        }
        self.extend(chunk);
    }

    /// The stream is over: what came of the last line is a line. Another stream may follow, and lines that were in this one
    /// are then left out.
    pub fn end(&mut self) {
        if !self.tail.is_empty() {
            self.finish(false);
        }
        self.begun = None;
        self.latest = self.latest().to_owned();
    }

    /// How many lines are kept.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many lines were let go. The number of the first line that is kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The line of this number, counted from the first that ever came.
    pub fn get(&self, number: usize) -> Option<&Line> {
        self.lines.get(number.checked_sub(self.dropped)?)
    }

    /// The numbers of the lines that are laid out together, from `first` on or at the end where that is `None`: a few hundred,
    /// and fewer where they are long.
    pub fn window(&self, first: Option<usize>) -> Range<usize> {
        let (oldest, end) = (self.dropped, self.dropped + self.lines.len());
        let first = first.map(|first| first.max(oldest)).filter(|first| *first < end);
        let last = first.map_or(end, |first| first + fitting(self.lines.range(first - oldest..), 1));
        // Scrolled near the end, a window is full all the same.
        match first {
            Some(first) if last < end => first..last,
            _ => end.saturating_sub(fitting(self.lines.iter().rev(), 1)).max(oldest)..end,
        }
    }

    /// The first line of a window that has this one in its middle.
    pub fn above(&self, number: usize) -> usize {
        let lines = self.lines.range(..number.saturating_sub(self.dropped).min(self.lines.len()));
        number.saturating_sub(fitting(lines.rev(), 2)).max(self.dropped)
    }

    /// The lines with their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Line)> {
        let first = self.dropped;
        self.lines.iter().enumerate().map(move |(at, line)| (first + at, line))
    }

    /// What a person reads of all lines that are kept; the slices of a long line are one again.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.bytes);
        for line in &self.lines {
            text.push_str(&line.plain());
            text.push_str(if line.cut { "" } else { "\n" });
        }
        text
    }

    /// The time of the latest line, from which a stream that broke off goes on.
    pub fn latest(&self) -> &str {
        self.lines.iter().rev().map(Line::time).find(|time| !time.is_empty()).unwrap_or_default()
    }

    fn extend(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.tail.len() == Ring::LINE {
                let rest = self.tail.split_off(whole_letters(&self.tail));
                self.finish(true);
                self.tail = rest;
            }
            let (fits, rest) = bytes.split_at(bytes.len().min(Ring::LINE - self.tail.len()));
            self.tail.extend_from_slice(fits);
            bytes = rest;
        }
    }

    /// Makes a line of `tail`, or a slice of one that goes on.
    fn finish(&mut self, goes_on: bool) {
        let tail = std::mem::take(&mut self.tail);
        let text = String::from_utf8_lossy(&tail);
        let (line, left_out) = match self.begun {
            Some(beginning) => (Line::slice(text.trim_end_matches('\r'), goes_on), beginning == Beginning::LeftOut),
            None => {
                let line = Line::read(text.trim_end_matches('\r'), goes_on);
                // Times of one length compare as texts.
                let seen = !self.latest.is_empty() && !line.time().is_empty() && line.time() <= self.latest.as_str();
                (line, seen)
            }
        };
        self.begun = goes_on.then_some(if left_out { Beginning::LeftOut } else { Beginning::Kept });
        if left_out {
            return;
        }
        self.bytes += line.size();
        self.lines.push_back(line);
        while self.lines.len() > Ring::LINES || self.bytes > Ring::BYTES {
            let Some(oldest) = self.lines.pop_front() else { break };
            self.bytes -= oldest.size();
            self.dropped += 1;
        }
    }
}

/// How many of these lines fit into one of so many equal parts of a window.
fn fitting<'a>(lines: impl Iterator<Item = &'a Line>, parts: usize) -> usize {
    let mut weight = 0;
    let fits = |line: &&Line| {
        weight += line.weight();
        weight <= WINDOW_WEIGHT / parts
    };
    lines.take(Ring::WINDOW / parts).take_while(fits).count().max(WINDOW_LEAST / parts)
}

/// How many letters a window has, unless it has fewer lines than `WINDOW_LEAST`.
const WINDOW_WEIGHT: usize = 192 << 10;
const WINDOW_LEAST: usize = 40;

/// How many of these bytes are whole letters: the last may be cut.
fn whole_letters(bytes: &[u8]) -> usize {
    let last = bytes.iter().rev().take(4).position(|byte| byte & 0b1100_0000 != 0b1000_0000);
    let Some(behind) = last else { return bytes.len() };
    let start = bytes.len() - 1 - behind;
    let length = match bytes[start] {
        0b1100_0000..=0b1101_1111 => 2,
        0b1110_0000..=0b1110_1111 => 3,
        0b1111_0000..=0b1111_0111 => 4,
        _ => 1,
    };
    if behind + 1 < length { start } else { bytes.len() }
}
