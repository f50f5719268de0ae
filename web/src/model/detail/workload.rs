//! What makes pods and keeps them, and what is told of how many there should be.

use super::{Container, Detail, Facts, Label, Listing, Object, Relation, Told, listing::text, relation::selector};
use crate::model::table::cell::Tone;

pub(super) fn deployment(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let wanted = it.number("/spec/replicas").unwrap_or(1);
    counts(
        it,
        facts,
        wanted,
        &[
            (Label::Ready, "/status/readyReplicas"),
            (Label::UpToDate, "/status/updatedReplicas"),
            (Label::Available, "/status/availableReplicas"),
        ],
    );
    if it.is("/spec/paused") {
        facts.tell(Label::Paused, Told::State("true".to_owned(), Tone::Warning));
    }
    facts.all(
        it,
        &[
            (Label::Strategy, "/spec/strategy/type"),
            (Label::MaxSurge, "/spec/strategy/rollingUpdate/maxSurge"),
            (Label::MaxUnavailable, "/spec/strategy/rollingUpdate/maxUnavailable"),
            (Label::Revision, "/metadata/annotations/deployment.kubernetes.io~1revision"),
        ],
    );
    if let Some(labels) = selector(it.at("/spec/selector")) {
        let sets = Relation {
            label: Label::ReplicaSets,
            resource: ["apps", "v1", "replicasets"],
            ..Relation::pods(it, labels)
        };
        detail.relations.push(sets.owned_by(it));
    }
    template(it, "/spec/template/spec", facts, detail);
}

pub(super) fn replicas(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let wanted = it.number("/spec/replicas").unwrap_or(1);
    counts(
        it,
        facts,
        wanted,
        &[(Label::Ready, "/status/readyReplicas"), (Label::Available, "/status/availableReplicas")],
    );
    facts.at(Label::Revision, it, "/metadata/annotations/deployment.kubernetes.io~1revision");
    template(it, "/spec/template/spec", facts, detail);
}

pub(super) fn stateful_set(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let wanted = it.number("/spec/replicas").unwrap_or(1);
    counts(it, facts, wanted, &[(Label::Ready, "/status/readyReplicas"), (Label::UpToDate, "/status/updatedReplicas")]);
    facts.link(Label::Service, ["v1", "Service"], [it.text("/metadata/namespace"), it.text("/spec/serviceName")]);
    facts.all(
        it,
        &[(Label::Strategy, "/spec/updateStrategy/type"), (Label::PodManagement, "/spec/podManagementPolicy")],
    );
    template(it, "/spec/template/spec", facts, detail);
}

pub(super) fn daemon_set(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let wanted = it.number("/status/desiredNumberScheduled").unwrap_or(0);
    counts(
        it,
        facts,
        wanted,
        &[
            (Label::Ready, "/status/numberReady"),
            (Label::UpToDate, "/status/updatedNumberScheduled"),
            (Label::Available, "/status/numberAvailable"),
        ],
    );
    facts.at(Label::Strategy, it, "/spec/updateStrategy/type");
    template(it, "/spec/template/spec", facts, detail);
}

pub(super) fn job(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.all(
        it,
        &[
            (Label::Succeeded, "/status/succeeded"),
            (Label::Failed, "/status/failed"),
            (Label::Active, "/status/active"),
            (Label::Completions, "/spec/completions"),
            (Label::Parallelism, "/spec/parallelism"),
            (Label::BackoffLimit, "/spec/backoffLimit"),
            (Label::Suspended, "/spec/suspend"),
        ],
    );
    facts.time(Label::Started, it.time("/status/startTime"));
    facts.time(Label::Finished, it.time("/status/completionTime"));
    template(it, "/spec/template/spec", facts, detail);
}

pub(super) fn cron_job(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.all(
        it,
        &[
            (Label::Schedule, "/spec/schedule"),
            (Label::TimeZone, "/spec/timeZone"),
            (Label::Suspended, "/spec/suspend"),
            (Label::Concurrency, "/spec/concurrencyPolicy"),
        ],
    );
    facts.time(Label::LastSchedule, it.time("/status/lastScheduleTime"));
    facts.time(Label::LastSuccess, it.time("/status/lastSuccessfulTime"));
    let jobs = Relation { label: Label::Jobs, resource: ["batch", "v1", "jobs"], ..Relation::pods(it, String::new()) };
    detail.relations.push(jobs.owned_by(it));
    detail.containers = Container::all(it.at("/spec/jobTemplate/spec/template/spec"), it.at("/none"));
}

pub(super) fn autoscaler(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let target = it.at("/spec/scaleTargetRef");
    let kind = [target.text("/apiVersion"), target.text("/kind")];
    facts.link(Label::Target, kind, [it.text("/metadata/namespace"), target.text("/name")]);
    facts.all(
        it,
        &[
            (Label::CurrentReplicas, "/status/currentReplicas"),
            (Label::DesiredReplicas, "/status/desiredReplicas"),
            (Label::MinReplicas, "/spec/minReplicas"),
            (Label::MaxReplicas, "/spec/maxReplicas"),
        ],
    );
    facts.time(Label::LastScaled, it.time("/status/lastScaleTime"));
    let metric = |metric: Object<'_>| {
        let name = [
            "/resource/name",
            "/pods/metric/name",
            "/object/metric/name",
            "/external/metric/name",
            "/containerResource/name",
        ];
        let name = name.iter().map(|path| metric.text(path)).find(|name| !name.is_empty()).unwrap_or_default();
        let target =
            metric.0.as_object().into_iter().flatten().find_map(|(_, source)| {
                Object(source).at("/target").0.as_object().map(|_| Object(source).at("/target"))
            });
        let aim = target.map_or(String::new(), |target| match target.number("/averageUtilization") {
            Some(percent) => format!("{percent}%"),
            None => [target.written("/averageValue"), target.written("/value")].concat(),
        });
        vec![text(metric.text("/type")), text(name), text(aim)]
    };
    let heads = [Label::Type, Label::Name, Label::Target];
    detail.listings.extend(Listing::new(Label::Metrics, &heads, it.items("/spec/metrics").map(metric)));
}

pub(super) fn disruption_budget(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.all(
        it,
        &[
            (Label::DisruptionsAllowed, "/status/disruptionsAllowed"),
            (Label::MinAvailable, "/spec/minAvailable"),
            (Label::MaxUnavailable, "/spec/maxUnavailable"),
        ],
    );
    if let Some(labels) = selector(it.at("/spec/selector")) {
        detail.relations.push(Relation::pods(it, labels));
    }
}

/// How many there are of how many that should be.
fn counts(it: Object<'_>, facts: &mut Facts, wanted: i64, paths: &[(Label, &str)]) {
    for (label, path) in paths {
        let there = it.number(path).unwrap_or(0);
        let tone = if there < wanted { Tone::Warning } else { Tone::Quiet };
        facts.tell(*label, Told::State(format!("{there}/{wanted}"), tone));
    }
}

/// The template of the pods, and the pods that were made of it.
fn template(it: Object<'_>, spec: &str, facts: &mut Facts, detail: &mut Detail) {
    if let Some(labels) = selector(it.at("/spec/selector")) {
        facts.text(Label::Selector, labels.clone());
        let pods = Relation::pods(it, labels);
        // A deployment's pods belong to its replica sets.
        let direct = it.text("/kind") != "Deployment";
        detail.relations.push(if direct { pods.owned_by(it) } else { pods });
    }
    detail.containers = Container::all(it.at(spec), it.at("/none"));
}
