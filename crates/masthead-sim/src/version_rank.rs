//! Which of two versions of an API is preferred: `v2`, `v1`, `v10beta1`, `v1alpha1`, `anything`.

use std::cmp::Reverse;

/// The place of a version among others; the greatest is preferred.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VersionRank {
    stability: Stability,
    major: u64,
    minor: u64,
    /// Names that are no versions stand in the order of the alphabet.
    name: Reverse<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    Unversioned,
    Alpha,
    Beta,
    Stable,
}

impl VersionRank {
    pub(crate) fn of(version: &str) -> VersionRank {
        let name = Reverse(version.to_owned());
        match parse(version) {
            Some((stability, major, minor)) => VersionRank { stability, major, minor, name },
            None => VersionRank { stability: Stability::Unversioned, major: 0, minor: 0, name },
        }
    }
}

fn parse(version: &str) -> Option<(Stability, u64, u64)> {
    let rest = version.strip_prefix('v')?;
    let letters = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = (number(&rest[..letters])?, &rest[letters..]);
    if rest.is_empty() {
        return Some((Stability::Stable, major, 0));
    }
    if let Some(minor) = rest.strip_prefix("beta") {
        return Some((Stability::Beta, major, number(minor)?));
    }
    Some((Stability::Alpha, major, number(rest.strip_prefix("alpha")?)?))
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.starts_with(|c: char| matches!(c, '1'..='9')))
}

#[cfg(test)]
mod tests {
    use super::VersionRank;

    #[test]
    fn stable_versions_come_first_and_then_the_newest() {
        let mut versions = ["foo", "v1alpha1", "v1", "v10beta1", "bar", "v11alpha2", "v2", "v10beta3", "v0"];
        versions.sort_by_key(|version| std::cmp::Reverse(VersionRank::of(version)));
        assert_eq!(versions, ["v2", "v1", "v10beta3", "v10beta1", "v11alpha2", "v1alpha1", "bar", "foo", "v0"]);
    }
}
