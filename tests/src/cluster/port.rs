//! Free loopback ports.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Result, bail};

/// Below the ports that kernels hand to outgoing connections, so that a server that is down for a while finds its port
/// free when it comes back.
const RANGE: std::ops::Range<u16> = 18_000..32_000;

/// A loopback port nobody listens on.
///
/// It is only seen free, not held: ports are chosen at random so that two who ask at once rarely meet.
pub(crate) fn free_port() -> Result<u16> {
    for _ in 0..64 {
        let span = u64::from(RANGE.end - RANGE.start);
        let offset = u16::try_from(RandomState::new().build_hasher().finish() % span)?;
        let port = RANGE.start + offset;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no free loopback port between {} and {}", RANGE.start, RANGE.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_a_port_that_can_be_bound() {
        // A neighbour that forks meanwhile holds the socket of the look for a moment.
        assert!((0..8).any(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, free_port().unwrap())).is_ok()));
    }
}
