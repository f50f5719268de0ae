//! Whether the page is there: browsers keep left pages frozen, and a frozen page must hold no connection.

use futures::{StreamExt, channel::mpsc};

use crate::live::listen::on_window;

/// Tells when the page is left and when it comes back.
#[derive(Debug)]
pub(crate) struct Presence {
    events: mpsc::Receiver<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Left,
    Back,
}

impl Presence {
    /// Listens for as long as the page lives.
    pub(crate) fn new() -> Self {
        let (sender, events) = mpsc::channel(EVENTS);
        for (name, event) in [("pagehide", Event::Left), ("pageshow", Event::Back)] {
            let mut sender = sender.clone();
            // A full channel already holds what the reader needs to know: it reads to the end.
            on_window(name, move || drop(sender.try_send(event)));
        }
        Self { events }
    }

    /// Completes when the page is left.
    pub(crate) async fn left(&mut self) {
        self.until(Event::Left).await;
    }

    /// Completes when the page is back.
    pub(crate) async fn back(&mut self) {
        self.until(Event::Back).await;
    }

    async fn until(&mut self, wanted: Event) {
        while let Some(event) = self.events.next().await {
            if event == wanted {
                return;
            }
        }
    }
}

/// A page is left and shown once per visit; more than a few at once do not queue up.
const EVENTS: usize = 8;
