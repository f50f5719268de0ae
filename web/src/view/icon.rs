//! Small drawings.

use leptos::prelude::*;

/// A drawing of lines on a field of 16 by 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Search,
    Columns,
    Export,
    Gear,
    Close,
    Expand,
    Fold,
    Pin,
    Down,
    Eye,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Icon::Search => "M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.7 10.7 14 14",
            Icon::Columns => "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
            Icon::Export => "M8 2v8M5 7l3 3 3-3M2.5 11v2.5h11V11",
            Icon::Gear => "M2 5h6M11 5h3M2 11h3M8 11h6M9.5 3.5v3M6.5 9.5v3",
            Icon::Close => "M4 4l8 8M12 4l-8 8",
            Icon::Expand => "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9 7M2.5 13.5 7 9",
            Icon::Fold => "M2.5 3h11v10h-11zM6 3v10M11 6.5 9.5 8 11 9.5",
            Icon::Pin => "M6 2.5h4l-.5 4 2 2h-7l2-2zM8 8.500v5",
            Icon::Eye => {
                "M1.500 8c2-3.500 4-5 6.500-5s4.500 1.500 6.500 5c-2 3.500-4 5-6.500 5s-4.500-1.500-6.500-5zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z"
            }
            Icon::Down => "M4.5 6.500 8 10l3.500-3.500",
        }
    }
}

/// Draws an icon; what it means is said elsewhere.
#[component]
pub(crate) fn Drawing(icon: Icon) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=icon.path()/>
        </svg>
    }
}
