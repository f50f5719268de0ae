//! Passing over JSON without reading it.
//!
//! Most bytes of a list are asked for by nobody, so what matters is how fast they can be skipped. A [`Cursor`] walks through
//! a value, reads what its owner wants and skips the rest by its brackets and quotes. What is skipped is not judged.

mod block;
mod cursor;
mod word;

pub(crate) use cursor::{Cursor, Stop, Text};
pub(crate) use word::text_run;
