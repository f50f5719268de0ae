//! The edge of the drawer.

use leptos::{ev, prelude::*};

use crate::live::Session;

/// Makes the drawer wider or narrower, by the pointer or by arrow keys.
#[component]
pub(crate) fn DrawerEdge(session: Session) -> impl IntoView {
    let dragging = RwSignal::new(false);
    let grab = move |event: ev::PointerEvent| {
        dragging.set(true);
        event.prevent_default();
    };
    let drag = window_event_listener(ev::pointermove, move |event| {
        if dragging.get_untracked() {
            let page = event.view().and_then(|view| view.inner_width().ok()?.as_f64());
            if let Some(page) = page {
                resize(session, page - f64::from(event.client_x()));
            }
        }
    });
    let drop = window_event_listener(ev::pointerup, move |_| dragging.set(false));
    on_cleanup(move || {
        drag.remove();
        drop.remove();
    });
    let nudge = move |event: ev::KeyboardEvent| {
        let present = f64::from(session.settings.with_untracked(|settings| settings.drawer));
        match event.key().as_str() {
            "ArrowLeft" => resize(session, present + STEP),
            "ArrowRight" => resize(session, present - STEP),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <div class="drawer-edge" role="separator" tabindex="0" aria-orientation="vertical"
            aria-label=move || session.words().resize
            aria-valuenow=move || session.settings.with(|settings| settings.drawer)
            aria-valuemin=NARROW as u32 aria-valuemax=WIDE as u32
            on:pointerdown=grab on:keydown=nudge></div>
    }
}

fn resize(session: Session, width: f64) {
    session.settings.update(|settings| settings.drawer = width.clamp(NARROW, WIDE) as u32);
}

/// The width of a drawer, in pixels: a line of YAML at least, and some of the list beside it.
const NARROW: f64 = 360.0;
const WIDE: f64 = 1400.0;
const STEP: f64 = 24.0;
