//! The bars of a lane: which phase a pod was in, and when.

/// Where in its life a pod is, as its bar shows it. Later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// There is no pod.
    Absent,
    /// It ran to its end.
    Succeeded,
    /// It runs and is ready.
    Running,
    /// It is being deleted.
    Terminating,
    /// It is not running yet.
    Pending,
    /// It runs and is not ready.
    NotReady,
    /// It ended, and not well.
    Failed,
    /// Its containers cannot start, or end again and again.
    CrashLooping,
}

impl Phase {
    /// Its name in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Absent => "absent",
            Phase::Succeeded => "succeeded",
            Phase::Running => "running",
            Phase::Terminating => "terminating",
            Phase::Pending => "pending",
            Phase::NotReady => "not-ready",
            Phase::Failed => "failed",
            Phase::CrashLooping => "crash-looping",
        }
    }
}

/// A stretch of time in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its beginning.
    pub from: i64,
    /// The beginning of the next; `i64::MAX` for the phase that lasts.
    pub to: i64,
    /// The phase.
    pub phase: Phase,
}

/// The phases of one pod, in the order of time. Only the last 128 of them.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    /// When each phase began, ascending; no two neighbours are the same phase.
    begun: Vec<(i64, Phase)>,
}

/// A pod that crashes every five minutes has that many in five hours.
const PHASES: usize = 128;

impl Phases {
    /// The pod is in `phase` since `time`; whether that is news. What is said to lie before the last change begins with it.
    pub fn enter(&mut self, time: i64, phase: Phase) -> bool {
        let time = match self.begun.last() {
            Some((_, last)) if *last == phase => return false,
            Some((since, _)) => time.max(*since),
            None => time,
        };
        if self.begun.last().is_some_and(|(since, _)| *since == time) {
            self.begun.pop();
        }
        if self.begun.last().is_none_or(|(_, last)| *last != phase) {
            self.begun.push((time, phase));
        }
        if self.begun.len() > PHASES {
            self.begun.remove(0);
        }
        true
    }

    /// The phase that lasts.
    pub fn latest(&self) -> Option<Phase> {
        self.begun.last().map(|(_, phase)| *phase)
    }

    /// The stretches that touch `from..to`, without those in which there was no pod.
    pub fn within(&self, from: i64, to: i64) -> impl Iterator<Item = Stretch> + '_ {
        let first = self.begun.partition_point(|(since, _)| *since <= from).saturating_sub(1);
        let ends = self.begun.iter().skip(1).map(|(since, _)| *since).chain([i64::MAX]);
        let stretches = self.begun.iter().zip(ends).skip(first);
        let stretches = stretches.map(|((from, phase), to)| Stretch { from: *from, to, phase: *phase });
        stretches.take_while(move |stretch| stretch.from < to).filter(|stretch| stretch.phase != Phase::Absent)
    }
}

/// What several pods are together: at every moment the worst of them.
pub fn worst<'a>(all: impl IntoIterator<Item = &'a Phases>, from: i64, to: i64) -> Vec<Stretch> {
    let mut edges: Vec<(i64, Phase, bool)> = Vec::new();
    for stretch in all.into_iter().flat_map(|phases| phases.within(from, to)) {
        edges.push((stretch.from, stretch.phase, true));
        edges.push((stretch.to, stretch.phase, false));
    }
    edges.sort();
    let mut open = [0_u32; Phase::CrashLooping as usize + 1];
    let mut found: Vec<Stretch> = Vec::new();
    for (at, edge) in edges.iter().enumerate() {
        let (time, phase, opens) = *edge;
        let count = &mut open[phase as usize];
        *count = if opens { *count + 1 } else { count.saturating_sub(1) };
        if edges.get(at + 1).is_some_and(|next| next.0 == time) {
            continue;
        }
        let worst = RANKED.into_iter().find(|phase| open[*phase as usize] > 0).unwrap_or(Phase::Absent);
        match found.last_mut() {
            Some(last) if last.phase == worst => continue,
            Some(last) => last.to = time,
            None => {}
        }
        found.push(Stretch { from: time, to: i64::MAX, phase: worst });
    }
    found.retain(|stretch| stretch.phase != Phase::Absent);
    found
}

/// Worst first.
const RANKED: [Phase; 7] = [
    Phase::CrashLooping,
    Phase::Failed,
    Phase::NotReady,
    Phase::Pending,
    Phase::Terminating,
    Phase::Running,
    Phase::Succeeded,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(script: &[(i64, Phase)]) -> Phases {
        let mut phases = Phases::default();
        for (time, phase) in script {
            phases.enter(*time, *phase);
        }
        phases
    }

    fn told(stretches: impl IntoIterator<Item = Stretch>) -> String {
        let end = |to: i64| if to == i64::MAX { "now".to_owned() } else { to.to_string() };
        let told = stretches.into_iter().map(|s| format!("{} {}..{}", s.phase.name(), s.from, end(s.to)));
        told.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn phases_follow_each_other_and_only_changes_count() {
        let pod = phases(&[(10, Phase::Pending), (15, Phase::Pending), (20, Phase::Running), (90, Phase::Absent)]);
        assert_eq!(told(pod.within(0, 1000)), "pending 10..20 | running 20..90");
        assert_eq!(told(pod.within(30, 40)), "running 20..90");
        assert_eq!(told(pod.within(95, 99)), "");
        assert_eq!(told(pod.within(0, 10)), "");
    }

    #[test]
    fn a_clock_that_is_behind_does_not_turn_time_round() {
        let pod = phases(&[(10, Phase::Pending), (20, Phase::Running), (12, Phase::CrashLooping)]);
        assert_eq!(told(pod.within(0, 99)), "pending 10..20 | crash-looping 20..now");
    }

    #[test]
    fn only_the_last_phases_are_kept() {
        let mut pod = Phases::default();
        for turn in 0..1000 {
            pod.enter(turn, if turn % 2 == 0 { Phase::Running } else { Phase::CrashLooping });
        }
        assert_eq!(pod.within(0, 1000).count(), PHASES);
        assert_eq!(pod.latest(), Some(Phase::CrashLooping));
    }

    #[test]
    fn a_family_is_as_well_as_its_worst() {
        let one = phases(&[(0, Phase::Pending), (10, Phase::Running)]);
        let two = phases(&[(5, Phase::Running), (20, Phase::CrashLooping), (30, Phase::Absent)]);
        let together = worst([&one, &two], 0, 100);
        assert_eq!(told(together), "pending 0..10 | running 10..20 | crash-looping 20..30 | running 30..now");
        assert_eq!(told(worst([], 0, 100)), "");
    }
}
