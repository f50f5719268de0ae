//! Where a reflector reads from.

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream::LocalBoxStream};

use crate::{
    Error,
    rest::{List, ListOptions, Watch},
    runtime::Runtime,
};

/// Lists and watches one collection. Selectors and namespace are its own matter; versions, limits and times come with each
/// call.
pub trait ListerWatcher<T> {
    /// One page of a list, in as many parts as it comes in; the last is [`Part::End`].
    fn list(&self, options: ListOptions) -> LocalBoxStream<'static, Result<Part<T>, Error>>;

    /// Opens a watch.
    fn watch(&self, options: ListOptions) -> LocalBoxFuture<'static, Result<Watch<T>, Error>>;

    /// Asks the server for as little as it can give, to see whether it is there.
    fn probe(&self) -> LocalBoxFuture<'static, Result<(), Error>>;

    /// Time, tasks and chance.
    fn runtime(&self) -> Runtime;

    /// What is read, as errors and reports name it: `pods`, `deployments.apps in shop`.
    fn description(&self) -> String;
}

/// A part of a page.
#[derive(Debug)]
pub enum Part<T> {
    /// Objects, in the server's order.
    Objects(Vec<T>),
    /// An object that cannot be read. The others come all the same.
    Skipped(Error),
    /// Where the next page begins, known before the end of this one: it may be asked for already.
    Next(String),
    /// The page is complete.
    End {
        /// The version of the list; the same on every page.
        resource_version: String,
        /// Where the next page begins; `None` on the last.
        continue_token: Option<String>,
        /// How many objects the next pages have, where the server counts them.
        remaining: Option<u64>,
    },
}

impl<T: 'static> Part<T> {
    /// The parts of a page that comes in one piece.
    pub fn of_page(
        page: impl Future<Output = Result<List<T>, Error>> + 'static,
    ) -> LocalBoxStream<'static, Result<Part<T>, Error>> {
        let parts = page.map(|page| match page {
            Ok(page) => {
                let end = Part::End {
                    resource_version: page.resource_version,
                    continue_token: page.continue_token,
                    remaining: page.remaining_item_count,
                };
                let skipped = page.skipped.into_iter().map(Part::Skipped);
                [Part::Objects(page.items)].into_iter().chain(skipped).chain([end]).map(Ok).collect()
            }
            Err(error) => vec![Err(error)],
        });
        parts.map(futures::stream::iter).flatten_stream().boxed_local()
    }
}
