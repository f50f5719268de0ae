//! The rows of what makes pods and keeps them.

use masthead::lean::{Interned, Lean};

use super::{
    cells::Cells,
    heading::{Heading, figures, wide, words},
    selector::{Pairs, Selector},
    subject::Subject,
    words::{NONE, joined},
};
use crate::model::table::cell::Tone;

pub(super) const DEPLOYMENT: &[Heading] = &[
    words("NAME"),
    words("READY"),
    figures("UP-TO-DATE"),
    figures("AVAILABLE"),
    words("AGE"),
    wide("CONTAINERS"),
    wide("IMAGES"),
    wide("SELECTOR"),
];

#[derive(Lean)]
pub(super) struct Deployment {
    #[lean("spec.replicas")]
    replicas: i64,
    #[lean("status.readyReplicas")]
    ready: i64,
    #[lean("status.updatedReplicas")]
    updated: i64,
    #[lean("status.availableReplicas")]
    available: i64,
    #[lean("spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("spec.selector")]
    selector: Selector,
}

pub(super) fn deployment(subject: &Subject<Deployment>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.raise(lack(it.available.min(it.ready), it.replicas));
    to.name();
    to.ratio(it.ready, it.replicas);
    to.count(it.updated);
    to.count(it.available);
    to.age();
    containers(&it.containers, &it.images, to);
    match &it.selector {
        Selector::Written(written) => to.known(written, ""),
        Selector::Invalid => to.word("<invalid>"),
    }
}

/// What it means that there are so many of so many.
fn lack(there: i64, wanted: i64) -> Tone {
    if there < wanted { Tone::Warning } else { Tone::Quiet }
}

pub(super) fn containers(names: &[Interned], images: &[Interned], to: &mut Cells<'_>) {
    to.word(&joined(names, ","));
    to.word(&joined(images, ","));
}

pub(super) const REPLICAS: &[Heading] = &[
    words("NAME"),
    figures("DESIRED"),
    figures("CURRENT"),
    figures("READY"),
    words("AGE"),
    wide("CONTAINERS"),
    wide("IMAGES"),
    wide("SELECTOR"),
];

#[derive(Lean)]
pub(super) struct ReplicaSet {
    #[lean("spec.replicas")]
    desired: i64,
    #[lean("status.replicas")]
    current: i64,
    #[lean("status.readyReplicas")]
    ready: i64,
    #[lean("spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("spec.selector")]
    selector: Selector,
}

pub(super) fn replica_set(subject: &Subject<ReplicaSet>, to: &mut Cells<'_>) {
    let it = &subject.of;
    replicas([it.desired, it.current, it.ready], to);
    containers(&it.containers, &it.images, to);
    it.selector.show(to);
}

#[derive(Lean)]
pub(super) struct ReplicationController {
    #[lean("spec.replicas")]
    desired: i64,
    #[lean("status.replicas")]
    current: i64,
    #[lean("status.readyReplicas")]
    ready: i64,
    #[lean("spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("spec.selector")]
    selector: Pairs,
}

pub(super) fn replication_controller(subject: &Subject<ReplicationController>, to: &mut Cells<'_>) {
    let it = &subject.of;
    replicas([it.desired, it.current, it.ready], to);
    containers(&it.containers, &it.images, to);
    to.known(&it.selector.0, NONE);
}

fn replicas([desired, current, ready]: [i64; 3], to: &mut Cells<'_>) {
    to.raise(lack(ready, desired));
    to.name();
    to.count(desired);
    to.count(current);
    to.count(ready);
    to.age();
}

pub(super) const STATEFUL_SET: &[Heading] =
    &[words("NAME"), words("READY"), words("AGE"), wide("CONTAINERS"), wide("IMAGES")];

#[derive(Lean)]
pub(super) struct StatefulSet {
    #[lean("spec.replicas")]
    replicas: i64,
    #[lean("status.readyReplicas")]
    ready: i64,
    #[lean("spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
}

pub(super) fn stateful_set(subject: &Subject<StatefulSet>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.raise(lack(it.ready, it.replicas));
    to.name();
    to.ratio(it.ready, it.replicas);
    to.age();
    containers(&it.containers, &it.images, to);
}

pub(super) const DAEMON_SET: &[Heading] = &[
    words("NAME"),
    figures("DESIRED"),
    figures("CURRENT"),
    figures("READY"),
    figures("UP-TO-DATE"),
    figures("AVAILABLE"),
    words("NODE SELECTOR"),
    words("AGE"),
    wide("CONTAINERS"),
    wide("IMAGES"),
    wide("SELECTOR"),
];

#[derive(Lean)]
pub(super) struct DaemonSet {
    #[lean("status.desiredNumberScheduled")]
    desired: i64,
    #[lean("status.currentNumberScheduled")]
    current: i64,
    #[lean("status.numberReady")]
    ready: i64,
    #[lean("status.updatedNumberScheduled")]
    updated: i64,
    #[lean("status.numberAvailable")]
    available: i64,
    #[lean("spec.template.spec.nodeSelector")]
    nodes: Pairs,
    #[lean("spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("spec.selector")]
    selector: Selector,
}

pub(super) fn daemon_set(subject: &Subject<DaemonSet>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.raise(lack(it.ready, it.desired));
    to.name();
    [it.desired, it.current, it.ready, it.updated, it.available].into_iter().for_each(|count| to.count(count));
    to.known(&it.nodes.0, NONE);
    to.age();
    containers(&it.containers, &it.images, to);
    it.selector.show(to);
}

pub(super) const POD_TEMPLATE: &[Heading] = &[words("NAME"), words("CONTAINERS"), words("IMAGES"), words("POD LABELS")];

#[derive(Lean)]
pub(super) struct PodTemplate {
    #[lean("template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("template.metadata.labels")]
    labels: Pairs,
}

pub(super) fn pod_template(subject: &Subject<PodTemplate>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    containers(&it.containers, &it.images, to);
    to.known(&it.labels.0, NONE);
}

pub(super) const CONTROLLER_REVISION: &[Heading] =
    &[words("NAME"), words("CONTROLLER"), figures("REVISION"), words("AGE")];

#[derive(Lean)]
pub(super) struct ControllerRevision {
    #[lean("revision")]
    revision: i64,
}

pub(super) fn controller_revision(subject: &Subject<ControllerRevision>, to: &mut Cells<'_>) {
    to.name();
    let controller = &subject.meta.owner;
    match &controller.owner {
        Some(owner) => {
            let kind = match controller.api_version.split_once('/') {
                Some((group, _)) => format!("{}.{group}", owner.kind),
                None => owner.kind.to_string(),
            };
            to.word(&format!("{}/{}", kind.to_ascii_lowercase(), owner.name));
        }
        None => to.word(NONE),
    }
    to.count(subject.of.revision);
    to.age();
}
