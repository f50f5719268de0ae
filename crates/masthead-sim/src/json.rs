//! JSON as Go reads it: keys in their order and as often as they are there, and refused in Go's words.

use serde_json::{Number, Value};

/// A JSON document, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// As it is written.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Less than what the stack takes; the real server takes ten thousand.
const MAX_DEPTH: usize = 120;

const END: &str = "unexpected end of JSON input";

impl Json {
    /// Reads a document, or says what is wrong with it.
    pub(crate) fn parse(text: &[u8]) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let json = reader.value(0)?;
        match reader.next_token() {
            None => Ok(json),
            Some(other) => Err(invalid(other, "after top-level value")),
        }
    }

    /// The same as a tree. Where a key is there twice, the last one is.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Json::Null => Value::Null,
            Json::Bool(flag) => Value::Bool(*flag),
            Json::Number(text) => text.parse().map_or(Value::Null, |number: Number| Value::Number(number)),
            Json::String(text) => Value::String(text.clone()),
            Json::Array(items) => items.iter().map(Json::to_value).collect(),
            Json::Object(fields) => {
                Value::Object(fields.iter().map(|(key, value)| (key.clone(), value.to_value())).collect())
            }
        }
    }

    /// What Go calls it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "bool",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Bool(flag) => Json::Bool(*flag),
            Value::Number(number) => Json::Number(number.to_string()),
            Value::String(text) => Json::String(text.clone()),
            Value::Array(items) => Json::Array(items.iter().map(Json::from).collect()),
            Value::Object(fields) => {
                Json::Object(fields.iter().map(|(key, value)| (key.clone(), Json::from(value))).collect())
            }
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// The next byte that is no space.
    fn next_token(&mut self) -> Option<u8> {
        while let Some(byte) = self.next() {
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Some(byte);
            }
        }
        None
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        let first = self.next_token().ok_or(END)?;
        self.value_from(first, depth)
    }

    fn value_from(&mut self, first: u8, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return Err("exceeded max depth".to_owned());
        }
        match first {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Json::String),
            b't' => self.literal("true", Json::Bool(true)),
            b'f' => self.literal("false", Json::Bool(false)),
            b'n' => self.literal("null", Json::Null),
            b'-' | b'0'..=b'9' => self.number(first),
            other => Err(invalid(other, "looking for beginning of value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut fields = Vec::new();
        loop {
            match self.next_token().ok_or(END)? {
                b'}' if fields.is_empty() => break,
                b'"' => {}
                other => return Err(invalid(other, "looking for beginning of object key string")),
            }
            let key = self.string()?;
            match self.next_token().ok_or(END)? {
                b':' => {}
                other => return Err(invalid(other, "after object key")),
            }
            let value = self.value(depth + 1)?;
            fields.push((key, value));
            match self.next_token().ok_or(END)? {
                b',' => {}
                b'}' => break,
                other => return Err(invalid(other, "after object key:value pair")),
            }
        }
        Ok(Json::Object(fields))
    }

    fn array(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        loop {
            match self.next_token().ok_or(END)? {
                b']' if items.is_empty() => break,
                first => items.push(self.value_from(first, depth + 1)?),
            }
            match self.next_token().ok_or(END)? {
                b',' => {}
                b']' => break,
                other => return Err(invalid(other, "after array element")),
            }
        }
        Ok(Json::Array(items))
    }

    fn literal(&mut self, word: &str, value: Json) -> Result<Json, String> {
        for expected in word.bytes().skip(1) {
            let found = self.next().ok_or(END)?;
            if found != expected {
                let context = format!("in literal {word} (expecting {})", quote(expected));
                return Err(invalid(found, &context));
            }
        }
        Ok(value)
    }

    fn number(&mut self, first: u8) -> Result<Json, String> {
        let start = self.at - 1;
        let digit = if first == b'-' { self.digit("in numeric literal")? } else { first };
        if digit != b'0' {
            self.digits();
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digit("after decimal point in numeric literal")?;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digit("in exponent of numeric literal")?;
            self.digits();
        }
        Ok(Json::Number(String::from_utf8_lossy(&self.text[start..self.at]).into_owned()))
    }

    fn digit(&mut self, context: &str) -> Result<u8, String> {
        match self.next().ok_or(END)? {
            digit @ b'0'..=b'9' => Ok(digit),
            other => Err(invalid(other, context)),
        }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// The rest of a string whose quote was read.
    fn string(&mut self) -> Result<String, String> {
        let start = self.at;
        loop {
            match self.next().ok_or(END)? {
                b'"' => break,
                b'\\' => match self.next().ok_or(END)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                    b'u' => {
                        for _ in 0..4 {
                            let digit = self.next().ok_or(END)?;
                            if !digit.is_ascii_hexdigit() {
                                return Err(invalid(digit, "in \\u hexadecimal character escape"));
                            }
                        }
                    }
                    other => return Err(invalid(other, "in string escape code")),
                },
                control if control < 0x20 => return Err(invalid(control, "in string literal")),
                _ => {}
            }
        }
        let inside = String::from_utf8_lossy(&self.text[start..self.at - 1]);
        // Half a surrogate pair is no character; Go puts a mark in its place.
        let whole = serde_json::from_str(&format!("\"{inside}\""));
        Ok(whole.unwrap_or_else(|_| inside.into_owned()))
    }
}

