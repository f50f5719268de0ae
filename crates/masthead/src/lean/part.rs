//! Objects within objects.

use std::{cell::RefCell, ops::Deref, rc::Rc};

use masthead_scan::{Halt, Plan};
use rustc_hash::FxHashMap;

use super::{Field, Found, Lean, Mismatch, Set, Strings, path};

/// An object within an object, read by the fields that it declares. Reads as those fields.
///
/// ```
/// use masthead::{lean::{Interned, Lean, Part, Projector}, rest::{Decoder, MediaType}};
///
/// #[derive(Lean)]
/// struct Container {
///     #[lean("name")]
///     name: Interned,
///     #[lean("state.waiting.reason")]
///     waits_for: Option<Interned>,
/// }
///
/// #[derive(Lean)]
/// struct Pod {
///     #[lean("status.containerStatuses[*]")]
///     containers: Vec<Part<Container>>,
/// }
///
/// let json = br#"{"metadata":{"name":"web"},"status":{"containerStatuses":[
///     {"name":"main","state":{"running":{}}},{"name":"proxy","state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}"#;
/// let pod = Projector::<Pod>::new().decode(MediaType::Json, json)?;
/// assert_eq!(pod.containers[1].name, "proxy");
/// assert_eq!(pod.containers[1].waits_for.as_deref(), Some("CrashLoopBackOff"));
/// # Ok::<(), masthead::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Part<T>(pub T);

impl<T: Lean> Default for Part<T> {
    fn default() -> Part<T> {
        Part(T::blank(T::PATHS.len()))
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Lean> Field for Part<T> {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => Ok(()),
            Found::Nested(json) => {
                *self = Part::default();
                read(T::PATHS, json, &mut |slot, found| self.0.set(slot, found, strings))
            }
            _ => Err(EXPECTED),
        }
    }

    fn heap(&self) -> usize {
        self.0.heap()
    }
}

/// Not generic: all types of parts share it.
fn read(paths: &'static [&'static str], json: &[u8], set: &mut Set<'_>) -> Result<(), Mismatch> {
    let plan = plan(paths).ok_or(EXPECTED)?;
    let mut sink = |slot: usize, json: &[u8]| set(slot, Found::read(json).ok_or(EXPECTED)?);
    match plan.walk(json, &mut sink) {
        Ok(_) => Ok(()),
        Err(Halt::Mismatch { mismatch, .. }) => Err(mismatch),
        Err(Halt::Stop(_)) => Err(EXPECTED),
    }
}

thread_local! {
    /// By where the paths lie in memory: as many as there are types of parts.
    static PLANS: RefCell<FxHashMap<(usize, usize), Rc<Plan>>> = RefCell::default();
}

fn plan(paths: &'static [&'static str]) -> Option<Rc<Plan>> {
    PLANS.with_borrow_mut(|plans| {
        let place = (paths.as_ptr().addr(), paths.len());
        if let Some(plan) = plans.get(&place) {
            return Some(Rc::clone(plan));
        }
        let mut plan = Plan::default();
        for (slot, path) in paths.iter().enumerate() {
            plan.add(&path::parse(path).ok()?, slot);
        }
        let plan = Rc::new(plan);
        plans.insert(place, Rc::clone(&plan));
        Some(plan)
    })
}

const EXPECTED: Mismatch = Mismatch { expected: "an object" };

#[cfg(test)]
mod tests {
    use super::{Field, Found, Lean, Mismatch, Part, Strings};

    #[derive(Debug, PartialEq)]
    struct Pair {
        key: String,
        value: Option<u32>,
    }

    // By hand: the derive names this crate as its users do.
    impl Lean for Pair {
        const PATHS: &'static [&'static str] = &["key", "of.value"];

        fn blank(_: usize) -> Pair {
            Pair { key: String::new(), value: None }
        }

        fn set(&mut self, slot: usize, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
            match slot {
                0 => self.key.take(found, strings),
                _ => Field::take(&mut self.value, found, strings),
            }
        }

        fn heap(&self) -> usize {
            self.key.heap()
        }
    }

    fn read(json: &str) -> Result<Part<Pair>, String> {
        let mut part = Part::<Pair>::default();
        let found = Found::read(json.as_bytes()).ok_or("no value")?;
        part.take(found, &Strings::new()).map_err(|mismatch| mismatch.to_string())?;
        Ok(part)
    }

    #[test]
    fn a_part_is_what_was_taken_last() {
        let part = |key: &str, value| Ok(Part(Pair { key: key.into(), value }));
        assert_eq!(read("null"), part("", None));
        assert_eq!(read("{}"), part("", None));
        assert_eq!(read(r#"{"other":[{"key":"no"}],"of":{"value":7},"key":"a"}"#), part("a", Some(7)));
        let mut twice = read(r#"{"key":"a","of":{"value":7}}"#).expect("a pair");
        twice.take(Found::Nested(br#"{"key":"b"}"#), &Strings::new()).expect("another");
        assert_eq!(Ok(twice), part("b", None), "nothing stays of the one before");
    }

    #[test]
    fn what_is_no_such_object_is_refused_in_words() {
        assert_eq!(read("[]"), Err("expected an object".to_owned()));
        assert_eq!(read("7"), Err("expected an object".to_owned()));
        assert_eq!(read(r#"{"key":7}"#), Err("expected a text".to_owned()));
        assert_eq!(read(r#"{"of":{"value":-1}}"#), Err("expected a number without sign, of 32 bits".to_owned()));
    }
}
