//! The rows of what bounds others: disruption budgets, quotas and priorities.

use std::collections::BTreeMap;

use masthead::lean::{Interned, Lean};

use super::{
    cells::Cells,
    heading::{Heading, figures, words},
    scalar::Scalar,
    subject::Subject,
    words::{joined, or},
};

pub(super) const DISRUPTION_BUDGET: &[Heading] =
    &[words("NAME"), words("MIN AVAILABLE"), words("MAX UNAVAILABLE"), figures("ALLOWED DISRUPTIONS"), words("AGE")];

#[derive(Lean)]
pub(super) struct DisruptionBudget {
    #[lean("spec.minAvailable")]
    least: Scalar,
    #[lean("spec.maxUnavailable")]
    most: Scalar,
    #[lean("status.disruptionsAllowed")]
    allowed: i64,
}

pub(super) fn disruption_budget(subject: &Subject<DisruptionBudget>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    it.least.show(to, "N/A");
    it.most.show(to, "N/A");
    to.count(it.allowed);
    to.age();
}

pub(super) const QUOTA: &[Heading] = &[words("NAME"), words("REQUEST"), words("LIMIT"), words("AGE")];

#[derive(Lean)]
pub(super) struct Quota {
    #[lean("status.hard")]
    hard: BTreeMap<Interned, Scalar>,
    #[lean("status.used")]
    used: BTreeMap<Interned, Scalar>,
}

pub(super) fn quota(subject: &Subject<Quota>, to: &mut Cells<'_>) {
    let it = &subject.of;
    let shown = |limits: bool| {
        let names = it.hard.iter().filter(|(name, _)| name.starts_with("limits.") == limits);
        let each = names.map(|(name, hard)| {
            let used = it.used.get(name).map_or("", Scalar::as_str);
            format!("{name}: {}/{}", or(used, "0"), or(hard.as_str(), "0"))
        });
        joined(each, ", ")
    };
    to.name();
    to.own(&shown(false), "");
    to.own(&shown(true), "");
    to.age();
}

pub(super) const PRIORITY_CLASS: &[Heading] =
    &[words("NAME"), figures("VALUE"), words("GLOBAL-DEFAULT"), words("AGE"), words("PREEMPTIONPOLICY")];

#[derive(Lean)]
pub(super) struct PriorityClass {
    #[lean("value")]
    value: i64,
    #[lean("globalDefault")]
    is_default: bool,
    #[lean("preemptionPolicy")]
    preemption: Interned,
}

pub(super) fn priority_class(subject: &Subject<PriorityClass>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.count(it.value);
    to.flag(it.is_default);
    to.age();
    to.known(&it.preemption, "");
}
