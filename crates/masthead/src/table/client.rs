//! The verbs of tables.

use std::{fmt, rc::Rc};

use futures::stream::LocalBoxStream;
use kube_core::GroupVersionResource;

use super::{
    Table, TableRow,
    answer::{self, EventReader},
};
use crate::{
    Error,
    cache::ListWatch,
    pager::{self, FetchPage},
    rest::{Endpoint, GetOptions, List, ListOptions, Request, RestClient, Watch},
};

/// Gives table clients by group, version and resource.
#[derive(Clone, Debug)]
pub struct TableClient {
    client: RestClient,
}

impl TableClient {
    /// Kinds of the server that `client` talks to.
    pub fn new(client: &RestClient) -> TableClient {
        TableClient { client: client.clone() }
    }

    /// The objects of a resource without namespaces, or of all namespaces, with the metadata of each.
    pub fn resource(&self, resource: &GroupVersionResource) -> ResourceClient {
        ResourceClient { endpoint: Endpoint::new(&self.client, resource), include: IncludeObject::default() }
    }
}

/// The objects of one resource as tables.
///
/// A server that cannot make tables sends the objects themselves; they become a table of names and times.
#[derive(Clone, Debug)]
pub struct ResourceClient {
    endpoint: Endpoint,
    include: IncludeObject,
}

impl ResourceClient {
    /// The objects of one namespace; an empty one is all of them.
    pub fn namespace(&self, namespace: &str) -> ResourceClient {
        ResourceClient { endpoint: self.endpoint.in_namespace_or_all(namespace), include: self.include }
    }

    /// The same, with more or less of each object in its row.
    #[must_use]
    pub fn include(&self, include: IncludeObject) -> ResourceClient {
        ResourceClient { endpoint: self.endpoint.clone(), include }
    }

    /// A table of the one object of this name.
    pub async fn get(&self, name: &str, options: &GetOptions) -> Result<Table, Error> {
        answer::decode(&self.as_table(self.endpoint.get(name, options)).send().await?, self.include)
    }

    /// One page of the objects; all of them without a `limit`.
    pub async fn list(&self, options: &ListOptions) -> Result<Table, Error> {
        answer::decode(&self.as_table(self.endpoint.list(options)).send().await?, self.include)
    }

    /// The pages as they come, each with its columns; the first error is the last item.
    ///
    /// A page is asked for when the last is done with. Dropping the stream ends it.
    pub fn pages(&self, options: ListOptions) -> LocalBoxStream<'static, Result<Table, Error>> {
        let client = self.clone();
        let fetch: FetchPage<Table> = Rc::new(move |options| {
            let client = client.clone();
            Box::pin(async move { client.list(&options).await })
        });
        let first = pager::paged(options, pager::DEFAULT_PAGE_SIZE);
        pager::pages(fetch, first, |table| table.continue_token.clone())
    }

    /// The changes from `options.resource_version` on: the objects of events are tables of one row.
    ///
    /// The server names the columns once for each connection, in its first event; here every event has them.
    pub async fn watch(&self, options: &ListOptions) -> Result<Watch<Table>, Error> {
        let mut reader = EventReader::new(self.include);
        self.as_table(self.endpoint.watch(options)).watch_with(Box::new(move |frame| reader.decode(frame))).await
    }

    /// What `which` selects, for an informer of rows.
    ///
    /// Rows are told apart by the metadata of their objects: they must be included.
    pub fn list_watch(&self, which: &ListOptions) -> ListWatch<TableRow> {
        let (lister, watcher) = ((self.clone(), which.clone()), (self.clone(), which.clone()));
        let description = format!("table of {}", self.endpoint.resource());
        ListWatch::new(
            self.endpoint.client().config().runtime.clone(),
            description,
            move |options| {
                let (client, options) = (lister.0.clone(), options.of(&lister.1));
                async move { client.list(&options).await.map(rows) }
            },
            move |options| {
                let (client, options) = (watcher.0.clone(), options.of(&watcher.1));
                async move {
                    let mut reader = EventReader::new(client.include);
                    let request = client.as_table(client.endpoint.watch(&options));
                    let decode = move |frame: &[u8]| {
                        let event = reader.decode(frame)?;
                        let event_type = event.event_type();
                        event.try_map(|table| TableRow::of_event(table, event_type))
                    };
                    request.watch_with(Box::new(decode)).await
                }
            },
        )
    }

    fn as_table(&self, request: Request) -> Request {
        let request = request.set_header("Accept", [ACCEPT]);
        match self.include {
            IncludeObject::Metadata => request,
            other => request.param("includeObject", other.to_string()),
        }
    }
}

/// A page of a table as a page of its rows.
fn rows(mut table: Table) -> List<TableRow> {
    List {
        types: None,
        items: TableRow::of_table(&mut table),
        resource_version: table.resource_version,
        continue_token: table.continue_token,
        remaining_item_count: table.remaining_item_count,
        skipped: table.skipped,
    }
}

/// How much of an object comes with its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IncludeObject {
    /// Nothing.
    None,
    /// Its metadata.
    #[default]
    Metadata,
    /// All of it.
    Object,
}

impl fmt::Display for IncludeObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IncludeObject::None => "None",
            IncludeObject::Metadata => "Metadata",
            IncludeObject::Object => "Object",
        })
    }
}

/// What kubectl asks for, less the beta version that no server alive needs.
const ACCEPT: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
