//! POST to a part of an object: what is done with it.

use super::{Asked, Target};
use crate::{kind::Subresource, refusal::Refusal, reply::Reply};

impl Asked<'_> {
    /// Binds or evicts a pod, or makes a token.
    pub(super) fn act(&self, Target { kind, key, .. }: &Target, part: Subresource) -> Result<Reply, Refusal> {
        let (body, dry_run) = (self.parsed()?, self.query.dry_run("CreateOptions")?);
        let answer = self.write(dry_run, |write| match part {
            Subresource::Binding => write.bind(kind, key, &body),
            Subresource::Token => write.request_token(kind, key, body),
            _ => write.evict(kind, key, &body, &self.query),
        })?;
        Ok(Reply::value(201, &answer))
    }

    /// Refuses what leads into a container or to a machine, if there is what it leads from.
    pub(super) fn connect(&self, Target { kind, key, .. }: &Target, part: Subresource) -> Result<Reply, Refusal> {
        self.write(true, |write| write.existing(kind, key))?;
        Err(Refusal::not_simulated(match part {
            Subresource::Attach => "attach",
            Subresource::Exec => "exec",
            Subresource::PortForward => "port forwarding",
            _ => "proxy",
        }))
    }
}
