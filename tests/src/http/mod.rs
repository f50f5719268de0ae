//! Any [`Transport`] over HTTP/1.1 and WebSocket on loopback, for clients in other processes.
//!
//! One thread owns the transport and everything behind it, on a [`VirtualTime`] that keeps pace with the real one. Each
//! connection has threads of its own, which read requests and write answers; between the two run bounded channels.

mod answer;
mod body;
mod call;
mod connection;
mod pace;
mod server;
mod socket;

pub use server::HttpServer;

#[cfg(test)]
mod tests;
