//! The rows of volumes, of claims to them and of what provides them.

use masthead::lean::{Interned, Lean};
use serde::Deserialize;

use super::{
    cells::Cells,
    heading::{Heading, figures, wide, words},
    nested::Nested,
    presence::{Element, Presence},
    scalar::Scalar,
    subject::Subject,
    words::{NONE, UNSET, joined, or},
};
use crate::model::table::cell::Tone;

pub(super) const VOLUME: &[Heading] = &[
    words("NAME"),
    words("CAPACITY"),
    words("ACCESS MODES"),
    words("RECLAIM POLICY"),
    words("STATUS"),
    words("CLAIM"),
    words("STORAGECLASS"),
    words("VOLUMEATTRIBUTESCLASS"),
    words("REASON"),
    words("AGE"),
    wide("VOLUMEMODE"),
];

#[derive(Lean)]
pub(super) struct Volume {
    #[lean("spec.capacity.storage")]
    capacity: Scalar,
    #[lean("spec.accessModes[*]")]
    modes: Vec<Interned>,
    #[lean("spec.persistentVolumeReclaimPolicy")]
    policy: Interned,
    #[lean("spec.claimRef")]
    claim: Presence,
    #[lean("spec.claimRef.namespace")]
    claim_namespace: Interned,
    #[lean("spec.claimRef.name")]
    claim_name: Box<str>,
    #[lean("spec.storageClassName")]
    class: Interned,
    #[lean(r"metadata.annotations.volume\.beta\.kubernetes\.io/storage-class")]
    annotated_class: Option<Interned>,
    #[lean("spec.volumeAttributesClassName")]
    attributes: Option<Interned>,
    #[lean("spec.volumeMode")]
    mode: Option<Interned>,
    #[lean("status.phase")]
    phase: Interned,
    #[lean("status.reason")]
    reason: Interned,
}

pub(super) fn volume(subject: &Subject<Volume>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.quantity(it.capacity.as_str());
    to.word(&modes(&it.modes));
    to.known(&it.policy, "");
    phase(subject.meta.deleted.is_some(), &it.phase, to);
    match it.claim.0 {
        true => to.own(&format!("{}/{}", it.claim_namespace, it.claim_name), ""),
        false => to.word(""),
    }
    to.known(it.annotated_class.as_ref().unwrap_or(&it.class), "");
    to.word(it.attributes.as_deref().unwrap_or(UNSET));
    to.known(&it.reason, "");
    to.age();
    to.word(it.mode.as_deref().unwrap_or(UNSET));
}

pub(super) const CLAIM: &[Heading] = &[
    words("NAME"),
    words("STATUS"),
    words("VOLUME"),
    words("CAPACITY"),
    words("ACCESS MODES"),
    words("STORAGECLASS"),
    words("VOLUMEATTRIBUTESCLASS"),
    words("AGE"),
    wide("VOLUMEMODE"),
];

#[derive(Lean)]
pub(super) struct Claim {
    #[lean("spec.volumeName")]
    volume: Box<str>,
    #[lean("status.capacity.storage")]
    capacity: Scalar,
    #[lean("status.accessModes[*]")]
    modes: Vec<Interned>,
    #[lean("spec.storageClassName")]
    class: Interned,
    #[lean(r"metadata.annotations.volume\.beta\.kubernetes\.io/storage-class")]
    annotated_class: Option<Interned>,
    #[lean("spec.volumeAttributesClassName")]
    attributes: Option<Interned>,
    #[lean("spec.volumeMode")]
    mode: Option<Interned>,
    #[lean("status.phase")]
    phase: Interned,
}

pub(super) fn claim(subject: &Subject<Claim>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    phase(subject.meta.deleted.is_some(), &it.phase, to);
    to.own(&it.volume, "");
    match it.volume.is_empty() {
        true => {
            to.word("");
            to.word("");
        }
        false => {
            to.quantity(it.capacity.as_str());
            to.word(&modes(&it.modes));
        }
    }
    to.known(it.annotated_class.as_ref().unwrap_or(&it.class), "");
    to.word(it.attributes.as_deref().unwrap_or(UNSET));
    to.age();
    to.word(it.mode.as_deref().unwrap_or(UNSET));
}

fn phase(deleted: bool, phase: &Interned, to: &mut Cells<'_>) {
    let tone = match phase.as_str() {
        _ if deleted => return to.status("Terminating", Tone::Busy),
        "Lost" | "Failed" => Tone::Failure,
        "Pending" => Tone::Busy,
        _ => Tone::Quiet,
    };
    to.status(phase, tone);
}

