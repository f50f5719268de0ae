//! What is kept, and where.

use super::{Detail, Facts, Label, Object, Told};
use crate::model::table::cell::Tone;

pub(super) fn namespace(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    phase(it, facts, "Active");
}

pub(super) fn claim(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    phase(it, facts, "Bound");
    facts.link(Label::Volume, ["v1", "PersistentVolume"], ["", it.text("/spec/volumeName")]);
    class_of(it, facts);
    facts.all(
        it,
        &[
            (Label::Requested, "/spec/resources/requests/storage"),
            (Label::Capacity, "/status/capacity/storage"),
            (Label::VolumeMode, "/spec/volumeMode"),
        ],
    );
    facts.text(Label::AccessModes, it.joined("/spec/accessModes"));
}

pub(super) fn volume(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    phase(it, facts, "Bound");
    let claim = it.at("/spec/claimRef");
    facts.link(Label::Claim, ["v1", "PersistentVolumeClaim"], [claim.text("/namespace"), claim.text("/name")]);
    class_of(it, facts);
    facts.all(
        it,
        &[
            (Label::Capacity, "/spec/capacity/storage"),
            (Label::ReclaimPolicy, "/spec/persistentVolumeReclaimPolicy"),
            (Label::VolumeMode, "/spec/volumeMode"),
            (Label::Driver, "/spec/csi/driver"),
        ],
    );
    facts.text(Label::AccessModes, it.joined("/spec/accessModes"));
}

pub(super) fn class(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    facts.all(
        it,
        &[
            (Label::Provisioner, "/provisioner"),
            (Label::ReclaimPolicy, "/reclaimPolicy"),
            (Label::BindingMode, "/volumeBindingMode"),
            (Label::Expandable, "/allowVolumeExpansion"),
        ],
    );
}

fn class_of(it: Object<'_>, facts: &mut Facts) {
    facts.link(Label::StorageClass, ["storage.k8s.io/v1", "StorageClass"], ["", it.text("/spec/storageClassName")]);
}

fn phase(it: Object<'_>, facts: &mut Facts, good: &str) {
    let phase = it.text("/status/phase");
    let tone = match phase {
        phase if phase == good => Tone::Quiet,
        "Failed" | "Lost" => Tone::Failure,
        "Available" => Tone::Quiet,
        _ => Tone::Busy,
    };
    facts.tell(Label::Phase, Told::State(phase.to_owned(), tone));
}