fn invalid(byte: u8, context: &str) -> String {
    format!("invalid character {} {context}", quote(byte))
}

fn quote(byte: u8) -> String {
    match char::from(byte) {
        '\'' => "'\\''".to_owned(),
        '"' => "'\"'".to_owned(),
        '\\' => "'\\\\'".to_owned(),
        '\n' => "'\\n'".to_owned(),
        '\r' => "'\\r'".to_owned(),
        '\t' => "'\\t'".to_owned(),
        control if byte < 0x20 || byte == 0x7f => format!("'\\x{:02x}'", u32::from(control)),
        control if control.is_control() || byte == 0xa0 || byte == 0xad => format!("'\\u{:04x}'", u32::from(control)),
        plain => format!("'{plain}'"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Json;

    #[test]
    fn what_can_be_read_is_read_as_elsewhere() {
        let texts = [r#"{"a":[1,-2.5e3,{}],"b":null,"c":"\u00e9\n\ud83d\ude00"}"#, " [ ] ", "0", "true", r#""ü""#];
        for text in texts {
            let expect: Value = serde_json::from_str(text).unwrap();
            assert_eq!(Json::parse(text.as_bytes()).map(|json| json.to_value()), Ok(expect), "{text}");
        }
        let twice = Json::parse(br#"{"a":1,"a":2}"#).unwrap();
        assert_eq!(twice.to_value(), json!({ "a": 2 }));
    }

    #[test]
    fn what_cannot_be_read_is_refused_in_the_words_of_go() {
        let check =
            |text: &str, expect: &str| assert_eq!(Json::parse(text.as_bytes()), Err(expect.to_owned()), "{text}");
        check("", "unexpected end of JSON input");
        check(r#"{"a":"#, "unexpected end of JSON input");
        check("{a}", "invalid character 'a' looking for beginning of object key string");
        check(r#"{"a":1,}"#, "invalid character '}' looking for beginning of object key string");
        check(r#"{"a" 1}"#, "invalid character '1' after object key");
        check(r#"{"a":1 "b"}"#, "invalid character '\"' after object key:value pair");
        check("[1 2]", "invalid character '2' after array element");
        check("{} x", "invalid character 'x' after top-level value");
        check("nonsense", "invalid character 'o' in literal null (expecting 'u')");
        check("\u{9e}", "invalid character 'Â' looking for beginning of value");
        check("-x", "invalid character 'x' in numeric literal");
        check("1.x", "invalid character 'x' after decimal point in numeric literal");
        check("\"a\nb\"", "invalid character '\\n' in string literal");
        check(r#""\x""#, "invalid character 'x' in string escape code");
        let deep = "[".repeat(10_000);
        check(&deep, "exceeded max depth");
    }
}
