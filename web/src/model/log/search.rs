//! Where a text is in a log.

use super::{ansi::Look, line::Line, ring::Ring};

/// A text that is looked for. Letters in capitals are meant; otherwise the case does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    text: String,
    exact: bool,
}

/// A part of a line as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// How it looks.
    pub look: Look,
    /// Whether it is what is looked for.
    pub found: bool,
}

impl Search {
    /// Looks for this text; nothing is found while it is empty.
    pub fn new(text: &str) -> Search {
        Search { text: text.to_owned(), exact: text.chars().any(|c| c.is_ascii_uppercase()) }
    }

    /// The numbers of the lines with the text, in order.
    pub fn lines(&self, ring: &Ring) -> Vec<usize> {
        if self.text.is_empty() {
            return Vec::new();
        }
        ring.iter().filter(|(_, line)| self.is_in(line)).map(|(number, _)| number).collect()
    }

    /// The parts of a line, with what was looked for apart.
    pub fn pieces(&self, line: &Line) -> Vec<Piece> {
        let spans = line.spans();
        let plain: String = spans.iter().map(|span| span.text.as_str()).collect();
        let mut found = self.places(&plain);
        found.truncate(FOUND);
        // One pass over both: a line may have thousands of colours and as many places.
        let (mut pieces, mut start, mut next) = (Vec::new(), 0, 0);
        for span in spans {
            let end = start + span.text.len();
            while start < end {
                while found.get(next).is_some_and(|(_, to)| *to <= start) {
                    next += 1;
                }
                let (upto, is_found) = match found.get(next) {
                    Some((from, to)) if *from <= start => ((*to).min(end), true),
                    Some((from, _)) => ((*from).min(end), false),
                    None => (end, false),
                };
                pieces.push(Piece { text: plain[start..upto].to_owned(), look: span.look, found: is_found });
                start = upto;
            }
        }
        pieces
    }

    fn is_in(&self, line: &Line) -> bool {
        let raw = line.raw();
        if raw.contains('\u{1b}') {
            return !self.places(&line.plain()).is_empty();
        }
        if self.exact { raw.contains(&self.text) } else { !self.places(raw).is_empty() }
    }

    /// Where the text is, as ranges of bytes; none overlaps another.
    fn places(&self, plain: &str) -> Vec<(usize, usize)> {
        if self.text.is_empty() {
            return Vec::new();
        }
        if self.exact {
            return plain.match_indices(&self.text).map(|(at, text)| (at, at + text.len())).collect();
        }
        let (mut places, mut from) = (Vec::new(), 0);
        while let Some((start, end)) = self.next(plain, from) {
            places.push((start, end));
            from = end;
        }
        places
    }

    /// The first place at or behind `from`, letter by letter: letters may be longer in the other case.
    fn next(&self, plain: &str, from: usize) -> Option<(usize, usize)> {
        let first = self.text.chars().next()?;
        plain[from..].char_indices().find_map(|(at, letter)| {
            if !same(letter, first) {
                return None;
            }
            let mut here = plain[from + at..].char_indices();
            let mut end = from + at;
            for wanted in self.text.chars() {
                let (offset, letter) = here.next().filter(|(_, letter)| same(*letter, wanted))?;
                end = from + at + offset + letter.len_utf8();
            }
            Some((from + at, end))
        })
    }
}

/// How many places in a line are marked; a letter may be in it thousands of times.
const FOUND: usize = 40;

fn same(one: char, other: char) -> bool {
    one.eq_ignore_ascii_case(&other) || (!one.is_ascii() && one.to_lowercase().eq(other.to_lowercase()))
}
