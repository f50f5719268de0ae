//! The sheet of shortcuts.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session},
    model::{shortcut::GO, timeline},
    view::layer::Layer,
};

/// Every shortcut.
#[component]
pub(crate) fn Help(session: Session) -> impl IntoView {
    let label = Signal::derive(move || session.words().shortcuts.to_owned());
    view! {
        <Layer session which=Overlay::Help class="help" label>
            <Sheet session/>
        </Layer>
    }
}

#[component]
fn Sheet(session: Session) -> impl IntoView {
    let words = session.words_now();
    let keys = [
        ("j k ↓ ↑", words.key_move),
        ("⇧↓ ⇧↑", words.key_extend),
        ("PgDn PgUp", words.key_page),
        ("g g · G", words.key_ends),
        ("Enter", words.key_open),
        ("x", words.key_select),
        ("Ctrl A", words.key_select_all),
        ("Ctrl C", words.key_copy),
        ("/", words.key_filter),
        ("n", words.key_namespaces),
        ("Ctrl K", words.key_palette),
        ("[ ]", words.key_history),
        ("f", words.key_full),
        ("Esc", words.key_close),
        ("\\", words.key_rail),
        ("?", words.key_help),
    ];
    let line =
        |(keys, does): (&'static str, &'static str)| view! { <div><dt><kbd>{keys}</kbd></dt><dd>{does}</dd></div> };
    let go = move |(letter, id): &(&'static str, &'static str)| {
        let title = match *id {
            "overview" => session.words_now().overview.title.to_owned(),
            "events" => session.words_now().events.to_owned(),
            id => untrack(|| session.kind(id)).map_or_else(|| id.to_owned(), |kind| kind.title()),
        };
        view! { <div><dt><kbd>{format!("g {letter}")}</kbd></dt><dd>{title}</dd></div> }
    };
    let timeline = timeline::words::Words::of(words.tag);
    view! {
        <h2>{words.shortcuts}</h2>
        <dl class="keys">{keys.map(line).collect_view()}</dl>
        <h3>{words.drawer.timeline}</h3>
        <dl class="keys">{timeline.shortcuts.map(line).collect_view()}</dl>
        <h3>{words.key_go}</h3>
        <dl class="keys">{GO.iter().map(go).collect_view()}</dl>
    }
}
