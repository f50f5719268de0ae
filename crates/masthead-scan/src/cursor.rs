//! A place in JSON, and ways on from it.

use std::borrow::Cow;

use crate::{
    block::{self, Passed},
    text_run,
};

/// Walks through JSON that may go on behind the value, or end before it does.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the last name began.
    name_at: usize,
}

/// Why a cursor cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The bytes end inside the value.
    Short,
    /// No JSON, or not what was asked for, at this place.
    Malformed(usize),
}

/// A string as it is written, without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    raw: &'a [u8],
    escaped: bool,
}

impl<'a> Cursor<'a> {
    /// At the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, name_at: 0 }
    }

    /// How many bytes lie behind.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Where the last name began, at its quote.
    pub fn name_at(&self) -> usize {
        self.name_at
    }

    /// The next byte that is no space; it stays the next.
    #[inline]
    pub fn peek(&mut self) -> Result<u8, Stop> {
        loop {
            match self.bytes.get(self.at) {
                None => return Err(Stop::Short),
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
            }
        }
    }

    /// Steps over `byte`, which must be the next.
    #[inline]
    pub fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        match self.peek()? {
            found if found == byte => {
                self.at += 1;
                Ok(())
            }
            _ => Err(Stop::Malformed(self.at)),
        }
    }

    /// The next name of an object, behind its colon; `None`, and behind the object, when there is none. `first` tells
    /// whether it is the first.
    #[inline]
    pub fn name(&mut self, first: bool) -> Result<Option<Text<'a>>, Stop> {
        if !self.more(first, b'}')? {
            return Ok(None);
        }
        self.expect(b'"')?;
        self.name_at = self.at - 1;
        let name = self.rest_of_text()?;
        self.expect(b':')?;
        Ok(Some(name))
    }

    /// Whether an array goes on, which it does at its next value; behind the array if it does not.
    #[inline]
    pub fn element(&mut self, first: bool) -> Result<bool, Stop> {
        self.more(first, b']')
    }

    #[inline]
    fn more(&mut self, first: bool, end: u8) -> Result<bool, Stop> {
        let next = self.peek()?;
        if next == end {
            self.at += 1;
            return Ok(false);
        }
        if !first {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// Reads a string.
    #[inline]
    pub fn text(&mut self) -> Result<Text<'a>, Stop> {
        self.expect(b'"')?;
        self.rest_of_text()
    }

    /// The string whose first quote was stepped over.
    #[inline]
    fn rest_of_text(&mut self) -> Result<Text<'a>, Stop> {
        let start = self.at;
        let escaped = self.pass_text()?;
        Ok(Text { raw: &self.bytes[start..self.at - 1], escaped })
    }

    /// The bytes from `start` to here.
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// Steps over a value and gives its bytes.
    pub fn value(&mut self) -> Result<&'a [u8], Stop> {
        self.peek()?;
        let start = self.at;
        self.skip()?;
        Ok(self.since(start))
    }

    /// Steps over a value.
    #[inline]
    pub fn skip(&mut self) -> Result<(), Stop> {
        match self.peek()? {
            b'"' => {
                self.at += 1;
                self.pass_text().map(drop)
            }
            b'{' => self.pass_nested(b'{', b'}'),
            b'[' => self.pass_nested(b'[', b']'),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => self.pass_bare(),
            _ => Err(Stop::Malformed(self.at)),
        }
    }

    /// Behind the end of the string whose first quote was stepped over; whether it has escapes.
    #[inline]
    fn pass_text(&mut self) -> Result<bool, Stop> {
        let mut escaped = false;
        loop {
            self.at += text_run(self.bytes, self.at);
            match self.bytes.get(self.at) {
                None => return Err(Stop::Short),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(_) => {
                    escaped = true;
                    self.at += 2;
                }
            }
        }
    }

    /// Behind the bracket that ends what the next one begins. Those of the other kind come in pairs in between, so they
    /// need not be counted.
    fn pass_nested(&mut self, open: u8, close: u8) -> Result<(), Stop> {
        let (mut depth, mut near) = (0_u32, self.at + NEAR);
        loop {
            let Some(&byte) = self.bytes.get(self.at) else { return Err(Stop::Short) };
            self.at += 1;
            if byte == b'"' {
                self.pass_text()?;
            } else if byte == open {
                depth += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            } else if byte == b'\\' {
                return Err(Stop::Malformed(self.at - 1));
            }
            if self.at >= near {
                near = usize::MAX;
                match block::pass(self.bytes, self.at, depth, (open, close)) {
                    Passed::End(end) => {
                        self.at = end;
                        return Ok(());
                    }
                    Passed::Stray(at) => return Err(Stop::Malformed(at)),
                    Passed::Rest { at, depth: left, text } => {
                        (self.at, depth) = (at, left);
                        self.pass_rest(text)?;
                    }
                }
            }
        }
    }

    /// Behind the end of the string that this place lies in, if it does.
    fn pass_rest(&mut self, text: block::Text) -> Result<(), Stop> {
        match text {
            block::Text::Outside => return Ok(()),
            block::Text::Inside => {}
            block::Text::Escaped => self.at += 1,
        }
        self.pass_text().map(drop)
    }

    /// Behind a number, `true`, `false` or `null`; only what follows tells that it is over.
    fn pass_bare(&mut self) -> Result<(), Stop> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E') {
                return Ok(());
            }
            self.at += 1;
        }
        Err(Stop::Short)
    }
}

impl<'a> Text<'a> {
    /// Whether it says `name`.
    #[inline]
    pub fn is(&self, name: &str) -> bool {
        if self.escaped { self.read().is_some_and(|text| text == name) } else { self.raw == name.as_bytes() }
    }

    /// What it says; `None` if it is no text.
    pub fn read(&self) -> Option<Cow<'a, str>> {
        if !self.escaped {
            return std::str::from_utf8(self.raw).ok().map(Cow::Borrowed);
        }
        let quoted = [b"\"", self.raw, b"\""].concat();
        serde_json::from_slice::<String>(&quoted).ok().map(Cow::Owned)
    }
}

/// What ends this near is found faster byte by byte.
const NEAR: usize = 48;

#[cfg(test)]
mod tests;
