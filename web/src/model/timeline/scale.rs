//! Between moments and pixels.

/// Where moments lie on screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    start: i64,
    /// Milliseconds of a pixel.
    per_pixel: f64,
    /// Where `start` lies.
    pub left: f64,
}

impl Scale {
    /// `span` milliseconds from `start`, on `width` pixels from `left`.
    pub fn new(start: i64, span: i64, left: f64, width: f64) -> Scale {
        Scale { start, per_pixel: span as f64 / width.max(1.0), left }
    }

    /// Where a moment lies.
    pub fn x(&self, time: i64) -> f64 {
        self.left + time.saturating_sub(self.start) as f64 / self.per_pixel
    }

    /// Which moment lies there.
    pub fn time(&self, x: f64) -> i64 {
        self.start + ((x - self.left) * self.per_pixel).round() as i64
    }

    /// How long so many pixels are; at least a millisecond.
    pub fn span(&self, pixels: f64) -> i64 {
        ((pixels * self.per_pixel).ceil() as i64).max(1)
    }
}
