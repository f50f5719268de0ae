//! What an audit can do: be counted, by servers that have them.

use masthead::{Error, rest::ListOptions};

use super::AuditClient;

impl AuditClient {
    /// How many there are.
    pub async fn count(&self) -> Result<usize, Error> {
        Ok(self.client.list(&ListOptions::default()).await?.items.len())
    }
}
