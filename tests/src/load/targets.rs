//! The pods that a churn changes.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::deployment::{BEHAVIOUR_LABEL, RUN_LABEL};
use crate::Api;

/// The time between two pages of a listing.
const PACE: Duration = Duration::from_secs(1);

/// The running pods of every load, as far as they are listed.
#[derive(Debug)]
pub(crate) struct Targets {
    /// Never empty at the start; grows with each page and shrinks with each pod taken.
    pods: RwLock<Vec<Arc<Target>>>,
}

/// A running pod and what its status said last.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) path: String,
    pub(crate) containers: Mutex<Value>,
}

impl Targets {
    /// The first pods of the list, so that work can begin; [`Targets::refresh`] finds the others.
    pub(crate) fn first(api: &Api) -> Result<Self> {
        let mut token = String::new();
        loop {
            let page = Page::get(api, &token)?;
            match page.next {
                _ if !page.pods.is_empty() => return Ok(Self { pods: RwLock::new(page.pods) }),
                Some(next) => token = next,
                None => bail!("there is no running pod to change; add some with --pods"),
            }
        }
    }

    /// Lists all pods anew, a page a second so that the listing takes little from the changes; stops early when `over`.
    ///
    /// The new list serves as soon as it is longer than the old one, and at its end.
    pub(crate) fn refresh(&self, api: &Api, over: &impl Fn() -> bool) -> Result<()> {
        let mut fresh = Vec::new();
        let mut token = String::new();
        while !over() {
            let page = Page::get(api, &token)?;
            fresh.extend(page.pods);
            let mut pods = self.pods.write().unwrap_or_else(PoisonError::into_inner);
            let Some(next) = page.next else {
                *pods = fresh;
                return Ok(());
            };
            if fresh.len() > pods.len() {
                pods.clone_from(&fresh);
            }
            drop(pods);
            token = next;
            thread::sleep(PACE);
        }
        Ok(())
    }

    /// A pod chosen by `ticket`, spread evenly.
    pub(crate) fn pick(&self, ticket: u64) -> Result<Arc<Target>> {
        let pods = self.pods.read().unwrap_or_else(PoisonError::into_inner);
        pods.get(index(ticket, pods.len())?).cloned().context(NONE)
    }

    /// Like [`Targets::pick`], for a pod that is about to go: it is not picked again.
    pub(crate) fn take(&self, ticket: u64) -> Result<Arc<Target>> {
        let mut pods = self.pods.write().unwrap_or_else(PoisonError::into_inner);
        let index = index(ticket, pods.len())?;
        if pods.is_empty() {
            bail!(NONE);
        }
        Ok(pods.swap_remove(index))
    }
}

const NONE: &str = "no pod is running any more";

fn index(ticket: u64, count: usize) -> Result<usize> {
    Ok(usize::try_from(ticket.wrapping_mul(0x9E37_79B9_7F4A_7C15) % u64::try_from(count)?.max(1))?)
}

/// One page of the list.
struct Page {
    pods: Vec<Arc<Target>>,
    /// Continues the list; `None` at its end.
    next: Option<String>,
}

impl Page {
    fn get(api: &Api, token: &str) -> Result<Self> {
        let list = api.get(&format!(
            "/api/v1/pods?limit=500&labelSelector={RUN_LABEL}&fieldSelector=status.phase=Running&continue={token}"
        ))?;
        let items = list["items"].as_array().into_iter().flatten();
        let next = list["metadata"]["continue"].as_str().filter(|it| !it.is_empty());
        Ok(Self { pods: items.filter_map(target).map(Arc::new).collect(), next: next.map(str::to_owned) })
    }
}

fn target(pod: &Value) -> Option<Target> {
    let meta = &pod["metadata"];
    // Those that crash are kwok's to change.
    if !meta["labels"][BEHAVIOUR_LABEL].is_null() || !meta["deletionTimestamp"].is_null() {
        return None;
    }
    let path = format!("/api/v1/namespaces/{}/pods/{}", meta["namespace"].as_str()?, meta["name"].as_str()?);
    Some(Target { path, containers: Mutex::new(pod["status"]["containerStatuses"].clone()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pods(names: &str) -> Targets {
        let target = |name: &str| Arc::new(Target { path: name.to_owned(), containers: Mutex::default() });
        Targets { pods: RwLock::new(names.split_whitespace().map(target).collect()) }
    }

    #[test]
    fn a_pod_that_was_taken_is_never_picked_again() {
        let targets = pods("a b c");
        let gone = targets.take(7).unwrap();
        for ticket in 0..100 {
            assert_ne!(targets.pick(ticket).unwrap().path, gone.path);
        }
    }

    #[test]
    fn says_when_no_pod_is_left() {
        let targets = pods("a");
        targets.take(0).unwrap();
        assert_eq!(targets.pick(1).unwrap_err().to_string(), NONE);
        assert_eq!(targets.take(2).unwrap_err().to_string(), NONE);
    }
}
