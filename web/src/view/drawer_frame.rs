//! The drawer: the object that is open, beside the list that stays live.

use leptos::{ev, prelude::*};
use masthead::cache::ObjectKey;

use crate::{
    live::{OpenObject, Session, TableView, keyboard},
    view::{
        drawer_tabs::DrawerTabs,
        icon::{Drawing, Icon},
    },
};

/// The frame: name, tabs, width, full page.
#[component]
pub(crate) fn DrawerFrame(session: Session, table: TableView) -> impl IntoView {
    let open = Memo::new(move |_| session.route.with(|route| route.open.clone().unwrap_or_default()));
    let named = Memo::new(move |_| open.with(|open| (open.namespace.clone(), open.name.clone())));
    let full = Memo::new(move |_| open.with(|open| open.full));
    let width = move || session.settings.with(|settings| format!("{}px", settings.drawer));
    let kind = table.feed().subject.kind.kind.clone();
    let close = move |_| {
        let mut route = session.route.get_untracked();
        route.open = None;
        session.go(route);
        keyboard::focus("[role=grid]");
    };
    let fill = move |_| {
        session.amend(|route| {
            if let Some(open) = route.open.as_mut() {
                open.full = !open.full;
            }
        })
    };
    let dragging = RwSignal::new(false);
    let grab = move |event: ev::PointerEvent| {
        dragging.set(true);
        event.prevent_default();
    };
    let drag = window_event_listener(ev::pointermove, move |event| {
        if dragging.get_untracked() {
            let wide = f64::from(
                event.view().and_then(|view| view.inner_width().ok()?.as_f64().map(|w| w as f32)).unwrap_or(1440.0),
            );
            resize(session, wide - f64::from(event.client_x()));
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
        <aside class="drawer" data-testid="drawer" data-full=move || full.get() style:--drawer=width
            aria-label=move || named.with(|(_, name)| name.clone())>
            <div class="drawer-edge" role="separator" tabindex="0" aria-orientation="vertical"
                aria-label=move || session.words().resize
                aria-valuenow=move || session.settings.with(|settings| settings.drawer)
                aria-valuemin=NARROW as u32 aria-valuemax=WIDE as u32
                on:pointerdown=grab on:keydown=nudge></div>
            <header class="drawer-head">
                <div class="drawer-title">
                    <span class="drawer-kind">{kind}</span>
                    <h2 class="mono" data-testid="drawer-name">{move || named.with(|(_, name)| name.clone())}</h2>
                    <span class="drawer-place mono">{move || named.with(|(namespace, _)| namespace.clone())}</span>
                </div>
                <button type="button" class="icon-button" data-testid="full" aria-pressed=move || full.get().to_string()
                    aria-label=move || session.words().full_page title=move || session.words().full_page on:click=fill>
                    <Drawing icon=Icon::Expand/></button>
                <button type="button" class="icon-button" data-testid="close-drawer"
                    aria-label=move || session.words().close title=move || session.words().close on:click=close>
                    <Drawing icon=Icon::Close/></button>
            </header>
            {move || {
                let (namespace, name) = named.get();
                let key = ObjectKey::new(&namespace, &name);
                let object = OpenObject::new(table, session.client(), key);
                view! { <DrawerTabs session object open/> }
            }}
        </aside>
    }
}

fn resize(session: Session, width: f64) {
    session.settings.update(|settings| settings.drawer = width.clamp(NARROW, WIDE) as u32);
}

/// The width of a drawer, in pixels: a line of YAML at least, and some of the list beside it.
const NARROW: f64 = 360.0;
const WIDE: f64 = 1400.0;
const STEP: f64 = 24.0;
