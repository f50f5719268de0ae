//! Which points are shown.
//!
//! A filter is a line of words, as people type it and as an address holds it: `type=warning kind=Pod,Node reason!=Pulled
//! timeout`. Fields take values with commas between, of which one must fit; every other word must be found in the text of a
//! point, `!word` must not.

use std::fmt;

use super::{
    point::{Point, Status},
    subject::Subject,
};

/// What a filter can ask of a point, besides words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facet {
    /// `normal`, `warning`, or `failure`, which is the worse half of the warnings.
    Type,
    /// `created`, `changed`, `deleted` or `event`.
    Class,
    /// The subject's kind.
    Kind,
    /// The reason.
    Reason,
    /// The subject's namespace.
    Namespace,
}

impl Facet {
    /// All of them, in the order of the menus.
    pub const ALL: [Facet; 5] = [Facet::Type, Facet::Class, Facet::Kind, Facet::Reason, Facet::Namespace];

    /// Its name in a filter.
    pub fn name(self) -> &'static str {
        match self {
            Facet::Type => "type",
            Facet::Class => "class",
            Facet::Kind => "kind",
            Facet::Reason => "reason",
            Facet::Namespace => "ns",
        }
    }

    /// The value that a point has.
    pub fn of<'a>(self, point: &'a Point, subject: &'a Subject) -> &'a str {
        match self {
            Facet::Type => type_name(point.status),
            Facet::Class => point.class.name(),
            Facet::Kind => &subject.kind,
            Facet::Reason => &point.reason,
            Facet::Namespace => &subject.namespace,
        }
    }

    fn named(name: &str) -> Option<Facet> {
        Facet::ALL.into_iter().find(|facet| facet.name().eq_ignore_ascii_case(name))
    }

    /// A failure is a warning too.
    fn fits(self, value: &str, point: &Point, subject: &Subject) -> bool {
        let failure = self == Facet::Type && point.status == Status::Failure;
        self.of(point, subject).eq_ignore_ascii_case(value) || failure && value.eq_ignore_ascii_case("warning")
    }
}

fn type_name(status: Status) -> &'static str {
    match status {
        Status::Activity => "normal",
        Status::Warning => "warning",
        Status::Failure => "failure",
    }
}

/// Which points are shown. The empty one shows all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Field {
        facet: Facet,
        values: Vec<String>,
        inverted: bool,
    },
    /// In lower case.
    Word {
        word: String,
        inverted: bool,
    },
}

/// Why a line is no filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// There is no such field.
    UnknownField(String),
    /// A field without a value.
    NoValue(String),
    /// More than is tried on every point.
    TooLong,
}

/// A line comes from links too.
const LONGEST: usize = 4096;
const TERMS: usize = 64;

impl Filter {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Filter, Mistake> {
        if line.len() > LONGEST || line.split_whitespace().nth(TERMS).is_some() {
            return Err(Mistake::TooLong);
        }
        let terms = line.split_whitespace().map(Term::parse).collect::<Result<_, _>>()?;
        Ok(Filter { terms })
    }

    /// Whether it shows all.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a point is shown. `scope` has the namespaces of the page, all where it is empty; what is in none is always in
    /// scope.
    pub fn shows(&self, point: &Point, subject: &Subject, scope: &[String]) -> bool {
        let space = subject.namespace.as_str();
        let in_scope = scope.is_empty() || space.is_empty() || scope.iter().any(|name| name == space);
        in_scope && self.terms.iter().all(|term| term.fits(point, subject))
    }

    /// Whether it asks for this value of a facet.
    pub fn asks(&self, facet: Facet, value: &str) -> bool {
        self.asked(facet).any(|asked| asked.eq_ignore_ascii_case(value))
    }

    /// The values it asks for.
    pub fn asked(&self, facet: Facet) -> impl Iterator<Item = &str> {
        let terms = self.terms.iter().filter_map(move |term| match term {
            Term::Field { facet: of, values, inverted: false } if *of == facet => Some(values),
            _ => None,
        });
        terms.flatten().map(String::as_str)
    }

    /// The same filter, which asks for a value of a facet if it did not, and does not if it did.
    #[must_use]
    pub fn toggle(mut self, facet: Facet, value: &str) -> Filter {
        let asked = self.asks(facet, value);
        let found = self.terms.iter_mut().find_map(|term| match term {
            Term::Field { facet: of, values, inverted: false } if *of == facet => Some(values),
            _ => None,
        });
        match (found, asked) {
            (Some(values), true) => values.retain(|asked| !asked.eq_ignore_ascii_case(value)),
            (Some(values), false) => values.push(value.to_owned()),
            (None, _) => self.terms.push(Term::Field { facet, values: vec![value.to_owned()], inverted: false }),
        }
        self.terms.retain(|term| !matches!(term, Term::Field { values, .. } if values.is_empty()));
        self
    }

    /// The same filter without this facet.
    #[must_use]
    pub fn without(mut self, facet: Facet) -> Filter {
        self.terms.retain(|term| !matches!(term, Term::Field { facet: of, .. } if *of == facet));
        self
    }
}

