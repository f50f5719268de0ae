//! What every byte of a list or watch passes through.
//!
//! Most bytes of a list are asked for by nobody, so what matters is how fast they can be skipped. A [`Cursor`] walks through
//! a value, reads what its owner wants and skips the rest by its brackets and quotes. What is skipped is not judged. A
//! [`Framer`] cuts a stream into values and a [`ListFramer`] a list into its items; a [`Plan`] walks through an object once
//! for all fields that somebody wants, which are [`Found`] as they are written and [`Interned`] where many objects share them.
//!
//! This is a crate of its own so that it alone can be compiled for speed, and whatever stands on it for size. Programs use
//! it through `masthead`.

mod block;
mod cursor;
mod found;
mod frame;
mod interned;
mod list_framer;
mod plan;
mod word;

pub use cursor::{Cursor, Stop, Text};
pub use found::{Found, Mismatch, elements, members};
pub use frame::{FrameError, Framer};
pub use interned::{Interned, Strings};
pub use list_framer::ListFramer;
pub use plan::{Extent, Halt, Plan, Step};
pub use word::text_run;
