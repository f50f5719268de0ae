//! The controller of cron jobs: a job whenever the schedule says so.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    actor::{Turn, key_of},
    component::Component,
    engine::Work,
    job::finished,
    recorder::Happening,
    resource::Resource,
    schedule::Schedule,
    template,
};
use crate::{object::Key, timestamp, write::Half};

const BY: Component = Component::CronJobs;
/// How far back a time that was missed is looked for.
const MEMORY: Duration = Duration::from_secs(86_400);

impl Turn<'_> {
    pub(super) fn sync_cron_job(&mut self, key: &Key) {
        let Some(mut cron) = self.get(Resource::CronJob, key).filter(|cron| !template::is_ending(cron)) else { return };
        let before = cron.clone();
        let owned = self.owned(Resource::Job, template::uid(&cron));
        let jobs: Vec<Value> = owned.into_iter().map(|job| job.value()).collect();
        self.note_finished(&mut cron, &jobs);
        self.forget_jobs(&cron, &jobs);
        self.start_job(&mut cron, &jobs);
        if cron["status"]["active"].as_array().is_some_and(Vec::is_empty)
            && let Some(status) = cron["status"].as_object_mut()
        {
            status.remove("active");
        }
        if cron != before {
            self.update(BY, Resource::CronJob, Half::Status, cron);
        }
    }

    /// Takes the jobs that are over, or gone, from the list of the active ones.
    fn note_finished(&mut self, cron: &mut Value, jobs: &[Value]) {
        let active = cron["status"]["active"].as_array().cloned().unwrap_or_default();
        let mut left = Vec::new();
        for reference in active {
            let job = jobs.iter().find(|job| job["metadata"]["uid"] == reference["uid"]);
            let Some(job) = job else {
                let message = format!("Active job went missing: {}", reference["name"].as_str().unwrap_or_default());
                self.record(&Happening::normal(BY, cron, "MissingJob", message));
                continue;
            };
            let Some(over) = finished(job) else {
                left.push(reference);
                continue;
            };
            let kind = over["type"].as_str().unwrap_or_default();
            if kind == "Complete" {
                cron["status"]["lastSuccessfulTime"] = job["status"]["completionTime"].clone();
            }
            let message = format!("Saw completed job: {}, condition: {kind}", template::name(job));
            self.record(&Happening::normal(BY, cron, "SawCompletedJob", message));
        }
        cron["status"]["active"] = left.into();
    }

    /// Deletes the oldest jobs that are over, beyond those that are kept.
    fn forget_jobs(&mut self, cron: &Value, jobs: &[Value]) {
        for (kind, limit, usual) in
            [("Complete", "successfulJobsHistoryLimit", 3), ("Failed", "failedJobsHistoryLimit", 1)]
        {
            let kept = cron["spec"][limit].as_u64().unwrap_or(usual) as usize;
            let over = |job: &&Value| finished(job).is_some_and(|over| over["type"] == kind);
            let mut over: Vec<&Value> = jobs.iter().filter(over).collect();
            over.sort_by_key(|job| job["status"]["startTime"].as_str().unwrap_or_default());
            let many = over.len().saturating_sub(kept);
            for job in over.into_iter().take(many) {
                self.delete_job(cron, job);
            }
        }
    }

    fn delete_job(&mut self, cron: &Value, job: &Value) {
        if self.delete(BY, Resource::Job, &key_of(job), None) {
            let message = format!("Deleted job {}", template::name(job));
            self.record(&Happening::normal(BY, cron, "SuccessfulDelete", message));
        }
    }

    /// Makes the job of the last time that has come, and waits for the next.
    fn start_job(&mut self, cron: &mut Value, jobs: &[Value]) {
        let spec = cron["spec"].clone();
        if spec["suspend"] == true {
            return;
        }
        let zone = spec["timeZone"].as_str().unwrap_or("UTC");
        if !matches!(zone, "UTC" | "Etc/UTC" | "Etc/GMT" | "GMT") {
            let message = format!("invalid timeZone: {zone:?}: unknown time zone {zone}");
            return self.record(&Happening::warning(BY, cron, "UnknownTimeZone", message));
        }
        let text = spec["schedule"].as_str().unwrap_or_default();
        let Some(schedule) = Schedule::parse(text) else {
            let message = format!("unparseable schedule: {text:?} : expected exactly 5 fields");
            return self.record(&Happening::warning(BY, cron, "UnparseableSchedule", message));
        };
        let wall = self.wall();
        if let Some(next) = schedule.next(wall) {
            let at = self.now() + next.saturating_sub(wall);
            self.state.agenda.set(at, Work::CronJob(key_of(cron)));
        }
        let time = |value: &Value| value.as_str().and_then(timestamp::parse);
        let last = time(&cron["status"]["lastScheduleTime"]).or_else(|| time(&cron["metadata"]["creationTimestamp"]));
        let from = last.unwrap_or_default().max(wall.saturating_sub(MEMORY));
        let due =
            std::iter::successors(schedule.next(from), |time| schedule.next(*time)).take_while(|time| *time <= wall);
        let Some(due) = due.last() else { return };
        let deadline = spec["startingDeadlineSeconds"].as_u64().map(Duration::from_secs);
        if deadline.is_some_and(|deadline| due + deadline < wall) {
            let message = format!("Missed scheduled time to start a job: {}", timestamp::format(due));
            return self.record(&Happening::warning(BY, cron, "MissSchedule", message));
        }
        let active: Vec<&Value> = jobs.iter().filter(|job| finished(job).is_none()).collect();
        match spec["concurrencyPolicy"].as_str().unwrap_or("Allow") {
            "Forbid" if !active.is_empty() => {
                let message = "Not starting job because prior execution is running and concurrency policy is Forbid";
                return self.record(&Happening::normal(BY, cron, "JobAlreadyActive", message.to_owned()));
            }
            "Replace" => active.iter().for_each(|job| self.delete_job(cron, job)),
            _ => {}
        }
        self.create_job(cron, due);
    }

    fn create_job(&mut self, cron: &mut Value, due: Duration) {
        let form = &cron["spec"]["jobTemplate"];
        let name = format!("{}-{}", template::name(cron), due.as_secs() / 60);
        let mut metadata = json!({
            "name": name, "namespace": cron["metadata"]["namespace"], "ownerReferences": [template::reference(cron)],
        });
        for field in ["labels", "annotations"] {
            if form["metadata"][field].is_object() {
                metadata[field] = form["metadata"][field].clone();
            }
        }
        metadata["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"] = timestamp::format(due).into();
        let job = json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": form["spec"] });
        cron["status"]["lastScheduleTime"] = timestamp::format(due).into();
        match self.create(BY, Resource::Job, job) {
            Ok(job) => {
                let reference = json!({
                    "apiVersion": "batch/v1", "kind": "Job", "name": name, "namespace": job["metadata"]["namespace"],
                    "uid": job["metadata"]["uid"], "resourceVersion": job["metadata"]["resourceVersion"],
                });
                match cron["status"]["active"].as_array_mut() {
                    Some(active) => active.push(reference),
                    None => cron["status"]["active"] = json!([reference]),
                }
                self.record(&Happening::normal(BY, cron, "SuccessfulCreate", format!("Created job {name}")));
            }
            Err(why) => {
                let message = format!("Error creating job: {why}");
                self.record(&Happening::warning(BY, cron, "FailedCreate", message));
            }
        }
    }
}
