//! Lists and watches one collection: where a reflector reads from.

use std::{fmt, rc::Rc, time::Duration};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream::LocalBoxStream};

use crate::{
    Error,
    rest::{List, ListOptions, Watch},
    runtime::Runtime,
};

/// Lists and watches one collection. Selectors and namespace are its own matter; versions, limits and times come with each
/// call.
pub trait ListerWatcher<T> {
    /// One page of a list, in as many parts as it comes in; the last is [`ListPart::End`].
    fn list(&self, options: ListOptions) -> LocalBoxStream<'static, Result<ListPart<T>, Error>>;

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
pub enum ListPart<T> {
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

impl<T: 'static> ListPart<T> {
    /// The parts of a page that comes in one piece.
    pub fn of_page(
        page: impl Future<Output = Result<List<T>, Error>> + 'static,
    ) -> LocalBoxStream<'static, Result<ListPart<T>, Error>> {
        let parts = page.map(|page| match page {
            Ok(page) => {
                let end = ListPart::End {
                    resource_version: page.resource_version,
                    continue_token: page.continue_token,
                    remaining: page.remaining_item_count,
                };
                let skipped = page.skipped.into_iter().map(ListPart::Skipped);
                [ListPart::Objects(page.items)].into_iter().chain(skipped).chain([end]).map(Ok).collect()
            }
            Err(error) => vec![Err(error)],
        });
        parts.map(futures::stream::iter).flatten_stream().boxed_local()
    }
}

/// Lists and watches by calling what it is given: the way to an informer of anything that can be listed and watched.
#[derive(Clone)]
pub struct ListWatch<T> {
    /// What is read, as errors and reports name it.
    pub description: String,
    /// How long a watch may be silent before it ends with a timeout.
    pub idle_limit: Duration,
    runtime: Runtime,
    list: RequestFn<List<T>>,
    watch: RequestFn<Watch<T>>,
}

type RequestFn<R> = Rc<dyn Fn(ListOptions) -> LocalBoxFuture<'static, Result<R, Error>>>;

impl<T: 'static> ListWatch<T> {
    /// Lists with `list` and watches with `watch`; both get versions, limits and times, and add their own selectors.
    pub fn new<L, W>(
        runtime: Runtime,
        description: impl Into<String>,
        list: impl Fn(ListOptions) -> L + 'static,
        watch: impl Fn(ListOptions) -> W + 'static,
    ) -> ListWatch<T>
    where
        L: Future<Output = Result<List<T>, Error>> + 'static,
        W: Future<Output = Result<Watch<T>, Error>> + 'static,
    {
        ListWatch {
            description: description.into(),
            idle_limit: crate::watch::Source::<T>::DEFAULT_IDLE_LIMIT,
            runtime,
            list: Rc::new(move |options| list(options).boxed_local()),
            watch: Rc::new(move |options| watch(options).boxed_local()),
        }
    }
}

impl<T: 'static> ListerWatcher<T> for ListWatch<T> {
    fn list(&self, options: ListOptions) -> LocalBoxStream<'static, Result<ListPart<T>, Error>> {
        ListPart::of_page((self.list)(options))
    }

    fn watch(&self, options: ListOptions) -> LocalBoxFuture<'static, Result<Watch<T>, Error>> {
        let (runtime, limit, opening) = (self.runtime.clone(), self.idle_limit, (self.watch)(options));
        let operation = format!("watch {}", self.description);
        async move {
            let opened = runtime.within(limit, opening).await;
            let watch = opened.unwrap_or_else(|| Err(Error::timed_out(&operation, limit)))?;
            Ok(watch.idle_limit(runtime, limit))
        }
        .boxed_local()
    }

    fn probe(&self) -> LocalBoxFuture<'static, Result<(), Error>> {
        let listed = (self.list)(ListOptions { limit: Some(1), ..ListOptions::default() });
        let (runtime, operation) = (self.runtime.clone(), format!("list {}", self.description));
        async move {
            let answer = runtime.within(PROBE_LIMIT, listed).await;
            answer.unwrap_or_else(|| Err(Error::timed_out(&operation, PROBE_LIMIT))).map(drop)
        }
        .boxed_local()
    }

    fn runtime(&self) -> Runtime {
        self.runtime.clone()
    }

    fn description(&self) -> String {
        self.description.clone()
    }
}

impl<T> fmt::Debug for ListWatch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListWatch")
            .field("description", &self.description)
            .field("idle_limit", &self.idle_limit)
            .finish_non_exhaustive()
    }
}

/// A server that needs longer for one object is not there for the person who looks at the page.
const PROBE_LIMIT: Duration = Duration::from_secs(10);
