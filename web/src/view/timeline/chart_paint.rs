//! Draws the lanes. It decides nothing: where things are is the frame's to say.

use web_sys::CanvasRenderingContext2d;

use super::{
    canvas::Canvas,
    glyph,
    palette::{Ink, Palette},
};
use crate::model::timeline::{
    frame::{Bar, Frame, FrameRow, ROW, Viewport},
    lanes::Lanes,
    marks::Mark,
    name::{self, Name},
    phase::Phase,
    point::Class,
    timeline::Timeline,
    words::Words,
};

/// How high the axis above the lanes is.
pub(super) const AXIS: f64 = 24.0;

/// What is drawn besides the frame.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) model: &'a Timeline,
    pub(super) viewport: &'a Viewport,
    pub(super) palette: &'a Palette,
    pub(super) words: &'a Words,
    pub(super) now: i64,
    /// The row under the pointer, or with the point under it.
    pub(super) hovered: Option<usize>,
    /// The row of the keyboard.
    pub(super) cursor: Option<usize>,
    /// The row whose points the list shows.
    pub(super) chosen: Option<usize>,
    /// The moment of the point under the pointer in the list.
    pub(super) moment: Option<i64>,
}

impl Scene<'_> {
    /// Draws everything, once.
    pub(super) fn paint(&self, canvas: &Canvas) {
        let (context, frame) = (&canvas.context, self.model.frame());
        self.axis(canvas, frame);
        context.save();
        context.begin_path();
        context.rect(0.0, AXIS, canvas.width, canvas.height - AXIS);
        context.clip();
        frame.rows.iter().for_each(|row| self.ground(context, row));
        self.grid(canvas, frame);
        context.save();
        context.begin_path();
        context.rect(self.viewport.names, AXIS, canvas.width - self.viewport.names, canvas.height - AXIS);
        context.clip();
        for row in &frame.rows {
            let middle = AXIS + row.y + ROW / 2.0;
            frame.bars[row.bars.clone()].iter().for_each(|bar| self.bar(context, bar, middle));
            let marks = &frame.marks[row.marks.clone()];
            marks.iter().for_each(|mark| self.mark(context, mark, middle, row));
        }
        self.counts(context, frame);
        context.restore();
        self.names(context, frame);
        self.thumb(canvas, frame);
        context.restore();
    }

    fn axis(&self, canvas: &Canvas, frame: &Frame) {
        let context = &canvas.context;
        context.set_font(&self.palette.fonts.label);
        context.set_text_baseline("middle");
        context.set_text_align("center");
        for tick in &frame.ticks {
            context.set_fill_style_str(if tick.is_day { &self.palette.text } else { &self.palette.quiet });
            text(context, &tick.label, tick.x.max(self.viewport.names + 18.0), AXIS / 2.0);
        }
        context.set_fill_style_str(&self.palette.hairline);
        context.fill_rect(0.0, AXIS - 1.0, canvas.width, 1.0);
        self.legend(context);
    }

    /// What shapes mean, in the corner, where there is room for it.
    fn legend(&self, context: &CanvasRenderingContext2d) {
        if self.viewport.names < LEGEND {
            return;
        }
        context.set_font(&self.palette.fonts.small);
        context.set_text_align("left");
        context.set_stroke_style_str("transparent");
        context.set_fill_style_str(&self.palette.quiet);
        let mut x = 16.0;
        for class in Class::ALL {
            glyph::draw(context, class, (x, AXIS / 2.0), 3.6);
            let word = self.words.class(class);
            text(context, word, x + 8.0, AXIS / 2.0);
            x += 24.0 + context.measure_text(word).map_or(40.0, |measured| measured.width());
        }
    }

    fn ground(&self, context: &CanvasRenderingContext2d, row: &FrameRow) {
        let (y, width) = (AXIS + row.y, self.viewport.width);
        if self.hovered == Some(row.place) || self.chosen == Some(row.place) {
            context.set_fill_style_str(&self.palette.hover);
            context.fill_rect(0.0, y, width, ROW);
        }
        context.set_fill_style_str(&self.palette.hairline);
        context.fill_rect(0.0, y + ROW - 1.0, width, 0.5);
        if self.cursor == Some(row.place) || self.chosen == Some(row.place) {
            context.set_fill_style_str(&self.palette.accent);
            context.fill_rect(0.0, y + 1.0, 2.0, ROW - 2.0);
        }
    }

    fn grid(&self, canvas: &Canvas, frame: &Frame) {
        let context = &canvas.context;
        context.set_fill_style_str(&self.palette.hairline);
        for tick in &frame.ticks {
            context.fill_rect(tick.x.round(), AXIS, 1.0, canvas.height);
        }
        context.fill_rect(self.viewport.names - 1.0, 0.0, 1.0, canvas.height);
        let Some(now) = frame.scale.map(|scale| scale.x(self.now)) else { return };
        if now > self.viewport.names && now < canvas.width {
            context.set_fill_style_str(&self.palette.accent);
            context.fill_rect(now.round(), AXIS, 1.0, canvas.height);
        }
    }

    /// The worse, the higher; what goes its way is a quiet line.
    fn bar(&self, context: &CanvasRenderingContext2d, bar: &Bar, middle: f64) {
        let Palette { running, pending, failure, warning, .. } = self.palette;
        let (colour, height, dashed) = match bar.phase {
            Phase::CrashLooping | Phase::Failed => (&failure.soft, 12.0, false),
            Phase::NotReady => (&warning.soft, 10.0, false),
            Phase::Pending => (pending, 6.0, true),
            Phase::Terminating => (pending, 4.0, true),
            Phase::Running => (running, 4.0, false),
            Phase::Succeeded | Phase::Absent => (running, 2.0, false),
        };
        let (width, top) = ((bar.to - bar.x).max(1.0), middle - height / 2.0);
        if dashed {
            context.set_stroke_style_str(colour);
            context.set_line_width(1.0);
            context.stroke_rect(bar.x + 0.5, top + 0.5, (width - 1.0).max(0.5), height - 1.0);
        } else {
            context.set_fill_style_str(colour);
            context.fill_rect(bar.x, top, width, height);
        }
        if matches!(bar.phase, Phase::CrashLooping | Phase::Failed) {
            context.set_fill_style_str(&failure.strong);
            context.fill_rect(bar.x, top + height - 1.5, width, 1.5);
        }
    }

    fn mark(&self, context: &CanvasRenderingContext2d, mark: &Mark, middle: f64, row: &FrameRow) {
        let ink = self.palette.ink(mark.tally.worst());
        let moment = self.moment.filter(|_| self.hovered == Some(row.place));
        let scale = self.model.frame().scale;
        let lit = moment.zip(scale).is_some_and(|(moment, scale)| {
            let x = scale.x(moment);
            x >= mark.x && x <= mark.x + mark.width
        });
        if mark.is_pill() {
            self.pill(context, mark, middle, (ink, lit));
            return;
        }
        let class = mark.tally.class().unwrap_or(Class::Event);
        context.set_fill_style_str(&ink.strong);
        context.set_stroke_style_str(if lit { &self.palette.text } else { &self.palette.ground });
        context.set_line_width(if lit { 4.0 } else { 2.5 });
        glyph::draw(context, class, (mark.x + mark.width / 2.0, middle), 4.6);
    }

    fn pill(&self, context: &CanvasRenderingContext2d, mark: &Mark, middle: f64, (ink, lit): (&Ink, bool)) {
        let (top, height) = (middle - 8.5, 17.0);
        context.begin_path();
        // A positive radius cannot be refused.
        drop(context.round_rect_with_f64(mark.x + 0.5, top, mark.width - 1.0, height, 8.5));
        context.set_fill_style_str(&self.palette.ground);
        context.fill();
        context.set_fill_style_str(&ink.soft);
        context.fill();
        context.set_stroke_style_str(if lit { &self.palette.text } else { &ink.strong });
        context.set_line_width(if lit { 2.0 } else { 1.0 });
        context.stroke();
    }

    /// All words of a kind after all shapes: to change the font costs more than to write.
    fn counts(&self, context: &CanvasRenderingContext2d, frame: &Frame) {
        context.set_font(&self.palette.fonts.pill);
        context.set_text_align("center");
        context.set_stroke_style_str("transparent");
        for row in &frame.rows {
            let middle = AXIS + row.y + ROW / 2.0;
            let pills = frame.marks[row.marks.clone()].iter().filter(|mark| mark.is_pill());
            pills.for_each(|mark| self.count(context, mark, middle));
        }
    }

    fn count(&self, context: &CanvasRenderingContext2d, mark: &Mark, middle: f64) {
        context.set_fill_style_str(&self.palette.ink(mark.tally.worst()).strong);
        let count = short(mark.tally.all);
        match mark.tally.class().filter(|class| *class != Class::Event && mark.tally.all < 1000) {
            Some(class) => {
                glyph::draw(context, class, (mark.x + 9.5, middle), 3.4);
                text(context, &count, mark.x + mark.width / 2.0 + 5.5, middle + 0.5);
            }
            None => text(context, &format!("×{count}"), mark.x + mark.width / 2.0, middle + 0.5),
        }
    }

    fn names(&self, context: &CanvasRenderingContext2d, frame: &Frame) {
        let (lanes, edge) = (self.model.lanes(), self.viewport.names);
        let names: Vec<Name> = frame.rows.iter().map(|row| Name::of(lanes.get(row.lane), self.words)).collect();
        context.set_font(&self.palette.fonts.label);
        context.set_fill_style_str(&self.palette.quiet);
        context.set_text_align("right");
        for (row, name) in frame.rows.iter().zip(&names) {
            text(context, &name.kind, edge - 8.0, AXIS + row.y + ROW / 2.0);
        }
        context.set_text_align("left");
        for row in frame.rows.iter().filter(|row| lanes.get(row.lane).has_children()) {
            let mark = if row.is_open { "▾" } else { "▸" };
            text(context, mark, indent(lanes, row), AXIS + row.y + ROW / 2.0);
        }
        context.set_font(&self.palette.fonts.name);
        for (row, Name { space, name, kind }) in frame.rows.iter().zip(&names) {
            let (mut x, middle) = (indent(lanes, row) + 13.0, AXIS + row.y + ROW / 2.0);
            if !space.is_empty() && edge >= SPACIOUS {
                let space = name::fitted(space, 12) + "/";
                context.set_fill_style_str(&self.palette.quiet);
                text(context, &space, x, middle);
                x += space.chars().count() as f64 * LETTER;
            }
            let room = edge - 10.0 - kind.chars().count() as f64 * 6.2;
            context.set_fill_style_str(&self.palette.text);
            text(context, &name::fitted(name, ((room - x) / LETTER).max(4.0) as usize), x, middle);
        }
    }

    fn thumb(&self, canvas: &Canvas, frame: &Frame) {
        let room = canvas.height - AXIS;
        if frame.content <= room {
            return;
        }
        let height = (room * room / frame.content).max(24.0);
        let top = AXIS + self.viewport.scroll / (frame.content - room) * (room - height);
        canvas.context.set_fill_style_str(&self.palette.pending);
        canvas.context.begin_path();
        // A positive radius cannot be refused.
        drop(canvas.context.round_rect_with_f64(canvas.width - 6.0, top, 4.0, height, 2.0));
        canvas.context.fill();
    }
}

/// How wide names must be for the legend to fit above them.
const LEGEND: f64 = 270.0;

/// How wide names must be to have their namespace in front.
const SPACIOUS: f64 = 220.0;

/// How wide a letter of 12 pixels is in the fonts that have letters of one width.
const LETTER: f64 = 7.23;

fn indent(lanes: &Lanes, row: &FrameRow) -> f64 {
    10.0 + 14.0 * lanes.get(row.lane).depth as f64
}

fn text(context: &CanvasRenderingContext2d, words: &str, x: f64, y: f64) {
    // A finite place cannot be refused.
    drop(context.fill_text(words, x, y));
}

/// A number in four letters.
fn short(count: u32) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..10_000 => format!("{:.1}k", f64::from(count) / 1000.0),
        10_000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}
