//! A lister-watcher of two closures.

use std::{fmt, rc::Rc, time::Duration};

use futures::{FutureExt, future::LocalBoxFuture, stream::LocalBoxStream};

use super::{ListerWatcher, Part};
use crate::{
    Error,
    rest::{List, ListOptions, Watch},
    runtime::Runtime,
};

/// Lists and watches by calling what it is given: the way to an informer of anything that can be listed and watched.
#[derive(Clone)]
pub struct ListWatch<T> {
    /// What is read, as errors and reports name it.
    pub description: String,
    /// How long a watch may be silent before it ends with a timeout.
    pub idle_limit: Duration,
    runtime: Runtime,
    list: Call<List<T>>,
    watch: Call<Watch<T>>,
}

type Call<R> = Rc<dyn Fn(ListOptions) -> LocalBoxFuture<'static, Result<R, Error>>>;

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
    fn list(&self, options: ListOptions) -> LocalBoxStream<'static, Result<Part<T>, Error>> {
        Part::of_page((self.list)(options))
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
