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
///
/// One row may cost [`ROW_WORK`], whatever the terms are and however long its texts: what is left of it decides how much of
/// the next text is looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Effort {
    pub(super) work: Cell<usize>,
    /// What the row that is tried may still cost.
    left: Cell<usize>,
    pub(super) cut: Cell<bool>,
}

impl Effort {
    /// Another row is tried.
    pub(super) fn begin_row(&self) {
        self.left.set(ROW_WORK);
    }

    pub(super) fn add(&self, work: usize) {
        self.work.set(self.work.get().saturating_add(work));
        self.left.set(self.left.get().saturating_sub(work));
    }

    /// How many bytes of a text of `length` this row can pay for, where each costs `each` at most.
    fn affordable(&self, length: usize, each: usize) -> usize {
        let room = self.left.get() / each.max(1);
        if room < length {
            self.cut.set(true);
        }
        length.min(room)
    }
}

/// What all matches on one row may cost together: bytes of a pattern times bytes of a text. A few milliseconds.
const ROW_WORK: usize = 16 << 20;

impl Pattern {
    pub(super) fn is_in(&self, text: &str, effort: &Effort) -> bool {
        match self {
            Pattern::Part(part) => part.is_in(text, effort),
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

    /// The bytes that it takes, rounded up.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn is_match(&self, text: &str, effort: &Effort) -> bool {
        let head = start_of(text, effort.affordable(text.len(), self.size));
        effort.add(self.size * head.len());
        self.regex.is_match(head)
    }
}

/// An expression as people write them takes a few hundred bytes. One of `SMALLEST` bytes is tried on 32 KB of a row's texts,
/// and the `LARGEST`, or all of a filter that are as large together, still on 512 bytes.
const SMALLEST: usize = 512;
pub(super) const LARGEST: usize = 32 << 10;

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

    fn is_in(&self, text: &str, effort: &Effort) -> bool {
        let head = &text.as_bytes()[..effort.affordable(text.len(), self.lower.len())];
        let (found, work) = self.find(head);
        effort.add(work);
        found
    }

    /// Whether it is in a text, and how many bytes were compared. Tried on every text of a table: plain loops, which are quick
    /// however small the program is made.
    fn find(&self, text: &[u8]) -> (bool, usize) {
        let Some((first, rest)) = self.lower.split_first() else { return (true, 0) };
        let capital = first.to_ascii_uppercase();
        let Some(last) = text.len().checked_sub(self.lower.len()) else { return (false, 0) };
        let (mut at, mut compared) = (0, 0);
        while at <= last {
            let byte = text[at];
            at += 1;
            if byte == *first || byte == capital {
                let alike = alike(&text[at..], rest);
                compared += alike;
                if alike == rest.len() {
                    return (true, at + compared);
                }
            }
        }
        (false, at + compared)
    }
}

/// With how many bytes of this one in lower case a text begins that is long enough.
fn alike(text: &[u8], lower: &[u8]) -> usize {
    let mut at = 0;
    while at < lower.len() && text[at].to_ascii_lowercase() == lower[at] {
        at += 1;
    }
    at
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

    pub(super) fn is(&self, text: &str, effort: &Effort) -> bool {
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
            let room = effort.affordable(rest.len(), piece.len());
            let found = rest[..room].windows(piece.len()).position(|window| window.eq_ignore_ascii_case(piece));
            effort.add(found.map_or(room, |at| at + piece.len()) * piece.len());
            let Some(at) = found else { return false };
            rest = &rest[at + piece.len()..];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Effort, Part, ROW_WORK, Whole};

    /// The work that a row may cost.
    fn effort() -> Effort {
        let effort = Effort::default();
        effort.begin_row();
        effort
    }

    #[test]
    fn parts_are_found_in_any_case() {
        let check = |part: &str, text: &str, expect: bool| {
            assert_eq!(Part::new(part).is_in(text, &effort()), expect, "{part} {text}");
        };
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
            assert_eq!(Part::new(&part).is_in(&text, &effort()), plain, "{part} {text}");
        }
    }

    /// A long word that almost fits everywhere, and stars between letters: the work is bounded and counted.
    #[test]
    fn words_and_stars_cost_a_row_no_more_than_it_may() {
        let (long, word) = ("a".repeat(1 << 20), format!("{}b", "a".repeat(400)));
        let spent = effort();
        assert!(!Part::new(&word).is_in(&long, &spent));
        assert!(spent.cut.get() && spent.work.get() > ROW_WORK / 2 && spent.work.get() <= ROW_WORK + 4096);
        let spent = effort();
        for _ in 0..100 {
            assert!(!Whole::with_stars(&format!("*{word}*")).is(&long, &spent));
        }
        assert!(spent.cut.get() && spent.work.get() <= ROW_WORK + 4096, "{}", spent.work.get());
        let spent = effort();
        assert!(
            Part::new("ab").is_in(&format!("{long}b"), &spent),
            "a word of a person is looked for in a whole megabyte"
        );
        assert!(!spent.cut.get());
    }

    #[test]
    fn stars_stand_for_any_text() {
        let check = |whole: &str, text: &str, expect: bool| {
            assert_eq!(Whole::with_stars(whole).is(text, &effort()), expect, "{whole} {text}");
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
        assert!(!Whole::literal("node-*").is("node-3", &effort()));
        assert!(Whole::literal("node-*").is("NODE-*", &effort()));
    }
}
