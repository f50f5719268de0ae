//! Cuts the streamed body of a list into its items.
//!
//! A list is one JSON object; what is long about it is the array `items`. [`ListFramer`] hands out the bytes of one item
//! after the other and keeps what stands around them, wherever it stands, so that the list can be read like any other answer
//! in the end: as one whose items are gone. It looks at every byte once and, as [`Framer`](crate::Framer), does not judge
//! what is inside an item.

use crate::{
    FrameError,
    frame::{Scan, Step},
};

/// Collects chunks and hands out complete items.
///
/// Holds at most one incomplete item of `limit` bytes besides the chunk last pushed, and as much of what stands around the
/// items. After an error every further call gives the same error.
#[derive(Debug)]
pub struct ListFramer {
    /// Bytes from the last chunks; everything before `start` was handed out or is in `envelope`.
    buffer: Vec<u8>,
    start: usize,
    /// Everything before this was looked at and is accounted for in `place`.
    scanned: usize,
    place: Place,
    /// How many bytes of the next item were there when it was last found to be cut.
    tried: usize,
    /// The document without its items.
    envelope: Vec<u8>,
    limit: usize,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Around(Outline),
    /// Among the items, where one may begin, or must when there was a comma.
    Before {
        comma: bool,
    },
    /// In an item that begins at `start`.
    Inside(Scan),
    /// Behind an item.
    Behind,
    Failed(FrameError),
}

impl ListFramer {
    /// Of a document that nothing is known of yet; refuses items of more than `limit` bytes, and as much around them.
    pub fn new(limit: usize) -> ListFramer {
        ListFramer {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            place: Place::Around(Outline::default()),
            tried: 0,
            envelope: Vec::new(),
            limit,
        }
    }

    /// Adds the next chunk of the body.
    pub fn push(&mut self, chunk: Vec<u8>) {
        if self.start == self.buffer.len() {
            self.buffer = chunk;
        } else {
            self.buffer.drain(..self.start);
            self.buffer.extend_from_slice(&chunk);
        }
        self.scanned -= self.start;
        self.start = 0;
    }

    /// What stands before the items, once they have begun.
    pub fn head(&self) -> Option<&[u8]> {
        (!matches!(self.place, Place::Around(_) | Place::Failed(_))).then_some(&*self.envelope)
    }

    /// Everything from the beginning of the next item on, if nothing of that item was looked at here. Who finds its end there
    /// says so with [`pass`](Self::pass); who finds that it is cut, with [`await_more`](Self::await_more). Then it is offered
    /// again when there is twice as much, so that no byte is looked at more than a few times; with less, its end is looked for
    /// here.
    pub fn ahead(&mut self) -> Result<Option<&[u8]>, FrameError> {
        self.find_item()?;
        let ahead = &self.buffer[self.start..];
        let fresh = matches!(self.place, Place::Inside(Scan::Between));
        Ok((fresh && ahead.len() >= 2 * self.tried).then_some(ahead))
    }

    /// Whether the item ahead was found to be cut, and nothing came since.
    pub fn is_waiting(&self) -> bool {
        self.tried > 0 && self.tried == self.buffer.len() - self.start
    }

    /// Waits for the rest of the item ahead.
    pub fn await_more(&mut self) -> Result<(), FrameError> {
        self.tried = self.buffer.len() - self.start;
        if self.tried > self.limit {
            return Err(self.fail(FrameError::TooLarge { limit: self.limit }));
        }
        Ok(())
    }

    /// Steps over the next item, which is this long.
    pub fn pass(&mut self, length: usize) {
        self.start += length;
        self.scanned = self.start;
        self.tried = 0;
        self.place = Place::Behind;
    }

    /// The next complete item, or `None` until more chunks arrive.
    pub fn next_item(&mut self) -> Result<Option<&[u8]>, FrameError> {
        self.find_item()?;
        let Place::Inside(mut scan) = self.place else { return Ok(None) };
        let end = loop {
            let Some(&byte) = self.buffer.get(self.scanned) else { break None };
            match scan.step(byte) {
                Step::Skip | Step::Keep => {
                    self.scanned += 1;
                    self.scanned += scan.run(&self.buffer[self.scanned..]);
                }
                Step::EndsHere => break Some(self.scanned + 1),
                Step::EndedBefore => break Some(self.scanned),
            }
        };
        self.place = Place::Inside(scan);
        if end.unwrap_or(self.scanned) - self.start > self.limit {
            return Err(self.fail(FrameError::TooLarge { limit: self.limit }));
        }
        Ok(end.map(|end| {
            let start = self.start;
            self.pass(end - start);
            &self.buffer[start..end]
        }))
    }

