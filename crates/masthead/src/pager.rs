//! Lists in pages: as one list, as pages, or as objects.

use std::{fmt, rc::Rc};

use futures::{
    Stream, StreamExt, TryStreamExt,
    future::LocalBoxFuture,
    stream::{self, LocalBoxStream},
};

use crate::{
    Error,
    rest::{List, ListOptions},
};

/// Lists objects page by page, each asked for when the last is done with: there are never two in memory.
///
/// ```
/// use futures::TryStreamExt;
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{Error, rest::{ListOptions, RestClient}, typed::Client};
///
/// async fn names(client: &RestClient) -> Result<Vec<String>, Error> {
///     let pods = Client::<Pod>::all_namespaces(client);
///     let items = pods.pager().items(ListOptions::default());
///     items.try_filter_map(async |pod| Ok(pod.metadata.name)).try_collect().await
/// }
/// ```
pub struct Pager<K> {
    /// How many objects a page has at most, where the options do not say.
    pub page_size: u32,
    /// Whether [`list`](Self::list) begins again without pages when the server has forgotten the version of the first one
    /// before it gave the last.
    pub full_list_if_expired: bool,
    fetch: Fetch<K>,
}

type Fetch<K> = FetchPage<List<K>>;

/// Asks for one page.
pub(crate) type FetchPage<P> = Rc<dyn Fn(ListOptions) -> LocalBoxFuture<'static, Result<P, Error>>>;

/// A whole list, and how it came.
#[derive(Debug)]
pub struct Listed<K> {
    /// All objects, at the version of the first page.
    pub list: List<K>,
    /// Whether there was more than one page: such a list came from the store and not from the server's cache.
    pub paginated: bool,
}

/// client-go's page size.
pub const DEFAULT_PAGE_SIZE: u32 = 500;

impl<K: 'static> Pager<K> {
    /// Pages that `fetch` gives.
    pub fn new<F>(fetch: impl Fn(ListOptions) -> F + 'static) -> Pager<K>
    where
        F: Future<Output = Result<List<K>, Error>> + 'static,
    {
        let fetch: Fetch<K> = Rc::new(move |options| Box::pin(fetch(options)));
        Pager { page_size: DEFAULT_PAGE_SIZE, full_list_if_expired: true, fetch }
    }

    /// All objects as one list.
    pub async fn list(&self, options: ListOptions) -> Result<Listed<K>, Error> {
        let mut asked = paged(options.clone(), self.page_size);
        let (mut so_far, mut paginated) = (None::<List<K>>, false);
        loop {
            let mut page = match (self.fetch)(asked.clone()).await {
                Ok(page) => page,
                Err(error) if error.is_gone() && self.full_list_if_expired && !asked.continue_token.is_empty() => {
                    // What came so far is freed before the same comes again.
                    drop(so_far);
                    let whole = ListOptions { limit: None, continue_token: String::new(), ..options };
                    return Ok(Listed { list: (self.fetch)(whole).await?, paginated });
                }
                Err(error) => return Err(error),
            };
            let token = page.continue_token.take();
            let list = match so_far.take() {
                Some(mut list) => {
                    list.items.append(&mut page.items);
                    list.skipped.append(&mut page.skipped);
                    list.remaining_item_count = None;
                    list
                }
                None => page,
            };
            let Some(token) = token else { return Ok(Listed { list, paginated }) };
            (so_far, paginated, asked) = (Some(list), true, continued(asked, token));
        }
    }

    /// The pages as they come; the first error is the last item.
    ///
    /// Pages that were given out cannot be taken back, so an expired list is an error here.
    pub fn pages(&self, options: ListOptions) -> LocalBoxStream<'static, Result<List<K>, Error>> {
        pages(Rc::clone(&self.fetch), paged(options, self.page_size), |page| page.continue_token.clone())
    }

    /// The objects as they come, page by page. One that cannot be read is an error of its own; any other error is the last
    /// item.
    pub fn items(&self, options: ListOptions) -> impl Stream<Item = Result<K, Error>> + 'static {
        let pages = self.pages(options).map_ok(|page| {
            let skipped = page.skipped.into_iter().map(Err);
            stream::iter(page.items.into_iter().map(Ok).chain(skipped))
        });
        pages.try_flatten()
    }
}

/// Pages of any form; `next` reads where the one after a page begins.
pub(crate) fn pages<P: 'static>(
    fetch: FetchPage<P>,
    first: ListOptions,
    next: fn(&P) -> Option<String>,
) -> LocalBoxStream<'static, Result<P, Error>> {
    let pages = stream::unfold(Some(first), move |options| {
        let fetch = Rc::clone(&fetch);
        async move {
            let options = options?;
            let page = fetch(options.clone()).await;
            let token = page.as_ref().ok().and_then(next);
            Some((page, token.map(|token| continued(options, token))))
        }
    });
    pages.boxed_local()
}

/// Options for a first page, of `page_size` unless they say something else.
pub(crate) fn paged(options: ListOptions, page_size: u32) -> ListOptions {
    ListOptions { limit: options.limit.filter(|limit| *limit > 0).or(Some(page_size)), ..options }
}

/// Options for the page that begins at `token`, which already says of which version it is.
fn continued(options: ListOptions, token: String) -> ListOptions {
    ListOptions { continue_token: token, resource_version: String::new(), resource_version_match: None, ..options }
}

impl<K> Clone for Pager<K> {
    fn clone(&self) -> Pager<K> {
        Pager { fetch: Rc::clone(&self.fetch), ..*self }
    }
}

impl<K> fmt::Debug for Pager<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pager")
            .field("page_size", &self.page_size)
            .field("full_list_if_expired", &self.full_list_if_expired)
            .finish_non_exhaustive()
    }
}
