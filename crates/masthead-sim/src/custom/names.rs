//! Which names a definition gets: within a group each belongs to the first that asked for it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// What became of the names that a definition asks for.
#[derive(Debug, PartialEq)]
pub(crate) struct Naming {
    pub(crate) accepted: Value,
    /// The reason and the message of the last conflict.
    pub(crate) conflict: Option<(&'static str, String)>,
}

/// The names that other definitions of a group have.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    resources: BTreeSet<String>,
    kinds: BTreeSet<String>,
}

impl Taken {
    /// Adds what another definition was given.
    pub(crate) fn add(&mut self, definition: &Value) {
        let names = &definition["status"]["acceptedNames"];
        let text = |value: &Value| value.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        self.resources.extend([&names["plural"], &names["singular"]].into_iter().filter_map(text));
        self.resources.extend(names["shortNames"].as_array().into_iter().flatten().filter_map(text));
        self.kinds.extend([&names["kind"], &names["listKind"]].into_iter().filter_map(text));
    }
}

/// Decides on every name by itself; what it has stays its own.
pub(crate) fn decide(definition: &Value, taken: &Taken) -> Naming {
    let (asked, has) = (&definition["spec"]["names"], &definition["status"]["acceptedNames"]);
    let mut naming = Naming { accepted: has.clone(), conflict: None };
    let single = [
        ("plural", "PluralConflict", &taken.resources),
        ("singular", "SingularConflict", &taken.resources),
        ("kind", "KindConflict", &taken.kinds),
        ("listKind", "ListKindConflict", &taken.kinds),
    ];
    let (resources, kinds) = single.split_at(2);
    resources.iter().for_each(|(field, reason, used)| naming.claim(asked, field, reason, used));
    naming.claim_short_names(asked, has, &taken.resources);
    kinds.iter().for_each(|(field, reason, used)| naming.claim(asked, field, reason, used));
    naming.set("categories", &asked["categories"]);
    naming
}

impl Naming {
    fn claim(&mut self, asked: &Value, field: &str, reason: &'static str, used: &BTreeSet<String>) {
        let name = asked[field].as_str().unwrap_or_default();
        if self.accepted[field] != asked[field] && used.contains(name) {
            self.conflict = Some((reason, in_use(name)));
        } else {
            self.set(field, &asked[field]);
        }
    }

    fn claim_short_names(&mut self, asked: &Value, has: &Value, used: &BTreeSet<String>) {
        let own: Vec<&Value> = has["shortNames"].as_array().into_iter().flatten().collect();
        let new = asked["shortNames"].as_array().into_iter().flatten().filter(|name| !own.contains(name));
        let refused: Vec<String> =
            new.filter_map(Value::as_str).filter(|name| used.contains(*name)).map(in_use).collect();
        match refused.as_slice() {
            [] => self.set("shortNames", &asked["shortNames"]),
            [one] => self.conflict = Some(("ShortNamesConflict", one.clone())),
            many => self.conflict = Some(("ShortNamesConflict", format!("[{}]", many.join(", ")))),
        }
    }

    fn set(&mut self, field: &str, value: &Value) {
        if !self.accepted.is_object() {
            self.accepted = json!({});
        }
        if let Some(names) = self.accepted.as_object_mut() {
            if value.is_null() {
                names.remove(field);
            } else {
                names.insert(field.to_owned(), value.clone());
            }
        }
    }
}

fn in_use(name: &str) -> String {
    format!("{name:?} is already in use")
}
