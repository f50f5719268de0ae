//! Settings.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session},
    model::{route::Route, theme::Theme, words::Language},
    view::{layer::Layer, theme_toggle::name},
};

/// Theme, language and density.
#[component]
pub(crate) fn SettingsMenu(session: Session) -> impl IntoView {
    let label = Signal::derive(move || session.words().settings.to_owned());
    view! {
        <Layer session which=Overlay::Settings class="menu" label>
            <Sheet session/>
        </Layer>
    }
}

#[component]
fn Sheet(session: Session) -> impl IntoView {
    let words = move || session.words();
    let theme = move |theme: Theme| {
        let on = move || (session.theme.get() == theme).to_string();
        view! {
            <button type="button" class="choice" aria-pressed=on on:click=move |_| session.theme.set(theme)>
                {move || name(theme, words())}
            </button>
        }
    };
    let language = move |language: Language| {
        let on = move || (session.language() == language).to_string();
        let set = move |_| session.settings.update(|settings| settings.language = Some(language));
        view! {
            <button type="button" class="choice" lang=language.words().tag aria-pressed=on on:click=set>
                {language.words().own_name}
            </button>
        }
    };
    let density = move |comfortable: bool| {
        let on = move || session.settings.with(|settings| settings.comfortable == comfortable).to_string();
        let set = move |_| session.settings.update(|settings| settings.comfortable = comfortable);
        view! {
            <button type="button" class="choice" aria-pressed=on on:click=set>
                {move || if comfortable { words().comfortable } else { words().compact }}
            </button>
        }
    };
    let leave =
        move || session.route.with(|route| Route { demo: false, ..Route::default() }.to(route.page.clone()).write());
    view! {
        <h2>{move || words().settings}</h2>
        <div class="setting"><span>{move || words().theme}</span>
            <div class="choices" role="group">{[Theme::System, Theme::Light, Theme::Dark].map(theme).collect_view()}</div></div>
        <div class="setting"><span>{move || words().density}</span>
            <div class="choices" role="group">{[false, true].map(density).collect_view()}</div></div>
        <div class="setting"><span>{move || words().language}</span>
            <div class="choices" role="group">{Language::ALL.map(language).collect_view()}</div></div>
        <Show when=move || session.is_demo()>
            <a class="button" href=leave>{move || words().demo_leave}</a>
        </Show>
    }
}
