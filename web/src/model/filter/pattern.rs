//! What a text is compared with, and what a comparison costs.

use std::cell::Cell;

use regex_lite::{Regex, RegexBuilder};

use crate::model::visible::start_of;

/// A text that another has in it, or a regular expression.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Part(Part),
    Regex(Expression),
}

/// The work that a filter did since somebody asked, and whether it left the end of a long text out.
#[derive(Clone, Debug, Default)]
pub(super) struct Effort {
    pub(super) work: Cell<usize>,
    pub(super) cut: Cell<bool>,
}

impl Effort {
    pub(super) fn add(&self, work: usize) {
        self.work.set(self.work.get().saturating_add(work));
    }
}

impl Pattern {
    pub(super) fn is_in(&self, text: &str, effort: &Effort) -> bool {
        match self {
            Pattern::Part(part) => {
                effort.add(text.len());
                part.is_in(text)
            }
            Pattern::Regex(expression) => expression.is_match(text, effort),
        }
    }

    /// Whether a number or a time could ever be found by it.
    pub(super) fn fits_figures(&self) -> bool {
        match self {
            Pattern::Part(part) => part.fits_figures,
            Pattern::Regex(_) => true,
        }
    }
}

/// A regular expression of bounded size. Every byte of a text may visit every state of it, so that the larger it is the
/// less of a long text it is tried on.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    regex: Regex,
    /// The bytes of the compiled expression, rounded up to a power of two.
    size: usize,
}

impl Expression {
    /// Reads a regular expression; the error is a sentence.
    pub(super) fn parse(source: &str, any_case: bool) -> Result<Expression, String> {
        let mut size = SMALLEST;
        loop {
            match RegexBuilder::new(source).case_insensitive(any_case).size_limit(size).build() {
                Ok(regex) => return Ok(Expression { regex, size }),
                // The library does not tell a large expression from a wrong one in any other way.
                Err(_) if size < LARGEST => size *= 2,
                Err(error) if error.to_string().contains("size limit") => {
                    return Err("this regular expression is too large to be tried on every row: repeat less".to_owned());
                }
                Err(error) => return Err(format!("this is no regular expression: {error}")),
            }
        }
    }

    pub(super) fn is_match(&self, text: &str, effort: &Effort) -> bool {
        let head = start_of(text, MATCH_WORK / self.size);
        if head.len() < text.len() {
            effort.cut.set(true);
        }
        effort.add(self.size * head.len());
        self.regex.is_match(head)
    }
}

/// An expression as people write them takes a few hundred bytes, one of `SMALLEST` bytes is tried on 32 KB of a text, and the
/// `LARGEST` still on 512 bytes.
const SMALLEST: usize = 512;
const LARGEST: usize = 32 << 10;

/// What one match may cost: bytes of the expression times bytes of the text. A few milliseconds.
const MATCH_WORK: usize = 16 << 20;

/// A text that is looked for in others, in any case of the letters of ASCII.
#[derive(Clone, Debug)]
pub(super) struct Part {
    lower: Box<[u8]>,
    fits_figures: bool,
}

impl Part {
    pub(super) fn new(text: &str) -> Part {
        let lower: Box<[u8]> = text.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
        // What numbers, ratios and ages are made of, `<unknown>` and `<invalid>` too.
        let fits_figures = lower.iter().all(|byte| byte.is_ascii_digit() || b" -/()<>smhdyagoinvluknw".contains(byte));
        Part { lower, fits_figures }
    }

    /// Tried on every text of a table: plain loops, which are quick however small the program is made.
    fn is_in(&self, text: &str) -> bool {
        let Some((first, rest)) = self.lower.split_first() else { return true };
        let (text, capital) = (text.as_bytes(), first.to_ascii_uppercase());
        let Some(last) = text.len().checked_sub(self.lower.len()) else { return false };
        let mut at = 0;
        while at <= last {
            let byte = text[at];
            at += 1;
            if (byte == *first || byte == capital) && begins(&text[at..], rest) {
                return true;
            }
        }
        false
    }
}

