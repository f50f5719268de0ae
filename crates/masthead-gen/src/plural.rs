//! Plurals of kinds, by the rules of Kubernetes' own generators.

use std::collections::BTreeMap;

/// Makes plurals, and knows the kinds that follow no rule.
///
/// ```
/// let plurals = masthead_gen::Plurals::default();
/// assert_eq!(plurals.of("NetworkPolicy"), "NetworkPolicies");
/// assert_eq!(plurals.of("Endpoints"), "Endpoints");
/// ```
#[derive(Clone, Debug)]
pub struct Plurals {
    exceptions: BTreeMap<String, String>,
}

impl Default for Plurals {
    fn default() -> Plurals {
        Plurals { exceptions: BTreeMap::from([("Endpoints".to_owned(), "Endpoints".to_owned())]) }
    }
}

impl Plurals {
    /// From now on, `plural` is that of `kind`, whatever the rules say.
    pub fn except(&mut self, kind: &str, plural: &str) {
        self.exceptions.insert(kind.to_owned(), plural.to_owned());
    }

    /// The plural of a kind: `Pod` gives `Pods`.
    pub fn of(&self, kind: &str) -> String {
        match self.exceptions.get(kind) {
            Some(plural) => plural.clone(),
            None => by_rule(kind),
        }
    }

    /// The plural as a private name has it: `Pod` gives `pods`.
    pub fn private_of(&self, kind: &str) -> String {
        let plural = self.of(kind);
        let mut letters = plural.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
    }

    /// The plural as a path has it: `NetworkPolicy` gives `networkpolicies`.
    pub fn resource_of(&self, kind: &str) -> String {
        self.of(kind).to_lowercase()
    }
}

fn by_rule(kind: &str) -> String {
    let mut backwards = kind.chars().rev();
    let (Some(last), Some(before)) = (backwards.next(), backwards.next()) else { return kind.to_owned() };
    let stem = |ending: &str| kind.strip_suffix(ending).unwrap_or(kind);
    match (before, last) {
        (_, 's' | 'x' | 'z') | ('c' | 's', 'h') => format!("{kind}es"),
        (before, 'y') if !is_vowel(before) => format!("{}ies", stem("y")),
        (_, 'f') => format!("{}ves", stem("f")),
        ('f', 'e') => format!("{}ves", stem("fe")),
        _ => format!("{kind}s"),
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u')
}

#[cfg(test)]
mod tests {
    use super::Plurals;

    /// CG-11
    #[test]
    fn cg_11_plurals_follow_the_rules_of_kubernetes() {
        let table = "I I, Pod Pods, Entry Entries, Endpoints Endpoints, Bus Buses, Fizz Fizzes, Search Searches, \
                     Autograph Autographs, Dispatch Dispatches, Earth Earths, City Cities, Ray Rays, Fountain Fountains, \
                     Life Lives, Leaf Leaves, Box Boxes, Wish Wishes";
        let plurals = Plurals::default();
        for (kind, plural) in table.split(", ").filter_map(|row| row.split_once(' ')) {
            assert_eq!(plurals.of(kind), plural);
        }
        assert_eq!(plurals.private_of("Pod"), "pods");
        assert_eq!(plurals.private_of("CSINode"), "cSINodes");
        assert_eq!(plurals.private_of("I"), "i");
        assert_eq!(plurals.resource_of("CSIStorageCapacity"), "csistoragecapacities");
    }

    #[test]
    fn an_exception_goes_before_every_rule() {
        let mut plurals = Plurals::default();
        plurals.except("Sheep", "Sheep");
        assert_eq!(plurals.of("Sheep"), "Sheep");
        assert_eq!(plurals.of("Ship"), "Ships");
    }
}
