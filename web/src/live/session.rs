//! One visit of the page: the signals views read, and the task that keeps them true.

use futures::future::select;
use leptos::prelude::RwSignal;
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{
        api::Api,
        clock,
        follow::Follower,
        place,
        presence::Presence,
        table::{Table, TableSignals},
        theme,
    },
    model::{address::ApiPath, connection::Connection, feed::Feed, theme::Theme},
};

/// Everything a view may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session {
    pub(crate) connection: RwSignal<Connection>,
    /// The server's version, once it told.
    pub(crate) version: RwSignal<Option<String>>,
    pub(crate) table: TableSignals,
    /// Milliseconds since 1970; ticks once a second.
    pub(crate) now: RwSignal<i64>,
    pub(crate) theme: RwSignal<Theme>,
    /// Whether the API is at the root of the origin, as behind a plain `kubectl proxy`.
    pub(crate) at_root: bool,
}

impl Session {
    /// Starts to follow the cluster, for as long as the page lives.
    pub(crate) fn start() -> Self {
        let base = place::take();
        place::follow_address();
        let session = Self {
            connection: RwSignal::new(Connection::default()),
            version: RwSignal::new(None),
            table: TableSignals::new(),
            now: clock::ticking(),
            theme: theme::chosen(),
            at_root: base.is_root(),
        };
        spawn_local(session.follow(base));
        session
    }

    async fn follow(self, base: ApiPath) {
        let mut presence = Presence::new();
        let mut follower = Follower {
            api: Api::new(base),
            table: Table::new(self.table),
            feed: Feed::default(),
            connection: self.connection,
            version: self.version,
        };
        loop {
            select(std::pin::pin!(follower.run()), std::pin::pin!(presence.left())).await;
            presence.back().await;
        }
    }
}
