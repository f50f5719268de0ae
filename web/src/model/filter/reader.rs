//! Reads filters: first the pieces that are written, then what they ask for.

mod piece;

use std::ops::Range;

use masthead::labels::{self, Requirement, Selector};

use self::piece::{Piece, Pieces, Question, Relation, Said, Value};
use super::{
    LONGEST, Mistake,
    pattern::{LARGEST, Part, Pattern, Whole},
    span,
    term::{Bound, Place, Side, Term, Test, Wanted, amount_of},
};
use crate::model::table::column::Column;

/// Reads the terms of a filter.
pub(super) fn read(text: &str, columns: &[Column]) -> Result<Vec<Term>, Mistake> {
    if text.len() > LONGEST {
        return Err(mistake(0..text.len(), format!("a filter has at most {LONGEST} bytes")));
    }
    let (mut pieces, mut reader) = (Pieces::new(text), Reader { columns, terms: Vec::new() });
    while let Some(chunk) = pieces.chunk()? {
        let start = chunk.first().map_or(0, |piece| piece.range.start);
        reader.chunk(text, chunk)?;
        if reader.terms.len() > TERMS {
            return Err(mistake(start..text.len(), format!("a filter has at most {TERMS} terms")));
        }
        if reader.terms.iter().map(Term::expression_size).sum::<usize>() > LARGEST {
            let why = "the regular expressions of this filter are too large together to be tried on every row";
            return Err(mistake(start..text.len(), why));
        }
    }
    Ok(reader.terms)
}

/// Far more than people type, and little enough to try on every row of a large table.
const TERMS: usize = 64;

struct Reader<'a> {
    columns: &'a [Column],
    terms: Vec<Term>,
}

impl Reader<'_> {
    /// Adds what pieces with commas between them ask for. Where none of them asks for a value, the commas are text too.
    fn chunk(&mut self, text: &str, chunk: Vec<Piece<'_>>) -> Result<(), Mistake> {
        let is_word = |piece: &Piece<'_>| matches!(piece.said, Said::Bare(Value::Word(_)));
        if let ([first, .., last], true) = (&*chunk, chunk.iter().all(is_word)) {
            let part = Pattern::Part(Part::new(&text[first.range.start..last.range.end]));
            self.terms.push(Term::new(first.inverted, Test::Anywhere(part)));
            return Ok(());
        }
        let is_alone = chunk.len() == 1;
        // Whether a word after a comma is one more value of the term before it.
        let mut goes_on = false;
        for piece in chunk {
            let Piece { range, inverted, said } = piece;
            match said {
                Said::Asked(question) => goes_on = self.asked(range, inverted, question)?,
                // Two commas, or one at the beginning.
                Said::Bare(Value::Word("")) => {}
                Said::Bare(value @ (Value::Word(_) | Value::Quoted(_))) if goes_on && !inverted => self.go_on(&value),
                Said::Bare(Value::Word(key)) if !is_alone => {
                    let operator = if inverted { labels::Operator::DoesNotExist } else { labels::Operator::Exists };
                    self.label(range, false, key, operator)?;
                    goes_on = false;
                }
                Said::Bare(value) => {
                    let pattern = match value {
                        Value::Regex(regex) => Pattern::Regex(regex),
                        value => Pattern::Part(Part::new(value.text().unwrap_or_default())),
                    };
                    self.terms.push(Term::new(inverted, Test::Anywhere(pattern)));
                    goes_on = false;
                }
            }
        }
        Ok(())
    }

    /// Adds one more value to the last term.
    fn go_on(&mut self, value: &Value<'_>) {
        if let Some(term) = self.terms.last_mut() {
            term.or(whole(value));
        }
    }

    /// Adds what is asked of a value; whether further values may follow.
    fn asked(&mut self, range: Range<usize>, inverted: bool, question: Question<'_>) -> Result<bool, Mistake> {
        let Question { key, relation, mut values } = question;
        let Some(place) = self.place(key) else {
            let operator = operator(&range, relation, &values)?;
            let key = key.strip_prefix(LABEL).unwrap_or(key);
            return self.label(range, inverted, key, operator).map(|()| false);
        };
        let unequal = matches!(relation, Relation::NotEqual | Relation::NotIn);
        let is_regex = |value: &Value<'_>| matches!(value, Value::Regex(_));
        if values.len() > 1 && values.iter().any(is_regex) {
            return Err(mistake(range, "a list is of texts, not of regular expressions"));
        }
        let wanted = match (relation, values.pop_if(|value| is_regex(value))) {
            (Relation::Side(side), _) => Wanted::Compared(bound(&range, side, place, &values)?),
            (_, Some(Value::Regex(regex))) => Wanted::Matching(regex),
            _ => Wanted::OneOf(values.iter().filter_map(whole).collect()),
        };
        let goes_on = matches!(wanted, Wanted::OneOf(_)) && matches!(relation, Relation::Equal | Relation::NotEqual);
        self.terms.push(Term::new(inverted != unequal, Test::Value(place, wanted)));
        Ok(goes_on)
    }

    fn label(
        &mut self,
        range: Range<usize>,
        inverted: bool,
        key: &str,
        operator: labels::Operator,
    ) -> Result<(), Mistake> {
        let requirement = Requirement::new(key, operator)
            .map_err(|error| mistake(range, format!("this is no column, and no label either: {error}")))?;
        self.terms.push(Term::new(inverted, Test::Labels(Selector::new([requirement]))));
        Ok(())
    }

    /// What a key names, if that is not a label.
    fn place(&self, key: &str) -> Option<Place> {
        let letters = letters(key);
        match letters.as_str() {
            _ if key.starts_with(LABEL) => return None,
            "" => return None,
            "name" => return Some(Place::Name),
            "ns" | "namespace" => return Some(Place::Namespace),
            "age" => return Some(Place::Age),
            _ => {}
        }
        let column = self.columns.iter().position(|column| self::letters(&column.title) == letters);
        column.map(Place::Cell).or_else(|| (letters == "owner").then_some(Place::Owner))
    }
}

