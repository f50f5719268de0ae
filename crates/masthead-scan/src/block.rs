//! Looking at sixty-four bytes at once: where a bracket is closed, without a branch per string.
//!
//! Each byte of a block is a bit of a word: one word tells the quotes, one the brackets. Between an odd quote and the next
//! lies a string, which a few shifts find out for all bits, and what is left of the brackets is counted.

/// How far brackets were followed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// The last one was closed; the place behind it.
    End(usize),
    /// Not before this place, where less than a block is left.
    Rest { at: usize, depth: u32, text: Text },
    /// Only to a backslash that stands in no string, at this place.
    Stray(usize),
}

/// Whether a place lies in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    Outside,
    Inside,
    /// Behind a backslash.
    Escaped,
}

/// Follows the brackets from `at`, which lies in `depth` of them and in no string.
pub(super) fn pass(bytes: &[u8], mut at: usize, mut depth: u32, (open, close): (u8, u8)) -> Passed {
    // All bits are set while a block begins in a string.
    let (mut inside, mut escaped) = (0_u64, false);
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<64>) {
        let block = words(block);
        let is_ascii = block.iter().fold(0, |all, word| all | word) & HIGHS == 0;
        let bytes = [b'"', open, close];
        let [mut quotes, opens, closes] =
            if is_ascii { marks::<true>(&block, bytes) } else { marks::<false>(&block, bytes) };
        let mut backslashes = 0;
        if escaped || has(&block, b'\\') {
            backslashes = equal::<false>(&block, b'\\');
            quotes &= !escapes(backslashes, &mut escaped);
        }
        let texts = running_parity(quotes) ^ inside;
        inside = if texts >> 63 == 1 { u64::MAX } else { 0 };
        let (opens, closes) = (opens & !texts, closes & !texts);
        let stray = (backslashes & !texts).trailing_zeros() as usize;
        if stray == 64 && closes.count_ones() < depth {
            depth = depth + opens.count_ones() - closes.count_ones();
        } else if let Some(end) = last_close(opens, closes, &mut depth) {
            return if stray < end { Passed::Stray(at + stray) } else { Passed::End(at + end + 1) };
        } else if stray < 64 {
            return Passed::Stray(at + stray);
        }
        at += 64;
    }
    let text = match (inside, escaped) {
        (_, true) => Text::Escaped,
        (0, _) => Text::Outside,
        _ => Text::Inside,
    };
    Passed::Rest { at, depth, text }
}

/// The bytes that a backslash escapes; `carry` tells whether the first byte of this block is one, then that of the next.
fn escapes(backslashes: u64, carry: &mut bool) -> u64 {
    let mut after = u64::from(*carry);
    let mut rest = backslashes & !after;
    *carry = false;
    while rest != 0 {
        let place = rest.trailing_zeros();
        if place == 63 {
            *carry = true;
            break;
        }
        after |= 2 << place;
        rest &= !(3 << place);
    }
    after
}

/// The place of the bracket that closes the last one that is open.
fn last_close(opens: u64, closes: u64, depth: &mut u32) -> Option<usize> {
    let mut all = opens | closes;
    while all != 0 {
        let place = all.trailing_zeros();
        if opens >> place & 1 == 1 {
            *depth += 1;
        } else {
            *depth = depth.saturating_sub(1);
            if *depth == 0 {
                return Some(place as usize);
            }
        }
        all &= all - 1;
    }
    None
}

/// Each bit tells whether the number of bits up to it is odd.
fn running_parity(bits: u64) -> u64 {
    [1, 2, 4, 8, 16, 32].iter().fold(bits, |parity, shift| parity ^ parity << shift)
}

/// Sixty-four bytes, eight in a word.
type Block = [u64; 8];

#[inline]
fn words(block: &[u8; 64]) -> Block {
    std::array::from_fn(|place| {
        let mut word = [0; 8];
        word.copy_from_slice(&block[place * 8..place * 8 + 8]);
        u64::from_le_bytes(word)
    })
}

/// Whether any byte is `byte`.
#[inline]
fn has(block: &Block, byte: u8) -> bool {
    let found = block.iter().fold(0, |found, word| {
        let differ = word ^ (ONES * u64::from(byte));
        found | (differ.wrapping_sub(ONES) & !differ)
    });
    found & HIGHS != 0
}

/// Where each of these bytes stands.
#[inline]
fn marks<const ASCII: bool>(block: &Block, bytes: [u8; 3]) -> [u64; 3] {
    bytes.map(|byte| equal::<ASCII>(block, byte))
}

