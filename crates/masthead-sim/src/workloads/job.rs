//! The controller of jobs: pods until as many have succeeded as one asks for, or too many have failed.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use super::{
    actor::{Turn, key_of},
    component::Component,
    engine::Work,
    facts::{Facts, Phase, condition},
    recorder::Happening,
    replica_set::omit_zero,
    resource::Resource,
    template,
};
use crate::{object::Key, timestamp, write::Half};

const BY: Component = Component::Jobs;
const FINALIZER: &str = "batch.kubernetes.io/job-tracking";
const INDEX: &str = "batch.kubernetes.io/job-completion-index";
const FIRST_BACKOFF: Duration = Duration::from_secs(10);
const LONGEST_BACKOFF: Duration = Duration::from_secs(600);

/// A job and how far it is.
struct Progress {
    job: Value,
    pods: Vec<(Key, Facts)>,
    succeeded: u64,
    failed: u64,
    /// The indexes that are done, for a job that counts them.
    done: BTreeSet<u64>,
}

impl Progress {
    fn spec(&self, field: &str) -> Option<u64> {
        self.job["spec"][field].as_u64()
    }

    fn is_indexed(&self) -> bool {
        self.job["spec"]["completionMode"] == "Indexed"
    }

    fn active(&self) -> impl Iterator<Item = &(Key, Facts)> {
        self.pods.iter().filter(|(_, facts)| facts.is_active())
    }

