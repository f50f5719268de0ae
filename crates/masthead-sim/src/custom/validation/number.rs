//! The bounds of numbers.

use serde_json::{Number, Value};

use crate::cause::Cause;

/// Whether a number has no fraction.
pub(super) fn is_whole(number: &Number) -> bool {
    number.as_f64().is_some_and(|value| value.fract() == 0.0)
}

/// What is wrong with a number.
pub(super) fn check(schema: &Value, number: &Number, path: &str, causes: &mut Vec<Cause>) {
    let Some(value) = number.as_f64() else { return };
    let (asked, format) = (schema["type"].as_str(), schema["format"].as_str());
    if asked == Some("integer") && !fits(value, format) {
        let of = format.map_or("(default format)".to_owned(), |format| format!("with format {format}"));
        causes.push(Cause::invalid("<nil>", "\"\"", format!("Checked value must be of type integer {of} in {path}")));
    }
    let bound = |name: &str| schema[name].as_f64();
    let is_set = |name: &str| schema[name] == true;
    let mut refuse =
        |why: String| causes.push(Cause::invalid(path, shown(value), format!("{path} in body should be {why}")));
    // Go compares and shows whole numbers as such, so that bounds lose their fractions.
    let tell = |bound: f64| shown(if is_whole(number) { bound.trunc() } else { bound });
    if let Some(factor) = bound("multipleOf").filter(|factor| *factor > 0.0 && value % factor != 0.0) {
        refuse(format!("a multiple of {}", tell(factor)));
    }
    if let Some(most) = bound("maximum") {
        match is_set("exclusiveMaximum") {
            true if value >= most => refuse(format!("less than {}", tell(most))),
            false if value > most => refuse(format!("less than or equal to {}", tell(most))),
            _ => {}
        }
    }
    if let Some(least) = bound("minimum") {
        match is_set("exclusiveMinimum") {
            true if value <= least => refuse(format!("greater than {}", tell(least))),
            false if value < least => refuse(format!("greater than or equal to {}", tell(least))),
            _ => {}
        }
    }
}

fn fits(value: f64, format: Option<&str>) -> bool {
    let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
    value.fract() == 0.0 && (format != Some("int32") || range.contains(&value))
}

fn shown(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { value.to_string() }
}
