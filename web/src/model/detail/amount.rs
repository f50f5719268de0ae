//! How much of something there is, and how much of it is taken.

use masthead::quantity::Quantity;

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
    /// Which share is taken, from nothing to all and beyond; `None` where that cannot be told.
    pub fn share(&self) -> Option<f64> {
        let [taken, of] = [&self.taken, &self.of].map(|text| Quantity::parse(text));
        let of = of.filter(|of| !of.is_zero())?;
        Some(taken?.as_f64() / of.as_f64())
    }
}
