//! One frame of the lanes: everything on screen with its place, and what lies under a pointer.

use std::ops::Range;

use super::{
    axis::{self, Tick},
    lane::LaneId,
    marks::Mark,
    phase::{Phase, Stretch},
    scale::Scale,
};

/// How high a row is.
pub const ROW: f64 = 26.0;

/// How large the screen is and where in the lanes it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewport {
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// How many pixels of lanes are above it.
    pub scroll: f64,
    /// How wide the names at the left are.
    pub names: f64,
    /// Milliseconds east of UTC.
    pub offset: i64,
}

/// Everything on screen. Kept from frame to frame, so that its memory is.
#[derive(Debug, Default)]
pub struct Frame {
    /// Where moments lie.
    pub scale: Option<Scale>,
    /// The lanes on screen, from the top.
    pub rows: Vec<FrameRow>,
    /// The marks of all rows.
    pub marks: Vec<Mark>,
    /// The bars of all rows.
    pub bars: Vec<Bar>,
    /// The axis.
    pub ticks: Vec<Tick>,
    /// How high all lanes together are.
    pub content: f64,
}

/// A lane on screen.
#[derive(Clone, Debug)]
pub struct FrameRow {
    /// Its place among all rows.
    pub place: usize,
    /// Which.
    pub lane: LaneId,
    /// Whether it is open.
    pub is_open: bool,
    /// Its upper edge.
    pub y: f64,
    /// Its marks, from the left.
    pub marks: Range<usize>,
    /// Its bars, from the left.
    pub bars: Range<usize>,
}

/// A stretch of a phase on screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Its left edge.
    pub x: f64,
    /// Its right edge.
    pub to: f64,
    /// What it shows.
    pub phase: Phase,
}

/// What lies under a pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The row's place among all rows.
    pub place: usize,
    /// Its lane.
    pub lane: LaneId,
    /// The mark, as its place among the frame's.
    pub mark: Option<usize>,
    /// The phase of the bar.
    pub phase: Option<Phase>,
    /// Whether it is the name at the left.
    pub is_name: bool,
}

impl Frame {
    /// Empties it for the next frame of `viewport`.
    pub(super) fn begin(&mut self, viewport: &Viewport, (start, end): (i64, i64)) -> Scale {
        let width = (viewport.width - viewport.names).max(1.0);
        let scale = Scale::new(start, end - start, viewport.names, width);
        axis::ticks(&scale, width, viewport.offset, &mut self.ticks);
        self.scale = Some(scale);
        self.rows.clear();
        self.marks.clear();
        self.bars.clear();
        scale
    }

    /// Puts the bars of a row in, up to now. Those narrower than a pixel share one, and the worst of them shows.
    pub(super) fn lay_bars(&mut self, stretches: Vec<Stretch>, scale: &Scale, (left, right): (f64, f64)) {
        let from = self.bars.len();
        for stretch in stretches {
            let (x, to) = (scale.x(stretch.from).max(left), scale.x(stretch.to).min(right));
            if to <= left || x >= right {
                continue;
            }
            match self.bars[from..].last_mut() {
                Some(last) if last.to - last.x <= 1.0 && to <= last.x + 1.0 => {
                    last.phase = last.phase.max(stretch.phase)
                }
                Some(last) => {
                    let x = x.max(last.to);
                    self.bars.push(Bar { x, to: to.max(x + 1.0), phase: stretch.phase });
                }
                None => self.bars.push(Bar { x, to: to.max(x + 1.0), phase: stretch.phase }),
            }
        }
    }

    /// What lies at a place of the screen.
    pub fn hit(&self, x: f64, y: f64, viewport: &Viewport) -> Option<Hit> {
        let row = self.rows.iter().find(|row| (row.y..row.y + ROW).contains(&y))?;
        let is_name = x < viewport.names;
        let marks = &self.marks[row.marks.clone()];
        let before = marks.partition_point(|mark| mark.x <= x);
        let mark = before.checked_sub(1).filter(|at| !is_name && x <= marks[*at].x + marks[*at].width);
        let bar = self.bars[row.bars.clone()].iter().find(|bar| !is_name && (bar.x..bar.to).contains(&x));
        Some(Hit {
            place: row.place,
            lane: row.lane,
            mark: mark.map(|at| row.marks.start + at),
            phase: bar.map(|bar| bar.phase),
            is_name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(script: &[(i64, i64, Phase)]) -> Vec<(f64, f64, Phase)> {
        let stretches =
            script.iter().map(|(from, to, phase)| Stretch { from: *from, to: *to, phase: *phase }).collect();
        let mut frame = Frame::default();
        frame.lay_bars(stretches, &Scale::new(0, 1000, 0.0, 100.0), (0.0, 90.0));
        frame.bars.iter().map(|bar| (bar.x, bar.to, bar.phase)).collect()
    }

    #[test]
    fn bars_end_at_now_and_begin_at_the_edge() {
        let found = bars(&[(-500, 300, Phase::Pending), (300, i64::MAX, Phase::Running)]);
        assert_eq!(found, [(0.0, 30.0, Phase::Pending), (30.0, 90.0, Phase::Running)]);
        assert_eq!(bars(&[(950, 990, Phase::Running), (-50, -1, Phase::Pending)]), []);
    }

    #[test]
    fn a_moment_of_trouble_is_a_pixel_and_no_more() {
        let found = bars(&[(0, 500, Phase::Running), (500, 502, Phase::CrashLooping), (502, 800, Phase::Running)]);
        let expected = [(0.0, 50.0, Phase::Running), (50.0, 51.0, Phase::CrashLooping), (51.0, 80.0, Phase::Running)];
        assert_eq!(found, expected);
    }

    #[test]
    fn many_moments_share_a_pixel_and_the_worst_shows() {
        let flicker = |at: i64| {
            let phase = if at % 4 == 0 { Phase::CrashLooping } else { Phase::Running };
            (500 + at, 501 + at, phase)
        };
        let found = bars(&(0..8).map(flicker).collect::<Vec<_>>());
        assert_eq!(found, [(50.0, 51.0, Phase::CrashLooping)]);
    }
}
