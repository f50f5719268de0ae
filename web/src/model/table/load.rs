//! What a pod asks for, or what a node has to give.

use std::ops::{Add, AddAssign, SubAssign};

use masthead::quantity::Quantity;

/// Processor time and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Thousandths of a processor.
    pub cpu: u64,
    /// Bytes.
    pub memory: u64,
}

impl Load {
    /// Reads amounts as they are written; what is no amount is nothing.
    pub fn parse(cpu: &str, memory: &str) -> Load {
        let amount =
            |text: &str, scale: f64| Quantity::parse(text).map_or(0, |amount| (amount.as_f64() * scale).ceil() as u64);
        Load { cpu: amount(cpu, 1000.0), memory: amount(memory, 1.0) }
    }

    /// The larger of each.
    #[must_use]
    pub fn max(self, other: Load) -> Load {
        Load { cpu: self.cpu.max(other.cpu), memory: self.memory.max(other.memory) }
    }

    /// The processors as an amount, as in `250m` and `1.5`.
    pub fn cpu_text(self) -> String {
        if (1..1000).contains(&self.cpu) { format!("{}m", self.cpu) } else { (self.cpu as f64 / 1000.0).to_string() }
    }

    /// The memory as an amount in the largest unit that leaves three digits, as in `12.5Gi`.
    pub fn memory_text(self) -> String {
        let units = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];
        let (mut amount, mut unit) = (self.memory as f64, 0);
        while amount >= 1024.0 && unit + 1 < units.len() {
            amount /= 1024.0;
            unit += 1;
        }
        let text = if amount < 100.0 && unit > 0 { format!("{amount:.1}") } else { format!("{amount:.0}") };
        format!("{}{}", text.strip_suffix(".0").unwrap_or(&text), units[unit])
    }
}

impl Add for Load {
    type Output = Load;

    fn add(self, other: Load) -> Load {
        Load { cpu: self.cpu.saturating_add(other.cpu), memory: self.memory.saturating_add(other.memory) }
    }
}

impl AddAssign for Load {
    fn add_assign(&mut self, other: Load) {
        *self = *self + other;
    }
}

impl SubAssign for Load {
    fn sub_assign(&mut self, other: Load) {
        *self = Load { cpu: self.cpu.saturating_sub(other.cpu), memory: self.memory.saturating_sub(other.memory) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_added_and_written() {
        let mut load = Load::parse("250m", "512Mi") + Load::parse("2", "1536Mi");
        assert_eq!((load.cpu_text().as_str(), load.memory_text().as_str()), ("2.25", "2Gi"));
        load -= Load::parse("250m", "0.5Gi");
        assert_eq!((load.cpu_text().as_str(), load.memory_text().as_str()), ("2", "1.5Gi"));
        load -= Load::parse("9", "9Ti");
        assert_eq!(load, Load::default());
        assert_eq!(Load::parse("much", "-"), Load::default());
        assert_eq!(Load::parse("0.1", "900Mi").memory_text(), "900Mi");
    }
}
