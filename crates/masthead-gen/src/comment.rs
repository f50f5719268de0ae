//! The plain comments of a Rust file, which are in no syntax tree.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A `//` comment on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Where it begins, in bytes.
    pub(crate) at: usize,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// What stands behind the slashes, without spaces around it.
    pub(crate) text: String,
    /// Whether code stands before it on its line.
    pub(crate) is_trailing: bool,
}

/// The plain comments between the tokens of a file.
///
/// Whatever lies between two tokens is space or comment, so that nothing within a string or a doc comment is taken for one.
pub(crate) fn comments(text: &str, tokens: &TokenStream) -> Vec<Comment> {
    let mut spans = Vec::new();
    collect(tokens.clone(), &mut spans);
    spans.push(text.len()..text.len());
    let (mut found, mut end) = (Vec::new(), 0);
    for span in spans {
        if span.start > end {
            between(text, end..span.start, &mut found);
        }
        end = end.max(span.end);
    }
    found
}

fn collect(tokens: TokenStream, spans: &mut Vec<Range<usize>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let braces = group.delimiter() != Delimiter::None;
                spans.extend(braces.then(|| group.span_open().byte_range()));
                collect(group.stream(), spans);
                spans.extend(braces.then(|| group.span_close().byte_range()));
            }
            token => spans.push(token.span().byte_range()),
        }
    }
}

/// The comments of a stretch that holds no token.
fn between(text: &str, range: Range<usize>, found: &mut Vec<Comment>) {
    let mut at = range.start;
    while let Some(rest) = text.get(at..range.end) {
        let Some(begin) = rest.find('/').map(|offset| at + offset) else { return };
        let rest = &text[begin..range.end];
        if rest.starts_with("/*") {
            at = begin + block_length(rest);
            continue;
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        let line_start = text[..begin].rfind('\n').map_or(0, |newline| newline + 1);
        found.push(Comment {
            at: begin,
            line: text[..begin].matches('\n').count() + 1,
            text: rest[..length].trim_start_matches('/').trim().to_owned(),
            is_trailing: !text[line_start..begin].trim().is_empty(),
        });
        at = begin + length.max(1);
    }
}

/// How long the block comment is that `text` begins with; blocks nest.
fn block_length(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth.saturating_sub(1), at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::comments;

    fn check(text: &str, expect: &[(usize, &str)]) {
        let tokens = text.parse().unwrap();
        let found: Vec<(usize, String)> =
            comments(text, &tokens).into_iter().map(|comment| (comment.line, comment.text)).collect();
        let expect: Vec<(usize, String)> = expect.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn only_plain_comments_are_found() {
        check("// one\nstruct A;\n  // two \nstruct B; // three\n", &[(1, "one"), (3, "two"), (4, "three")]);
        check("/// doc\n// plain\n#[a]\n// between\nstruct A;", &[(2, "plain"), (4, "between")]);
        check("const S: &str = \"\n// no\n\";\n/* // no\n /* */ // no\n*/ // yes", &[(6, "yes")]);
        check("const S: &str = r#\"// no \"#; // é", &[(1, "é")]);
        check("//! inner\n//\n// last", &[(2, ""), (3, "last")]);
        check("fn f() {\n // in\n}\r\n// windows\r\n", &[(2, "in"), (4, "windows")]);
    }
}
