//! What a container does once it is to run.

use std::time::Duration;

use serde_json::Value;

/// The script of a container. Said for an image in [`Workloads`](crate::Workloads), or for a pod in the annotation
/// [`Behaviour::ANNOTATION`] in the words that [`Behaviour::parse`] reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Runs until somebody ends it.
    Runs,
    /// Ends well after a time.
    Completes {
        /// How long it runs.
        after: Duration,
    },
    /// Ends with an exit code after a time.
    Crashes {
        /// How long it runs.
        after: Duration,
        /// What it exits with.
        code: u8,
    },
    /// Uses more memory than it may after a time.
    OutOfMemory {
        /// How long it runs.
        after: Duration,
    },
    /// Has an image that is nowhere to be found.
    ImageMissing,
    /// Runs, and fails its readiness probe for a time.
    Unready {
        /// How long its probe fails.
        during: Duration,
    },
}

impl Behaviour {
    /// The annotation of a pod that tells what its containers do.
    pub const ANNOTATION: &'static str = "sim.masthead.dev/behaviour";

    /// Reads `runs`, `completes 30s`, `crashes 5s 1`, `oom 90s`, `image-missing` or `unready 2m`.
    ///
    /// Times are whole numbers of `s`, `m` or `h`. Gives back `None` for anything else.
    pub fn parse(text: &str) -> Option<Behaviour> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Some(match words[..] {
            ["runs"] => Behaviour::Runs,
            ["completes", after] => Behaviour::Completes { after: time(after)? },
            ["crashes", after] => Behaviour::Crashes { after: time(after)?, code: 1 },
            ["crashes", after, code] => Behaviour::Crashes { after: time(after)?, code: code.parse().ok()? },
            ["oom", after] => Behaviour::OutOfMemory { after: time(after)? },
            ["image-missing"] => Behaviour::ImageMissing,
            ["unready", during] => Behaviour::Unready { during: time(during)? },
            _ => return None,
        })
    }

    /// What a container does that nobody told what to do: pods that are to end complete, others run.
    pub(super) fn usual(pod: &Value, image: &str, chance: f64) -> Behaviour {
        let ends = pod["spec"]["restartPolicy"].as_str().is_some_and(|policy| policy != "Always");
        if ends {
            return Behaviour::Completes { after: Duration::from_secs_f64(5.0 + 25.0 * chance) };
        }
        let name = image.rsplit('/').next().unwrap_or_default();
        match name.split([':', '@']).next().unwrap_or_default() {
            // Their shell ends at once when nobody is there to type.
            "busybox" | "alpine" => Behaviour::Completes { after: Duration::from_secs(1) },
            _ => Behaviour::Runs,
        }
    }
}

/// What a node does, said in the same annotation of the node: `down`, `flaps 20m 2m` for being down for two minutes every
/// twenty, or `pressed` for having too little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeBehaviour {
    Works,
    Down,
    Pressed,
    Flaps { every: Duration, during: Duration },
}

impl NodeBehaviour {
    pub(super) fn parse(text: &str) -> NodeBehaviour {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["down"] => NodeBehaviour::Down,
            ["pressed"] => NodeBehaviour::Pressed,
            ["flaps", every, during] => match (time(every), time(during)) {
                (Some(every), Some(during)) if during < every => NodeBehaviour::Flaps { every, during },
                _ => NodeBehaviour::Works,
            },
            _ => NodeBehaviour::Works,
        }
    }

    /// Whether a node is down at a time since 1970, and how long that stays so; `None` for as long as nobody says else.
    pub(super) fn at(self, wall: Duration) -> (bool, Option<Duration>) {
        match self {
            NodeBehaviour::Works | NodeBehaviour::Pressed => (false, None),
            NodeBehaviour::Down => (true, None),
            NodeBehaviour::Flaps { every, during } => {
                let into = Duration::from_millis((wall.as_millis() % every.as_millis()) as u64);
                // Down at the end of each period, so that it begins well.
                let up = every - during;
                if into < up { (false, Some(up - into)) } else { (true, Some(every - into)) }
            }
        }
    }
}

fn time(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return None,
    };
    Some(Duration::from_secs(number.parse::<u64>().ok()?.checked_mul(seconds)?))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Behaviour;

    #[test]
    fn behaviours_are_read_from_their_words() {
        let check = |text, expect| assert_eq!(Behaviour::parse(text), expect, "{text}");
        check("runs", Some(Behaviour::Runs));
        check("completes 2m", Some(Behaviour::Completes { after: Duration::from_secs(120) }));
        check("crashes 5s 137", Some(Behaviour::Crashes { after: Duration::from_secs(5), code: 137 }));
        check("unready 1h", Some(Behaviour::Unready { during: Duration::from_secs(3600) }));
        check("crashes soon", None);
        check("crashes 5s 1 2", None);
        check("completes 5ü", None);
        check("", None);
    }
}
