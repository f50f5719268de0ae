//! Asks the server every few seconds whether it is there.
//!
//! A watch on a quiet kind is silent for a minute, and a proxy that hangs is as silent: only an answer proves life. The
//! question is for the server's version, which costs nobody anything.

use std::time::Duration;

use futures::{StreamExt, channel::mpsc, future::select};
use leptos::prelude::{GetUntracked, Set, Update, WithUntracked};
use masthead::browser::timer::sleep;
use web_sys::window;

use crate::{
    live::{Session, clock::now, listen::on_document},
    model::connection::{Phase, Trouble},
};

/// Asks for as long as the page lives.
pub(crate) async fn run(session: Session) {
    let (sender, mut looked_at) = mpsc::channel(1);
    on_document("visibilitychange", move || {
        if !is_hidden() {
            // A full channel already holds the news.
            drop(sender.clone().try_send(()));
        }
    });
    loop {
        ask(session).await;
        let lost = session.connection.with_untracked(|connection| matches!(connection.phase(), Phase::Lost(_)));
        let pause = match (is_hidden(), lost) {
            (true, _) => HIDDEN,
            (false, true) => LOST,
            (false, false) => LIVE,
        };
        select(sleep(pause), looked_at.next()).await;
    }
}

async fn ask(session: Session) {
    let server = session.server.get_untracked();
    match server.find().await {
        Ok((found, version)) => {
            session.connection.update(|connection| connection.alive(now()));
            if session.version.get_untracked() != version {
                session.version.set(version);
            }
            found.remember();
            if found.is_at_root() != server.is_at_root() {
                session.turn_to(found);
            }
        }
        Err(error) => {
            let trouble = Trouble::of(&error);
            let trouble = if session.code_refused { trouble.without_code() } else { trouble };
            session.connection.update(|connection| connection.lost(trouble));
        }
    }
}

fn is_hidden() -> bool {
    window().and_then(|window| window.document()).is_some_and(|document| document.hidden())
}

/// With the server's patience, a server that went is known to be gone within the ten seconds that rows count as fresh.
const LIVE: Duration = Duration::from_secs(4);

/// Somebody sits before the page and waits.
const LOST: Duration = Duration::from_secs(1);

/// Nobody looks.
const HIDDEN: Duration = Duration::from_secs(60);
