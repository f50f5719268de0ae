//! Any [`Transport`](masthead::rest::Transport) over HTTP/1.1 and WebSocket on loopback, for clients in other processes.
//!
//! One thread owns the transport and everything behind it, on a [`VirtualTime`](masthead::runtime::VirtualTime) that keeps pace
//! with the real one. Another is the server of `masthead-serve`, which reads requests and writes answers; between the two run
//! bounded channels.

mod call;
mod exchange;
mod pace;
mod server;
mod socket;

pub use server::HttpServer;

#[cfg(test)]
mod tests;