fn modes(modes: &[Interned]) -> String {
    let named =
        [("ReadWriteOnce", "RWO"), ("ReadOnlyMany", "ROX"), ("ReadWriteMany", "RWX"), ("ReadWriteOncePod", "RWOP")];
    let present = named.iter().filter(|(mode, _)| modes.iter().any(|it| it == mode));
    joined(present.map(|(_, short)| *short), ",")
}

pub(super) const STORAGE_CLASS: &[Heading] = &[
    words("NAME"),
    words("PROVISIONER"),
    words("RECLAIMPOLICY"),
    words("VOLUMEBINDINGMODE"),
    words("ALLOWVOLUMEEXPANSION"),
    words("AGE"),
];

#[derive(Lean)]
pub(super) struct StorageClass {
    #[lean(r"metadata.annotations.storageclass\.kubernetes\.io/is-default-class")]
    is_default: Interned,
    #[lean(r"metadata.annotations.storageclass\.beta\.kubernetes\.io/is-default-class")]
    was_default: Interned,
    #[lean("provisioner")]
    provisioner: Interned,
    #[lean("reclaimPolicy")]
    policy: Option<Interned>,
    #[lean("volumeBindingMode")]
    mode: Option<Interned>,
    #[lean("allowVolumeExpansion")]
    expands: bool,
}

pub(super) fn storage_class(subject: &Subject<StorageClass>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.default_name(it.is_default == "true" || it.was_default == "true");
    to.known(&it.provisioner, "");
    to.word(it.policy.as_deref().unwrap_or("Delete"));
    to.word(it.mode.as_deref().unwrap_or("Immediate"));
    to.flag(it.expands);
    to.age();
}

pub(super) const ATTRIBUTES_CLASS: &[Heading] = &[words("NAME"), words("DRIVERNAME"), words("AGE")];

#[derive(Lean)]
pub(super) struct AttributesClass {
    #[lean("driverName")]
    driver: Interned,
}

pub(super) fn attributes_class(subject: &Subject<AttributesClass>, to: &mut Cells<'_>) {
    to.name();
    to.known(&subject.of.driver, "");
    to.age();
}

pub(super) const ATTACHMENT: &[Heading] =
    &[words("NAME"), words("ATTACHER"), words("PV"), words("NODE"), words("ATTACHED"), words("AGE")];

#[derive(Lean)]
pub(super) struct Attachment {
    #[lean("spec.attacher")]
    attacher: Interned,
    #[lean("spec.source.persistentVolumeName")]
    volume: Box<str>,
    #[lean("spec.nodeName")]
    node: Interned,
    #[lean("status.attached")]
    attached: bool,
}

pub(super) fn attachment(subject: &Subject<Attachment>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.known(&it.attacher, "");
    to.own(&it.volume, "");
    to.known(&it.node, "");
    to.flag(it.attached);
    to.age();
}

pub(super) const CSI_NODE: &[Heading] = &[words("NAME"), figures("DRIVERS"), words("AGE")];

#[derive(Lean)]
pub(super) struct CsiNode {
    #[lean("spec.drivers[*]")]
    drivers: Vec<Element>,
}

pub(super) fn csi_node(subject: &Subject<CsiNode>, to: &mut Cells<'_>) {
    to.name();
    to.length(subject.of.drivers.len());
    to.age();
}

pub(super) const CSI_DRIVER: &[Heading] = &[
    words("NAME"),
    words("ATTACHREQUIRED"),
    words("PODINFOONMOUNT"),
    words("STORAGECAPACITY"),
    words("TOKENREQUESTS"),
    words("REQUIRESREPUBLISH"),
    words("MODES"),
    words("AGE"),
];

#[derive(Lean)]
pub(super) struct CsiDriver {
    #[lean("spec.attachRequired")]
    attach: Option<bool>,
    #[lean("spec.podInfoOnMount")]
    pod: bool,
    #[lean("spec.storageCapacity")]
    capacity: bool,
    #[lean("spec.tokenRequests")]
    tokens: Nested<Option<Vec<TokenRequest>>>,
    #[lean("spec.requiresRepublish")]
    republish: bool,
    #[lean("spec.volumeLifecycleModes[*]")]
    modes: Vec<Interned>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TokenRequest {
    audience: String,
}

pub(super) fn csi_driver(subject: &Subject<CsiDriver>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.flag(it.attach.unwrap_or(true));
    to.flag(it.pod);
    to.flag(it.capacity);
    match &it.tokens.0 {
        Some(tokens) => to.word(&joined(tokens.iter().map(|token| &token.audience), ",")),
        None => to.word(UNSET),
    }
    to.flag(it.republish);
    to.word(or(&joined(&it.modes, ","), NONE));
    to.age();
}