    /// Why the job is over, if it is: `Complete` or `Failed`, the reason and the words.
    fn verdict(&self, wall: Duration) -> Option<(&'static str, &'static str, &'static str)> {
        let start = self.job["status"]["startTime"].as_str().and_then(timestamp::parse);
        let late = self.spec("activeDeadlineSeconds").zip(start);
        let limit = self.spec("backoffLimit").unwrap_or(6);
        let restarts: u64 = self.active().map(|(_, facts)| facts.restarts).sum();
        let on_failure = self.job["spec"]["template"]["spec"]["restartPolicy"] == "OnFailure";
        if self.failed > limit || on_failure && restarts > 0 && restarts >= limit {
            return Some(("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        }
        if late.is_some_and(|(seconds, start)| start + Duration::from_secs(seconds) <= wall) {
            return Some(("Failed", "DeadlineExceeded", "Job was active longer than specified deadline"));
        }
        let enough = match self.spec("completions") {
            Some(wanted) => self.succeeded >= wanted,
            None => self.succeeded > 0 && self.active().count() == 0,
        };
        enough.then_some(("Complete", "CompletionsReached", "Reached expected number of succeeded pods"))
    }
}

impl Turn<'_> {
    pub(super) fn sync_job(&mut self, key: &Key) {
        let Some(job) = self.get(Resource::Job, key).filter(|job| !template::is_ending(job)) else {
            return self.release_pods_of_gone(key);
        };
        if finished(&job).is_some() {
            self.count(job.clone());
            return self.expire_job(key, &job);
        }
        let mut progress = self.count(job);
        let suspended = progress.job["spec"]["suspend"] == true;
        if progress.job["status"]["startTime"].is_null() && !suspended {
            progress.job["status"]["startTime"] = self.time();
        }
        if suspended {
            let active: Vec<Key> = progress.active().map(|(key, _)| key.clone()).collect();
            self.shrink(BY, &progress.job, &active);
        } else if let Some(verdict) = progress.verdict(self.wall()) {
            return self.finish_job(progress, verdict);
        } else {
            self.fill_job(key, &progress);
        }
        self.tell_suspension(&mut progress.job, suspended);
        if let Some(seconds) = progress.spec("activeDeadlineSeconds") {
            let start = progress.job["status"]["startTime"].as_str().and_then(timestamp::parse).unwrap_or_default();
            let due = self.moment(start) + Duration::from_secs(seconds);
            self.state.agenda.set(due, Work::Job(key.clone()));
        }
        self.write_job_status(progress);
    }

    /// Counts the pods that ended since the last look, each once: its finalizer goes when it is counted.
    fn count(&mut self, mut job: Value) -> Progress {
        let pods = self.pods_of(&job);
        let number = |field: &str| job["status"][field].as_u64().unwrap_or_default();
        let (mut succeeded, mut failed) = (number("succeeded"), number("failed"));
        let mut done = read_indexes(job["status"]["completedIndexes"].as_str().unwrap_or_default());
        let before = failed;
        for (key, facts) in pods.iter().filter(|(_, facts)| facts.tracked && (facts.is_over() || facts.ending)) {
            match (facts.phase, facts.index) {
                (Phase::Succeeded, Some(index)) => succeeded += u64::from(done.insert(index)),
                (Phase::Succeeded, None) => succeeded += 1,
                _ if finished(&job).is_some() => {}
                _ => failed += 1,
            }
            self.release_pod(key);
        }
        if failed > before {
            let delay = FIRST_BACKOFF.saturating_mul(1 << (failed - 1).min(6)).min(LONGEST_BACKOFF);
            self.state.retries.insert(key_of(&job), self.now() + delay);
        }
        if !done.is_empty() {
            job["status"]["completedIndexes"] = write_indexes(&done).into();
        }
        Progress { job, pods, succeeded, failed, done }
    }

    fn release_pod(&mut self, key: &Key) {
        let Some(mut pod) = self.get(Resource::Pod, key) else { return };
        if let Some(all) = pod["metadata"]["finalizers"].as_array_mut() {
            all.retain(|finalizer| finalizer != FINALIZER);
        }
        self.update(BY, Resource::Pod, Half::Main, pod);
    }

    /// Lets the pods go of a job that went.
    fn release_pods_of_gone(&mut self, key: &Key) {
        self.state.retries.remove(key);
        let owner = Some((Resource::Job, key.clone()));
        let orphans = self.state.pods.range(Key::new(&key.namespace, &key.name)..);
        let near = orphans.take_while(|(pod, _)| pod.namespace == key.namespace && pod.name.starts_with(&*key.name));
        let left: Vec<Key> =
            near.filter(|(_, facts)| facts.tracked && facts.owner == owner).map(|(key, _)| key.clone()).collect();
        left.iter().for_each(|key| self.release_pod(key));
    }

    /// Makes as many pods as are missing, unless one failed just now.
    fn fill_job(&mut self, key: &Key, progress: &Progress) {
        let parallel = progress.spec("parallelism").unwrap_or(1);
        let left = progress.spec("completions").map_or(parallel, |wanted| wanted.saturating_sub(progress.succeeded));
        let draining = progress.spec("completions").is_none() && progress.succeeded > 0;
        let (wanted, active) = (parallel.min(left), progress.active().count() as u64);
        if active > wanted {
            let surplus: Vec<Key> =
                progress.active().map(|(key, _)| key.clone()).take((active - wanted) as usize).collect();
            return self.shrink(BY, &progress.job, &surplus);
        }
        if let Some(at) = self.state.retries.get(key).copied().filter(|at| *at > self.now() && active < wanted) {
            return self.state.agenda.set(at, Work::Job(key.clone()));
        }
        let taken: BTreeSet<u64> = progress.active().filter_map(|(_, facts)| facts.index).collect();
        let completions = progress.spec("completions").unwrap_or_default();
        let mut free = (0..completions).filter(|index| !taken.contains(index) && !progress.done.contains(index));
        for _ in active..if draining { active } else { wanted } {
            let index = if progress.is_indexed() { free.next() } else { None };
            let pod = job_pod(&progress.job, index);
            if !self.create_pod(BY, &progress.job, pod) {
                break;
            }
        }
    }

    fn finish_job(&mut self, mut progress: Progress, (kind, reason, message): (&str, &str, &str)) {
        let active: Vec<Key> = progress.active().map(|(key, _)| key.clone()).collect();
        if !active.is_empty() {
            self.shrink(BY, &progress.job, &active);
        }
        progress.failed += if kind == "Failed" { active.len() as u64 } else { 0 };
        progress.pods.retain(|(_, facts)| !facts.is_active());
        let first = if kind == "Complete" { "SuccessCriteriaMet" } else { "FailureTarget" };
        for name in [first, kind] {
            let new = json!({
                "type": name, "status": "True", "reason": reason, "message": message,
                "lastProbeTime": self.time(), "lastTransitionTime": self.time(),
            });
            set_condition(&mut progress.job, new);
        }
        if kind == "Complete" {
            progress.job["status"]["completionTime"] = self.time();
            self.record(&Happening::normal(BY, &progress.job, "Completed", "Job completed".to_owned()));
        } else {
            self.record(&Happening::warning(BY, &progress.job, reason, message.to_owned()));
        }
        self.state.retries.remove(&key_of(&progress.job));
        self.write_job_status(progress);
    }

    fn tell_suspension(&mut self, job: &mut Value, suspended: bool) {
        let known = condition(job, "Suspended").map(|known| known["status"] == "True");
        if known.unwrap_or_default() == suspended {
            return;
        }
        let (status, reason, message) =
            if suspended { ("True", "JobSuspended", "Job suspended") } else { ("False", "JobResumed", "Job resumed") };
        let new = json!({
            "type": "Suspended", "status": status, "reason": reason, "message": message,
            "lastProbeTime": self.time(), "lastTransitionTime": self.time(),
        });
        set_condition(job, new);
        let told = if suspended { "Suspended" } else { "Resumed" };
        self.record(&Happening::normal(BY, job, told, message.to_owned()));
    }

    fn write_job_status(&mut self, progress: Progress) {
        let active = progress.active().count();
        let ready = progress.active().filter(|(_, facts)| facts.ready.is_some()).count();
        let terminating = progress.pods.iter().filter(|(_, facts)| facts.ending && !facts.is_over()).count();
        let Progress { mut job, succeeded, failed, .. } = progress;
        for (field, count) in [("active", active as u64), ("succeeded", succeeded), ("failed", failed)] {
            job["status"][field] = count.into();
            omit_zero(&mut job["status"], field);
        }
        job["status"]["ready"] = ready.into();
        job["status"]["terminating"] = terminating.into();
        job["status"]["uncountedTerminatedPods"] = json!({});
        self.update(BY, Resource::Job, Half::Status, job);
    }

    /// Deletes a job that is over once nobody needs to see it any more.
    fn expire_job(&mut self, key: &Key, job: &Value) {
        let Some(seconds) = job["spec"]["ttlSecondsAfterFinished"].as_u64() else { return };
        let over = finished(job).and_then(|over| over["lastTransitionTime"].as_str()).and_then(timestamp::parse);
        let due = self.moment(over.unwrap_or_default()) + Duration::from_secs(seconds);
        if due <= self.now() {
            self.delete(Component::TimeToLive, Resource::Job, key, None);
        } else {
            self.state.agenda.set(due, Work::Job(key.clone()));
        }
    }
}

/// The condition that says a job is over.
pub(super) fn finished(job: &Value) -> Option<&Value> {
    let over = |name: &str| condition(job, name).filter(|known| known["status"] == "True");
    over("Complete").or_else(|| over("Failed"))
}

fn set_condition(job: &mut Value, new: Value) {
    let known = job["status"]["conditions"].as_array().into_iter().flatten();
    let others = known.filter(|known| known["type"] != new["type"]).cloned();
    let conditions: Vec<Value> = others.chain([new.clone()]).collect();
    job["status"]["conditions"] = conditions.into();
}

fn job_pod(job: &Value, index: Option<u64>) -> Value {
    let name = template::name(job);
    let prefix = index.map_or_else(|| format!("{name}-"), |index| format!("{name}-{index}-"));
    let mut pod = template::pod(&job["spec"]["template"], job, &prefix);
    pod["metadata"]["finalizers"] = json!([FINALIZER]);
    if let Some(index) = index {
        pod["metadata"]["annotations"][INDEX] = index.to_string().into();
        pod["metadata"]["labels"][INDEX] = index.to_string().into();
        pod["spec"]["hostname"] = format!("{name}-{index}").into();
    }
    pod
}

/// Reads `0-2,5`.
fn read_indexes(text: &str) -> BTreeSet<u64> {
    let spans = text.split(',').filter_map(|span| {
        let (from, to) = span.split_once('-').unwrap_or((span, span));
        Some(from.parse::<u64>().ok()?..=to.parse().ok()?)
    });
    spans.flatten().collect()
}

fn write_indexes(indexes: &BTreeSet<u64>) -> String {
    let mut spans: Vec<(u64, u64)> = Vec::new();
    for index in indexes {
        match spans.last_mut() {
            Some((_, to)) if *to + 1 == *index => *to = *index,
            _ => spans.push((*index, *index)),
        }
    }
    let shown = spans.into_iter().map(|(from, to)| match to - from {
        0 => from.to_string(),
        1 => format!("{from},{to}"),
        _ => format!("{from}-{to}"),
    });
    shown.collect::<Vec<_>>().join(",")
}
