//! What lies over the page.

/// A layer over the page; at most one is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Overlay {
    #[default]
    None,
    Palette,
    Help,
    Namespaces,
    Columns,
    Export,
    Settings,
}
