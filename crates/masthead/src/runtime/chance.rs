//! Chance that repeats: the same seed gives the same jitter.

use std::cell::Cell;

/// A small generator for jitter; of no use for secrets.
#[derive(Debug)]
pub struct Chance {
    state: Cell<u64>,
}

impl Chance {
    /// A generator that `seed` decides.
    pub fn new(seed: u64) -> Chance {
        Chance { state: Cell::new(seed) }
    }

    /// The next number, in 0..1.
    pub fn next(&self) -> f64 {
        // SplitMix64: every seed is good, zero too.
        let state = self.state.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.state.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let mixed = mixed ^ (mixed >> 31);
        // The upper 53 bits are as many as a float tells apart.
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn one_seed_one_sequence_all_in_the_unit_interval() {
        let (a, b, c) = (Chance::new(7), Chance::new(7), Chance::new(8));
        let draws: Vec<f64> = (0..1000).map(|_| a.next()).collect();
        assert!(draws.iter().all(|draw| (0.0..1.0).contains(draw)));
        assert!(draws.iter().all(|draw| *draw == b.next()));
        assert!(draws.iter().any(|draw| *draw != c.next()));
        let mean = draws.iter().sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
    }
}
