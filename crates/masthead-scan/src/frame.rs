//! Cuts a streamed body into the JSON values it is made of.
//!
//! A watch is a series of JSON values with any whitespace, or none, between them, in chunks that end anywhere: inside a
//! character, a string or an escape. [`Framer`] finds where each value ends without reading it. It looks at every byte
//! once, and it does not judge what is inside a value: that is the decoder's work.

use std::fmt;

use crate::text_run;

/// Collects chunks and hands out complete JSON values.
///
/// Push a chunk, then take frames until there is none. At the end of the stream ask [`finish`](Self::finish) whether
/// it ended between values. Holds at most one incomplete frame of `limit` bytes besides the chunk last pushed; after an
/// error every further call gives the same error.
#[derive(Debug)]
pub struct Framer {
    /// Bytes from the last chunks; everything before `start` was handed out or is whitespace.
    buffer: Vec<u8>,
    start: usize,
    /// Everything before this was looked at and is accounted for in `scan`.
    scanned: usize,
    scan: Scan,
    limit: usize,
}

impl Framer {
    /// The bound on one value unless told otherwise: ten times what etcd stores in an object.
    pub const DEFAULT_LIMIT: usize = 16 << 20;

    /// Makes an empty framer that refuses values of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, scanned: 0, scan: Scan::Between, limit }
    }

    /// Adds the next chunk of the stream.
    pub fn push(&mut self, chunk: &[u8]) {
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(chunk);
    }

    /// The next complete value, or `None` until more chunks arrive.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, FrameError> {
        let end = loop {
            if let Scan::Failed(error) = self.scan {
                return Err(error);
            }
            let Some(&byte) = self.buffer.get(self.scanned) else {
                break None;
            };
            match self.scan.step(byte) {
                Step::Skip => {
                    self.scanned += 1;
                    self.start = self.scanned;
                }
                Step::Keep => {
                    self.scanned += 1;
                    self.scanned += self.scan.run(&self.buffer[self.scanned..]);
                }
                Step::EndsHere => {
                    self.scanned += 1;
                    break Some(self.scanned);
                }
                Step::EndedBefore => break Some(self.scanned),
            }
        };
        if self.scanned - self.start > self.limit {
            return Err(self.fail(FrameError::TooLarge { limit: self.limit }));
        }
        Ok(end.map(|end| self.take(end)))
    }

    /// Says that the stream ended: `None` when it ended between values.
    ///
    /// A bare number or word that only the end of the stream completes is returned. Anything else that is left is
    /// [`FrameError::Cut`]. Call it after [`next_frame`](Self::next_frame) gave `None`.
    pub fn finish(&mut self) -> Result<Option<&[u8]>, FrameError> {
        match self.scan {
            Scan::Failed(error) => Err(error),
            Scan::Between => Ok(None),
            Scan::Bare => Ok(Some(self.take(self.scanned))),
            Scan::Text { .. } | Scan::Nested { .. } => {
                let bytes = self.scanned - self.start;
                Err(self.fail(FrameError::Cut { bytes }))
            }
        }
    }

    fn take(&mut self, end: usize) -> &[u8] {
        let start = std::mem::replace(&mut self.start, end);
        self.scan = Scan::Between;
        &self.buffer[start..end]
    }

    fn fail(&mut self, error: FrameError) -> FrameError {
        self.scan = Scan::Failed(error);
        self.buffer = Vec::new();
        (self.start, self.scanned) = (0, 0);
        error
    }
}

impl Default for Framer {
    fn default() -> Self {
        Self::new(Self::DEFAULT_LIMIT)
    }
}

/// Why a stream cannot be cut into values any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// A value is larger than the framer's limit.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// A byte that begins no JSON value stands where one should begin.
    Unexpected {
        /// The byte.
        byte: u8,
    },
    /// The stream ended inside a value.
    Cut {
        /// How much of the value had arrived.
        bytes: usize,
    },
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit } => {
                write!(f, "a value of the stream is larger than {limit} bytes")
            }
            Self::Unexpected { byte } => {
                write!(f, "the stream is not JSON: found {:?}", char::from(*byte))
            }
            Self::Cut { bytes } => write!(f, "the stream was cut inside a value, after {bytes} bytes of it"),
        }
    }
}

impl std::error::Error for FrameError {}

/// Where the scan stands in the value it looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scan {
    Between,
    /// Inside a number, `true`, `false` or `null` outside of any object or array.
    Bare,
    /// Inside a string under `depth` brackets; `escaped` when the last byte was a backslash that escapes the next.
    Text {
        depth: u32,
        escaped: bool,
    },
    /// Inside `depth` brackets and no string.
    Nested {
        depth: u32,
    },
    Failed(FrameError),
}

/// What one byte means for the frame it is in.
pub(crate) enum Step {
    /// Between frames.
    Skip,
    Keep,
    /// The last byte of its frame.
    EndsHere,
    /// The first byte after a frame that nothing but its successor ends.
    EndedBefore,
}

impl Scan {
    pub(crate) fn step(&mut self, byte: u8) -> Step {
        match (*self, byte) {
            (Self::Between, b' ' | b'\t' | b'\r' | b'\n') => return Step::Skip,
            (Self::Between, b'{' | b'[') => *self = Self::Nested { depth: 1 },
            (Self::Between, b'"') => *self = Self::Text { depth: 0, escaped: false },
            (Self::Between, b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => *self = Self::Bare,
            (Self::Between, byte) => {
                *self = Self::Failed(FrameError::Unexpected { byte });
                return Step::Skip;
            }
            (Self::Bare, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E') => {}
            (Self::Bare, _) => return Step::EndedBefore,
            (Self::Text { depth, escaped: true }, _) => *self = Self::Text { depth, escaped: false },
            (Self::Text { depth, .. }, b'\\') => *self = Self::Text { depth, escaped: true },
            (Self::Text { depth: 0, .. }, b'"') => return Step::EndsHere,
            (Self::Text { depth, .. }, b'"') => *self = Self::Nested { depth },
            (Self::Nested { depth }, b'"') => *self = Self::Text { depth, escaped: false },
            (Self::Nested { depth }, b'{' | b'[') => *self = Self::Nested { depth: depth + 1 },
            (Self::Nested { depth: 1 }, b'}' | b']') => return Step::EndsHere,
            (Self::Nested { depth }, b'}' | b']') => *self = Self::Nested { depth: depth - 1 },
            (Self::Text { .. } | Self::Nested { .. } | Self::Failed(_), _) => {}
        }
        Step::Keep
    }

    /// How many of the next bytes change nothing; they are most of a stream, so they are passed over in one go.
    pub(crate) fn run(&self, rest: &[u8]) -> usize {
        let stop = match self {
            Self::Text { escaped: false, .. } => return text_run(rest, 0),
            Self::Nested { .. } => rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']')),
            _ => Some(0),
        };
        stop.unwrap_or(rest.len())
    }
}

#[cfg(test)]
mod tests;
