//! The rows of what has a say in requests: webhooks, admission policies, flow control and other API servers.

use masthead::lean::{Interned, Lean, Part};

use super::{
    cells::Cells,
    condition::{self, Condition},
    heading::{Heading, figures, words},
    nested::Nested,
    presence::{Element, Presence},
    selector::{Requirement, WrittenSelector},
    subject::Subject,
    words::{NONE, UNSET, joined},
};
use crate::model::table::cell::Tone;

pub(super) const WEBHOOKS: &[Heading] = &[words("NAME"), figures("WEBHOOKS"), words("AGE")];

#[derive(Lean)]
pub(super) struct Webhooks {
    #[lean("webhooks[*]")]
    webhooks: Vec<Element>,
}

pub(super) fn webhooks(subject: &Subject<Webhooks>, to: &mut Cells<'_>) {
    to.name();
    to.length(subject.of.webhooks.len());
    to.age();
}

pub(super) const VALIDATING_POLICY: &[Heading] =
    &[words("NAME"), figures("VALIDATIONS"), words("PARAMKIND"), words("AGE")];

pub(super) const MUTATING_POLICY: &[Heading] = &[words("NAME"), figures("MUTATIONS"), words("PARAMKIND"), words("AGE")];

/// A policy; it has rules of the one sort or of the other.
#[derive(Lean)]
pub(super) struct Policy {
    #[lean("spec.validations[*]")]
    validations: Vec<Element>,
    #[lean("spec.mutations[*]")]
    mutations: Vec<Element>,
    #[lean("spec.paramKind")]
    parameter: Presence,
    #[lean("spec.paramKind.apiVersion")]
    api_version: Interned,
    #[lean("spec.paramKind.kind")]
    kind: Interned,
}

pub(super) fn policy(subject: &Subject<Policy>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.length(it.validations.len() + it.mutations.len());
    match it.parameter.0 {
        true => to.word(&format!("{}/{}", it.api_version, it.kind)),
        false => to.word(UNSET),
    }
    to.age();
}

pub(super) const POLICY_BINDING: &[Heading] = &[words("NAME"), words("POLICYNAME"), words("PARAMREF"), words("AGE")];

#[derive(Lean)]
pub(super) struct PolicyBinding {
    #[lean("spec.policyName")]
    policy: Interned,
    #[lean("spec.paramRef.name")]
    name: Interned,
    #[lean("spec.paramRef.namespace")]
    namespace: Interned,
    #[lean("spec.paramRef.selector")]
    selector: Nested<Option<WrittenSelector>>,
}

pub(super) fn policy_binding(subject: &Subject<PolicyBinding>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.known(&it.policy, "");
    match (it.name.as_str(), it.namespace.as_str(), &it.selector.0) {
        ("", _, None) => to.word(UNSET),
        ("", _, Some(selector)) => to.own(&go_selector(selector), ""),
        (name, "", _) => to.word(&format!("*/{name}")),
        (name, namespace, _) => to.word(&format!("{namespace}/{name}")),
    }
    to.age();
}

/// A selector as Go prints its struct, which is what the real server shows here.
fn go_selector(selector: &WrittenSelector) -> String {
    let labels: String = selector.match_labels.iter().map(|(key, value)| format!("{key}: {value},")).collect();
    let requirements = selector.match_expressions.iter().map(|Requirement { key, operator, values }| {
        let values = joined(values, " ");
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
    });
    let requirements: String = requirements.collect();
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},\
         MatchExpressions:[]LabelSelectorRequirement{{{requirements}}},}}"
    )
}

pub(super) const FLOW_SCHEMA: &[Heading] = &[
    words("NAME"),
    words("PRIORITYLEVEL"),
    figures("MATCHINGPRECEDENCE"),
    words("DISTINGUISHERMETHOD"),
    words("AGE"),
    words("MISSINGPL"),
];

#[derive(Lean)]
pub(super) struct FlowSchema {
    #[lean("spec.priorityLevelConfiguration.name")]
    level: Interned,
    #[lean("spec.matchingPrecedence")]
    precedence: i64,
    #[lean("spec.distinguisherMethod.type")]
    method: Interned,
    #[lean("status.conditions[*]")]
    conditions: Vec<Part<Condition>>,
}

pub(super) fn flow_schema(subject: &Subject<FlowSchema>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.known(&it.level, "");
    to.count(it.precedence);
    to.known(&it.method, NONE);
    to.age();
    match condition::find(&it.conditions, "Dangling") {
        Some(dangling) if dangling.status == "True" => to.status("True", Tone::Warning),
        Some(dangling) => to.known(&dangling.status, ""),
        None => to.word("?"),
    }
}

pub(super) const PRIORITY_LEVEL: &[Heading] = &[
    words("NAME"),
    words("TYPE"),
    figures("NOMINALCONCURRENCYSHARES"),
    figures("QUEUES"),
    figures("HANDSIZE"),
    figures("QUEUELENGTHLIMIT"),
    words("AGE"),
];

#[derive(Lean)]
pub(super) struct PriorityLevel {
    #[lean("spec.type")]
    kind: Interned,
    #[lean("spec.limited")]
    limited: Presence,
    #[lean("spec.limited.nominalConcurrencyShares")]
    shares: i64,
    #[lean("spec.limited.limitResponse.queuing")]
    queuing: Presence,
    #[lean("spec.limited.limitResponse.queuing.queues")]
    queues: i64,
    #[lean("spec.limited.limitResponse.queuing.handSize")]
    hand: i64,
    #[lean("spec.limited.limitResponse.queuing.queueLengthLimit")]
    length: i64,
}

pub(super) fn priority_level(subject: &Subject<PriorityLevel>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.known(&it.kind, "");
    let parts = [(it.limited, it.shares), (it.queuing, it.queues), (it.queuing, it.hand), (it.queuing, it.length)];
    for (present, count) in parts {
        match present.0 {
            true => to.count(count),
            false => to.word(NONE),
        }
    }
    to.age();
}

pub(super) const API_SERVICE: &[Heading] = &[words("NAME"), words("SERVICE"), words("AVAILABLE"), words("AGE")];

#[derive(Lean)]
pub(super) struct ApiService {
    #[lean("spec.service")]
    service: Presence,
    #[lean("spec.service.namespace")]
    namespace: Interned,
    #[lean("spec.service.name")]
    name: Interned,
    #[lean("status.conditions[*]")]
    conditions: Vec<Part<Condition>>,
}

pub(super) fn api_service(subject: &Subject<ApiService>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    match it.service.0 {
        true => to.word(&format!("{}/{}", it.namespace, it.name)),
        false => to.word("Local"),
    }
    match condition::find(&it.conditions, "Available") {
        None => to.status("Unknown", Tone::Warning),
        Some(available) => match (available.status.as_str(), available.reason.as_str()) {
            ("True", _) => to.status("True", Tone::Quiet),
            (status, "") => to.status(status, Tone::Failure),
            (status, reason) => to.status(&format!("{status} ({reason})"), Tone::Failure),
        },
    }
    to.age();
}
