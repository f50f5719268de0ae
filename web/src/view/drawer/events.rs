//! The events of an object.

use std::rc::Rc;

use leptos::prelude::*;
use masthead::packed::Packed;
use serde_json::Value;

use crate::{
    live::{Contents, OpenObject, Relatives, Session},
    model::{
        detail::{Event, Relation},
        table::row::Row,
    },
    view::drawer::told::Ago,
};

/// What was said of the object, the newest first, as it is said.
#[component]
pub(crate) fn ObjectEvents(session: Session, object: OpenObject) -> impl IntoView {
    let about = Memo::new(move |_| {
        object.contents.with(|contents| match contents {
            Contents::Whole(value) | Contents::Hidden(value) => {
                let text = |path| value.pointer(path).and_then(|text| text.as_str()).unwrap_or_default().to_owned();
                Some((text("/metadata/namespace"), text("/metadata/uid")))
            }
            _ => None,
        })
    });
    move || {
        let relation = about.get().map(|(namespace, uid)| Relation::events(&namespace, &uid));
        let relatives = relation.and_then(|relation| Relatives::follow(&session.client(), &relation));
        relatives.map(|relatives| view! { <EventList session relatives/> })
    }
}

#[component]
fn EventList(session: Session, relatives: Relatives) -> impl IntoView {
    let Relatives { rows, supply, .. } = relatives;
    let events = Memo::new(move |_| {
        let read = |row: &Rc<Packed<Row>>| row.read::<Value>().ok().map(|value| Event::of(&value));
        Event::newest_first(rows.with(|rows| rows.iter().filter_map(read).collect()))
    });
    let note = move || {
        let words = session.words();
        let (complete, hindrance) = supply.with(|supply| (supply.complete, supply.hindrance.is_some()));
        match events.with(Vec::is_empty) {
            true if complete => Some(words.drawer.no_events),
            true if !hindrance => Some(words.object_loading),
            _ => None,
        }
    };
    let refused = move || supply.with(|supply| supply.hindrance.as_ref().and_then(|it| it.why()));
    view! {
        <p class="quiet" role="status">{note}</p>
        {move || refused().map(|why| view! { <p class="notice">{why}</p> })}
        <ol class="events" data-testid="events">
            <For each=move || events.get() key=|event| (event.uid.clone(), event.count, event.last) let:event>
                <li data-testid="event" data-reason=event.reason.clone()>
                    <p class="told-line">
                        <span class="tone mono" data-tone=if event.warning { "warning" } else { "quiet" }>{event.reason.clone()}</span>
                        {(event.count > 1).then(|| view! { <b>{move || (session.words().drawer.times)(event.count)}</b> })}
                        <span class="quiet">{event.last.map(|time| view! { <Ago session time/> })}</span>
                        <span class="quiet mono">{event.source}</span>
                    </p>
                    <p class="told-says">{event.message}</p>
                </li>
            </For>
        </ol>
    }
}
