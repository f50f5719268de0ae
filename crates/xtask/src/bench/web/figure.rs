//! What is measured of a dashboard, and what others came to.

use serde_json::Value;

/// How many pods the other dashboards were measured with, nearly.
pub(super) const PEERS_PODS: usize = 10_000;

/// A figure; the smaller the better.
struct Figure {
    name: &'static str,
    /// What the measuring script calls it.
    field: &'static str,
    /// What Headlamp 0.45 and Radar came to with 10,022 pods on two cores: the better end where it varied.
    headlamp: Option<f64>,
    radar: Option<f64>,
}

const FIGURES: &[Figure] = &[
    // Headlamp shows a thousand of them, and all after ten clicks.
    Figure { name: "first rows, ms", field: "first", headlamp: Some(2100.0), radar: Some(2300.0) },
    Figure { name: "fully live, ms", field: "live", headlamp: Some(5600.0), radar: Some(5300.0) },
    alone("  floor: first page parsed, ms", "floor first"),
    alone("  floor: all pages parsed, ms", "floor live"),
    alone("  longest task meanwhile, ms", "live task"),
    alone("  tasks over 16 ms", "live long"),
    Figure { name: "filter key to DOM, ms", field: "key median", headlamp: Some(515.0), radar: Some(2400.0) },
    alone("  p95", "key p95"),
    Figure { name: "  max", field: "key max", headlamp: None, radar: Some(4400.0) },
    alone("filter key to the last row, ms", "key whole median"),
    alone("  p95", "key whole p95"),
    alone("  max", "key whole max"),
    alone("sort click to DOM, ms", "sort median"),
    alone("  max", "sort max"),
    alone("frames while scrolling", "frames"),
    alone("  dropped", "late"),
    Figure { name: "  longest, ms", field: "gap", headlamp: Some(125.0), radar: Some(4700.0) },
    alone("  longest task, ms", "scroll task"),
    alone("  tasks over 16 ms", "scroll long"),
    Figure { name: "memory, MB", field: "memory", headlamp: Some(93.0), radar: Some(217.0) },
    alone("  floor: objects in a Map", "floor memory"),
    alone("  JavaScript", "heap"),
    alone("  WebAssembly", "wasm"),
    Figure { name: "main thread busy, %", field: "share", headlamp: Some(95.0), radar: Some(90.0) },
    Figure { name: "elements", field: "elements", headlamp: None, radar: Some(190_773.0) },
];

/// A figure that nobody has of others.
const fn alone(name: &'static str, field: &'static str) -> Figure {
    Figure { name, field, headlamp: None, radar: None }
}

/// A line a figure, a column a number of pods, and how many times better than others it is at their number.
pub(super) fn table(columns: &[(usize, Value)]) -> String {
    let mut table = format!("{:<36}", "pods");
    columns.iter().for_each(|(pods, _)| table.push_str(&format!("{pods:>10}")));
    table.push_str(&format!("{:>12}{:>9}{:>12}{:>9}\n", "Headlamp", "times", "Radar", "times"));
    for figure in FIGURES {
        let of = |values: &Value| values[figure.field].as_f64();
        table.push_str(&format!("{:<36}", figure.name));
        columns.iter().for_each(|(_, values)| table.push_str(&format!("{:>10}", shown(of(values)))));
        let like = columns.iter().find(|(pods, _)| *pods == PEERS_PODS).and_then(|(_, values)| of(values));
        for peer in [figure.headlamp, figure.radar] {
            let times = peer.zip(like).map(|(peer, own)| format!("{:.1}x", peer / own)).unwrap_or_default();
            let peer = peer.map(|peer| shown(Some(peer))).unwrap_or_default();
            table.push_str(&format!("{peer:>12}{times:>9}"));
        }
        table.truncate(table.trim_end().len());
        table.push('\n');
    }
    table
}

fn shown(value: Option<f64>) -> String {
    match value {
        Some(value) if value.fract() == 0.0 || value >= 100.0 => format!("{value:.0}"),
        Some(value) => format!("{value:.1}"),
        None => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn a_figure_stands_beside_what_others_came_to_with_as_many_pods() {
        let table =
            super::table(&[(5000, json!({ "first": 400.25 })), (10_000, json!({ "first": 420, "key p95": 1.26 }))]);
        let line = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        let words = |name: &str| line(name).split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
        assert_eq!(words("first rows"), "ms 400 420 2100 5.0x 2300 5.5x");
        assert_eq!(words("sort click"), "to DOM, ms ? ?");
        assert!(table.contains("p95                                        ?       1.3\n"), "{table}");
    }
}
