//! What the server warns of beside its answer: deprecated versions, odd fields.

use std::{cell::RefCell, fmt, rc::Rc};

use rustc_hash::FxHashSet;

/// Who reads warnings. Clones share what was seen.
#[derive(Clone, Default)]
pub enum WarningHandler {
    /// Nobody.
    #[default]
    Ignore,
    /// A function, for each.
    Each(Rc<dyn Fn(&str)>),
    /// A function, for each text once.
    Once(OnceHandler),
}

impl WarningHandler {
    /// Calls `handler` for every warning.
    pub fn each(handler: impl Fn(&str) + 'static) -> WarningHandler {
        WarningHandler::Each(Rc::new(handler))
    }

    /// Calls `handler` the first time a text is seen, for at most a thousand different texts.
    pub fn once(handler: impl Fn(&str) + 'static) -> WarningHandler {
        WarningHandler::Once(OnceHandler { handler: Rc::new(handler), seen: Rc::default() })
    }

    /// Passes on the warnings of one answer.
    pub(crate) fn handle(&self, warnings: &[String]) {
        for text in warnings {
            match self {
                WarningHandler::Ignore => {}
                WarningHandler::Each(handler) => handler(text),
                WarningHandler::Once(once) => once.handle(text),
            }
        }
    }
}

impl fmt::Debug for WarningHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WarningHandler::Ignore => "Ignore",
            WarningHandler::Each(_) => "Each",
            WarningHandler::Once(_) => "Once",
        })
    }
}

/// The state of [`WarningHandler::Once`].
#[derive(Clone)]
pub struct OnceHandler {
    handler: Rc<dyn Fn(&str)>,
    /// At most `MAX_SEEN`; texts beyond that are passed over.
    seen: Rc<RefCell<FxHashSet<String>>>,
}

impl OnceHandler {
    fn handle(&self, text: &str) {
        let mut seen = self.seen.borrow_mut();
        let is_new = seen.len() < MAX_SEEN && seen.insert(text.to_owned());
        drop(seen);
        if is_new {
            (self.handler)(text);
        }
    }
}

impl fmt::Debug for OnceHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnceHandler")
    }
}

const MAX_SEEN: usize = 1000;

/// The texts of a `Warning` header: `299 - "text"`, several separated by commas.
///
/// Other codes are not for people, and whatever cannot be read is left out.
pub(crate) fn parse(header: &str) -> Vec<String> {
    let (mut rest, mut texts) = (header.trim(), Vec::new());
    while let Some((code, tail)) = rest.split_once(' ') {
        let Some((_agent, tail)) = tail.trim_start().split_once(' ') else { break };
        let Some((text, tail)) = quoted(tail.trim_start()) else { break };
        if code == "299" {
            texts.push(text);
        }
        // An optional quoted date may follow before the comma.
        let tail = quoted(tail.trim_start()).map_or(tail, |(_, tail)| tail);
        rest = tail.trim_start().strip_prefix(',').unwrap_or_default().trim_start();
    }
    texts
}

/// A quoted string at the start of `text`, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut characters = text.strip_prefix('"')?.char_indices();
    let mut value = String::new();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[1 + index + 1..])),
            '\\' => value.push(characters.next()?.1),
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::{WarningHandler, parse};

    #[test]
    fn reads_texts_and_passes_over_the_rest() {
        assert_eq!(parse(r#"299 - "policy/v1beta1 is deprecated""#), ["policy/v1beta1 is deprecated"]);
        assert_eq!(parse(r#"299 k8s "a, \"b\"" "Mon, 1 Jan", 299 - "c""#), [r#"a, "b""#, "c"]);
        assert_eq!(parse(r#"199 - "stale", 299 - "d""#), ["d"]);
        for broken in ["", "299", "299 -", "299 - unquoted", r#"299 - "open"#] {
            assert!(parse(broken).is_empty(), "{broken}");
        }
    }

    #[test]
    fn once_means_once_and_the_handler_may_come_back() {
        let seen: Rc<RefCell<Vec<String>>> = Rc::default();
        let sink = Rc::clone(&seen);
        let handler = WarningHandler::once(move |text| sink.borrow_mut().push(text.to_owned()));
        handler.handle(&["a".to_owned(), "b".to_owned()]);
        handler.clone().handle(&["a".to_owned()]);
        assert_eq!(*seen.borrow(), ["a", "b"]);
    }
}
