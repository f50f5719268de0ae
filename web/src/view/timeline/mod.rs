//! The event timeline on screen. Canvas draws lanes and strip; everything with words in it is also a table.

mod board;
mod canvas;
mod chart;
mod chart_paint;
mod chart_pointer;
mod facet_menu;
mod glyph;
mod history_menu;
mod keys;
mod list;
mod list_row;
mod live_chip;
mod measure;
mod notices;
mod page;
mod palette;
mod slice;
mod strip;
mod strip_paint;
mod tip;
mod toolbar;

pub(crate) use page::TimelinePage;
pub(crate) use slice::TimelineSlice;
