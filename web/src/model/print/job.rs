//! The rows of jobs and of what starts them.

use masthead::lean::{Interned, Lean, Part};

use super::{
    cells::Cells,
    condition::{self, Condition},
    heading::{Heading, figures, wide, words},
    moment::Moment,
    presence::Element,
    selector::Selector,
    subject::Subject,
    words::{NONE, UNSET},
    workload::containers,
};
use crate::model::table::cell::Tone;

pub(super) const JOB: &[Heading] = &[
    words("NAME"),
    words("STATUS"),
    words("COMPLETIONS"),
    words("DURATION"),
    words("AGE"),
    wide("CONTAINERS"),
    wide("IMAGES"),
    wide("SELECTOR"),
];

#[derive(Lean)]
pub(super) struct Job {
    #[lean("spec.completions")]
    completions: Option<i64>,
    #[lean("spec.parallelism")]
    parallelism: i64,
    #[lean("status.succeeded")]
    succeeded: i64,
    #[lean("status.startTime")]
    start: Moment,
    #[lean("status.completionTime")]
    end: Moment,
    #[lean("status.conditions[*]")]
    conditions: Vec<Part<Condition>>,
    #[lean("spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("spec.selector")]
    selector: Selector,
}

pub(super) fn job(subject: &Subject<Job>, to: &mut Cells<'_>) {
    let it = &subject.of;
    let (status, tone) = state(subject);
    to.name();
    to.status(status, tone);
    match (it.completions, it.parallelism) {
        (Some(completions), _) => to.ratio(it.succeeded, completions),
        (None, parallelism) if parallelism > 1 => to.word(&format!("{}/1 of {parallelism}", it.succeeded)),
        (None, _) => to.ratio(it.succeeded, 1),
    }
    match (it.start.0, it.end.0) {
        (None, _) => to.word(""),
        (start, None) => to.since(start),
        (Some(start), Some(end)) => to.span(end - start),
    }
    to.age();
    containers(&it.containers, &it.images, to);
    it.selector.show(to);
}

fn state(subject: &Subject<Job>) -> (&'static str, Tone) {
    let is = |kind: &str| condition::holds(&subject.of.conditions, kind);
    match () {
        () if is("Complete") => ("Complete", Tone::Quiet),
        () if is("Failed") => ("Failed", Tone::Failure),
        () if subject.meta.deleted.is_some() => ("Terminating", Tone::Busy),
        () if is("Suspended") => ("Suspended", Tone::Quiet),
        () if is("FailureTarget") => ("FailureTarget", Tone::Failure),
        () if is("SuccessCriteriaMet") => ("SuccessCriteriaMet", Tone::Quiet),
        () => ("Running", Tone::Quiet),
    }
}

pub(super) const CRON_JOB: &[Heading] = &[
    words("NAME"),
    words("SCHEDULE"),
    words("TIMEZONE"),
    words("SUSPEND"),
    figures("ACTIVE"),
    words("LAST SCHEDULE"),
    words("AGE"),
    wide("CONTAINERS"),
    wide("IMAGES"),
    wide("SELECTOR"),
];

#[derive(Lean)]
pub(super) struct CronJob {
    #[lean("spec.schedule")]
    schedule: Interned,
    #[lean("spec.timeZone")]
    zone: Option<Interned>,
    #[lean("spec.suspend")]
    suspend: Option<bool>,
    #[lean("status.active[*]")]
    active: Vec<Element>,
    #[lean("status.lastScheduleTime")]
    last: Moment,
    #[lean("spec.jobTemplate.spec.template.spec.containers[*].name")]
    containers: Vec<Interned>,
    #[lean("spec.jobTemplate.spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
    #[lean("spec.jobTemplate.spec.selector")]
    selector: Selector,
}

pub(super) fn cron_job(subject: &Subject<CronJob>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.known(&it.schedule, "");
    to.word(it.zone.as_deref().unwrap_or(NONE));
    to.word(match it.suspend {
        Some(true) => "True",
        Some(false) => "False",
        None => UNSET,
    });
    to.length(it.active.len());
    match it.last.0 {
        None => to.word(NONE),
        last => to.since(last),
    }
    to.age();
    containers(&it.containers, &it.images, to);
    it.selector.show(to);
}
