//! The lines of a log that are kept.

use std::collections::VecDeque;

use super::line::Line;

/// The latest lines of a log: at most [`Ring::LINES`] of them and [`Ring::BYTES`] in all. The oldest go first, and are counted.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    lines: VecDeque<Line>,
    bytes: usize,
    dropped: usize,
    /// The bytes of a line whose end has not come yet. No longer than [`Ring::LINE`].
    tail: Vec<u8>,
    /// Whether the line in `tail` was longer than that.
    overlong: bool,
    /// The time of the latest line: whatever is not younger was seen before.
    latest: String,
}

impl Ring {
    /// How many lines are kept.
    pub const LINES: usize = 20_000;
    /// How many bytes they take.
    pub const BYTES: usize = 8 << 20;
    /// How many bytes of a line are kept.
    pub const LINE: usize = 16 << 10;

    /// Takes a chunk of the log, cut anywhere.
    pub fn push(&mut self, mut chunk: &[u8]) {
        while let Some(end) = chunk.iter().position(|byte| *byte == b'\n') {
            self.extend(&chunk[..end]);
            self.finish();
            chunk = &chunk[end + 1..];
        }
        self.extend(chunk);
    }

    /// The stream is over: what came of the last line is a line. Another stream may follow, and lines that were in this one
    /// are then left out.
    pub fn end(&mut self) {
        if !self.tail.is_empty() {
            self.finish();
        }
        self.latest = self.lines.back().map(|line| line.time().to_owned()).unwrap_or_default();
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

    /// The lines with their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Line)> {
        let first = self.dropped;
        self.lines.iter().enumerate().map(move |(at, line)| (first + at, line))
    }

    /// The time of the latest line, from which a stream that broke off goes on.
    pub fn latest(&self) -> &str {
        self.lines.back().map(Line::time).unwrap_or_default()
    }

    fn extend(&mut self, bytes: &[u8]) {
        let room = Ring::LINE - self.tail.len();
        self.overlong |= bytes.len() > room;
        self.tail.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn finish(&mut self) {
        let tail = std::mem::take(&mut self.tail);
        let text = String::from_utf8_lossy(&tail);
        let line = Line::read(text.trim_end_matches('\r'), std::mem::take(&mut self.overlong));
        // Times of one length compare as texts.
        if !self.latest.is_empty() && !line.time().is_empty() && line.time() <= self.latest.as_str() {
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
