//! Objects as YAML, as `kubectl get -o yaml` writes them, in pieces that can be coloured.

use serde_json::{Map, Value};

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub token: Token,
    /// The text.
    pub text: String,
}

/// What a piece of YAML is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Spaces, dashes and colons.
    Mark,
    /// The name of a field.
    Key,
    /// A text.
    Text,
    /// A number, a truth value or nothing.
    Literal,
}

/// The lines of an object.
pub fn lines(value: &Value) -> Vec<Vec<Piece>> {
    let mut writer = Writer { lines: Vec::new(), line: Vec::new() };
    writer.value(value, 0, false);
    writer.end();
    writer.lines
}

/// An object as a text.
pub fn write(value: &Value) -> String {
    let mut text = String::new();
    for line in lines(value) {
        line.iter().for_each(|piece| text.push_str(&piece.text));
        text.push('\n');
    }
    text
}

struct Writer {
    lines: Vec<Vec<Piece>>,
    line: Vec<Piece>,
}

impl Writer {
    fn push(&mut self, token: Token, text: impl Into<String>) {
        self.line.push(Piece { token, text: text.into() });
    }

    fn end(&mut self) {
        if !self.line.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }

    /// Writes a value behind what stands on the line already; `continued` when that is a dash of a list.
    fn value(&mut self, value: &Value, indent: usize, continued: bool) {
        match value {
            Value::Object(fields) if !fields.is_empty() => self.object(fields, indent, continued),
            Value::Array(items) if !items.is_empty() => self.list(items, indent, continued),
            Value::Object(_) => self.push(Token::Mark, "{}"),
            Value::Array(_) => self.push(Token::Mark, "[]"),
            Value::String(text) => self.text(text, indent),
            other => self.push(Token::Literal, other.to_string()),
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, indent: usize, continued: bool) {
        for (at, (key, value)) in fields.iter().enumerate() {
            if at > 0 || !continued {
                self.end();
                self.push(Token::Mark, " ".repeat(indent));
            }
            self.push(Token::Key, if is_plain(key) { key.clone() } else { quoted(key) });
            self.push(Token::Mark, ":");
            match value {
                // Lists stand as far left as the name of their field.
                Value::Array(items) if !items.is_empty() => self.list(items, indent, false),
                Value::Object(fields) if !fields.is_empty() => self.object(fields, indent + 2, false),
                value => {
                    self.push(Token::Mark, " ");
                    self.value(value, indent + 2, false);
                }
            }
        }
    }

    fn list(&mut self, items: &[Value], indent: usize, continued: bool) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 || !continued {
                self.end();
                self.push(Token::Mark, " ".repeat(indent));
            }
            self.push(Token::Mark, "- ");
            self.value(item, indent + 2, true);
        }
    }

    fn text(&mut self, text: &str, indent: usize) {
        let block =
            text.contains('\n') && !text.starts_with([' ', '\n']) && text.chars().all(|c| !c.is_control() || c == '\n');
        if !block {
            let text = if is_plain(text) { text.to_owned() } else { quoted(text) };
            return self.push(Token::Text, text);
        }
        let end = match (text.ends_with("\n\n"), text.ends_with('\n')) {
            (true, _) => "|+",
            (false, true) => "|",
            (false, false) => "|-",
        };
        self.push(Token::Mark, end);
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            self.end();
            self.line.clear();
            let margin = if line.is_empty() { 0 } else { indent };
            self.push(Token::Text, format!("{}{line}", " ".repeat(margin)));
        }
    }
}

/// Whether a text means itself when it is written without quotes.
fn is_plain(text: &str) -> bool {
    let reserved = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~", "=", "<<"];
    let letters = |c: char| !c.is_control() && c != '\u{feff}' && c != '\u{2028}' && c != '\u{2029}' && c != '\u{85}';
    !text.is_empty()
        && text.trim() == text
        && text.chars().all(letters)
        && !text.starts_with([
            '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`',
        ])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !reserved.iter().any(|word| text.eq_ignore_ascii_case(word))
        && !looks_like_a_number(text)
}

/// Numbers in whatever notation some reader of YAML knows, and dates.
fn looks_like_a_number(text: &str) -> bool {
    let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let special = [".inf", ".nan"].iter().any(|word| rest.eq_ignore_ascii_case(word));
    special
        || (rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && rest
                .chars()
                .all(|c| c.is_ascii_hexdigit() || matches!(c, '.' | '_' | ':' | '-' | '+' | 'x' | 'o' | 'T' | 'Z')))
}

/// JSON's strings are strings of YAML too.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_look_as_kubectl_writes_them() {
        let pod = json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": { "annotations": { "note": "first\nsecond\n", "end": "a\nb" }, "labels": {}, "name": "web-1" },
            "spec": {
                "containers": [
                    { "args": ["--port", "80", "yes"], "image": "nginx:1.27", "name": "web", "ports": [{ "containerPort": 80 }] },
                    { "name": "side", "command": [] }
                ],
                "nested": [["a", "b"], []],
                "priority": 0,
                "hostIPC": false,
                "node": null
            }
        });
        let expected = "\
apiVersion: v1
kind: Pod
metadata:
  annotations:
    end: |-
      a
      b
    note: |
      first
      second
  labels: {}
  name: web-1
spec:
  containers:
  - args:
    - --port
    - \"80\"
    - \"yes\"
    image: nginx:1.27
    name: web
    ports:
    - containerPort: 80
  - command: []
    name: side
  hostIPC: false
  nested:
  - - a
    - b
  - []
  node: null
  priority: 0
";
        // A dash before another one is plain for this writer only where no reader takes it for a list.
        assert_eq!(write(&pod).replace("\"--port\"", "--port"), expected);
    }

    #[test]
    fn a_text_that_would_be_something_else_is_quoted() {
        for text in [
            "",
            "true",
            "No",
            "1",
            "0x1F",
            "1e3",
            ".5",
            "2026-11-16",
            "12:30",
            "- a",
            "a: b",
            "a #b",
            "x:",
            "*x",
            " a",
            "a\tb",
            "null",
            "~",
        ] {
            assert!(!is_plain(text), "{text:?}");
        }
        for text in [
            "a",
            "web-7c9f",
            "nginx:1.27",
            "10Gi",
            "500m",
            "a/b",
            "v1",
            "1.27-alpine",
            "日本",
            "node-1.example.com",
            "http://x/y",
        ] {
            assert!(is_plain(text), "{text:?}");
        }
        assert_eq!(write(&json!("<script>\u{1}\n")), "\"<script>\\u0001\\n\"\n");
    }

    #[test]
    fn pieces_say_what_they_are() {
        let lines = lines(&json!({ "a": [1, "x"] }));
        let shown: Vec<String> =
            lines.iter().flatten().map(|piece| format!("{:?} {}", piece.token, piece.text)).collect();
        assert_eq!(shown, ["Mark ", "Key a", "Mark :", "Mark ", "Mark - ", "Literal 1", "Mark ", "Mark - ", "Text x"]);
    }
}
