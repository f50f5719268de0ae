//! One row of the list of events.

use leptos::prelude::*;

use super::board::{Board, Pointed};
use crate::model::{
    timeline::{calendar::Civil, timeline::Timeline, track::PointId},
    visible::excerpt,
};

/// A point in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ListRow {
    pub(super) id: PointId,
    /// Its place in the list, from the top.
    pub(super) place: usize,
    pub(super) day: String,
    pub(super) time: String,
    pub(super) glyph: &'static str,
    pub(super) status: &'static str,
    pub(super) class: usize,
    pub(super) space: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) reason: String,
    pub(super) message: String,
    pub(super) source: String,
    pub(super) weight: u32,
}

impl ListRow {
    /// The row of a point, at a place of the list.
    pub(super) fn of(model: &Timeline, id: PointId, place: usize, offset: i64) -> ListRow {
        let point = model.point(id);
        let subject = model.subject(point);
        let civil = Civil::of(point.time, offset);
        ListRow {
            id,
            place,
            day: civil.date(),
            time: if civil.millis == 0 { civil.clock() } else { civil.clock_millis() },
            glyph: point.class.glyph(),
            status: point.status.name(),
            class: point.class as usize,
            space: excerpt(&subject.namespace, NAME).into_owned(),
            kind: excerpt(&subject.kind, NAME).into_owned(),
            name: excerpt(&subject.name, NAME).into_owned(),
            reason: excerpt(&point.reason, NAME).into_owned(),
            message: excerpt(&point.message, MESSAGE).into_owned(),
            source: excerpt(&point.source, NAME).into_owned(),
            weight: point.weight,
        }
    }
}

/// Draws a row; the lane it lies in lights up while the pointer is on it, and the row while the pointer is on its lane.
#[component]
pub(super) fn EventRow(board: Board, row: ListRow) -> impl IntoView {
    let id = row.id;
    let lit = move || {
        board.pointed.with(|pointed| match pointed {
            Some(Pointed::Listed(listed)) => *listed == id,
            Some(Pointed::Lane(spot)) => board
                .live
                .with(|model| (id < model.len() as u32) && model.lanes().row_of(model.point(id)) == Some(spot.place)),
            None => false,
        })
    };
    let class = move || board.words.get().classes[row.class];
    let count = (row.weight > 1).then(|| format!("×{}", row.weight));
    let space = (!row.space.is_empty()).then(|| view! { <span class="tl-space">{row.space.clone()}"/"</span> });
    view! {
        <div
            class="tl-row"
            role="row"
            data-testid="timeline-row"
            aria-rowindex=row.place + 2
            data-status=row.status
            data-lit=move || lit().then_some("yes")
            on:pointerenter=move |_| board.pointed.set(Some(Pointed::Listed(id)))
        >
            <span role="gridcell" class="tl-time" title=format!("{} {}", row.day, row.time)>{row.time.clone()}</span>
            <span role="gridcell" class="tl-reason">
                <i class="tl-glyph" aria-hidden="true">{row.glyph}</i>
                <span class="tl-word" title=row.reason.clone()>{row.reason.clone()}</span>
                <span class="sr-only">{class}" "{row.status}</span>
                {count.map(|count| view! { <span class="tl-count">{count}</span> })}
            </span>
            <span role="gridcell" class="tl-object" title=format!("{} {}/{}", row.kind, row.space, row.name)>
                <span class="tl-kind">{row.kind.clone()}</span>
                {space}
                <span class="tl-name">{row.name.clone()}</span>
            </span>
            <span role="gridcell" class="tl-message" title=row.message.clone()>{row.message.clone()}</span>
            <span role="gridcell" class="tl-source" title=row.source.clone()>{row.source.clone()}</span>
        </div>
    }
}

/// How many bytes of a name and of a message a row shows: more than fit on a screen.
const NAME: usize = 320;
const MESSAGE: usize = 2000;
