//! What the page knows, and nothing of how it learnt it or shows it: plain Rust, tested natively.

pub mod access;
pub mod address;
pub mod age;
pub mod connection;
pub mod custom_column;
pub mod detail;
mod expected;
pub mod export;
pub mod filter;
pub mod kind;
pub mod log;
pub mod overview;
pub mod print;
pub mod route;
pub mod screen;
pub mod search;
pub mod settings;
pub mod shortcut;
pub mod skew;
pub mod supply;
pub mod table;
pub mod theme;
pub mod timeline;
pub mod timestamp;
pub mod visible;
pub mod words;
pub mod yaml;
