//! Draws the strip above the lanes.

use super::{canvas::Canvas, palette::Palette};
use crate::model::timeline::{axis::Tick, scale::Scale, track::Tally, window::Window};

/// What the strip shows.
#[derive(Debug)]
pub(super) struct StripScene<'a> {
    pub(super) columns: &'a [Tally],
    pub(super) ticks: &'a [Tick],
    pub(super) scale: &'a Scale,
    pub(super) window: Window,
    pub(super) now: i64,
    pub(super) palette: &'a Palette,
}

/// How high the labels at the foot are.
const FOOT: f64 = 16.0;

impl StripScene<'_> {
    /// Draws everything, once.
    pub(super) fn paint(&self, canvas: &Canvas) {
        let (context, floor) = (&canvas.context, canvas.height - FOOT);
        let (start, end) = self.window.bounds(self.now);
        let (left, right) = (self.scale.x(start).max(0.0), self.scale.x(end).min(canvas.width));
        let right = right.max(left + 3.0);
        context.set_fill_style_str(&self.palette.activity.soft);
        context.fill_rect(left, 0.0, right - left, floor);
        self.columns(canvas, floor, (left, right));
        context.set_fill_style_str(&self.palette.hairline);
        context.fill_rect(0.0, floor, canvas.width, 1.0);
        context.set_fill_style_str(&self.palette.accent);
        for edge in [left, right] {
            context.fill_rect(edge.round() - 1.0, 0.0, 2.0, floor);
            context.begin_path();
            // A positive radius cannot be refused.
            drop(context.round_rect_with_f64(edge.round() - 2.5, floor / 2.0 - 8.0, 5.0, 16.0, 2.5));
            context.fill();
        }
        context.set_font(&self.palette.fonts.small);
        context.set_text_baseline("middle");
        context.set_text_align("center");
        for tick in self.ticks {
            context.set_fill_style_str(if tick.is_day { &self.palette.text } else { &self.palette.quiet });
            // A finite place cannot be refused.
            drop(context.fill_text(&tick.label, tick.x.clamp(18.0, canvas.width - 18.0), floor + FOOT / 2.0 + 1.0));
        }
    }

    /// Heights grow with the root of what they stand for: beside a burst the rest can still be seen. What is bad is at least
    /// two pixels high, and at the foot.
    fn columns(&self, canvas: &Canvas, floor: f64, (left, right): (f64, f64)) {
        let context = &canvas.context;
        let most = self.columns.iter().map(|tally| tally.all).max().unwrap_or_default().max(1);
        let width = canvas.width / self.columns.len().max(1) as f64;
        for (place, tally) in self.columns.iter().enumerate().filter(|(_, tally)| tally.all > 0) {
            let height = (floor - 6.0) * (f64::from(tally.all) / f64::from(most)).sqrt();
            let share = |count: u32| match count {
                0 => 0.0,
                count => (height * f64::from(count) / f64::from(tally.all)).max(2.0),
            };
            let (failures, warnings) = (share(tally.failures), share(tally.warnings));
            let rest =
                (height - failures - warnings).max(if tally.all > tally.failures + tally.warnings { 2.0 } else { 0.0 });
            let x = place as f64 * width;
            let inside = x + width > left && x < right;
            context.set_global_alpha(if inside { 1.0 } else { 0.45 });
            let mut foot = floor;
            let inks = [&self.palette.failure, &self.palette.warning, &self.palette.activity];
            for (ink, height) in inks.into_iter().zip([failures, warnings, rest]) {
                context.set_fill_style_str(&ink.strong);
                context.fill_rect(x, foot - height, (width - 1.0).max(1.0), height);
                foot -= height;
            }
        }
        context.set_global_alpha(1.0);
    }
}
