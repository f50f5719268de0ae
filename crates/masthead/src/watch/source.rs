//! What is watched: a collection, and the requests that list it, watch it and ask whether its server is there.

use std::{fmt, rc::Rc, time::Duration};

use futures::{FutureExt, future::LocalBoxFuture, stream::LocalBoxStream};
use serde::de::DeserializeOwned;

use super::page;
use crate::{
    Error,
    cache::{ListPart, ListerWatcher},
    pager::Pager,
    rest::{Decoder, Json, List, ListOptions, Request, Watch},
    runtime::Runtime,
};

/// A collection of objects on a server, by the GET request that lists it: path, selectors and headers, but neither version
/// nor limit.
pub struct Source<K> {
    request: Request,
    idle_limit: Duration,
    decoder: Rc<dyn Decoder<K>>,
}

impl<K> Source<K> {
    /// How long a watch may be silent unless told otherwise: servers send a bookmark a minute.
    pub const DEFAULT_IDLE_LIMIT: Duration = Duration::from_secs(90);

    /// The collection that `request` lists, of whole objects.
    pub fn new(request: Request) -> Source<K>
    where
        K: DeserializeOwned + 'static,
    {
        Source::read_by(Rc::new(Json::new()), request)
    }

    /// The collection that `request` lists, of what `decoder` makes of its objects.
    pub fn read_by(decoder: Rc<dyn Decoder<K>>, request: Request) -> Source<K> {
        Source { request, idle_limit: Source::<K>::DEFAULT_IDLE_LIMIT, decoder }
    }

    /// Sets how long a watch may be silent before it ends with a timeout.
    #[must_use]
    pub fn idle_limit(mut self, limit: Duration) -> Source<K> {
        self.idle_limit = limit;
        self
    }

    /// What watching it is called in errors.
    pub fn operation(&self) -> String {
        self.request.clone().called("watch").operation()
    }

    /// What tells it from any other: the address of its list.
    pub(crate) fn address(&self) -> String {
        self.request.url()
    }

    /// The runtime of the client.
    pub fn runtime(&self) -> &Runtime {
        &self.request.client().config().runtime
    }

    /// Asks the server for as little as it can give. Fails with a network error when nobody answers in time.
    pub async fn probe(&self) -> Result<(), Error> {
        let request = self.request.clone().param("limit", "1").max_retries(0).timeout(PROBE_LIMIT);
        request.send().await.map(drop)
    }
}

impl<K: 'static> Source<K> {
    /// Opens a watch that begins behind `version`. It has bookmarks, the idle limit of this source, which bounds its opening
    /// too, and, unless the request sets its own, a `timeoutSeconds` of five to ten minutes, so that not all watches of a
    /// page end at once.
    pub async fn watch(&self, version: &str) -> Result<Watch<K>, Error> {
        let mut request = self.request.clone().called("watch").param("watch", "true");
        request = request.param("allowWatchBookmarks", "true").param("resourceVersion", version);
        if !request.has_param("timeoutSeconds") {
            let seconds = self.runtime().jittered(MIN_WATCH, 1.0).as_secs();
            request = request.param("timeoutSeconds", seconds.to_string());
        }
        self.open(request).await
    }

    async fn open(&self, request: Request) -> Result<Watch<K>, Error> {
        let opened = self.runtime().within(self.idle_limit, request.watch_decoded(Rc::clone(&self.decoder))).await;
        let watch = opened.unwrap_or_else(|| Err(Error::timed_out(&self.operation(), self.idle_limit)))?;
        Ok(watch.idle_limit(self.runtime().clone(), self.idle_limit))
    }

    /// Lists the collection in pages, and gives all of them as one. When the server has forgotten the version of the first
    /// page before the last is read, the list is read again in one piece.
    pub async fn list(&self) -> Result<List<K>, Error> {
        let (request, decoder) = (self.request.clone(), Rc::clone(&self.decoder));
        let pager = Pager::new(move |options| {
            let request = request.clone().params(&options);
            let decoder = Rc::clone(&decoder);
            async move { List::decode_with(&request.send().await?, &*decoder) }
        });
        Ok(pager.list(ListOptions::default()).await?.list)
    }
}

impl<K: 'static> ListerWatcher<K> for Source<K> {
    fn list(&self, options: ListOptions) -> LocalBoxStream<'static, Result<ListPart<K>, Error>> {
        page::parts(self.request.clone().params(&options), Rc::clone(&self.decoder))
    }

    fn watch(&self, options: ListOptions) -> LocalBoxFuture<'static, Result<Watch<K>, Error>> {
        let (source, request) = (self.clone(), self.request.clone().called("watch").param("watch", "true"));
        async move { source.open(request.params(&options)).await }.boxed_local()
    }

    fn probe(&self) -> LocalBoxFuture<'static, Result<(), Error>> {
        let source = self.clone();
        async move { Source::probe(&source).await }.boxed_local()
    }

    fn runtime(&self) -> Runtime {
        Source::runtime(self).clone()
    }

    fn description(&self) -> String {
        self.request.clone().called("").operation().trim_start().to_owned()
    }
}

impl<K> Clone for Source<K> {
    fn clone(&self) -> Source<K> {
        Source { request: self.request.clone(), idle_limit: self.idle_limit, decoder: Rc::clone(&self.decoder) }
    }
}

impl<K> fmt::Debug for Source<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("url", &self.request.url()).field("idle_limit", &self.idle_limit).finish()
    }
}

/// client-go's shortest watch; jitter up to doubles it.
const MIN_WATCH: Duration = Duration::from_secs(300);

/// A server that needs longer for one object is not there for the person who looks at the page.
const PROBE_LIMIT: Duration = Duration::from_secs(10);
