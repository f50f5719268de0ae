//! A text of any length.

use leptos::prelude::*;

use crate::{
    live::{Clip, Session, save},
    model::visible::{start_of, visible_prose},
};

/// A text with marks. Of a long one the beginning, how long it is, and ways to the rest of it. Copies are the original.
#[component]
pub(crate) fn LongText(
    session: Session,
    text: String,
    /// Keeps its lines and spaces.
    #[prop(optional)]
    code: bool,
    #[prop(optional)] test: Option<&'static str>,
) -> impl IntoView {
    let size = text.len();
    let first = if code { FIRST } else { FIRST_OF_WORDS };
    let block = move |shown: Signal<String>| match code {
        true => view! { <pre class="code" data-testid=test>{shown}</pre> }.into_any(),
        false => view! { <bdi data-testid=test>{shown}</bdi> }.into_any(),
    };
    if size <= first {
        let shown = visible_prose(&text).into_owned();
        return block(Signal::stored(shown)).into_any();
    }
    let (text, upto, clip) = (StoredValue::new(text), RwSignal::new(first), Clip::new());
    let shown = Signal::derive(move || text.with_value(|text| visible_prose(start_of(text, upto.get())).into_owned()));
    let rest = Memo::new(move |_| upto.get() < size);
    view! {
        <div class="long-text">
            {block(shown)}
            <p class="quiet more" data-testid="more">
                <Show when=move || rest.get()>
                    {move || (session.words().bytes_of)(upto.get(), size)}" "
                    <button type="button" class="button small" data-testid="show-more"
                        on:click=move |_| upto.update(|upto| *upto += STEP)>{move || session.words().show_more}</button>" "
                </Show>
                <button type="button" class="button small" on:click=move |_| clip.copy(text.get_value())>
                    {move || clip.label(session.words(), session.words().copy)}</button>" "
                <button type="button" class="button small" data-testid="download"
                    on:click=move |_| text.with_value(|text| save("value.txt", "text/plain", text))>
                    {move || session.words().download}</button>
            </p>
        </div>
    }
    .into_any()
}

/// How many bytes of a value, and of a sentence, are in the page at first.
const FIRST: usize = 8 << 10;
const FIRST_OF_WORDS: usize = 2 << 10;

/// How many more a click brings.
const STEP: usize = 64 << 10;
