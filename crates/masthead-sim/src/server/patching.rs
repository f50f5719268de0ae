//! PATCH, in each of its forms.

use masthead::rest::Method;
use serde_json::Value;

use super::{Asked, Target};
use crate::{
    cause::Cause,
    custom,
    kind::Kind,
    managed::plain,
    patch::Patch,
    refusal::Refusal,
    reply::Reply,
    schema::{Decoded, Schema},
    write::{Application, Half},
    write_options::{FieldValidation, WriteOptions, WriteVerb},
};

impl Asked<'_> {
    /// Changes an object, or applies one that may be new.
    pub(super) fn patch(&self, target: &Target) -> Result<Reply, Refusal> {
        let Target { kind, key, part } = target;
        let half = Half::of(*part).ok_or_else(Refusal::method_not_allowed)?;
        let (patch, strict, options) = self.read_patch(kind)?;
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
                    let next = patch.apply(before.value(), &kind.schema)?;
                    let next = typed(kind, patch, &next, (strict, options.validation), write.warnings)?;
                    Ok((write.replace(kind, key, half, next)?, 200))
                }
                (_, Err(missing)) => Err(missing),
            }
        })?;
        Ok(Reply::object(code, &patched, self.view()?))
    }

    /// Sets or patches how many replicas an object should have.
    pub(super) fn rescale(&self, Target { kind, key, .. }: &Target) -> Result<Reply, Refusal> {
        let schema = Schema::of_kind("autoscaling", "v1", "Scale").ok_or_else(Refusal::unknown_resource)?;
        let patch = match self.method {
            Method::Patch => Some(self.read_patch(kind)?),
            _ => None,
        };
        let options = match &patch {
            Some((_, _, options)) => *options,
            None => WriteOptions::of(WriteVerb::Update, &self.query)?,
        };
        let scale = self.write(options.dry_run, |write| {
            let next = match &patch {
                Some((patch, _, _)) => patch.apply(write.scale(kind, key)?, &schema)?,
                None => self.parsed()?,
            };
            write.rescale(kind, key, &next)
        })?;
        self.scale(&scale)
    }

    fn read_patch(&self, kind: &Kind) -> Result<(Patch, Vec<String>, WriteOptions), Refusal> {
        let is_strategic = self.content_type.starts_with("application/strategic-merge-patch+json");
        if is_strategic && kind.is_custom() {
            return Err(Refusal::unknown_patch_format());
        }
        let applies = self.content_type.starts_with("application/apply-patch+yaml");
        let options = WriteOptions::of(if applies { WriteVerb::Apply } else { WriteVerb::Patch }, &self.query);
        let mut strict = Vec::new();
        let patch = match Patch::decode(self.content_type, self.body, &mut strict) {
            // Whether a form is taken at all comes before how it is to be written.
            Err(refusal) if refusal.code == 415 => return Err(refusal),
            other => other,
        };
        let options = options?;
        Ok((patch?, strict, options))
    }
}

/// A patched object as an object of its kind; `strict` is what is wrong with the patch itself.
fn typed(
    kind: &Kind,
    patch: &Patch,
    next: &Value,
    (mut strict, validation): (Vec<String>, FieldValidation),
    warnings: &mut Vec<String>,
) -> Result<Value, Refusal> {
    let refuse = |why: &str| {
        let shown = match patch {
            Patch::Strategic(patch) => plain(patch),
            _ if kind.is_custom() => next.to_string(),
            _ => kind.schema.show(next, &patch.touched()),
        };
        Refusal::invalid_patch(&[Cause::invalid("patch", format_args!("{shown:?}"), why)])
    };
    let object = if kind.is_custom() {
        custom::check_metadata(&next["metadata"]).map_err(|why| refuse(&why))?;
        strict.extend(custom::unknown_fields(kind, next));
        next.clone()
    } else {
        let decoded = match patch {
            Patch::Strategic(_) => kind.schema.convert(next),
            _ => kind.schema.decode(&next.into()),
        };
        let Decoded { value, strict: unknown } = decoded.map_err(|why| refuse(&why))?;
        strict.extend(unknown);
        value
    };
    match validation {
        FieldValidation::Strict if !strict.is_empty() => {
            return Err(refuse(&format!("strict decoding error: {}", strict.join(", "))));
        }
        FieldValidation::Warn => warnings.extend(strict),
        _ => {}
    }
    Ok(object)
}
