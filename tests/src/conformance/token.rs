//! Uids and times inside any text, told by their form.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A UUID.
    Uid(&'a str),
    /// A time to the second.
    Time,
    /// A time with a fraction.
    MicroTime,
    /// Anything else.
    Text(&'a str),
}

/// Cuts `text` into tokens that follow each other without a gap.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut plain, mut at) = (0, 0);
    while at < text.len() {
        let Some((token, length)) = text.get(at..).and_then(special) else {
            at += 1;
            continue;
        };
        found.extend((plain < at).then(|| Token::Text(&text[plain..at])));
        found.push(token);
        at += length;
        plain = at;
    }
    found.extend((plain < text.len()).then(|| Token::Text(&text[plain..])));
    found
}

fn special(text: &str) -> Option<(Token<'_>, usize)> {
    if matches(text, UID) {
        return Some((Token::Uid(&text[..UID.len()]), UID.len()));
    }
    if matches(text, TIME) {
        return Some((Token::Time, TIME.len()));
    }
    matches(text, MICRO_TIME).then_some((Token::MicroTime, MICRO_TIME.len()))
}

/// `h` stands for a hexadecimal digit, `9` for a decimal one, all else for itself.
fn matches(text: &str, form: &str) -> bool {
    let fits = |(c, form): (u8, u8)| match form {
        b'h' => c.is_ascii_hexdigit(),
        b'9' => c.is_ascii_digit(),
        _ => c == form,
    };
    text.len() >= form.len() && text.bytes().zip(form.bytes()).all(fits)
}

const UID: &str = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
const TIME: &str = "9999-99-99T99:99:99Z";
const MICRO_TIME: &str = "9999-99-99T99:99:99.999999Z";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_uids_and_times_amid_text() {
        let uid = "152f5b39-ea32-41ac-89f2-792fa309c775";
        let text = format!("é {uid} at 2026-11-16T15:30:32Z.");
        let expected = [Token::Text("é "), Token::Uid(uid), Token::Text(" at "), Token::Time, Token::Text(".")];
        assert_eq!(tokens(&text), expected);
        assert_eq!(tokens("2026-11-16T15:30:32.000001Z"), [Token::MicroTime]);
        assert_eq!(tokens("2026-11-16"), [Token::Text("2026-11-16")]);
    }
}
