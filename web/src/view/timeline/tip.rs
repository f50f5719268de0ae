//! What stands beside the pointer in the lanes.

use leptos::prelude::*;

use super::board::{Board, LaneSpot, Pointed};
use crate::model::{
    timeline::{calendar::Civil, frame::Viewport, name::Name, timeline::Timeline},
    visible::excerpt,
};

/// The mark, lane or phase under the pointer in words. Pointers only: the list has the same for everyone.
#[component]
pub(super) fn Tip(board: Board, viewport: RwSignal<Viewport>) -> impl IntoView {
    let shown = move || {
        let spot = board.pointed.with(|pointed| match pointed {
            Some(Pointed::Lane(spot)) => Some(spot.clone()),
            _ => None,
        })?;
        let lines = board.live.with(|model| lines(board, model, &spot, viewport.get_untracked().offset));
        let Viewport { width, height, .. } = viewport.get();
        let (x, y) = spot.at;
        let (side, left) = if x > width * 0.6 { ("left", x - 14.0) } else { ("right", x + 14.0) };
        Some(view! {
            <div
                class="tl-tip"
                aria-hidden="true"
                data-side=side
                data-edge=(y > height * 0.6).then_some("bottom")
                style:left=format!("{left}px")
                style:top=format!("{}px", y + 12.0)
            >
                {lines.into_iter().map(|line| view! {
                    <p data-status=line.status>
                        {(!line.time.is_empty()).then(|| view! { <time>{line.time.clone()}</time> })}
                        <b>{line.head.clone()}</b>
                        " "
                        {line.rest.clone()}
                    </p>
                }).collect_view()}
            </div>
        })
    };
    view! { {shown} }
}

/// A line beside the pointer.
struct Line {
    time: String,
    head: String,
    rest: String,
    status: &'static str,
}

/// As many points as fit beside a pointer.
const POINTS: usize = 6;

fn lines(board: Board, model: &Timeline, spot: &LaneSpot, offset: i64) -> Vec<Line> {
    let words = board.words.get_untracked();
    let Some(lane) = model.lanes().rows().get(spot.place).map(|row| model.lanes().get(row.lane)) else {
        return Vec::new();
    };
    let Name { space, name, kind } = Name::of(lane, words);
    let path = if space.is_empty() { name } else { format!("{space}/{name}") };
    let rest = spot.phase.filter(|_| spot.mark.is_none()).map_or(kind.clone(), |phase| {
        let phase = words.phase(phase);
        if kind.is_empty() { phase.to_owned() } else { format!("{kind} · {phase}") }
    });
    let mut lines = vec![Line { time: String::new(), head: path, rest, status: "" }];
    let track = lane.shown(spot.lane.1);
    let places = spot.mark.clone().filter(|places| places.end <= track.len()).unwrap_or(0..0);
    let total = track.tally(places.clone()).all;
    if total > 1 {
        lines[0].rest = (words.between)(total);
    }
    for place in places.clone().rev().take(POINTS) {
        let point = model.point(track.id(place));
        let subject = model.subject(point);
        let times = if point.weight > 1 { format!(" ×{}", point.weight) } else { String::new() };
        let told = if *lane.key.name() == *subject.name {
            excerpt(&point.message, 300).into_owned()
        } else {
            format!("{} {}", excerpt(&subject.name, 100), excerpt(&point.message, 300))
        };
        lines.push(Line {
            time: Civil::of(point.time, offset).clock(),
            head: format!("{} {}{times}", point.class.glyph(), excerpt(&point.reason, 200)),
            rest: told.chars().take(160).collect(),
            status: point.status.name(),
        });
    }
    let more = places.len().saturating_sub(POINTS);
    if more > 0 {
        lines.push(Line { time: String::new(), head: format!("+ {more}"), rest: String::new(), status: "" });
    }
    lines
}
