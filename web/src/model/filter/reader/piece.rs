//! What a filter is written in: words, quotes, regular expressions and comparisons.

use std::ops::Range;

use super::super::{Mistake, pattern::Expression, term::Side};

/// What stands between two commas, or two spaces.
pub(super) struct Piece<'a> {
    /// Where it stands, without the mark that inverts it.
    pub(super) range: Range<usize>,
    pub(super) inverted: bool,
    pub(super) said: Said<'a>,
}

/// What a piece says.
pub(super) enum Said<'a> {
    /// A value alone.
    Bare(Value<'a>),
    /// A comparison.
    Asked(Question<'a>),
}

/// What is asked of a value.
pub(super) struct Question<'a> {
    pub(super) key: &'a str,
    pub(super) relation: Relation,
    pub(super) values: Vec<Value<'a>>,
}

/// How a value is compared with others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    In,
    NotIn,
    Side(Side),
}

/// A value as it is written.
pub(super) enum Value<'a> {
    Word(&'a str),
    Quoted(String),
    Regex(Expression),
}

impl Value<'_> {
    /// Its text; a regular expression has none.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Word(word) => Some(word),
            Value::Quoted(text) => Some(text),
            Value::Regex(_) => None,
        }
    }
}

/// Takes a filter to pieces.
pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
}

/// Longer ones first.
const OPERATORS: [(&str, Relation); 7] = [
    ("==", Relation::Equal),
    ("!=", Relation::NotEqual),
    ("<=", Relation::Side(Side::AtMost)),
    (">=", Relation::Side(Side::AtLeast)),
    ("=", Relation::Equal),
    ("<", Relation::Side(Side::Below)),
    (">", Relation::Side(Side::Above)),
];

impl<'a> Pieces<'a> {
    pub(super) fn new(text: &'a str) -> Pieces<'a> {
        Pieces { text, at: 0 }
    }

    /// The next pieces that have commas between them; `None` at the end.
    pub(super) fn chunk(&mut self) -> Result<Option<Vec<Piece<'a>>>, Mistake> {
        self.skip_spaces();
        if self.rest().is_empty() {
            return Ok(None);
        }
        let mut pieces = vec![self.piece()?];
        while self.eat(",") && !self.rest().is_empty() && !self.rest().starts_with(char::is_whitespace) {
            pieces.push(self.piece()?);
        }
        Ok(Some(pieces))
    }

    fn piece(&mut self) -> Result<Piece<'a>, Mistake> {
        let mark = self.at;
        let mut inverted = false;
        while self.rest().starts_with('!') && !self.rest().starts_with("!=") {
            self.at += 1;
            inverted = !inverted;
        }
        let start = self.at;
        let said = self.said()?;
        if let (Said::Bare(Value::Word("")), true) = (&said, mark != start) {
            return Err(self.mistake(mark, "nothing follows that `!` could invert"));
        }
        Ok(Piece { range: start..self.at, inverted, said })
    }

    fn said(&mut self) -> Result<Said<'a>, Mistake> {
        if self.rest().starts_with(['"', '\'', '/']) {
            return self.value(&[',']).map(Said::Bare);
        }
        let start = self.at;
        let key = self.word();
        let end = self.at;
        match self.relation() {
            Some(_) if key.is_empty() => {
                Err(self.mistake(start, "no column or label is named here; text with such a sign stands in quotes"))
            }
            Some(relation @ (Relation::In | Relation::NotIn)) => {
                Ok(Said::Asked(Question { key, relation, values: self.list()? }))
            }
            Some(relation) => Ok(Said::Asked(Question { key, relation, values: vec![self.value(&[','])?] })),
            None => {
                self.at = end;
                Ok(Said::Bare(Value::Word(key)))
            }
        }
    }

    /// Up to a space, a comma or a comparison.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |(at, c): (usize, char)| {
            c.is_whitespace() || ",=<>".contains(c) || c == '!' && rest[at..].starts_with("!=")
        };
        let end = rest.char_indices().find(|found| ends(*found)).map_or(rest.len(), |(at, _)| at);
        self.take(end)
    }

    /// A sign or a word that compares, with the spaces around it.
    fn relation(&mut self) -> Option<Relation> {
        let before = self.at;
        self.skip_spaces();
        let spaced = self.at > before;
        if let Some((_, relation)) = OPERATORS.iter().find(|(sign, _)| self.eat(sign)) {
            if spaced {
                self.skip_spaces();
            }
            return Some(*relation);
        }
        let words = [("in", Relation::In), ("notin", Relation::NotIn)];
        let (_, relation) = words.iter().find(|(word, _)| spaced && self.eat(word))?;
        self.skip_spaces();
        self.eat("(").then_some(*relation)
    }

    /// Values with commas between them, up to the bracket that ends them.
    fn list(&mut self) -> Result<Vec<Value<'a>>, Mistake> {
        let (start, mut values) = (self.at, Vec::new());
        loop {
            self.skip_spaces();
            values.push(self.value(&[',', ')'])?);
            self.skip_spaces();
            if self.eat(")") {
                return Ok(values);
            }
            if !self.eat(",") {
                return Err(self.mistake(start, "the list does not end: `)` is missing"));
            }
        }
    }

    /// A value, which a space or one of `ends` ends unless it is in quotes.
    fn value(&mut self, ends: &[char]) -> Result<Value<'a>, Mistake> {
        let start = self.at;
        match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => Ok(Value::Quoted(self.enclosed(quote, Escapes::All))),
            Some('/') => {
                let source = self.enclosed('/', Escapes::Slash);
                let is_last = |rest: &str| rest.chars().next().is_none_or(|c| c.is_whitespace() || ends.contains(&c));
                let any_case = self.rest().strip_prefix('i').is_some_and(is_last) && self.eat("i");
                Expression::parse(&source, any_case).map(Value::Regex).map_err(|why| self.mistake(start, &why))
            }
            _ => {
                let rest = self.rest();
                let end = rest.find(|c: char| c.is_whitespace() || ends.contains(&c)).unwrap_or(rest.len());
                Ok(Value::Word(self.take(end)))
            }
        }
    }

    /// What stands between two marks. Without a second one it is all that follows: somebody is still writing it.
    fn enclosed(&mut self, mark: char, escapes: Escapes) -> String {
        self.at += mark.len_utf8();
        let (mut text, mut rest) = (String::new(), self.rest().char_indices());
        while let Some((at, c)) = rest.next() {
            match c {
                c if c == mark => {
                    self.at += at + mark.len_utf8();
                    return text;
                }
                '\\' => {
                    let next = rest.next().map(|(_, next)| next);
                    if escapes == Escapes::Slash && next != Some('/') {
                        text.push('\\');
                    }
                    text.extend(next);
                }
                c => text.push(c),
            }
        }
        self.at = self.text.len();
        text
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.text[self.at..self.at + length];
        self.at += length;
        taken
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// What is wrong, from `start` up to here, or with the next letter where nothing was read.
    fn mistake(&self, start: usize, sentence: &str) -> Mistake {
        let next = self.rest().chars().next().map_or(0, char::len_utf8);
        let end = if self.at > start { self.at } else { self.at + next };
        Mistake { range: start..end, sentence: sentence.to_owned() }
    }
}

/// What a backslash keeps from being a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Whatever follows it.
    All,
    /// A slash; before anything else it belongs to the regular expression.
    Slash,
}
