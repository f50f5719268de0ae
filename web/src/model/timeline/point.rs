//! One thing that happened.

use masthead::lean::Interned;

use super::subject::SubjectId;

/// Something that happened to a subject at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// To whom.
    pub subject: SubjectId,
    /// What it is.
    pub class: Class,
    /// How bad it is.
    pub status: Status,
    /// One word for it, as in `BackOff`.
    pub reason: Interned,
    /// A sentence for it.
    pub message: Interned,
    /// Who says so.
    pub source: Interned,
    /// What it is one of: an Event that counts its repeats, or a change of an object.
    pub series: Series,
    /// How many occurrences this is; more than one where only their number is known.
    pub weight: u32,
}

/// What tells a point from all others, across visits of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Series {
    /// A hash of what identifies the Event, or the object and its change.
    pub origin: u64,
    /// How often it had happened by then, this time included.
    pub ordinal: u32,
}

/// What a point is; its shape on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// An object came.
    Created,
    /// An object changed.
    Changed,
    /// An object went.
    Deleted,
    /// A component told of something.
    Event,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 4] = [Class::Created, Class::Changed, Class::Deleted, Class::Event];

    /// Its shape, as a letter.
    pub fn glyph(self) -> &'static str {
        match self {
            Class::Created => "▲",
            Class::Changed => "●",
            Class::Deleted => "▼",
            Class::Event => "◆",
        }
    }

    /// Its name in addresses and in what is stored.
    pub fn name(self) -> &'static str {
        match self {
            Class::Created => "created",
            Class::Changed => "changed",
            Class::Deleted => "deleted",
            Class::Event => "event",
        }
    }
}

/// How bad something is; its hue on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Things go their way.
    #[default]
    Activity,
    /// Somebody should look.
    Warning,
    /// Something does not work.
    Failure,
}

impl Status {
    /// All of them, best first.
    pub const ALL: [Status; 3] = [Status::Activity, Status::Warning, Status::Failure];

    /// How bad an Event of this type and reason is.
    ///
    /// The server has two types. Among its warnings, those that say that something did not happen or was ended are failures.
    pub fn of_event(kind: &str, reason: &str) -> Status {
        const ENDS: &[&str] = &["BackOff", "Evicted", "NodeNotReady", "Preempted", "TaintManagerEviction"];
        let failed = reason.starts_with("Failed")
            || reason.starts_with("Err")
            || reason.contains("OOM")
            || reason.ends_with("Exceeded")
            || ENDS.contains(&reason);
        match kind {
            "Warning" if failed => Status::Failure,
            "Warning" => Status::Warning,
            _ => Status::Activity,
        }
    }

    /// Its name in addresses, style sheets and in what is stored.
    pub fn name(self) -> &'static str {
        match self {
            Status::Activity => "activity",
            Status::Warning => "warning",
            Status::Failure => "failure",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    #[test]
    fn only_warnings_can_be_failures() {
        let check = |kind: &str, reason: &str, expect: Status| assert_eq!(Status::of_event(kind, reason), expect);
        check("Normal", "FailedOver", Status::Activity);
        check("Warning", "Unhealthy", Status::Warning);
        check("Warning", "FailedScheduling", Status::Failure);
        check("Warning", "BackOff", Status::Failure);
        check("Warning", "SystemOOM", Status::Failure);
        check("Warning", "DeadlineExceeded", Status::Failure);
        check("Someday", "BackOff", Status::Activity);
    }
}
