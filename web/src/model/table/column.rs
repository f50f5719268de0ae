//! The columns of a table.

/// A column, with kubectl's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// As kubectl writes it, in capitals. A filter names the column by it, in any case, with `-` for a space.
    pub title: String,
    /// Whether only `kubectl get -o wide` shows it.
    pub wide: bool,
    /// Whether values are compared digit by digit, so that they stand at the right.
    pub numeric: bool,
}
