//! Objects as YAML, as `kubectl get -o yaml` writes them, with marks for who colours it.
//!
//! What is written reads back as the same object everywhere. It differs from kubectl where that is easier to read: long
//! lines are not folded, and text of many lines stays text where kubectl escapes it because of a tab, a space at the end of
//! a line or a rare letter. And a few more texts are in quotes, as not all readers agree on what `tRue` is.

mod order;
mod scalar;

use serde_json::{Map, Value};

use self::scalar::Style;

/// An object as YAML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Yaml {
    text: String,
    /// In order; none goes beyond the end of a line, and none overlaps another.
    spans: Vec<Span>,
    /// Where each line begins, and the first span in it or after it.
    lines: Vec<(u32, u32)>,
}

/// What a part of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// The name of a member.
    Key,
    /// A text.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// Signs: colons, dashes, and what stands for an empty list or object.
    Sign,
    /// What is not part of the object.
    Comment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
    token: Token,
}

/// Whether the record of who owns which field is written. It is long, and few want to see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ManagedFields {
    /// A comment says how many entries there are.
    #[default]
    Folded,
    /// As they are.
    Shown,
}

/// A line of YAML.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    text: &'a str,
    start: u32,
    spans: &'a [Span],
}

impl Yaml {
    /// Writes an object.
    pub fn of(object: &Value, managed: ManagedFields) -> Yaml {
        let metadata = object.get("metadata").and_then(Value::as_object);
        let folded = metadata.filter(|_| managed == ManagedFields::Folded);
        let mut writer = Writer { yaml: Yaml::default(), folded };
        writer.begin_line(0);
        match object {
            Value::Object(members) if !members.is_empty() => writer.members(members, 0, true),
            Value::Array(items) if !items.is_empty() => writer.items(items, 0, true),
            scalar => writer.scalar(scalar, 0),
        }
        writer.yaml.text.push('\n');
        writer.yaml
    }

    /// All of it, with a line break at the end: for who copies it or saves it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line of this number, from 0; `None` beyond the last.
    pub fn line(&self, number: usize) -> Option<Line<'_>> {
        let (start, first) = *self.lines.get(number)?;
        let (end, last) = match self.lines.get(number + 1) {
            Some((next, last)) => (next - 1, *last),
            None => (offset(self.text.len()) - 1, offset(self.spans.len())),
        };
        let spans = &self.spans[first as usize..last as usize];
        Some(Line { text: &self.text[start as usize..end as usize], start, spans })
    }
}

impl<'a> Line<'a> {
    /// The line without its break.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// All of the line in pieces, each with what it is; what is between tokens is nothing.
    pub fn pieces(self) -> impl Iterator<Item = (Option<Token>, &'a str)> {
        let (text, start) = (self.text, self.start as usize);
        let mut at = 0;
        let ends = self.spans.iter().map(Some).chain([None]);
        ends.flat_map(move |span| {
            let (from, to) =
                span.map_or((text.len(), text.len()), |it| (it.start as usize - start, it.end as usize - start));
            let between = (None, &text[at..from]);
            at = to;
            [between, (span.map(|span| span.token), &text[from..to])]
        })
        .filter(|(_, piece)| !piece.is_empty())
    }
}

struct Writer<'a> {
    yaml: Yaml,
    /// The members among which the managed fields are folded.
    folded: Option<&'a Map<String, Value>>,
}

impl Writer<'_> {
    /// Writes the members of an object from the column `indent` on; the first on the line that has begun if it is `inline`.
    fn members(&mut self, members: &Map<String, Value>, indent: usize, inline: bool) {
        let folds = self.folded.is_some_and(|folded| std::ptr::eq(folded, members));
        for (place, (key, value)) in order::sorted(members).into_iter().enumerate() {
            if place > 0 || !inline {
                self.begin_line(indent);
            }
            if let (Value::Array(entries), "managedFields", true) = (value, key.as_str(), folds) {
                self.write(Token::Comment, &format!("# managedFields: {} entries", entries.len()));
                continue;
            }
            self.key(key);
            match value {
                Value::Object(members) if !members.is_empty() => self.members(members, indent + STEP, false),
                // The dashes of a list stand below the key, as kubectl writes them.
                Value::Array(items) if !items.is_empty() => self.items(items, indent, false),
                scalar => {
                    self.yaml.text.push(' ');
                    self.scalar(scalar, indent);
                }
            }
        }
    }

    fn items(&mut self, items: &[Value], indent: usize, inline: bool) {
        for (place, item) in items.iter().enumerate() {
            if place > 0 || !inline {
                self.begin_line(indent);
            }
            self.write(Token::Sign, "-");
            self.yaml.text.push(' ');
            match item {
                Value::Object(members) if !members.is_empty() => self.members(members, indent + STEP, true),
                Value::Array(items) if !items.is_empty() => self.items(items, indent + STEP, true),
                scalar => self.scalar(scalar, indent),
            }
        }
    }

    fn key(&mut self, key: &str) {
        self.quoted(Token::Key, key, Style::of_key(key));
        self.write(Token::Sign, ":");
    }

    /// Writes what has nothing inside; the lines of a text stand deeper than `indent`.
    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.write(Token::Null, "null"),
            Value::Bool(value) => self.write(Token::Bool, if *value { "true" } else { "false" }),
            Value::Number(number) => self.write(Token::Number, &number.to_string()),
            Value::Array(_) => self.write(Token::Sign, "[]"),
            Value::Object(_) => self.write(Token::Sign, "{}"),
            Value::String(text) => match Style::of_value(text) {
                Style::Literal => self.literal(text, indent),
                style => self.quoted(Token::Text, text, style),
            },
        }
    }

    fn quoted(&mut self, token: Token, text: &str, style: Style) {
        match style {
            Style::Plain | Style::Literal => self.write(token, text),
            Style::Single => self.write(token, &format!("'{}'", text.replace('\'', "''"))),
            Style::Double => {
                let mut quoted = String::with_capacity(text.len() + 2);
                scalar::write_double(text, &mut quoted);
                self.write(token, &quoted);
            }
        }
    }

    /// Writes a text line by line.
    fn literal(&mut self, text: &str, indent: usize) {
        let hint = if text.starts_with([' ', '\n']) { "2" } else { "" };
        let (lines, end) = match text.strip_suffix('\n') {
            None => (text, "-"),
            Some(rest) if rest.ends_with('\n') => (rest, "+"),
            Some(rest) => (rest, ""),
        };
        self.write(Token::Sign, &format!("|{hint}{end}"));
        for line in lines.split('\n') {
            self.begin_line(if line.is_empty() { 0 } else { indent + STEP });
            self.write(Token::Text, line);
        }
    }

    fn begin_line(&mut self, indent: usize) {
        let yaml = &mut self.yaml;
        if !yaml.lines.is_empty() {
            yaml.text.push('\n');
        }
        yaml.lines.push((offset(yaml.text.len()), offset(yaml.spans.len())));
        yaml.text.extend(std::iter::repeat_n(' ', indent));
    }

    fn write(&mut self, token: Token, text: &str) {
        let yaml = &mut self.yaml;
        let start = offset(yaml.text.len());
        yaml.text.push_str(text);
        if !text.is_empty() {
            yaml.spans.push(Span { start, end: offset(yaml.text.len()), token });
        }
    }
}

/// How far one level stands from the one above it.
const STEP: usize = 2;

/// A place in the text. An object that does not fit into it is larger than a browser's memory.
fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
