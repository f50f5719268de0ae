//! What a script has learnt from earlier answers.

use std::collections::HashMap;

use anyhow::{Context, Result};
use masthead::rest::Headers;

use super::step::Ask;

/// Values by name.
#[derive(Debug, Default)]
pub(crate) struct Variables(HashMap<String, String>);

impl Variables {
    pub(crate) fn set(&mut self, name: &str, value: String) {
        self.0.insert(name.to_owned(), value);
    }

    /// `text` with every `${name}` replaced; a name that was never set is an error.
    pub(crate) fn fill(&self, text: &str) -> Result<String> {
        let mut parts = text.split("${");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').with_context(|| format!("an open variable in {text:?}"))?;
            filled += self.0.get(name).with_context(|| format!("nothing was saved as {name}"))?;
            filled += rest;
        }
        Ok(filled)
    }

    pub(crate) fn fill_ask(&self, ask: &Ask) -> Result<Ask> {
        let mut headers = Headers::default();
        for (name, value) in ask.headers.iter() {
            headers.add(name, self.fill(value)?);
        }
        let body = ask.body.as_deref().map(|body| self.fill(body)).transpose()?;
        Ok(Ask { method: ask.method, path: self.fill(&ask.path)?, headers, body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_what_was_saved_and_refuses_what_was_not() {
        let mut variables = Variables::default();
        variables.set("ns", "one".to_owned());
        assert_eq!(variables.fill("/a/${ns}/b").unwrap(), "/a/one/b");
        assert_eq!(variables.fill("${uid}").unwrap_err().to_string(), "nothing was saved as uid");
    }
}
