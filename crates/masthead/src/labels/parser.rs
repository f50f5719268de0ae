//! The grammar of a label selector: requirements between commas.

use std::collections::BTreeSet;

use super::{Operator, ParseError, Requirement, lexer::Token, validate};

/// Reads the whole text as a series of requirements.
pub(super) fn parse(text: &str) -> Result<Vec<Requirement>, ParseError> {
    let mut parser = Parser { rest: text };
    let mut requirements = Vec::new();
    loop {
        match parser.peek() {
            Token::End => return Ok(requirements),
            Token::Word(_) | Token::Not => {}
            other => return Err(expected(other, "!, identifier, or 'end of string'")),
        }
        let requirement = parser.requirement();
        requirements.push(requirement.map_err(|error| ParseError(format!("unable to parse requirement: {error}")))?);
        match parser.take() {
            Token::End => return Ok(requirements),
            Token::Comma => {
                if !matches!(parser.peek(), Token::Word(_) | Token::Not) {
                    return Err(expected(parser.peek(), "identifier after ','"));
                }
            }
            other => return Err(expected(other, "',' or 'end of string'")),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn requirement(&mut self) -> Result<Requirement, ParseError> {
        let negated = self.peek() == Token::Not;
        if negated {
            self.take();
        }
        let key = match self.take() {
            Token::Word(key) => key,
            other => return Err(expected(other, "identifier")),
        };
        let ends = matches!(self.peek(), Token::End | Token::Comma);
        let operator = match (negated, ends) {
            (true, _) => Operator::DoesNotExist,
            (false, true) => Operator::Exists,
            (false, false) => self.operator(key)?,
        };
        Requirement::new(key, operator)
    }

    fn operator(&mut self, key: &str) -> Result<Operator, ParseError> {
        match self.take() {
            Token::Word("in") => self.values().map(Operator::In),
            Token::Word("notin") => self.values().map(Operator::NotIn),
            Token::Equals | Token::DoubleEquals => self.value().map(|value| Operator::Equals(value.to_owned())),
            Token::NotEquals => self.value().map(|value| Operator::NotEquals(value.to_owned())),
            Token::Greater => self.integer(key).map(Operator::GreaterThan),
            Token::Less => self.integer(key).map(Operator::LessThan),
            other => Err(expected(other, "in, notin, =, ==, !=, gt, lt")),
        }
    }

    /// The value of an exact match; nothing at all is the empty value.
    fn value(&mut self) -> Result<&'a str, ParseError> {
        match self.peek() {
            Token::End | Token::Comma => Ok(""),
            Token::Word(value) => {
                self.take();
                Ok(value)
            }
            other => Err(expected(other, "identifier")),
        }
    }

    fn integer(&mut self, key: &str) -> Result<i64, ParseError> {
        let value = self.value()?;
        let integer = value.parse().map_err(|_| {
            let why = "for 'Gt', 'Lt' operators, the value must be an integer";
            ParseError(format!("values[0]: Invalid value: {value:?}: {why}"))
        })?;
        // A sign is part of an integer but not of a label's value, and the server checks for both.
        validate::value(key, 0, value)?;
        Ok(integer)
    }

    /// `(a, b)`, where nothing at all between two of these signs is the empty value.
    fn values(&mut self) -> Result<BTreeSet<String>, ParseError> {
        match self.take() {
            Token::Open => {}
            other => return Err(ParseError(format!("found '{}' expected: '('", other.text()))),
        }
        let mut values = BTreeSet::new();
        let mut first = true;
        loop {
            let value = match self.peek() {
                Token::Word(value) => {
                    self.take();
                    value
                }
                Token::Comma | Token::Close => "",
                other if first => return Err(expected(other, "',', ')' or identifier")),
                other => return Err(expected(other, "',', or identifier")),
            };
            values.insert(value.to_owned());
            first = false;
            match self.take() {
                Token::Comma => {}
                Token::Close => return Ok(values),
                other => return Err(expected(other, "',' or ')'")),
            }
        }
    }

    fn take(&mut self) -> Token<'a> {
        Token::take(&mut self.rest)
    }

    fn peek(&self) -> Token<'a> {
        Token::take(&mut { self.rest })
    }
}

fn expected(found: Token<'_>, what: &str) -> ParseError {
    ParseError(match found {
        Token::Unknown(text) => format!("error expected: keyword found '{text}'"),
        other => format!("found '{}', expected: {what}", other.text()),
    })
}
