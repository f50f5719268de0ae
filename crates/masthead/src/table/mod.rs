//! A client of the server's own view of every kind: the columns and rows that `kubectl get` prints.
//!
//! ```
//! use kube_core::GroupVersionResource;
//! use masthead::{Error, rest::RestClient, table::TableClient};
//!
//! async fn print(client: &RestClient) -> Result<Vec<String>, Error> {
//!     let pods = GroupVersionResource::gvr("", "v1", "pods");
//!     let table = TableClient::new(client).resource(&pods).namespace("default").list(&Default::default()).await?;
//!     let narrow: Vec<usize> = (0..table.columns.len()).filter(|index| table.columns[*index].priority == 0).collect();
//!     let line = |row: &masthead::table::Row| narrow.iter().map(|index| row.text(*index)).collect::<Vec<_>>().join("  ");
//!     Ok(table.rows.iter().map(line).collect())
//! }
//! ```

mod answer;
mod client;
mod column;
mod row;
mod table_row;

use std::rc::Rc;

pub use client::{IncludeObject, ResourceClient, TableClient};
pub use column::Column;
pub use row::{Row, RowCondition};
pub use table_row::TableRow;

use crate::Error;

/// One page of a table, or the rows of one watch event.
#[derive(Debug)]
pub struct Table {
    /// What the cells of every row are, in their order. Shared by all events of a watch.
    pub columns: Rc<[Column]>,
    /// One row for each object.
    pub rows: Vec<Row>,
    /// The version the table is from. A watch that starts here misses nothing; opaque.
    pub resource_version: String,
    /// Where the next page begins; `None` on the last.
    pub continue_token: Option<String>,
    /// How many rows the next pages have, where the server counts them.
    pub remaining_item_count: Option<u64>,
    /// Why rows are missing; one entry for each.
    pub skipped: Vec<Error>,
}