/// One bit for each byte: whether it is `byte`. Cheaper where all are ASCII.
#[inline]
fn equal<const ASCII: bool>(block: &Block, byte: u8) -> u64 {
    // The high bit of each byte tells that it differs; those of the eight words lie side by side, one in each place of a
    // byte, until all are turned at once.
    let differ = block.iter().enumerate().fold(0, |bits, (place, word)| {
        let differ = word ^ (ONES * u64::from(byte));
        let highs = if ASCII { differ + LOWS } else { ((differ & LOWS) + LOWS) | differ } & HIGHS;
        bits | highs >> (7 - place)
    });
    !turned(differ)
}

/// Eight bytes of eight bits with rows and columns swapped.
#[inline]
fn turned(bits: u64) -> u64 {
    let swap = |bits: u64, mask: u64, shift: u32| {
        let moved = (bits ^ bits >> shift) & mask;
        bits ^ moved ^ moved << shift
    };
    let bits = swap(bits, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swap(bits, 0x0000_cccc_0000_cccc, 14);
    swap(bits, 0x0000_0000_f0f0_f0f0, 28)
}

const ONES: u64 = 0x0101_0101_0101_0101;
const LOWS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const HIGHS: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests {
    use super::{Passed, Text, equal, has, pass, words};

    /// Numbers below one, the same ones for the same seed.
    fn chance(mut seed: u64) -> impl FnMut() -> f64 {
        move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as f64 / (1_u64 << 31) as f64
        }
    }

    /// The same, byte by byte.
    fn oracle(bytes: &[u8], (open, close): (u8, u8)) -> Passed {
        let (mut depth, mut text, blocks) = (1, Text::Outside, bytes.len() / 64 * 64);
        for (at, byte) in bytes[..blocks].iter().enumerate() {
            text = match (text, *byte) {
                (Text::Outside, b'\\') => return Passed::Stray(at),
                (Text::Escaped, _) => Text::Inside,
                (Text::Inside, b'\\') => Text::Escaped,
                (Text::Inside, b'"') => Text::Outside,
                (Text::Outside, b'"') => Text::Inside,
                (text, _) => text,
            };
            depth += u32::from(text == Text::Outside && *byte == open);
            depth -= u32::from(text == Text::Outside && *byte == close);
            if depth == 0 {
                return Passed::End(at + 1);
            }
        }
        Passed::Rest { at: blocks, depth, text }
    }

    #[test]
    fn finds_what_byte_by_byte_finds() {
        let (mut random, alphabet) = (chance(11), b"{}[]\"\"\\\\a:,{[{[{[\xc3");
        for round in 0..20_000 {
            let length = (random() * 300.0) as usize;
            let mut quoted = false;
            let mut escaped = false;
            let bytes: Vec<u8> = (0..length)
                .map(|_| {
                    loop {
                        let byte = alphabet[(random() * alphabet.len() as f64) as usize];
                        // Outside of strings there are no backslashes.
                        if byte == b'\\' && !quoted {
                            continue;
                        }
                        quoted ^= byte == b'"' && !escaped;
                        escaped = byte == b'\\' && !escaped;
                        break byte;
                    }
                })
                .collect();
            for brackets in [(b'{', b'}'), (b'[', b']')] {
                let got = pass(&bytes, 0, 1, brackets);
                assert_eq!(got, oracle(&bytes, brackets), "{round}: {}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn compares_each_byte_for_itself() {
        let mut random = chance(5);
        for byte in 0..=255_u8 {
            let near = [byte, byte ^ 1, byte ^ 0x80, byte.wrapping_add(1), byte.wrapping_sub(1), 0, 0xff];
            let block: [u8; 64] = std::array::from_fn(|_| near[(random() * near.len() as f64) as usize]);
            let expect = block.iter().enumerate().fold(0, |bits, (at, other)| bits | u64::from(*other == byte) << at);
            assert_eq!(equal::<false>(&words(&block), byte), expect, "{byte} in {block:?}");
            if block.is_ascii() {
                assert_eq!(equal::<true>(&words(&block), byte), expect, "{byte} in {block:?}");
            }
            assert_eq!(has(&words(&block), byte), expect != 0, "{byte} in {block:?}");
            let none: [u8; 64] = std::array::from_fn(|place| if place % 2 == 0 { byte ^ 0x80 } else { byte ^ 1 });
            assert!(!has(&words(&none), byte), "{byte}");
        }
    }
}
