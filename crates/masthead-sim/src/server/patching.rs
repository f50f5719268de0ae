//! PATCH, in each of its forms.

use super::{Asked, Target};
use crate::{
    kind::Subresource,
    patch::Patch,
    refusal::Refusal,
    reply::Reply,
    write::{Application, Half},
    write_options::{WriteOptions, WriteVerb},
};

impl Asked<'_> {
    /// Changes an object, or applies one that may be new.
    pub(super) fn patch(&self, target: &Target) -> Result<Reply, Refusal> {
        let Target { kind, key, part } = target;
        let half = if *part == Some(Subresource::Status) { Half::Status } else { Half::Main };
        let patch = Patch::decode(self.content_type, self.body)?;
        let verb = if matches!(patch, Patch::Apply(_)) { WriteVerb::Apply } else { WriteVerb::Patch };
        let options = WriteOptions::of(verb, &self.query)?;
        let (patched, code) = self.write(options.dry_run, |write| {
            let before = write.existing(kind, key);
            match (&patch, before) {
                (Patch::Apply(object), Ok(before)) => {
                    let application = Application { half, object, force: options.force };
                    Ok((write.apply(kind, &before, application)?, 200))
                }
                (Patch::Apply(applied), Err(_)) if half == Half::Main => {
                    Ok((write.apply_new(kind, key, applied)?, 201))
                }
                (patch, Ok(before)) => Ok((write.replace(kind, key, half, patch.apply(before.value())?)?, 200)),
                (_, Err(missing)) => Err(missing),
            }
        })?;
        self.shown(code, &patched)
    }
}
