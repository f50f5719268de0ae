//! Draws what `live` keeps true. A view reads signals and returns elements: no request, no parsing, no clock.
#![expect(
    unreachable_pub,
    reason = "the component macro writes a pub function whatever the component's own visibility"
)]

mod app;
mod connection_chip;
mod copy_line;
mod empty;
mod events;
mod mark;
mod namespace_row;
mod namespace_table;
mod no_server;
mod notices;
mod refused;
mod skeleton;
mod theme_toggle;
mod timeline;
mod top_bar;

pub(crate) use app::App;
