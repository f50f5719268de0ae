//! The rows of kinds that have little to tell.

use masthead::lean::{Found, Interned, Lean, Mismatch, Strings};
use serde::Deserialize;

use super::{
    cells::Cells,
    heading::{Heading, figures, words},
    nested::Nested,
    presence::{Element, Members, Presence},
    subject::Subject,
};
use crate::model::table::cell::Tone;

pub(super) const AGED: &[Heading] = &[words("NAME"), words("AGE")];

/// A kind of which nothing but the metadata is shown.
pub(super) struct Bare;

impl Lean for Bare {
    const PATHS: &'static [&'static str] = &[];

    fn blank(_: usize) -> Bare {
        Bare
    }

    fn set(&mut self, _: usize, _: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        Ok(())
    }

    fn heap(&self) -> usize {
        0
    }
}

/// Name and age.
pub(super) fn aged(_: &Subject<Bare>, to: &mut Cells<'_>) {
    to.name();
    to.age();
}

pub(super) const DATED: &[Heading] = &[words("NAME"), words("CREATED AT")];

#[derive(Lean)]
pub(super) struct Dated {
    #[lean("metadata.creationTimestamp")]
    created: Box<str>,
}

/// What every kind without columns of its own has: name and time of creation.
pub(super) fn dated(subject: &Subject<Dated>, to: &mut Cells<'_>) {
    to.name();
    to.own(&subject.of.created, "0001-01-01T00:00:00Z");
}

pub(super) const CONFIG_MAP: &[Heading] = &[words("NAME"), figures("DATA"), words("AGE")];

#[derive(Lean)]
pub(super) struct ConfigMap {
    #[lean("data")]
    texts: Members,
    #[lean("binaryData")]
    files: Members,
}

pub(super) fn config_map(subject: &Subject<ConfigMap>, to: &mut Cells<'_>) {
    to.name();
    to.length(subject.of.texts.0 + subject.of.files.0);
    to.age();
}

pub(super) const NAMESPACE: &[Heading] = &[words("NAME"), words("STATUS"), words("AGE")];

#[derive(Lean)]
pub(super) struct Namespace {
    #[lean("status.phase")]
    phase: Interned,
}

pub(super) fn namespace(subject: &Subject<Namespace>, to: &mut Cells<'_>) {
    let phase = &subject.of.phase;
    to.name();
    to.status(phase, if *phase == "Terminating" { Tone::Busy } else { Tone::Quiet });
    to.age();
}

pub(super) const LEASE: &[Heading] = &[words("NAME"), words("HOLDER"), words("AGE")];

#[derive(Lean)]
pub(super) struct Lease {
    #[lean("spec.holderIdentity")]
    holder: Box<str>,
}

pub(super) fn lease(subject: &Subject<Lease>, to: &mut Cells<'_>) {
    to.name();
    to.own(&subject.of.holder, "");
    to.age();
}

pub(super) const RUNTIME_CLASS: &[Heading] = &[words("NAME"), words("HANDLER"), words("AGE")];

#[derive(Lean)]
pub(super) struct RuntimeClass {
    #[lean("handler")]
    handler: Interned,
}

pub(super) fn runtime_class(subject: &Subject<RuntimeClass>, to: &mut Cells<'_>) {
    to.name();
    to.known(&subject.of.handler, "");
    to.age();
}

pub(super) const COMPONENT: &[Heading] = &[words("NAME"), words("STATUS"), words("MESSAGE"), words("ERROR")];

#[derive(Lean)]
pub(super) struct Component {
    #[lean("conditions")]
    conditions: Nested<Vec<Health>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Health {
    r#type: String,
    status: String,
    message: String,
    error: String,
}

pub(super) fn component(subject: &Subject<Component>, to: &mut Cells<'_>) {
    let health = subject.of.conditions.iter().find(|condition| condition.r#type == "Healthy");
    to.name();
    match health {
        None => to.status("Unknown", Tone::Warning),
        Some(health) if health.status == "True" => to.status("Healthy", Tone::Quiet),
        Some(_) => to.status("Unhealthy", Tone::Failure),
    }
    to.own(health.map_or("", |health| &health.message), "");
    to.own(health.map_or("", |health| &health.error), "");
}

pub(super) const RESOURCE_CLAIM: &[Heading] = &[words("NAME"), words("STATE"), words("AGE")];

#[derive(Lean)]
pub(super) struct ResourceClaim {
    #[lean("status.allocation")]
    allocation: Presence,
    #[lean("status.reservedFor[*]")]
    reserved: Vec<Element>,
}

pub(super) fn resource_claim(subject: &Subject<ResourceClaim>, to: &mut Cells<'_>) {
    let (allocated, reserved) = (subject.of.allocation.0, !subject.of.reserved.is_empty());
    let state = match (subject.meta.deleted.is_some(), allocated, reserved) {
        (false, false, _) => "pending",
        (false, true, false) => "allocated",
        (false, true, true) => "allocated,reserved",
        (true, false, _) => "deleted",
        (true, true, false) => "deleted,allocated",
        (true, true, true) => "deleted,allocated,reserved",
    };
    to.name();
    to.status(state, if state.starts_with("allocated") { Tone::Quiet } else { Tone::Busy });
    to.age();
}

pub(super) const RESOURCE_SLICE: &[Heading] =
    &[words("NAME"), words("NODE"), words("DRIVER"), words("POOL"), words("AGE")];

#[derive(Lean)]
pub(super) struct ResourceSlice {
    #[lean("spec.nodeName")]
    node: Interned,
    #[lean("spec.driver")]
    driver: Interned,
    #[lean("spec.pool.name")]
    pool: Interned,
}

pub(super) fn resource_slice(subject: &Subject<ResourceSlice>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    [&it.node, &it.driver, &it.pool].into_iter().for_each(|word| to.known(word, ""));
    to.age();
}
