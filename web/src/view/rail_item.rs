//! A kind in the rail.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        route::{Page, Route},
        words::grouped,
    },
    view::icon::{Drawing, Icon},
};

/// A link to a kind's page, with its count where it is followed.
#[component]
pub(crate) fn RailItem(
    session: Session,
    /// What is on screen, without what belongs to one page.
    here: Memo<Route>,
    id: String,
    title: Signal<String>,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let page = move || id.with_value(|id| Page::of(id));
    let current = Memo::new(move |_| here.with(|route| route.page == page()));
    let href = move || here.with(|route| route.to(page()).write());
    let count = move || session.counts.with(|counts| id.with_value(|id| counts.get(id).copied().map(grouped)));
    let refused = Memo::new(move |_| id.with_value(|id| session.is_refused(id)));
    let pinned = Memo::new(move |_| id.with_value(|id| session.settings.with(|settings| settings.pinned.contains(id))));
    let hint = move || if refused.get() { (session.words().may_not_list)(&title.get()) } else { title.get() };
    let pin_word = move || {
        let word = if pinned.get() { session.words().unpin } else { session.words().pin };
        format!("{word}: {}", title.get())
    };
    view! {
        <div class="rail-item" data-current=move || current.get() data-refused=move || refused.get()>
            <a href=href title=hint aria-current=move || current.get().then_some("page")>
                <span class="rail-title">{title}</span>
                <span class="rail-count">{count}</span>
            </a>
            <Show when=move || id.with_value(|id| id != "events" && id != "overview")>
                <button
                    type="button"
                    class="rail-pin"
                    aria-pressed=move || pinned.get().to_string()
                    aria-label=pin_word
                    title=pin_word
                    on:click=move |_| session.settings.update(|settings| id.with_value(|id| settings.pin(id)))
                >
                    <Drawing icon=Icon::Pin/>
                </button>
            </Show>
        </div>
    }
}
