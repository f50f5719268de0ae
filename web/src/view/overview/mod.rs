//! The overview of the cluster.

mod capacity;
mod changes;
mod figures;
mod page;

pub(crate) use page::OverviewPage;
