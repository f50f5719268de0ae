//! OpenAPI v3 documents: one per group-version, addressed by a hash of what it holds.

use serde_json::Value;

use super::legacy::text;

/// Where one document is to be had. A browser may keep what it got from this address for ever: the address changes with
/// the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenApiDocument {
    /// What it describes, as in `apis/apps/v1`.
    pub path: String,
    /// The path and query the server gives it.
    pub url: String,
}

impl OpenApiDocument {
    /// The hash of the document; without it the address is not its own.
    pub fn hash(&self) -> Option<&str> {
        let (_, query) = self.url.split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix("hash="))
    }
}

/// The documents by the answer at `/openapi/v3`.
pub(super) fn documents(answer: &Value) -> Vec<OpenApiDocument> {
    let paths = answer["paths"].as_object().into_iter().flatten();
    paths.map(|(path, entry)| OpenApiDocument { path: path.clone(), url: text(entry, "serverRelativeURL") }).collect()
}
