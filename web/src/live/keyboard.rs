//! The keyboard of the whole page.

use std::{cell::Cell, rc::Rc};

use leptos::prelude::{GetUntracked, Set, Update, WithUntracked};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, window};

use crate::{
    live::{Overlay, Session, TableView, address, clock::since_start},
    model::shortcut::{Command, Press, Situation, command},
};

/// Carries out what keys ask for, for as long as the page lives.
pub(crate) fn listen(session: Session) {
    let go = Rc::new(Cell::new(None::<f64>));
    leptos::prelude::window_event_listener(leptos::ev::keydown, move |event| {
        let after_go = go.take().is_some_and(|at| since_start() - at < GO_WAITS);
        let key = event.key();
        let press = Press {
            key: &key,
            control: event.ctrl_key() || event.meta_key(),
            alt: event.alt_key(),
            shift: event.shift_key(),
        };
        let situation = Situation { typing: is_typing(&event), after_go };
        let Some(command) = command(press, situation) else { return };
        if command == Command::Go {
            go.set(Some(since_start()));
            return;
        }
        if carry_out(session, command, &event) {
            event.prevent_default();
        }
    });
}

/// How many milliseconds `g` waits for its letter.
const GO_WAITS: f64 = 1500.0;

/// Carries out a command; says whether there was anything to do.
fn carry_out(session: Session, command: Command, event: &KeyboardEvent) -> bool {
    let overlay = session.overlay.get_untracked();
    match command {
        Command::Palette => session.overlay.set(Overlay::Palette),
        Command::Close => return close(session, event),
        // What lies over the page has keys of its own.
        _ if overlay != Overlay::None => return false,
        Command::Help => session.overlay.set(Overlay::Help),
        Command::Namespaces => session.overlay.set(Overlay::Namespaces),
        Command::Filter => return focus("[data-testid=filter]"),
        Command::Back => address::step(false),
        Command::Forward => address::step(true),
        Command::Rail => session.settings.update(|settings| settings.folded = !settings.folded),
        Command::GoTo(id) => session.go_to_id(id),
        Command::Full => {
            let open = session.route.with_untracked(|route| route.open.is_some());
            session.amend(|route| {
                if let Some(open) = route.open.as_mut() {
                    open.full = !open.full;
                }
            });
            return open;
        }
        command => return on_table(session, command, event),
    }
    true
}

fn on_table(session: Session, command: Command, event: &KeyboardEvent) -> bool {
    let Some(table) = session.table.get_untracked() else { return false };
    if is_control(event) {
        return false;
    }
    match command {
        Command::Move(by) => table.step(by),
        Command::Extend(by) => table.extend(by),
        Command::Page(by) => table.page(by),
        Command::First => table.first(),
        Command::Last => table.end(),
        Command::Select => table.toggle(),
        Command::SelectAll => table.choose_all(),
        Command::Copy => return copy(table),
        Command::Open => match table.active() {
            Some(key) => session.open(key.namespace(), key.name()),
            None => return false,
        },
        _ => return false,
    }
    true
}

/// Copies the names of what is chosen, unless a text is marked: then that is meant.
fn copy(table: TableView) -> bool {
    let marked =
        window().and_then(|window| window.get_selection().ok().flatten()).is_some_and(|one| !one.is_collapsed());
    let names = table
        .signals
        .selection
        .with_untracked(|selection| selection.chosen().map(|key| key.name().to_owned()).collect::<Vec<_>>().join("\n"));
    if marked || names.is_empty() {
        return false;
    }
    crate::live::Clip::new().copy(names);
    true
}

/// Closes what is on top: a layer, what is typed, the drawer, the choice of rows.
fn close(session: Session, event: &KeyboardEvent) -> bool {
    if session.overlay.get_untracked() != Overlay::None {
        session.overlay.set(Overlay::None);
        return true;
    }
    if is_typing(event) {
        return focus("[role=grid]");
    }
    if session.route.with_untracked(|route| route.open.is_some()) {
        let mut route = session.route.get_untracked();
        route.open = None;
        session.go(route);
        return focus("[role=grid]");
    }
    let Some(table) = session.table.get_untracked() else { return false };
    let chosen = table.signals.selection.with_untracked(|selection| selection.chosen().len() > 0);
    if chosen {
        table.signals.selection.update(|selection| selection.clear());
    }
    chosen
}

/// Puts the focus on the first element that fits.
pub(crate) fn focus(selector: &str) -> bool {
    let found = window().and_then(|window| window.document()?.query_selector(selector).ok().flatten());
    found.and_then(|element| element.dyn_into::<HtmlElement>().ok()).is_some_and(|element| element.focus().is_ok())
}

fn target(event: &KeyboardEvent) -> Option<Element> {
    event.target().and_then(|target| target.dyn_into::<Element>().ok())
}

fn is_typing(event: &KeyboardEvent) -> bool {
    target(event).is_some_and(|element| {
        matches!(element.tag_name().as_str(), "TEXTAREA" | "SELECT")
            || (element.tag_name() == "INPUT" && element.get_attribute("type").as_deref() != Some("checkbox"))
    })
}

/// Whether Enter and Space belong to the element with the focus.
fn is_control(event: &KeyboardEvent) -> bool {
    let own = matches!(event.key().as_str(), "Enter" | " ");
    own && target(event)
        .is_some_and(|element| matches!(element.tag_name().as_str(), "BUTTON" | "A" | "INPUT" | "SUMMARY"))
}