/// What stands before a label that has the name of a column.
const LABEL: &str = "label:";

/// The letters and digits of a title, in lower case.
fn letters(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

fn mistake(range: Range<usize>, sentence: impl Into<String>) -> Mistake {
    Mistake { range, sentence: sentence.into() }
}

fn whole(value: &Value<'_>) -> Option<Whole> {
    match value {
        Value::Word(word) => Some(Whole::with_stars(word)),
        Value::Quoted(text) => Some(Whole::literal(text)),
        Value::Regex(_) => None,
    }
}

fn bound(range: &Range<usize>, side: Side, place: Place, values: &[Value<'_>]) -> Result<Bound, Mistake> {
    let text = values.first().and_then(Value::text).unwrap_or_default();
    let (amount, span) = (amount_of(text), span::parse(text));
    if place == Place::Age && span.is_none() {
        return Err(mistake(range.clone(), "an age is compared with a length of time, such as 90s, 5m or 2d"));
    }
    if amount.is_none() && span.is_none() {
        let why = "less and more is said of numbers, of amounts such as 10Gi and of lengths of time such as 5m";
        return Err(mistake(range.clone(), why));
    }
    Ok(Bound { side, amount, span })
}

/// What is asked of a label.
fn operator(range: &Range<usize>, relation: Relation, values: &[Value<'_>]) -> Result<labels::Operator, Mistake> {
    let wrong = |why: &str| mistake(range.clone(), why);
    let texts: Option<Vec<String>> = values.iter().map(|value| value.text().map(ToOwned::to_owned)).collect();
    let texts = texts.ok_or_else(|| wrong("a label is compared with a text, not with a regular expression"))?;
    let first = texts.first().cloned().unwrap_or_default();
    let number = || first.parse::<i64>().map_err(|_| wrong("a label is less or more than a whole number only"));
    Ok(match relation {
        Relation::Equal => labels::Operator::Equals(first),
        Relation::NotEqual => labels::Operator::NotEquals(first),
        Relation::In => labels::Operator::In(texts.into_iter().collect()),
        Relation::NotIn => labels::Operator::NotIn(texts.into_iter().collect()),
        Relation::Side(Side::Below) => labels::Operator::LessThan(number()?),
        Relation::Side(Side::AtMost) => labels::Operator::LessThan(number()?.saturating_add(1)),
        Relation::Side(Side::Above) => labels::Operator::GreaterThan(number()?),
        Relation::Side(Side::AtLeast) => labels::Operator::GreaterThan(number()?.saturating_sub(1)),
    })
}
