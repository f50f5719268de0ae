//! The shapes of points on the canvas.

use std::f64::consts::TAU;

use web_sys::CanvasRenderingContext2d;

use crate::model::timeline::point::Class;

/// Draws the shape of a class around a point, filled with the present fill and set off by the present stroke.
pub(super) fn draw(context: &CanvasRenderingContext2d, class: Class, (x, y): (f64, f64), radius: f64) {
    context.begin_path();
    match class {
        Class::Created => {
            polygon(context, &[(x, y - radius), (x + radius, y + radius * 0.8), (x - radius, y + radius * 0.8)])
        }
        Class::Deleted => {
            polygon(context, &[(x, y + radius), (x - radius, y - radius * 0.8), (x + radius, y - radius * 0.8)])
        }
        Class::Event => {
            let radius = radius * 1.1;
            polygon(context, &[(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]);
        }
        // A circle of a positive radius cannot be refused.
        Class::Changed => drop(context.arc(x, y, radius * 0.9, 0.0, TAU)),
    }
    context.stroke();
    context.fill();
}

fn polygon(context: &CanvasRenderingContext2d, corners: &[(f64, f64)]) {
    for (place, (x, y)) in corners.iter().enumerate() {
        match place {
            0 => context.move_to(*x, *y),
            _ => context.line_to(*x, *y),
        }
    }
    context.close_path();
}
