//! The row of a horizontal pod autoscaler.

use masthead::lean::{Interned, Lean};
use serde::Deserialize;

use super::{
    cells::Cells,
    heading::{Heading, figures, words},
    nested::Nested,
    scalar::Scalar,
    subject::Subject,
    words::{NONE, UNKNOWN, UNSET, joined, or},
};

pub(super) const COLUMNS: &[Heading] = &[
    words("NAME"),
    words("REFERENCE"),
    words("TARGETS"),
    figures("MINPODS"),
    figures("MAXPODS"),
    figures("REPLICAS"),
    words("AGE"),
];

#[derive(Lean)]
pub(super) struct Autoscaler {
    #[lean("spec.scaleTargetRef.kind")]
    kind: Interned,
    #[lean("spec.scaleTargetRef.name")]
    name: Interned,
    #[lean("spec.metrics")]
    metrics: Nested<Vec<Metric>>,
    #[lean("status.currentMetrics")]
    current: Nested<Vec<Metric>>,
    #[lean("spec.minReplicas")]
    least: Option<i64>,
    #[lean("spec.maxReplicas")]
    most: i64,
    #[lean("status.currentReplicas")]
    replicas: i64,
}

/// A metric, asked for or as it is. One of the fields is there, the one that its type says.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metric {
    r#type: String,
    pods: Option<Measure>,
    external: Option<Measure>,
    object: Option<Measure>,
    resource: Option<Measure>,
    container_resource: Option<Measure>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Measure {
    name: String,
    target: Level,
    current: Level,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Level {
    value: Scalar,
    average_value: Scalar,
    average_utilization: Option<i64>,
}

pub(super) fn cells(subject: &Subject<Autoscaler>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.word(&format!("{}/{}", it.kind, it.name));
    to.word(&targets(&it.metrics, &it.current));
    match it.least {
        Some(least) => to.count(least),
        None => to.word(UNSET),
    }
    to.count(it.most);
    to.count(it.replicas);
    to.age();
}

/// How many metrics are shown before the rest is only counted.
const SHOWN: usize = 2;

fn targets(asked: &[Metric], current: &[Metric]) -> String {
    if asked.is_empty() {
        return NONE.to_owned();
    }
    let shown = joined(asked.iter().enumerate().map(|(at, asked)| asked.text(current.get(at))).take(SHOWN), ", ");
    match asked.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} + {more} more..."),
    }
}

impl Metric {
    /// What it is, over what it should be.
    fn text(&self, current: Option<&Metric>) -> String {
        let of = |measure: fn(&Metric) -> &Option<Measure>| {
            (measure(self).as_ref(), current.and_then(|it| measure(it).as_ref()))
        };
        match self.r#type.as_str() {
            "Pods" => of_pods(of(|it| &it.pods)),
            "External" => of_one(of(|it| &it.external)),
            "Object" => of_one(of(|it| &it.object)),
            "Resource" => of_resource(of(|it| &it.resource)),
            "ContainerResource" => of_resource(of(|it| &it.container_resource)),
            _ => "<unknown type>".to_owned(),
        }
    }
}

/// What is asked for, and what is.
type Both<'a> = (Option<&'a Measure>, Option<&'a Measure>);

fn of_pods((asked, now): Both<'_>) -> String {
    let now = now.map_or(UNKNOWN, |now| amount(&now.current.average_value));
    format!("{now}/{}", asked.map_or("0", |asked| amount(&asked.target.average_value)))
}

fn of_one((asked, now): Both<'_>) -> String {
    if let Some(target) = asked.and_then(|asked| asked.target.average_value.given()) {
        let now = now.and_then(|now| now.current.average_value.given()).unwrap_or(UNKNOWN);
        return format!("{now}/{target} (avg)");
    }
    let now = now.map_or(UNKNOWN, |now| amount(&now.current.value));
    format!("{now}/{}", asked.map_or("0", |asked| amount(&asked.target.value)))
}

fn of_resource((asked, now): Both<'_>) -> String {
    let name = asked.map_or("", |asked| &asked.name);
    if let Some(target) = asked.and_then(|asked| asked.target.average_value.given()) {
        let now = now.map_or(UNKNOWN, |now| amount(&now.current.average_value));
        return format!("{name}: {now}/{target}");
    }
    let percent = |share: Option<i64>, otherwise: &str| share.map_or(otherwise.to_owned(), |share| format!("{share}%"));
    let now = percent(now.and_then(|now| now.current.average_utilization), UNKNOWN);
    format!("{name}: {now}/{}", percent(asked.and_then(|asked| asked.target.average_utilization), "<auto>"))
}

fn amount(amount: &Scalar) -> &str {
    or(amount.as_str(), "0")
}
