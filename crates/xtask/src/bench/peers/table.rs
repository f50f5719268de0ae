//! The figures of all peers, for a person.

use std::fmt::Write;

use super::{
    figures::Figures,
    peer::{FLOOR, Peer},
};

/// A row for each peer.
pub(super) fn table(pods: usize, rounds: usize, best: &[(&Peer, Figures)]) -> String {
    let floor = best.iter().find(|(peer, _)| peer.name == FLOOR).map(|(_, figures)| figures.seconds);
    let mut text = format!(
        "{pods} pods of a real cluster through kubectl proxy, the best of {rounds} rounds\n\n\
         {:<34} {:>7} {:>7} {:>10} {:>8} {:>8}\n",
        "", "seconds", "x curl", "longest ms", "live MB", "peak MB"
    );
    for (peer, figures) in best {
        let ratio = floor.map(|floor| figures.seconds / floor);
        let cells = [
            cell(Some(figures.seconds), 7, 2),
            cell(ratio, 7, 2),
            cell(figures.longest, 10, 0),
            cell(figures.live.map(|bytes| bytes / 1e6), 8, 0),
            cell(figures.peak.map(|bytes| bytes / 1e6), 8, 0),
        ];
        writeln!(text, "{:<34} {}", peer.name, cells.join(" ")).expect("a string takes any text");
    }
    text
}

fn cell(value: Option<f64>, width: usize, places: usize) -> String {
    match value {
        Some(value) => format!("{value:>width$.places$}"),
        None => format!("{:>width$}", "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::peer::PEERS, Figures, table};

    #[test]
    fn everyone_is_compared_with_the_pages_that_curl_reads() {
        let curl = Figures { seconds: 0.8, ..Figures::default() };
        let other = Figures { seconds: 1.2, objects: Some(9), longest: Some(8.4), live: Some(5e6), peak: Some(2e8) };
        let text = table(9, 3, &[(&PEERS[0], curl), (&PEERS[3], other)]);
        let rows: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(
            rows,
            [
                "curl, pages of 500                    0.80    1.00          -        -        -",
                "client-go, protobuf, WatchList        1.20    1.50          8        5      200",
            ]
        );
    }
}
