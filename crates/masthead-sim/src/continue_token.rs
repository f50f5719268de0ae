//! Where a page of a list ended: JSON in unpadded URL-safe base64, as the real server makes it.

use serde_json::{Value, json};

use crate::{json::Json, refusal::Refusal};

/// A page's end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContinueToken {
    /// The version of the whole list; `None` goes on with whatever is there.
    pub(crate) version: Option<u64>,
    /// Namespace and name of the last object given out.
    pub(crate) after: (String, String),
}

impl ContinueToken {
    pub(crate) fn encode(&self) -> String {
        let version = self.version.map_or(Value::from(-1), Value::from);
        let start = format!("{}/{}\0", self.after.0, self.after.1);
        let token = json!({ "v": VERSION, "rv": version, "start": start });
        encode(token.to_string().as_bytes())
    }

    pub(crate) fn decode(text: &str) -> Result<ContinueToken, Refusal> {
        let refuse =
            |why: &str| Refusal::bad_request(format!("invalid continue token: continue key is not valid: {why}"));
        let bytes = decode(text).map_err(|at| refuse(&format!("illegal base64 data at input byte {at}")))?;
        let token = Json::parse(&bytes).map_err(|why| refuse(&why))?.to_value();
        let version = token["v"].as_str().unwrap_or_default();
        if version != VERSION {
            return Err(refuse(&format!("server does not recognize this encoded version {version:?}")));
        }
        let start = token["start"].as_str().unwrap_or_default();
        if start.is_empty() {
            return Err(refuse(&format!("encoded start key empty (version {VERSION})")));
        }
        let place = start.strip_suffix('\0').and_then(|start| start.split_once('/'));
        let (namespace, name) = place.ok_or_else(|| refuse(start))?;
        Ok(ContinueToken { version: token["rv"].as_u64(), after: (namespace.to_owned(), name.to_owned()) })
    }
}

/// The only form of a token there is.
const VERSION: &str = "meta.k8s.io/v1";

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// URL-safe base64 without padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().enumerate().fold(0_u32, |group, (at, byte)| group | u32::from(*byte) << (16 - 8 * at));
        for digit in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(group >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    text
}

/// The bytes, or where the text stops being base64.
fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for (number, chunk) in text.as_bytes().chunks(4).enumerate() {
        let mut group = 0_u32;
        for (at, digit) in chunk.iter().enumerate() {
            let value = (0..).zip(ALPHABET).find(|(_, known)| *known == digit).map(|(value, _)| value);
            group |= value.ok_or(number * 4 + at)? << (18 - 6 * at);
        }
        if chunk.len() == 1 {
            return Err(number * 4);
        }
        bytes.extend_from_slice(&group.to_be_bytes()[1..chunk.len()]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::ContinueToken;

    #[test]
    fn a_token_comes_back_as_it_went() {
        for name in ["a", "ab", "abc", "a-longer-name", "ümläut"] {
            for version in [None, Some(1), Some(123_456_789)] {
                let token = ContinueToken { version, after: ("kube-system".to_owned(), name.to_owned()) };
                assert_eq!(ContinueToken::decode(&token.encode()), Ok(token));
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["abc", "!", "====", "e30"] {
            assert!(ContinueToken::decode(text).is_err(), "{text}");
        }
    }
}
