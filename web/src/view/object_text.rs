//! An object as text.

use leptos::prelude::*;
use serde_json::Value;

use crate::{
    live::{Clip, Contents, OpenObject, Session, save},
    model::{
        json::Unread,
        visible::{excerpt, visible_prose},
        yaml::{ManagedFields, Token, Yaml},
    },
    view::{long_text::LongText, show_more::ShowMore},
};

/// An object as YAML or JSON, to read and to copy. The values of a Secret are asked for by a button only.
///
/// The page holds the first lines of a large object, and more as somebody asks; copies are of all of it.
#[component]
pub(crate) fn ObjectText(session: Session, object: OpenObject, json: Signal<bool>) -> impl IntoView {
    let (clip, shown) = (Clip::new(), RwSignal::new(LINES));
    let written = move || match object.contents.get_untracked() {
        Contents::Whole(value) | Contents::Hidden(value) => Some(Text::of(&value, json.get_untracked()).whole()),
        Contents::Text(text, _) => Some(text.to_string()),
        _ => None,
    };
    let copy = move |_| {
        if let Some(text) = written() {
            clip.copy(text);
        }
    };
    let download = move |_| {
        if let Some(text) = written() {
            let end = if json.get_untracked() { "json" } else { "yaml" };
            save(&format!("{}.{end}", object.key().name()), "text/plain", &text);
        }
    };
    let body = move || {
        let words = session.words();
        match object.contents.get() {
            Contents::Loading => view! { <p class="quiet" role="status">{words.object_loading}</p> }.into_any(),
            Contents::Gone => view! { <p class="quiet" data-testid="object-gone">{words.object_gone}</p> }.into_any(),
            Contents::Failed(why) => {
                view! { <p class="notice" role="status">{visible_prose(&why).into_owned()}</p> }.into_any()
            }
            Contents::Text(text, why) => view! { <UnreadText session text=text.to_string() why/> }.into_any(),
            Contents::Whole(value) => lines(session, Text::of(&value, json.get()), shown),
            Contents::Hidden(value) => view! {
                <p class="quiet">{words.secret_hidden}" "{words.drawer.secret_masked}" "
                    <button type="button" class="button" data-testid="reveal" on:click=move |_| object.reveal()>{words.reveal}</button>
                </p>
                {lines(session, Text::of(&value, json.get()), shown)}
            }
            .into_any(),
        }
    };
    view! {
        <div class="object-tools">
            <button type="button" class="button" data-testid="copy-object" on:click=copy>
                {move || clip.label(session.words(), session.words().copy)}
            </button>
            <button type="button" class="button" data-testid="download-object" on:click=download>
                {move || session.words().download}
            </button>
        </div>
        {body}
    }
}

/// What the server sent of an object that cannot be shown in any other way, and why.
#[component]
pub(crate) fn UnreadText(session: Session, text: String, why: Unread) -> impl IntoView {
    view! {
        <p class="notice" role="status" data-testid="object-unread">{move || (session.words().object_unread)(why)}</p>
        <LongText session text code=true test="object-text"/>
    }
}

/// The first lines of a text, each with marks and cut where it is longer than anybody reads.
fn lines(session: Session, text: Text, shown: RwSignal<usize>) -> AnyView {
    let (all, text) = (text.len(), StoredValue::new(text));
    let line = move |number: usize| {
        let mut room = LINE;
        let piece = |(token, text): (Option<Token>, &str)| {
            let piece = excerpt(text, room).into_owned();
            room = room.saturating_sub(text.len());
            view! { <span class=token.map(class)>{piece}</span> }
        };
        let pieces = text.with_value(|text| text.pieces(number).into_iter().map(piece).collect_view());
        view! { <div class="line">{pieces}</div> }
    };
    view! {
        <pre class="code" data-testid="object-text">
            <For each=move || 0..shown.get().min(all) key=|number| *number children=line/>
        </pre>
        <ShowMore session shown all=Signal::stored(all) step=LINES/>
    }
    .into_any()
}

/// How many lines are in the page at first, and how many more a click brings.
const LINES: usize = 1000;

/// How many bytes of a line are shown.
const LINE: usize = 4000;

/// An object in one of its notations.
enum Text {
    Yaml(Yaml),
    Json {
        text: String,
        /// Where each line begins.
        starts: Vec<usize>,
    },
}

impl Text {
    fn of(value: &Value, json: bool) -> Text {
        if !json {
            return Text::Yaml(Yaml::of(value, ManagedFields::Folded));
        }
        let text = serde_json::to_string_pretty(value).unwrap_or_default();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Text::Json { text, starts }
    }

    fn len(&self) -> usize {
        match self {
            Text::Yaml(yaml) => yaml.len(),
            Text::Json { starts, .. } => starts.len(),
        }
    }

    fn pieces(&self, number: usize) -> Vec<(Option<Token>, &str)> {
        match self {
            Text::Yaml(yaml) => yaml.line(number).map(|line| line.pieces().collect()).unwrap_or_default(),
            Text::Json { text, starts } => {
                let start = starts.get(number).copied().unwrap_or(text.len());
                let end = starts.get(number + 1).map_or(text.len(), |next| next - 1);
                vec![(None, &text[start..end])]
            }
        }
    }

    fn whole(self) -> String {
        match self {
            Text::Yaml(yaml) => yaml.text().to_owned(),
            Text::Json { text, .. } => text,
        }
    }
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
