//! How much of something there is, and how much of it is taken.

use masthead::quantity::Quantity;

use crate::model::table::{cell::Cell, load::Load, row::Row};

/// An amount of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// As in `cpu`.
    pub name: String,
    /// What is taken, if that is known.
    pub taken: String,
    /// What there is.
    pub of: String,
}

impl Amount {
    /// The amounts of a node, with what these pods ask for.
    pub fn with_requests<'a>(mut amounts: Vec<Amount>, pods: impl Iterator<Item = &'a Row>) -> Vec<Amount> {
        let (mut load, mut count) = (Load::default(), 0);
        for pod in pods.filter(|pod| !is_over(pod)) {
            load += pod.load;
            count += 1;
        }
        for amount in &mut amounts {
            match amount.name.as_str() {
                "cpu" => (amount.taken, amount.of) = (load.cpu_text(), Load::parse(&amount.of, "").cpu_text()),
                "memory" => (amount.taken, amount.of) = (load.memory_text(), shorter(&amount.of)),
                "pods" => amount.taken = format!("{count}"),
                _ => {}
            }
        }
        amounts
    }

    /// Which share is taken, from nothing to all and beyond; `None` where that cannot be told.
    pub fn share(&self) -> Option<f64> {
        let [taken, of] = [&self.taken, &self.of].map(|text| Quantity::parse(text));
        let of = of.filter(|of| !of.is_zero())?;
        Some(taken?.as_f64() / of.as_f64())
    }
}

/// A pod that is over has no place on its node any more.
fn is_over(pod: &Row) -> bool {
    let over = |cell: &Cell| matches!(cell, Cell::Status(word, _) if matches!(word.as_str(), "Completed" | "Succeeded" | "Failed" | "Evicted"));
    pod.cells.iter().any(over)
}

/// Nodes count their memory in kibibytes, which nobody reads.
fn shorter(memory: &str) -> String {
    Load::parse("", memory).memory_text()
}
