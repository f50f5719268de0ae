//! Follows the namespaces: list, then watch, again and again, as [`Feed`] decides.

use std::time::Duration;

use futures::{
    StreamExt,
    future::{Either, select},
};
use leptos::prelude::{RwSignal, Set, Update};
use masthead::{
    Error,
    browser::timer::sleep,
    rest::{Framer, WatchEvent},
};

use crate::{
    live::{api::Api, clock::now, server::Server, table::Table},
    model::{
        address::ApiPath,
        connection::{Connection, Refusal, Trouble},
        feed::{Ended, Feed, Next},
        namespace::Namespace,
        rows::Change,
    },
};

/// Keeps a table equal to the server's namespaces, and says how the connection stands.
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) base: ApiPath,
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
        let server = Server::find(&self.base).await?;
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
                self.base = server.api.into_base();
                self.feed.reached(page.resource_version);
                return Ok(());
            }
        }
    }

    async fn watch(&mut self, version: &str) -> Ended {
        let opened = now();
        let lasts = SHORTEST_WATCH.mul_f64(1.0 + js_sys::Math::random());
        let mut body = match Api::new(self.base.clone()).watch(version, lasts).await {
            Ok(body) => body,
            Err(error) => return Ended::With(error),
        };
        self.alive();
        let mut framer = Framer::default();
        loop {
            let chunk = match select(body.next(), sleep(SILENCE)).await {
                Either::Left((chunk, _)) => chunk,
                Either::Right(_) => return Ended::Silently,
            };
            let read = match chunk {
                Some(Ok(chunk)) => {
                    self.alive();
                    framer.push(&chunk);
                    self.read(&mut framer)
                }
                Some(Err(error)) => Err(error),
                None => match framer.finish() {
                    Ok(_) => return Ended::Cleanly { lasted: Duration::from_millis((now() - opened).unsigned_abs()) },
                    Err(cut) => Err(cut.into()),
                },
            };
            if let Err(error) = read {
                return Ended::With(error.during("watch namespaces"));
            }
        }
    }

    /// Applies every whole frame as one batch; an ERROR event ends the watch after what came before it.
    fn read(&mut self, framer: &mut Framer) -> Result<(), Error> {
        let (mut batch, mut unread, mut version) = (Vec::new(), Vec::new(), None);
        let end = loop {
            let frame = match framer.next_frame() {
                Ok(Some(frame)) => frame,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error.into()),
            };
            match WatchEvent::<Namespace>::decode(frame) {
                Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) => {
                    version = Some(object.resource_version.clone());
                    batch.push(Change::Present(object));
                }
                Ok(WatchEvent::Deleted(object)) => {
                    version = Some(object.resource_version);
                    batch.push(Change::Gone(object.uid));
                }
                Ok(WatchEvent::Bookmark(mark)) => version = Some(mark.resource_version),
                Ok(WatchEvent::Error(status)) => break Err(Error::refused("watch namespaces", status)),
                Err(error) => unread.push(error),
            }
        };
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

/// Idle watches carry a bookmark every 60 s; one and a half times that without a byte is suspect.
const SILENCE: Duration = Duration::from_secs(90);

/// Watches last one to two times this, so that the watches of many tabs do not end together.
const SHORTEST_WATCH: Duration = Duration::from_secs(300);
