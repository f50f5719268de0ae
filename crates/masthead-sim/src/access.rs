//! Who may do what: the users, and the roles that are stored for them.

mod aggregation;
mod attempt;
mod defaults;
mod impersonation;
mod policy;
mod review;
mod rule;
mod token_review;
mod user;

pub(crate) use aggregation::aggregate;
pub(crate) use attempt::Attempt;
pub(crate) use defaults::seed;
pub(crate) use impersonation::acting;
pub(crate) use policy::Policy;
pub(crate) use review::Review;
pub(crate) use user::User;