    /// Says that the body ended: gives the document, its items taken out.
    pub fn finish(&mut self) -> Result<&[u8], FrameError> {
        self.find_item()?;
        match self.place {
            Place::Failed(error) => Err(error),
            Place::Around(outline) if outline.is_whole() => Ok(&self.envelope),
            _ => {
                let bytes = self.envelope.len() + self.buffer.len() - self.start;
                Err(self.fail(FrameError::Cut { bytes }))
            }
        }
    }

    /// Goes on to the beginning of the next item, unless inside of one.
    fn find_item(&mut self) -> Result<(), FrameError> {
        while let Some(&byte) = self.buffer.get(self.scanned) {
            self.place = match self.place {
                Place::Failed(error) => return Err(error),
                Place::Inside(_) => return Ok(()),
                Place::Around(outline) => self.around(outline)?,
                Place::Before { .. } | Place::Behind if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') => {
                    self.scanned += 1;
                    self.start = self.scanned;
                    continue;
                }
                Place::Before { comma: false } | Place::Behind if byte == b']' => Place::Around(Outline::inside()),
                Place::Before { .. } => match Scan::Between.step(byte) {
                    Step::Keep => Place::Inside(Scan::Between),
                    _ => return Err(self.fail(FrameError::Unexpected { byte })),
                },
                Place::Behind if byte == b',' => {
                    self.scanned += 1;
                    self.start = self.scanned;
                    Place::Before { comma: true }
                }
                Place::Behind => return Err(self.fail(FrameError::Unexpected { byte })),
            };
        }
        match self.place {
            Place::Failed(error) => Err(error),
            _ => Ok(()),
        }
    }

    /// Moves what stands around the items to the envelope, as far as there is any.
    fn around(&mut self, mut outline: Outline) -> Result<Place, FrameError> {
        let rest = &self.buffer[self.scanned..];
        let begins = rest.iter().position(|byte| outline.step(*byte));
        let length = begins.map_or(rest.len(), |at| at + 1);
        if self.envelope.len() + length > self.limit {
            return Err(self.fail(FrameError::TooLarge { limit: self.limit }));
        }
        self.envelope.extend_from_slice(&rest[..length]);
        self.scanned += length;
        self.start = self.scanned;
        Ok(if begins.is_some() { Place::Before { comma: false } } else { Place::Around(outline) })
    }

    fn fail(&mut self, error: FrameError) -> FrameError {
        self.place = Place::Failed(error);
        (self.buffer, self.envelope) = (Vec::new(), Vec::new());
        (self.start, self.scanned) = (0, 0);
        error
    }
}

/// Follows the document around its items, to see where they begin.
#[derive(Clone, Copy, Debug, Default)]
struct Outline {
    depth: u32,
    last: Last,
}

/// What the last bytes were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    /// Part of a string, of which so many are those of `items`; none when others came.
    Text(Option<usize>),
    /// A backslash in a string, which escapes the next.
    Escape,
    /// The string `items` in the document's own object.
    Name,
    /// The colon behind it.
    Colon,
}

impl Outline {
    /// Where an array of items ends.
    fn inside() -> Outline {
        Outline { depth: 2, last: Last::Nothing }
    }

    /// Whether the document may be over.
    fn is_whole(self) -> bool {
        self.depth == 0 && !matches!(self.last, Last::Text(_) | Last::Escape)
    }

    /// Takes the next byte; whether the array of items begins with it.
    fn step(&mut self, byte: u8) -> bool {
        self.last = match (self.last, byte) {
            (Last::Text(_), b'\\') => Last::Escape,
            (Last::Escape, _) => Last::Text(None),
            (Last::Text(matched), b'"') => {
                if self.depth == 1 && matched == Some(ITEMS.len()) {
                    Last::Name
                } else {
                    Last::Nothing
                }
            }
            (Last::Text(matched), _) => {
                Last::Text(matched.filter(|count| ITEMS.get(*count) == Some(&byte)).map(|count| count + 1))
            }
            (last, b' ' | b'\n' | b'\r' | b'\t') => last,
            (_, b'"') => Last::Text(Some(0)),
            (Last::Name, b':') => Last::Colon,
            (Last::Colon, b'[') => return true,
            (_, b'{' | b'[') => {
                self.depth += 1;
                Last::Nothing
            }
            (_, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                Last::Nothing
            }
            _ => Last::Nothing,
        };
        false
    }
}

const ITEMS: &[u8] = b"items";
