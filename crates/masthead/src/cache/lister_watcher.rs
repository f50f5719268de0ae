//! client-go's `ListerWatcher`: the source that a reflector lists and watches.

use std::{fmt, rc::Rc, time::Duration};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream::LocalBoxStream};

use crate::{
    Error,
    rest::{List, ListOptions, Watch},
    runtime::Runtime,
};

/// Lists and watches one collection.
///
/// The implementation adds its own namespace and selectors; the caller passes resource versions, limits and timeouts.
/// Dropping a returned stream or future cancels its request.
pub trait ListerWatcher<T> {
    /// Requests one page of a list and streams it in parts as they arrive. The last part is [`ListPart::End`].
    fn list(&self, options: ListOptions) -> LocalBoxStream<'static, Result<ListPart<T>, Error>>;

    /// Opens a watch.
    fn watch(&self, options: ListOptions) -> LocalBoxFuture<'static, Result<Watch<T>, Error>>;

    /// Sends a minimal request, to find out whether the server answers.
    fn probe(&self) -> LocalBoxFuture<'static, Result<(), Error>>;

    /// The clock, the timers, the task spawner and the source of random numbers to use.
    fn runtime(&self) -> Runtime;

    /// The collection as errors name it: `pods`, `deployments.apps in shop`.
    fn description(&self) -> String;
}

/// A part of one list page.
#[derive(Debug)]
pub enum ListPart<T> {
    /// Decoded objects, in the server's order.
    Objects(Vec<T>),
    /// An item that could not be decoded. The other items follow.
    Skipped(Error),
    /// The continue token of the next page, sent before this page ends so that the caller can request it early.
    Next(String),
    /// The end of the page.
    End {
        /// The resource version of the list; the same on every page.
        resource_version: String,
        /// The continue token of the next page; `None` on the last page.
        continue_token: Option<String>,
        /// The number of objects on the following pages, if the server reports it.
        remaining: Option<u64>,
    },
}

impl<T: 'static> ListPart<T> {
    /// Converts a page that arrives as a whole into parts.
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

/// A [`ListerWatcher`] made of two closures, as client-go's `ListWatch`.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{cache::ListWatch, runtime::Runtime, typed::Client};
///
/// fn pods(runtime: Runtime, client: Client<Pod>) -> ListWatch<Pod> {
///     let (lists, watches) = (client.clone(), client);
///     let list = move |options| {
///         let client = lists.clone();
///         async move { client.list(&options).await }
///     };
///     let watch = move |options| {
///         let client = watches.clone();
///         async move { client.watch(&options).await }
///     };
///     ListWatch::new(runtime, "pods", list, watch)
/// }
/// ```
#[derive(Clone)]
pub struct ListWatch<T> {
    /// The collection as errors name it.
    pub description: String,
    /// How long a watch may be silent before it fails with a timeout.
    pub idle_limit: Duration,
    runtime: Runtime,
    list: RequestFn<List<T>>,
    watch: RequestFn<Watch<T>>,
}

type RequestFn<R> = Rc<dyn Fn(ListOptions) -> LocalBoxFuture<'static, Result<R, Error>>>;

impl<T: 'static> ListWatch<T> {
    /// Creates a source that lists with `list` and watches with `watch`.
    ///
    /// Both closures receive resource versions, limits and timeouts, and add their own selectors.
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

/// A server that takes longer for a single object is not usable from a page.
const PROBE_LIMIT: Duration = Duration::from_secs(10);
