//! What the page knows, as plain Rust: no DOM, no clock, no I/O. Times are milliseconds since 1970 and come as arguments.

pub mod address;
pub mod age;
pub mod backoff;
pub mod connection;
pub mod feed;
pub mod namespace;
pub mod rows;
pub mod screen;
pub mod table;
pub mod theme;
pub mod timeline;
pub mod timestamp;
