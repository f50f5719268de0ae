//! Texts that many objects share.

use std::{
    cell::RefCell,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    rc::Rc,
};

use rustc_hash::FxHashSet;

/// A text that is in memory once, however many objects have it. One word wide, and cheap to clone.
#[derive(Clone, PartialOrd, Ord)]
pub struct Interned(Rc<Box<str>>);

impl Interned {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Interned {
    fn from(text: &str) -> Interned {
        Interned(Rc::new(text.into()))
    }
}

impl Default for Interned {
    fn default() -> Interned {
        thread_local! {
            static EMPTY: Interned = Interned::from("");
        }
        EMPTY.with(Interned::clone)
    }
}

impl Deref for Interned {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Interned {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Interned {
    fn eq(&self, other: &Interned) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Interned {}

impl PartialEq<str> for Interned {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Interned {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl Hash for Interned {
    fn hash<H: Hasher>(&self, state: &mut H) {
        str::hash(self, state);
    }
}

impl AsRef<str> for Interned {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Display for Interned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Interned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The texts that are shared. Clones share the same ones.
///
/// Holds at most 65,536: when there are more, those that no object has any longer are let go; if all are in use, further
/// ones are simply not shared.
#[derive(Clone, Default)]
pub struct Strings {
    known: Rc<RefCell<Known>>,
}

#[derive(Default)]
struct Known {
    texts: FxHashSet<Interned>,
    /// How many texts to pass by before those out of use are looked for again.
    credit: usize,
}

const LIMIT: usize = 1 << 16;

impl Strings {
    /// No text yet.
    pub fn new() -> Strings {
        Strings::default()
    }

    /// The one `text` of this kind.
    pub fn intern(&self, text: &str) -> Interned {
        let mut known = self.known.borrow_mut();
        if let Some(found) = known.texts.get(text) {
            return found.clone();
        }
        let new = Interned::from(text);
        if known.texts.len() < LIMIT || known.sweep() {
            known.texts.insert(new.clone());
        }
        new
    }

    /// How many bytes of memory the texts take.
    pub fn bytes(&self) -> usize {
        let known = self.known.borrow();
        let each = size_of::<(usize, usize, Box<str>)>();
        let texts: usize = known.texts.iter().map(|text| each + text.len()).sum();
        texts + known.texts.capacity() * (size_of::<Interned>() + 1)
    }
}

impl Known {
    /// Lets go what is out of use, unless that was in vain a moment ago; whether there is room.
    fn sweep(&mut self) -> bool {
        if self.credit > 0 {
            self.credit -= 1;
            return false;
        }
        self.texts.retain(|text| Rc::strong_count(&text.0) > 1);
        let room = self.texts.len() < LIMIT;
        if !room {
            self.credit = LIMIT;
        }
        room
    }
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Strings").field("texts", &self.known.borrow().texts.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Interned, LIMIT, Strings};

    fn address(text: &Interned) -> *const u8 {
        text.as_str().as_ptr()
    }

    #[test]
    fn equal_texts_are_one() {
        let strings = Strings::new();
        let (one, two) = (strings.intern("Running"), strings.clone().intern("Running"));
        assert_eq!(address(&one), address(&two));
        assert_ne!(address(&one), address(&strings.intern("Pending")));
        assert_eq!(one, Interned::from("Running"));
    }

    #[test]
    fn texts_out_of_use_make_room() {
        let strings = Strings::new();
        let kept: Vec<Interned> = (0..LIMIT / 2).map(|n| strings.intern(&format!("kept {n}"))).collect();
        for n in 0..3 * LIMIT {
            strings.intern(&format!("gone {n}"));
        }
        assert_eq!(address(&strings.intern("kept 7")), address(&kept[7]));
        let new = strings.intern("new");
        assert_eq!(address(&strings.intern("new")), address(&new));
    }

    #[test]
    fn more_texts_than_there_is_room_for_are_not_shared() {
        let strings = Strings::new();
        let kept: Vec<Interned> = (0..LIMIT + 9).map(|n| strings.intern(&n.to_string())).collect();
        assert_eq!(strings.intern("7"), kept[7]);
        assert_ne!(address(&strings.intern(&kept[LIMIT + 7])), address(&kept[LIMIT + 7]));
        assert!(strings.bytes() > LIMIT * 8);
    }
}
