//! Reading a path, with the quirks of client-go's own reader.

use super::{Comparison, Filter, JsonPath, Malformed, Slice, Step};

/// The steps of a path without its braces.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, Malformed> {
    let mut reader = Reader { rest: text };
    let mut steps = Vec::new();
    while !reader.rest.is_empty() {
        reader.step(&mut steps)?;
    }
    Ok(steps)
}

/// What is left of a path to be read.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn step(&mut self, steps: &mut Vec<Step>) -> Result<(), Malformed> {
        if let Some(rest) = self.rest.strip_prefix("[?(") {
            self.rest = rest;
            steps.push(Step::Filter(self.filter()?));
            return Ok(());
        }
        if let Some(rest) = self.rest.strip_prefix("..") {
            if steps.last() == Some(&Step::Descend) {
                return Err(Malformed);
            }
            self.rest = rest;
            steps.push(Step::Descend);
            if rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()) {
                steps.push(self.field());
            }
            return Ok(());
        }
        match self.rest.chars().next() {
            Some(' ' | '@' | '$') => self.rest = &self.rest[1..],
            Some('.') => {
                self.rest = &self.rest[1..];
                steps.push(self.field());
            }
            Some('[') => {
                let (inside, rest) = self.rest[1..].split_once(']').ok_or(Malformed)?;
                self.rest = rest;
                steps.extend(bracket(inside)?);
            }
            Some(quote @ ('"' | '\'')) => steps.push(self.quoted(quote)?),
            Some(first) if first == '_' || first.is_alphabetic() => steps.push(self.word()),
            Some(first) if first == '+' || first == '-' || first.is_ascii_digit() => steps.push(self.number()?),
            _ => return Err(Malformed),
        }
        Ok(())
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn field(&mut self) -> Step {
        let (mut end, mut escaped) = (self.rest.len(), false);
        for (at, c) in self.rest.char_indices() {
            if !escaped && is_terminator(c) {
                end = at;
                break;
            }
            escaped = !escaped && c == '\\';
        }
        match self.take(end) {
            "*" => Step::All,
            name => Step::Field(name.replace('\\', "")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Step, Malformed> {
        let inside = &self.rest[1..];
        let ends = inside.char_indices().filter(|(at, c)| *c == quote && !inside[..*at].ends_with('\\'));
        let end = ends.map(|(at, _)| at).next().ok_or(Malformed)?;
        self.rest = &inside[end + 1..];
        let escaped = format!("\\{quote}");
        let text = inside[..end].replace(&escaped, &quote.to_string()).replace("\\\\", "\\");
        Ok(Step::Literal(text.into()))
    }

    fn word(&mut self) -> Step {
        let end = self.rest.find(is_terminator).unwrap_or(self.rest.len());
        match self.take(end) {
            "true" => Step::Literal(true.into()),
            "false" => Step::Literal(false.into()),
            _ => Step::Word,
        }
    }

    fn number(&mut self) -> Result<Step, Malformed> {
        let signed = self.rest.strip_prefix(['+', '-']).unwrap_or(self.rest);
        let after = signed.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
        let text = self.take(self.rest.len() - after.len());
        match text.parse::<i64>() {
            Ok(number) => Ok(Step::Literal(number.into())),
            // By the parser that reads objects: the standard library's own would weigh ten kilobytes more.
            Err(_) => serde_json::from_str::<f64>(text.trim_start_matches('+'))
                .map(|number| Step::Literal(number.into()))
                .map_err(|_| Malformed),
        }
    }

    fn filter(&mut self) -> Result<Filter, Malformed> {
        let mut quote = None;
        let end = self.rest.char_indices().find(|(at, c)| {
            match (quote, *c) {
                (None, '"' | '\'') => quote = Some(*c),
                (Some(open), c) if c == open && !self.rest[..*at].ends_with('\\') => quote = None,
                (None, ')') => return true,
                _ => {}
            }
            false
        });
        let text = self.take(end.ok_or(Malformed)?.0);
        self.rest = self.rest.strip_prefix(")]").ok_or(Malformed)?;
        let is_operator = |c: char| "!<>=".contains(c);
        let (Some(start), end) = (text.find(is_operator), text.len()) else {
            return Ok(Filter { left: JsonPath::parse(text)?, right: None });
        };
        let stop = text[start..].find(|c| !is_operator(c)).map_or(end, |length| start + length);
        let comparison = Comparison::parse(&text[start..stop])?;
        let right = JsonPath::parse(&text[stop..])?;
        Ok(Filter { left: JsonPath::parse(&text[..start])?, right: Some((comparison, right)) })
    }
}

fn is_terminator(c: char) -> bool {
    " \t\r\n.,[]$@{}".contains(c)
}

/// What stands between brackets: a key in quotes, an index, a slice, or several of them.
fn bracket(inside: &str) -> Result<Vec<Step>, Malformed> {
    if inside == "*" {
        return bracket(":");
    }
    if inside.contains(',') {
        let paths = inside.split(',').map(|part| Ok(JsonPath(bracket(part.trim())?)));
        return Ok(vec![Step::Union(paths.collect::<Result<_, _>>()?)]);
    }
    let key = inside.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    if let Some(key) = key.filter(|key| !key.contains('\'')) {
        // Dots in it part fields unless they are escaped.
        return Ok(JsonPath::parse(&format!(".{key}"))?.0);
    }
    let parts: Vec<&str> = inside.split(':').collect();
    let number = |part: Option<&&str>| match part {
        None | Some(&"") => Ok(None),
        Some(part) => part.parse::<i64>().map(Some).map_err(|_| Malformed),
    };
    let (from, to, step) = (number(parts.first())?, number(parts.get(1))?, number(parts.get(2))?);
    match parts.len() {
        1 => {
            let from = from.unwrap_or_default();
            Ok(vec![Step::Slice(Slice {
                from: Some(from),
                to: Some(from.saturating_add(1)),
                step: None,
                is_index: true,
            })])
        }
        2 | 3 => Ok(vec![Step::Slice(Slice { from, to, step, is_index: false })]),
        _ => Err(Malformed),
    }
}
