//! Amounts with a suffix, such as `500m` or `1Gi`, as the server reads and writes them.
//!
//! ```
//! use masthead::quantity::Quantity;
//!
//! let [half, one] = ["512Mi", "1Gi"].map(|text| Quantity::parse(text).unwrap_or(Quantity::ZERO));
//! assert!(one.exceeds(half));
//! assert_eq!(half.plus(half).to_string(), "1Gi");
//! ```

use std::fmt;

/// An amount, exact to a billionth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    nanos: i128,
    notation: Notation,
}

/// How an amount was written, which is how it is written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Decimal,
    Binary,
    Exponent,
}

impl Quantity {
    /// Nothing, in the decimal notation.
    pub const ZERO: Quantity = Quantity { nanos: 0, notation: Notation::Decimal };

    /// Reads an amount; `None` when it is none.
    pub fn parse(text: &str) -> Option<Quantity> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
        let (number, suffix) = unsigned.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return None;
        }
        let (scale, notation) = scale(suffix)?;
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let divisor = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let nanos = match scale {
            Scale::Nanos(nanos) => round_up(digits.checked_mul(nanos)?, divisor),
            Scale::Below(further) => round_up(digits, divisor.checked_mul(further)?),
        };
        let sign = if text.starts_with('-') { -1 } else { 1 };
        // As the real server, which keeps larger amounts at their limit.
        let nanos = nanos.min(i128::from(i64::MAX) * ONE) * sign;
        Some(Quantity { nanos, notation })
    }

    /// Whether it is less than nothing.
    pub fn is_negative(self) -> bool {
        self.nanos < 0
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.nanos % ONE == 0
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.nanos == 0
    }

    /// The same amount in whole thousandths, as the server keeps amounts of resources.
    pub fn rounded_to_milli(self) -> Quantity {
        Quantity { nanos: round_up(self.nanos, MILLI) * MILLI, ..self }
    }

    /// About as much, for ratios.
    pub fn as_f64(self) -> f64 {
        self.nanos as f64 / ONE as f64
    }

    /// The sum, written as this is unless this is nothing.
    pub fn plus(self, other: Quantity) -> Quantity {
        let notation = if self.is_zero() { other.notation } else { self.notation };
        Quantity { nanos: self.nanos.saturating_add(other.nanos), notation }
    }

    /// Whether this is more than `other`, however both are written.
    pub fn exceeds(self, other: Quantity) -> bool {
        self.nanos > other.nanos
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nanos == 0 {
            return f.write_str("0");
        }
        // The real server writes small and broken binary amounts as decimal ones.
        let binary = self.notation == Notation::Binary && self.nanos % ONE == 0 && self.nanos.abs() >= 1024 * ONE;
        if binary {
            let (mut number, mut power) = (self.nanos / ONE, 0);
            while number % 1024 == 0 && power < BINARY.len() {
                number /= 1024;
                power += 1;
            }
            let suffix = power.checked_sub(1).map_or("", |at| BINARY[at]);
            return write!(f, "{number}{suffix}");
        }
        let (mut number, mut power) = (self.nanos, 0);
        while number % 1000 == 0 && power < DECIMAL.len() - 1 {
            number /= 1000;
            power += 1;
        }
        match self.notation {
            Notation::Exponent if power != 3 => write!(f, "{number}e{}", power as i32 * 3 - 9),
            _ => write!(f, "{number}{}", DECIMAL[power]),
        }
    }
}

const ONE: i128 = 1_000_000_000;
const MILLI: i128 = 1_000_000;
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// What one of a suffix is worth.
enum Scale {
    Nanos(i128),
    /// This part of a billionth.
    Below(i128),
}

fn scale(suffix: &str) -> Option<(Scale, Notation)> {
    if let Some(at) = BINARY.iter().position(|known| *known == suffix) {
        return Some((Scale::Nanos(ONE << (10 * (at + 1))), Notation::Binary));
    }
    if let Some(at) = DECIMAL.iter().position(|known| *known == suffix) {
        return Some((Scale::Nanos(10_i128.pow(3 * at as u32)), Notation::Decimal));
    }
    let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    let power = exponent.checked_add(9)?;
    let scale = match u32::try_from(power) {
        Ok(power) => Scale::Nanos(10_i128.checked_pow(power)?),
        Err(_) => Scale::Below(10_i128.checked_pow(power.unsigned_abs())?),
    };
    Some((scale, Notation::Exponent))
}

/// Divides, away from zero.
fn round_up(number: i128, divisor: i128) -> i128 {
    let (whole, rest) = (number / divisor, number % divisor);
    whole + rest.signum()
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    fn check(text: &str, expect: Option<&str>) {
        let written = Quantity::parse(text).map(|amount| amount.to_string());
        assert_eq!(written.as_deref(), expect, "{text}");
    }

    #[test]
    fn amounts_are_written_in_one_way() {
        for (text, expect) in [
            ("0.1", "100m"),
            ("1", "1"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("1000", "1k"),
            ("128974848", "128974848"),
            ("1024Mi", "1Gi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("1023Ki", "1023Ki"),
            ("0", "0"),
            ("0Gi", "0"),
            ("-2", "-2"),
            ("1e3", "1e3"),
            ("100e6", "100e6"),
            ("5E", "5E"),
            (".5", "500m"),
        ] {
            check(text, Some(expect));
        }
        for text in ["", "x", "1x", "1.2.3", "1 Gi", "Gi", "1e"] {
            check(text, None);
        }
    }

    #[test]
    fn resources_are_kept_in_thousandths() {
        let rounded = |text| Quantity::parse(text).unwrap().rounded_to_milli().to_string();
        assert_eq!(rounded("0.0001"), "1m");
        assert_eq!(rounded("1500m"), "1500m");
    }
}
