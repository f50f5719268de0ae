//! What the page knows, as plain Rust: no DOM, no clock, no I/O. Times are milliseconds since 1970 and come as arguments.

pub mod address;
pub mod age;
pub mod backoff;
pub mod connection;
pub mod custom_column;
pub mod export;
pub mod feed;
pub mod filter;
pub mod namespace;
pub mod print;
pub mod rows;
pub mod screen;
pub mod table;
pub mod theme;
pub mod timestamp;
pub mod yaml;
