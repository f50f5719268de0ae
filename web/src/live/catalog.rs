//! Learns which kinds the server serves, and learns it again: definitions come and go while a page is open.

use std::time::Duration;

use leptos::prelude::{GetUntracked, Set, WithUntracked};
use masthead::{browser::timer::sleep, discovery::DiscoveryClient};

use crate::{
    live::Session,
    model::{connection::Phase, kind::Kinds},
};

/// Asks for as long as the page lives. Browsers ask again with the version they know, so that an unchanged answer is short.
pub(crate) async fn run(session: Session) {
    loop {
        // Whether anybody answers is the pulse's to find out.
        if session.connection.with_untracked(|connection| matches!(connection.phase(), Phase::Lost(_))) {
            sleep(RETRY).await;
            continue;
        }
        let client = DiscoveryClient::over(session.server.get_untracked().client);
        let pause = match client.server_groups_and_resources().await {
            Ok(catalog) => {
                let kinds = Some(Kinds::of(&catalog));
                if session.kinds.get_untracked() != kinds {
                    session.kinds.set(kinds);
                }
                PERIOD
            }
            Err(_) => RETRY,
        };
        sleep(pause).await;
    }
}

const PERIOD: Duration = Duration::from_secs(10);
const RETRY: Duration = Duration::from_secs(1);
