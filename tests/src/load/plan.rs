//! How a load is split into deployments.

use super::deployment::{Behaviour, Deployment};

const APPS: [&str; 12] = [
    "checkout",
    "catalogue",
    "payments",
    "search",
    "sessions",
    "ledger",
    "mailer",
    "gateway",
    "recommender",
    "invoices",
    "inventory",
    "thumbnails",
];
/// Repeated until the pods are used up: many small deployments, some large ones.
const SIZES: [usize; 10] = [3, 40, 5, 20, 60, 2, 30, 10, 50, 15];

/// Splits `pods` into deployments spread over `namespaces`.
pub(crate) fn plan(pods: usize, namespaces: usize, run: &str) -> Vec<Deployment> {
    let mut left = pods;
    let mut plan = Vec::new();
    while left > 0 {
        let index = plan.len();
        let behaviour = behaviour(index);
        let wish = if behaviour == Behaviour::Run { SIZES[index % SIZES.len()] } else { 4 };
        let replicas = wish.min(left);
        left -= replicas;
        let app = APPS[index % APPS.len()];
        plan.push(Deployment {
            namespace: namespace(index % namespaces.max(1)),
            name: format!("{app}-{run}-{index}"),
            replicas,
            behaviour,
            app,
            run: run.to_owned(),
        });
    }
    plan
}

pub(crate) fn namespace(index: usize) -> String {
    format!("load-{index}")
}

/// About two in a hundred pods crash, one lacks its image and one its node; a small load has them all.
fn behaviour(index: usize) -> Behaviour {
    match index % 40 {
        1 | 17 | 27 => Behaviour::CrashLoop,
        2 | 34 => Behaviour::ImagePull,
        3 => Behaviour::Unschedulable,
        _ => Behaviour::Run,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_exactly_the_pods_asked_for() {
        for pods in [0, 1, 7, 250, 10_000] {
            let plan = plan(pods, 3, "x");
            assert_eq!(plan.iter().map(|it| it.replicas).sum::<usize>(), pods);
            assert!(plan.iter().all(|it| it.replicas > 0));
        }
    }

    #[test]
    fn most_pods_run_and_every_behaviour_appears() {
        let plan = plan(10_000, 5, "x");
        let pods = |behaviour| plan.iter().filter(|it| it.behaviour == behaviour).map(|it| it.replicas).sum::<usize>();
        assert!(pods(Behaviour::Run) > 9_500);
        for rare in [Behaviour::CrashLoop, Behaviour::ImagePull, Behaviour::Unschedulable] {
            assert!(pods(rare) > 20, "{rare:?}");
        }
    }
}
