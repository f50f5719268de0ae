//! Follows the namespaces: list, then watch, again and again, as [`Feed`] decides.

use std::time::Duration;

use futures::{
    FutureExt, StreamExt,
    future::{Either, select},
};
use leptos::prelude::{RwSignal, Set, Update};
use masthead::{Error, browser::timer::sleep, rest::WatchEvent};

use crate::{
    live::{
        api::{Api, WATCH},
        clock::now,
        server::Server,
        table::Table,
    },
    model::{
        connection::{Connection, Refusal, Trouble},
        feed::{Ended, Feed, Next},
        namespace::Namespace,
        rows::Change,
    },
};

/// Keeps a table equal to the server's namespaces, and says how the connection stands.
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) api: Api,
    pub(crate) table: Table,
    pub(crate) feed: Feed,
    pub(crate) connection: RwSignal<Connection>,
    pub(crate) version: RwSignal<Option<String>>,
}

impl Follower {
    /// Runs until dropped; dropping it closes its connection.
    pub(crate) async fn run(&mut self) {
        loop {
            let (verb, ended) = match self.feed.next() {
                Next::List => ("list", self.list().await.err().map(Ended::With)),
                Next::Watch(version) => ("watch", Some(self.watch(&version).await)),
            };
            let Some(ended) = ended else { continue };
            if let Ended::With(error) = &ended {
                self.failed(verb, error);
            }
            let pause = self.feed.ended(&ended, js_sys::Math::random());
            sleep(pause).await;
        }
    }

    async fn list(&mut self) -> Result<(), Error> {
        let server = Server::find(&self.api).await?;
        self.version.set(server.version);
        self.table.begin_list();
        let mut token = None;
        loop {
            let page = server.api.list(token.as_deref()).await?;
            self.alive();
            self.table.report(&page.skipped);
            self.table.page(page.items);
            token = page.continue_token;
            if token.is_none() {
                self.table.end_list();
                self.api = server.api;
                self.feed.reached(page.resource_version);
                return Ok(());
            }
        }
    }

    async fn watch(&mut self, version: &str) -> Ended {
        let opened = now();
        let lasts = SHORTEST_WATCH.mul_f64(1.0 + js_sys::Math::random());
        let mut events = match self.api.watch(version, lasts).await {
            Ok(watch) => watch.ready_chunks(BATCH),
            Err(error) => return Ended::With(error),
        };
        // A watch whose connection failed is an error that is ready at once.
        let mut batch = events.next().now_or_never();
        if batch.is_none() {
            self.alive();
        }
        loop {
            let next = match batch.take() {
                Some(ready) => ready,
                None => match select(events.next(), sleep(SILENCE)).await {
                    Either::Left((next, _)) => next,
                    Either::Right(_) => return Ended::Silently,
                },
            };
            let Some(next) = next else {
                return Ended::Cleanly { lasted: Duration::from_millis((now() - opened).unsigned_abs()) };
            };
            if let Err(error) = self.read(next) {
                return Ended::With(error);
            }
        }
    }

    /// Applies events as one batch; an ERROR event or a lost connection ends the watch after what came before it.
    fn read(&mut self, events: Vec<Result<WatchEvent<Namespace>, Error>>) -> Result<(), Error> {
        let (mut batch, mut unread, mut version, mut end) = (Vec::new(), Vec::new(), None, Ok(()));
        for event in events {
            match event {
                Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) => {
                    version = Some(object.resource_version.clone());
                    batch.push(Change::Present(object));
                }
                Ok(WatchEvent::Deleted(object)) => {
                    version = Some(object.resource_version);
                    batch.push(Change::Gone(object.uid));
                }
                Ok(WatchEvent::Bookmark(mark)) => version = Some(mark.resource_version),
                Ok(WatchEvent::Error(status)) => end = Err(Error::refused(WATCH, status)),
                Err(error) if error.is_undecodable() => unread.push(error),
                Err(error) => end = Err(error.during(WATCH)),
            }
            if end.is_err() {
                break;
            }
        }
        if end.is_ok() {
            self.alive();
        }
        self.table.report(&unread);
        self.table.apply(batch);
        if let Some(version) = version {
            self.feed.reached(version);
        }
        end
    }

    fn alive(&self) {
        self.connection.update(|connection| connection.alive(now()));
    }

    fn failed(&self, verb: &'static str, error: &Error) {
        // An expired version is the server's way to ask for a new list, not a failure.
        if error.is_gone() {
            return;
        }
        self.connection.update(|connection| match Refusal::of(error, verb, "namespaces") {
            Some(refusal) => connection.refused(refusal, now()),
            None => connection.lost(Trouble::of(error)),
        });
    }
}

/// As many events are one change of the table.
const BATCH: usize = 500;

/// Idle watches carry a bookmark every 60 s; one and a half times that without a byte is suspect.
const SILENCE: Duration = Duration::from_secs(90);

/// Watches last one to two times this, so that the watches of many tabs do not end together.
const SHORTEST_WATCH: Duration = Duration::from_secs(300);
