//! Values as they were found.

use std::{borrow::Cow, fmt};

use crate::{Cursor, Stop};

/// A value that was found at the path of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<'a> {
    /// `null`, which is as good as nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written.
    Number(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// An array or object as it is written.
    Nested(&'a [u8]),
}

/// The value is not of the field's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What the field takes.
    pub expected: &'static str,
}

impl<'a> Found<'a> {
    /// Reads a complete value.
    pub fn read(json: &'a [u8]) -> Option<Found<'a>> {
        match json {
            b"null" => Some(Found::Null),
            b"true" => Some(Found::Bool(true)),
            b"false" => Some(Found::Bool(false)),
            [b'"', ..] => Some(Found::Text(Cursor::new(json).text().ok()?.read()?)),
            [b'{' | b'[', ..] => Some(Found::Nested(json)),
            number => std::str::from_utf8(number).ok().map(Found::Number),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

/// Reads the members of an object that is a complete value.
pub fn members<'a>(
    object: &'a [u8],
    each: &mut dyn FnMut(Cow<'a, str>, Found<'a>) -> Result<(), Mismatch>,
) -> Result<(), Mismatch> {
    let wrong = |_: Stop| Mismatch { expected: "an object" };
    let (mut cursor, mut first) = (Cursor::new(object), true);
    cursor.expect(b'{').map_err(wrong)?;
    while let Some(name) = cursor.name(first).map_err(wrong)? {
        first = false;
        let name = name.read().ok_or(TEXT)?;
        let value = Found::read(cursor.value().map_err(wrong)?).ok_or(TEXT)?;
        each(name, value)?;
    }
    Ok(())
}

/// Reads the elements of an array that is a complete value.
pub fn elements<'a>(array: &'a [u8], each: &mut dyn FnMut(Found<'a>) -> Result<(), Mismatch>) -> Result<(), Mismatch> {
    let wrong = |_: Stop| Mismatch { expected: "an array" };
    let (mut cursor, mut first) = (Cursor::new(array), true);
    cursor.expect(b'[').map_err(wrong)?;
    while cursor.element(first).map_err(wrong)? {
        first = false;
        each(Found::read(cursor.value().map_err(wrong)?).ok_or(TEXT)?)?;
    }
    Ok(())
}

const TEXT: Mismatch = Mismatch { expected: "a text" };
