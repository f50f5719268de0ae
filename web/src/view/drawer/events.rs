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
        visible::{excerpt, visible},
    },
    view::{
        drawer::told::Ago,
        long_text::LongText,
        show_more::{FIRST, ShowMore},
    },
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
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| events.with(Vec::len)));
    let some = move || events.with(|all| all.iter().take(shown.get()).cloned().collect::<Vec<_>>());
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
        {move || refused().map(|why| view! { <p class="notice">{visible(&why).into_owned()}</p> })}
        <ol class="events" data-testid="events">
            <For each=some key=|event| (event.uid.clone(), event.count, event.last) let:event>
                <li data-testid="event" data-reason=event.reason.clone()>
                    <p class="told-line">
                        <span class="tone mono" data-tone=if event.warning { "warning" } else { "quiet" }>{excerpt(&event.reason, 200).into_owned()}</span>
                        {(event.count > 1).then(|| view! { <b>{move || (session.words().drawer.times)(event.count)}</b> })}
                        <span class="quiet">{event.last.map(|time| view! { <Ago session time/> })}</span>
                        <span class="quiet mono">{excerpt(&event.source, 200).into_owned()}</span>
                    </p>
                    <div class="told-says"><LongText session text=event.message/></div>
                </li>
            </For>
        </ol>
        <ShowMore session shown all/>
    }
}
