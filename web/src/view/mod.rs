//! Draws what `live` keeps true. A view reads signals and returns elements: no request, no parsing, no clock.
#![expect(
    unreachable_pub,
    reason = "the component macro writes a pub function whatever the component's own visibility"
)]

mod app;
mod cell_paint;
mod columns_menu;
mod connection_chip;
mod copy_line;
mod custom_column;
mod drawer;
mod drawer_edge;
mod drawer_frame;
mod drawer_tabs;
mod events_page;
mod export_menu;
mod filter_box;
mod grid;
mod grid_head;
mod grid_row;
mod help;
mod icon;
mod layer;
mod logs;
mod long_text;
mod mark;
mod message;
mod namespace_picker;
mod no_server;
mod notices;
mod object_text;
mod overview;
mod palette;
mod rail;
mod rail_item;
mod refused;
mod row_paint;
mod settings_menu;
mod show_more;
mod skeleton;
mod status_chips;
mod table_head;
mod table_page;
mod table_panel;
mod table_state;
mod theme_toggle;
mod timeline;
mod top_bar;

pub(crate) use app::{App, AppProps};
