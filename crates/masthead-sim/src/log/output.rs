//! The lines of one run of a container: each is made from its number, so none is kept.

use std::time::Duration;

use serde_json::Value;

use super::voice::Voice;
use crate::tree::items;

/// What a run writes, line by line.
///
/// First the lines of its start, then one per period for as long as it runs, then those of its end. Both the number of lines
/// at a time and any line are found at once.
#[derive(Debug)]
pub(super) struct Output {
    voice: Voice,
    started: Duration,
    period: Duration,
    end: Option<End>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: Duration,
    /// What it exited with.
    pub(super) code: i64,
}

/// Between two lines of the start.
const BOOT_STEP: Duration = Duration::from_millis(90);
/// From the start to the first line of every day.
const WARM_UP: Duration = Duration::from_secs(1);
/// How long the lines of the end take together, at most.
const LAST_WORDS: Duration = Duration::from_millis(5);
/// Between two lines of the end.
const END_STEP: Duration = Duration::from_micros(200);

impl Output {
    pub(super) fn new(pod: &Value, container: &str, restarts: u64, started: Duration, end: Option<End>) -> Output {
        let lists = ["containers", "initContainers", "ephemeralContainers"];
        let mut all = lists.iter().flat_map(|list| items(&pod["spec"], list));
        let image = all.find(|it| it["name"] == container).and_then(|it| it["image"].as_str()).unwrap_or_default();
        let uid = pod["metadata"]["uid"].as_str().unwrap_or_default();
        let to_end = matches!(pod["spec"]["restartPolicy"].as_str(), Some("Never" | "OnFailure"));
        let voice = Voice::new(image, to_end, &format!("{uid}/{container}/{restarts}"));
        let period = voice.period();
        Output { voice, started, period, end }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    pub(super) fn set_end(&mut self, end: End) {
        self.end = Some(End { at: end.at.max(self.started), ..end });
    }

    /// How many lines there are at a time on the wall clock.
    pub(super) fn len(&self, wall: Duration) -> u64 {
        let boot = |until: Duration| (0..self.voice.boot_lines()).filter(|line| self.boot_time(*line) <= until).count();
        match self.end {
            Some(end) => self.voice.boot_lines() + self.all_days(end) + self.voice.end_lines(end.code),
            None => boot(wall) as u64 + self.days(wall),
        }
    }

    /// The first line at or behind a time.
    pub(super) fn first_since(&self, since: Duration, len: u64) -> u64 {
        let (mut low, mut high) = (0, len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.time(middle) < since { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// When a line was written.
    pub(super) fn time(&self, line: u64) -> Duration {
        let boot = self.voice.boot_lines();
        let Some(day) = line.checked_sub(boot) else { return self.boot_time(line) };
        match self.end {
            Some(end) if day >= self.all_days(end) => {
                let left = self.voice.end_lines(end.code).saturating_sub(day - self.all_days(end));
                end.at.saturating_sub(END_STEP * u32::try_from(left).unwrap_or(u32::MAX)).max(self.started)
            }
            _ => self.day_time(day),
        }
    }

    /// What a line says.
    pub(super) fn text(&self, line: u64) -> String {
        let time = self.time(line);
        let Some(day) = line.checked_sub(self.voice.boot_lines()) else { return self.voice.boot(line, time) };
        match self.end {
            Some(end) if day >= self.all_days(end) => self.voice.end(end.code, day - self.all_days(end), time),
            _ => self.voice.day(day, time),
        }
    }

    fn boot_time(&self, line: u64) -> Duration {
        let time = self.started + BOOT_STEP * u32::try_from(line).unwrap_or(u32::MAX);
        self.end.map_or(time, |end| time.min(end.at))
    }

    fn day_time(&self, day: u64) -> Duration {
        let whole = self.period.as_micros() as u64;
        let late = self.voice.roll(day, 0) % (whole * 9 / 10).max(1);
        self.started + WARM_UP + Duration::from_micros(whole.saturating_mul(day).saturating_add(late))
    }

    /// How many lines of every day there are of a run that ended; those of its end come later.
    fn all_days(&self, end: End) -> u64 {
        self.days(end.at.saturating_sub(LAST_WORDS))
    }

    /// How many lines of every day there are at a time.
    fn days(&self, wall: Duration) -> u64 {
        let Some(since) = wall.checked_sub(self.started + WARM_UP) else { return 0 };
        let periods = u64::try_from(since.as_micros() / self.period.as_micros().max(1)).unwrap_or(u64::MAX);
        periods + u64::from(self.day_time(periods) <= wall)
    }
}
