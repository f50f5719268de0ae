//! A line of a log.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        log::{Colour, Line, Look, Piece, Search},
        visible::visible_prose,
    },
};

/// A line as it is drawn: text in parts, never markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) number: usize,
    time: String,
    pieces: Vec<Piece>,
    cut: bool,
}

impl Drawn {
    pub(crate) fn new(number: usize, line: &Line, search: &Search) -> Drawn {
        let marked = |piece: Piece| Piece { text: visible_prose(&piece.text).into_owned(), ..piece };
        let pieces = search.pieces(line).into_iter().map(marked).collect();
        Drawn { number, time: line.time().to_owned(), pieces, cut: line.cut }
    }

    /// What tells it from other lines, and from itself under another search.
    pub(crate) fn key(&self) -> (usize, Vec<(usize, bool)>) {
        (self.number, self.pieces.iter().map(|piece| (piece.text.len(), piece.found)).collect())
    }
}

/// Draws a line; `current` when it is the one that is looked at.
#[component]
pub(crate) fn LogLine(
    session: Session,
    line: Drawn,
    times: RwSignal<bool>,
    current: Memo<Option<usize>>,
) -> impl IntoView {
    let Drawn { number, time, pieces, cut } = line;
    let piece = |Piece { text, look, found }: Piece| match found {
        true => view! { <mark class=class(look)>{text}</mark> }.into_any(),
        false => view! { <span class=class(look)>{text}</span> }.into_any(),
    };
    let stamp = move || times.get().then(|| view! { <time class="quiet">{time.clone()}" "</time> });
    let cut = cut.then(|| view! { <span class="badge-quiet">{move || session.words().log.cut}</span> });
    view! {
        <div class="log-line" data-number=number data-current=move || current.get() == Some(number)>
            {stamp}{pieces.into_iter().map(piece).collect_view()}{cut}
        </div>
    }
}

/// The classes of a look; none for text as it is.
fn class(look: Look) -> Option<String> {
    let mut names = Vec::new();
    names.extend(look.colour.map(|Colour(at)| format!("ansi-{at}")));
    names.extend(look.ground.map(|Colour(at)| format!("ansi-on-{at}")));
    let flags = [(look.bold, "bold"), (look.dim, "dim"), (look.italic, "italic"), (look.underline, "underline")];
    names.extend(flags.iter().filter(|(on, _)| *on).map(|(_, name)| format!("ansi-{name}")));
    (!names.is_empty()).then(|| names.join(" "))
}
