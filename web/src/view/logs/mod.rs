//! The log of a pod's container.

mod bar;
mod line;
mod panel;
mod window;

pub(crate) use panel::ObjectLogs;
