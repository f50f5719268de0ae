//! OpenAPI v3 documents: one per group-version, addressed by a hash of what it holds.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::legacy::or_default;

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

/// The answer at `/openapi/v3`.
#[derive(Deserialize)]
pub(super) struct Index {
    #[serde(default, deserialize_with = "or_default")]
    paths: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default, rename = "serverRelativeURL")]
    url: String,
}

impl Index {
    pub(super) fn into_documents(self) -> Vec<OpenApiDocument> {
        self.paths.into_iter().map(|(path, entry)| OpenApiDocument { path, url: entry.url }).collect()
    }
}
