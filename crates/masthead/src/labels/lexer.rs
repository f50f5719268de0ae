//! The tokens of a label selector.

/// One token with the text it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    End,
    Comma,
    Open,
    Close,
    Not,
    Equals,
    DoubleEquals,
    NotEquals,
    Greater,
    Less,
    /// `in` and `notin` too: whether they are operators depends on where they stand.
    Word(&'a str),
    /// Symbols that are no operator, such as `=!`.
    Unknown(&'a str),
}

impl<'a> Token<'a> {
    /// Takes the first token off `rest`.
    pub(super) fn take(rest: &mut &'a str) -> Token<'a> {
        *rest = rest.trim_start_matches(is_space);
        let Some(first) = rest.chars().next() else { return Token::End };
        if !is_symbol(first) {
            let end = rest.find(|c| is_symbol(c) || is_space(c)).unwrap_or(rest.len());
            return Token::Word(cut(rest, end));
        }
        // The longest operator that the text begins with, as the server's own reader finds it.
        for (text, token) in SYMBOLS {
            if rest.starts_with(text) {
                cut(rest, text.len());
                return *token;
            }
        }
        let end = rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
        Token::Unknown(cut(rest, end))
    }

    /// As an error shows it.
    pub(super) fn text(self) -> &'a str {
        match self {
            Token::End => "",
            Token::Word(text) | Token::Unknown(text) => text,
            symbol => SYMBOLS.iter().find(|(_, token)| *token == symbol).map_or("", |(text, _)| text),
        }
    }
}

const SYMBOLS: &[(&str, Token<'static>)] = &[
    ("==", Token::DoubleEquals),
    ("!=", Token::NotEquals),
    ("=", Token::Equals),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
    (">", Token::Greater),
    ("<", Token::Less),
];

fn cut<'a>(rest: &mut &'a str, end: usize) -> &'a str {
    let (head, tail) = rest.split_at(end);
    *rest = tail;
    head
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn is_symbol(c: char) -> bool {
    matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<')
}
