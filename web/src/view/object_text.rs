//! An object as text.

use leptos::prelude::*;
use serde_json::Value;

use crate::{
    live::{Clip, Contents, OpenObject, Session},
    model::yaml::{Line, ManagedFields, Token, Yaml},
};

/// All of an object as YAML or JSON, to read and to copy. The values of a Secret are asked for by a button only.
#[component]
pub(crate) fn ObjectText(session: Session, object: OpenObject, json: Signal<bool>) -> impl IntoView {
    let clip = Clip::new();
    let copy = move |_| {
        if let Contents::Whole(value) | Contents::Hidden(value) = object.contents.get_untracked() {
            clip.copy(if json.get_untracked() {
                pretty(&value)
            } else {
                Yaml::of(&value, ManagedFields::Folded).text().to_owned()
            });
        }
    };
    let body = move || {
        let words = session.words();
        match object.contents.get() {
            Contents::Loading => view! { <p class="quiet" role="status">{words.object_loading}</p> }.into_any(),
            Contents::Gone => view! { <p class="quiet" data-testid="object-gone">{words.object_gone}</p> }.into_any(),
            Contents::Failed(why) => view! { <p class="notice" role="status">{why}</p> }.into_any(),
            Contents::Whole(value) => text(&value, json.get()),
            Contents::Hidden(value) => view! {
                <p class="quiet">{words.secret_hidden}" "
                    <button type="button" class="button" data-testid="reveal" on:click=move |_| object.reveal()>{words.reveal}</button>
                </p>
                {text(&value, json.get())}
            }
            .into_any(),
        }
    };
    view! {
        <div class="object-tools">
            <button type="button" class="button" data-testid="copy-object" on:click=copy>
                {move || clip.label(session.words(), session.words().copy)}
            </button>
        </div>
        {body}
    }
}

fn text(value: &Value, json: bool) -> AnyView {
    if json {
        return view! { <pre class="code" data-testid="object-text">{pretty(value)}</pre> }.into_any();
    }
    let yaml = Yaml::of(value, ManagedFields::Folded);
    let piece = |(token, text): (Option<Token>, &str)| {
        view! { <span class=token.map(class)>{text.to_owned()}</span> }
    };
    let line = |line: Line<'_>| view! { <div class="line">{line.pieces().map(piece).collect_view()}</div> };
    let lines = (0..yaml.len()).filter_map(|number| yaml.line(number)).map(line).collect_view();
    view! { <pre class="code" data-testid="object-text">{lines}</pre> }.into_any()
}

fn class(token: Token) -> &'static str {
    match token {
        Token::Key => "yaml-key",
        Token::Text => "yaml-text",
        Token::Number | Token::Bool | Token::Null => "yaml-literal",
        Token::Sign => "yaml-sign",
        Token::Comment => "yaml-comment",
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
