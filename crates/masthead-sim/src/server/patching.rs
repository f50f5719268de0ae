//! PATCH, in each of its forms.

use masthead::rest::Method;

use super::{Asked, Target};
use crate::{
    patch::Patch,
    refusal::Refusal,
    reply::Reply,
    schema::Schema,
    write::{Application, Half},
    write_options::{WriteOptions, WriteVerb},
};

impl Asked<'_> {
    /// Changes an object, or applies one that may be new.
    pub(super) fn patch(&self, target: &Target) -> Result<Reply, Refusal> {
        let Target { kind, key, part } = target;
        let half = Half::of(*part).ok_or_else(Refusal::method_not_allowed)?;
        let patch = Patch::decode(self.content_type, self.body)?;
        if matches!(patch, Patch::Strategic(_)) && kind.is_custom() {
            return Err(Refusal::unknown_patch_format());
        }
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
                (patch, Ok(before)) => {
                    Ok((write.replace(kind, key, half, patch.apply(before.value(), &kind.schema)?)?, 200))
                }
                (_, Err(missing)) => Err(missing),
            }
        })?;
        self.shown(code, &patched)
    }

    /// Sets or patches how many replicas an object should have.
    pub(super) fn rescale(&self, Target { kind, key, .. }: &Target) -> Result<Reply, Refusal> {
        let patch = match self.method {
            Method::Patch => Some(Patch::decode(self.content_type, self.body)?),
            _ => None,
        };
        let verb = if patch.is_some() { WriteVerb::Patch } else { WriteVerb::Update };
        let options = WriteOptions::of(verb, &self.query)?;
        let schema = Schema::of_kind("autoscaling", "v1", "Scale").ok_or_else(Refusal::unknown_resource)?;
        let scale = self.write(options.dry_run, |write| {
            let next = match &patch {
                Some(patch) => patch.apply(write.scale(kind, key)?, &schema)?,
                None => self.parsed()?,
            };
            write.rescale(kind, key, &next)
        })?;
        self.scale(&scale)
    }
}
