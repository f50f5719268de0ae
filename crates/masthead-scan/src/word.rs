//! Looking at eight bytes at once.

/// How many bytes from `at` on are neither quote nor backslash.
#[inline]
pub fn text_run(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let mut words = rest.chunks_exact(size_of::<u64>());
    let mut passed = 0;
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().expect("chunks of eight bytes"));
        let found = equal(word, b'"') | equal(word, b'\\');
        if found != 0 {
            return passed + found.trailing_zeros() as usize / 8;
        }
        passed += size_of::<u64>();
    }
    let tail = words.remainder();
    passed + tail.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(tail.len())
}

/// The high bit of each byte of `word` that is `byte`; right up to the first such byte, and nothing is said of those behind.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    let differ = word ^ (ONES * u64::from(byte));
    differ.wrapping_sub(ONES) & !differ & HIGHS
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests {
    use super::text_run;

    #[test]
    fn finds_the_first_of_either_at_every_place() {
        let plain: Vec<u8> = (0..=255).filter(|byte| !matches!(byte, b'"' | b'\\')).collect();
        for length in 0..40 {
            for first in 0..=length {
                for mark in [b'"', b'\\'] {
                    let mut bytes: Vec<u8> = plain.iter().skip(first * 3).chain(&plain).take(length).copied().collect();
                    bytes.insert(first, mark);
                    bytes.extend([mark, b'"', b'\\']);
                    assert_eq!(text_run(&bytes, 0), first, "{length} {first}");
                }
            }
        }
        assert_eq!((text_run(b"abc", 0), text_run(b"abc", 3), text_run(b"abc", 9)), (3, 0, 0));
    }
}