/// Whether a text that is long enough begins with this one in lower case.
fn begins(text: &[u8], lower: &[u8]) -> bool {
    let mut at = 0;
    while at < lower.len() {
        if text[at].to_ascii_lowercase() != lower[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// A whole text, in any case of the letters of ASCII; `*` stands for any text.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// The pieces between the stars.
    pieces: Vec<Box<[u8]>>,
}

impl Whole {
    /// Of a text whose stars stand for any text.
    pub(super) fn with_stars(text: &str) -> Whole {
        Whole { pieces: text.split('*').map(|piece| piece.as_bytes().into()).collect() }
    }

    /// Of a text as it is.
    pub(super) fn literal(text: &str) -> Whole {
        Whole { pieces: vec![text.as_bytes().into()] }
    }

    /// Whether a digit stands in it.
    pub(super) fn has_digit(&self) -> bool {
        self.pieces.iter().any(|piece| piece.iter().any(u8::is_ascii_digit))
    }

    /// Whether it is the empty text.
    pub(super) fn is_nothing(&self) -> bool {
        self.pieces.iter().all(|piece| piece.is_empty()) && self.pieces.len() == 1
    }

    pub(super) fn is(&self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        let (first, last) = match &*self.pieces {
            [] => return false,
            [only] => return rest.eq_ignore_ascii_case(only),
            [first, .., last] => (first, last),
        };
        match rest.split_at_checked(first.len()) {
            Some((start, behind)) if start.eq_ignore_ascii_case(first) => rest = behind,
            _ => return false,
        }
        match rest.len().checked_sub(last.len()).map(|at| rest.split_at(at)) {
            Some((before, end)) if end.eq_ignore_ascii_case(last) => rest = before,
            _ => return false,
        }
        for piece in self.pieces[1..self.pieces.len() - 1].iter().filter(|piece| !piece.is_empty()) {
            let found = rest.windows(piece.len()).position(|window| window.eq_ignore_ascii_case(piece));
            let Some(at) = found else { return false };
            rest = &rest[at + piece.len()..];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Whole};

    #[test]
    fn parts_are_found_in_any_case() {
        let check =
            |part: &str, text: &str, expect: bool| assert_eq!(Part::new(part).is_in(text), expect, "{part} {text}");
        check("", "", true);
        check("", "a", true);
        check("a", "", false);
        check("CRASH", "CrashLoopBackOff", true);
        check("off", "CrashLoopBackOff", true);
        check("offs", "CrashLoopBackOff", false);
        check("aab", "aaab", true);
        check("é", "café", true);
    }

    /// Whatever the text, a part is where looking at every place of it would find it.
    #[test]
    fn parts_are_where_a_plain_look_finds_them() {
        let mut chance = 7_u64;
        let mut text = |most: u64| -> String {
            let mut next = |below: u64| {
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (chance >> 33) % below
            };
            (0..next(most)).map(|_| ['a', 'A', 'b', '-', 'é'][next(5) as usize]).collect()
        };
        for _ in 0..5000 {
            let (part, text) = (text(4), text(9));
            let plain = text.to_ascii_lowercase().contains(&part.to_ascii_lowercase());
            assert_eq!(Part::new(&part).is_in(&text), plain, "{part} {text}");
        }
    }

    #[test]
    fn stars_stand_for_any_text() {
        let check = |whole: &str, text: &str, expect: bool| {
            assert_eq!(Whole::with_stars(whole).is(text), expect, "{whole} {text}");
        };
        check("Running", "running", true);
        check("Run", "Running", false);
        check("node-*", "node-3", true);
        check("node-*", "node-", true);
        check("node-*", "knode-3", false);
        check("*-3", "node-3", true);
        check("n*d*3", "node-3", true);
        check("n*x*3", "node-3", false);
        check("ab*ba", "aba", false);
        check("*", "", true);
        check("a**b", "ab", true);
        check("*aa*aa*", "aaa", false);
        assert!(!Whole::literal("node-*").is("node-3"));
        assert!(Whole::literal("node-*").is("NODE-*"));
    }
}