impl Term {
    fn parse(text: &str) -> Result<Term, Mistake> {
        let Some((name, values)) = text.split_once('=') else {
            let (word, inverted) = match text.strip_prefix('!') {
                Some(word) if !word.is_empty() => (word, true),
                _ => (text, false),
            };
            return Ok(Term::Word { word: word.to_ascii_lowercase(), inverted });
        };
        let (name, inverted) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        let facet = Facet::named(name).ok_or_else(|| Mistake::UnknownField(name.to_owned()))?;
        let values: Vec<String> = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned).collect();
        match values.is_empty() {
            true => Err(Mistake::NoValue(facet.name().to_owned())),
            false => Ok(Term::Field { facet, values, inverted }),
        }
    }

    fn fits(&self, point: &Point, subject: &Subject) -> bool {
        match self {
            Term::Field { facet, values, inverted } => {
                values.iter().any(|value| facet.fits(value, point, subject)) != *inverted
            }
            Term::Word { word, inverted } => {
                let texts =
                    [&subject.name, &point.reason, &point.message, &subject.kind, &subject.namespace, &point.source];
                texts.into_iter().any(|text| contains(text, word)) != *inverted
            }
        }
    }
}

/// Whether `word`, in lower case, is in `text`, in any case. What is not ASCII is found as it is written.
fn contains(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return true };
    let upper = first.to_ascii_uppercase();
    let Some(last) = text.len().checked_sub(word.len()) else { return false };
    (0..=last)
        .any(|at| (text[at] == *first || text[at] == upper) && text[at..at + word.len()].eq_ignore_ascii_case(word))
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, term) in self.terms.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            match term {
                Term::Field { facet, values, inverted } => {
                    let not = if *inverted { "!" } else { "" };
                    write!(f, "{space}{}{not}={}", facet.name(), values.join(","))?;
                }
                Term::Word { word, inverted } => write!(f, "{space}{}{word}", if *inverted { "!" } else { "" })?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::{fixture::point, point::Class};

    #[track_caller]
    fn check(line: &str, expect: bool) {
        let subject = Subject::new("Pod", "shop", "web-7c9f-x2x");
        let mut point = point(0, Class::Event, Status::Failure);
        (point.reason, point.message) = ("BackOff".into(), "Back-off restarting failed container".into());
        let filter = Filter::parse(line).unwrap();
        assert_eq!(filter.shows(&point, &subject, &[]), expect, "{line:?}");
        assert_eq!(filter.to_string(), line.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn fields_and_words_decide() {
        check("", true);
        check("type=failure", true);
        check("type=warning", true);
        check("type=normal", false);
        check("type=normal,warning", true);
        check("kind=pod  reason=BackOff", true);
        check("kind=Node", false);
        check("kind!=Node", true);
        check("reason!=BackOff", false);
        check("class=event ns=shop", true);
        check("ns=other", false);
        check("restarting", true);
        check("back-off web-7c", true);
        check("!restarting", false);
        check("!timeout", true);
        check("x2x web nowhere", false);
        check("!", false);
    }

    #[test]
    fn words_are_found_in_any_case() {
        let filter = Filter::parse("RESTARTING").unwrap();
        let mut point = point(0, Class::Event, Status::Failure);
        point.message = "Restarting".into();
        assert!(filter.shows(&point, &Subject::new("Pod", "", "a"), &[]));
        assert!(contains("日志 OK", "日志"));
        assert!(!contains("ab", "abc"));
    }

    #[test]
    fn a_mistake_is_named() {
        assert_eq!(Filter::parse("colour=red"), Err(Mistake::UnknownField("colour".into())));
        assert_eq!(Filter::parse("kind="), Err(Mistake::NoValue("kind".into())));
        assert_eq!(Filter::parse("ns!=,"), Err(Mistake::NoValue("ns".into())));
        assert_eq!(Filter::parse(&"word ".repeat(100_000)), Err(Mistake::TooLong));
        assert_eq!(Filter::parse(&"w ".repeat(65)), Err(Mistake::TooLong));
        assert!(Filter::parse(&"w ".repeat(64)).is_ok());
    }

    #[test]
    fn menus_write_the_same_line() {
        let filter = Filter::parse("timeout kind=Pod").unwrap();
        let filter = filter.toggle(Facet::Kind, "Node").toggle(Facet::Type, "warning");
        assert_eq!(filter.to_string(), "timeout kind=Pod,Node type=warning");
        let filter = filter.toggle(Facet::Kind, "pod").toggle(Facet::Kind, "Node");
        assert_eq!(filter.to_string(), "timeout type=warning");
        assert_eq!(filter.without(Facet::Type).to_string(), "timeout");
    }

    #[test]
    fn the_scope_holds_for_what_has_a_namespace() {
        let shows = |space: &str| {
            let subject = Subject::new("Pod", space, "a");
            Filter::default().shows(&point(0, Class::Event, Status::Activity), &subject, &["shop".to_owned()])
        };
        assert_eq!((shows("shop"), shows("web"), shows("")), (true, false, true));
    }
}
