use super::*;

/// A line in parts: `text` or `[look]text`.
fn looks(raw: &str) -> String {
    let look = |look: Look| {
        let mut words = Vec::new();
        words.extend(look.colour.map(|Colour(at)| at.to_string()));
        words.extend(look.ground.map(|Colour(at)| format!("on {at}")));
        let flags = [(look.bold, "bold"), (look.dim, "dim"), (look.italic, "italic"), (look.underline, "under")];
        words.extend(flags.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()));
        if words.is_empty() { String::new() } else { format!("[{}]", words.join(" ")) }
    };
    Line::read(raw, false).spans().iter().map(|span| format!("{}{}", look(span.look), span.text)).collect()
}

#[test]
fn colours_become_marks_and_every_other_escape_goes() {
    let check = |raw: &str, expected: &str| assert_eq!(looks(raw), expected, "{raw:?}");
    check("plain <b>text</b>", "plain <b>text</b>");
    check("\u{1b}[31mred\u{1b}[0m done", "[1]red done");
    check("\u{1b}[1;92;44mx\u{1b}[22;39my\u{1b}[49mz", "[10 on 4 bold]x[on 4]yz");
    check("\u{1b}[38;5;9mindexed\u{1b}[m", "[9]indexed");
    check("\u{1b}[38;5;196mcube", "[9]cube");
    check("\u{1b}[38;5;240mgrey", "[8]grey");
    check("\u{1b}[38;2;0;200;0mtrue", "[2]true");
    check("\u{1b}[38;5mshort", "short");
    check("\u{1b}[2K\u{1b}[1Gprogress\u{1b}[?25l", "progress");
    check("\u{1b}]0;title\u{7}after", "after");
    check("\u{1b}]8;;https://x\u{1b}\\link", "link");
    check("a\u{0}b\tc\u{8}", "a\u{0}b\tc\u{8}");
    check("\u{1b}", "");
    check("\u{1b}[31", "");
    check("\u{1b}[3é", "é");
    check("\u{1b}é", "é");
}

/// A browser lays out a few thousand elements, not the hundred thousands that escapes and a search could make of a window.
#[test]
fn a_line_has_a_bounded_number_of_parts_and_all_of_its_text() {
    let raw: String = (0..800).map(|at| format!("\u{1b}[3{}mx", at % 8)).collect();
    let line = Line::read(&raw, false);
    assert_eq!(line.plain(), "x".repeat(800));
    assert_eq!(line.spans().len(), ansi::SPANS + 1);
    assert_eq!(line.spans().last().map(|span| span.look), Some(Look::default()));
    let pieces = Search::new("x").pieces(&line);
    assert!(pieces.len() <= 3 * ansi::SPANS, "{}", pieces.len());
    assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<String>(), "x".repeat(800));
    assert!(pieces[0].found);
    assert_eq!(looks(&"\u{1b}[0m".repeat(800)), "");
}

#[test]
fn a_time_is_apart_from_the_text_where_there_is_one() {
    let line = Line::read("2026-11-17T23:00:00.123456789Z hello world", false);
    assert_eq!((line.time(), line.raw()), ("2026-11-17T23:00:00.123456789Z", "hello world"));
    let line = Line::read("hello 2026-11-17T23:00:00Z", false);
    assert_eq!((line.time(), line.raw()), ("", "hello 2026-11-17T23:00:00Z"));
    assert_eq!(Line::read("", true).raw(), "");
}

#[test]
fn any_chunking_gives_the_same_lines() {
    let log = "one\r\ntwo é\n\nfour without an end";
    let whole: Vec<&str> = vec!["one", "two é", "", "four without an end"];
    for size in 1..log.len() {
        let mut ring = Ring::default();
        log.as_bytes().chunks(size).for_each(|chunk| ring.push(chunk));
        ring.end();
        let lines: Vec<&str> = ring.iter().map(|(_, line)| line.raw()).collect();
        assert_eq!(lines, whole, "chunks of {size}");
    }
}

#[test]
fn the_oldest_lines_go_and_are_counted_and_long_lines_are_slices() {
    let mut ring = Ring::default();
    for number in 0..Ring::LINES + 5 {
        ring.push(format!("{number}\n").as_bytes());
    }
    assert_eq!((ring.len(), ring.dropped()), (Ring::LINES, 5));
    assert_eq!(ring.get(5).map(Line::raw), Some("5"));
    assert_eq!(ring.get(4), None);
    let mut ring = Ring::default();
    ring.push(&vec![b'x'; 3 * Ring::LINE]);
    ring.push(b"\nshort\n");
    let lengths: Vec<(usize, bool)> = ring.iter().map(|(_, line)| (line.raw().len(), line.cut)).collect();
    assert_eq!(lengths, [(Ring::LINE, true), (Ring::LINE, true), (Ring::LINE, false), (5, false)]);
    for _ in 0..2 * Ring::BYTES / Ring::LINE {
        ring.push(&vec![b'y'; Ring::LINE]);
        ring.push(b"\n");
    }
    assert!(ring.len() <= Ring::BYTES / Ring::LINE, "{} long lines", ring.len());
}

#[test]
fn a_line_of_fifty_megabytes_is_slices_of_which_the_last_are_kept() {
    let mut ring = Ring::default();
    ring.push(b"2026-01-01T00:00:01.000000001Z ");
    for _ in 0..800 {
        ring.push("日".repeat(21_845).as_bytes());
    }
    ring.push(b"\n2026-01-01T00:00:01.000000002Z next\n");
    assert!(ring.len() <= Ring::BYTES / (Ring::LINE - 4) && ring.dropped() > 10_000, "{}", ring.len());
    let slices: Vec<&Line> = ring.iter().map(|(_, line)| line).collect();
    let (next, long) = slices.split_last().expect("lines");
    assert_eq!((next.raw(), next.cut), ("next", false));
    assert!(long.iter().all(|slice| slice.raw().len() <= Ring::LINE && slice.raw().chars().all(|c| c == '日')));
    assert_eq!(long.iter().filter(|slice| !slice.cut).count(), 1, "only the last slice ends the line");
    // A later slice is text, whatever it begins with, and goes with its line when that was seen before.
    let mut again = Ring::default();
    let stamped = format!("2026-01-01T00:00:01.000000001Z {}", "x".repeat(Ring::LINE - 31));
    let whole = format!("{stamped}2027-01-01T00:00:00.000000000Z y\n");
    again.push(whole.as_bytes());
    again.end();
    assert_eq!((again.len(), again.latest()), (2, "2026-01-01T00:00:01.000000001Z"));
    again.push(whole.as_bytes());
    assert_eq!(again.len(), 2);
}

#[test]
fn a_window_has_fewer_lines_where_they_are_long() {
    let mut ring = Ring::default();
    for number in 0..1000 {
        ring.push(format!("{number}\n").as_bytes());
    }
    assert_eq!(ring.window(None), 600..1000);
    assert_eq!(ring.window(Some(0)), 0..400);
    assert_eq!(ring.window(Some(900)), 600..1000, "a window near the end is full");
    assert_eq!(ring.window(Some(5000)), 600..1000);
    ring.push(&vec![b'x'; 200 * Ring::LINE]);
    ring.push(b"\n");
    let end = ring.window(None);
    assert!(end.len() < 60 && end.end == 1200, "{end:?}");
    let middle = ring.window(Some(900));
    assert!(middle.start == 900 && (100..160).contains(&middle.len()), "{middle:?}");
    let colours: String = (0..100).map(|at| format!("\u{1b}[3{}mx", at % 8)).collect();
    (0..400).for_each(|_| ring.push(format!("{colours}\n").as_bytes()));
    assert!(ring.window(None).len() < 80, "{:?}", ring.window(None));
    for line in [0, 10, 500, 990, 1010, 1100, 1400, 1599] {
        let window = ring.window(Some(ring.above(line)));
        assert!(window.contains(&line), "{line} is not in {window:?}");
    }
    assert_eq!((ring.above(500), ring.above(0), Ring::default().above(3)), (300, 0, 0));
    assert_eq!(Ring::default().window(None), 0..0);
    assert_eq!(Ring::default().window(Some(7)), 0..0);
}

#[test]
fn a_stream_that_goes_on_leaves_out_what_was_there() {
    let mut ring = Ring::default();
    ring.push(b"2026-01-01T00:00:01.000000001Z a\n2026-01-01T00:00:01.000000002Z b\n");
    ring.end();
    assert_eq!(ring.latest(), "2026-01-01T00:00:01.000000002Z");
    ring.push(
        b"2026-01-01T00:00:01.000000001Z a\n2026-01-01T00:00:01.000000002Z b\n2026-01-01T00:00:01.000000003Z c\n",
    );
    let lines: Vec<&str> = ring.iter().map(|(_, line)| line.raw()).collect();
    assert_eq!(lines, ["a", "b", "c"]);
}

#[test]
fn a_search_marks_what_it_finds_through_colours_and_cases() {
    let pieces = |text: &str, raw: &str| -> String {
        let all = Search::new(text).pieces(&Line::read(raw, false));
        all.iter().map(|piece| if piece.found { format!("<{}>", piece.text) } else { piece.text.clone() }).collect()
    };
    assert_eq!(pieces("error", "an Error, ERROR: error"), "an <Error>, <ERROR>: <error>");
    assert_eq!(pieces("Error", "an Error, ERROR"), "an <Error>, ERROR");
    assert_eq!(pieces("low", "\u{1b}[31myel\u{1b}[0mlow"), "yel<low>");
    assert_eq!(pieces("ello", "\u{1b}[31myel\u{1b}[0mlow"), "y<el><lo>w");
    assert_eq!(pieces("é", "É é e"), "<É> <é> e");
    assert_eq!(pieces("", "nothing"), "nothing");
    assert_eq!(pieces("aa", "aaa"), "<aa>a");
    let mut ring = Ring::default();
    ring.push(b"one\nTWO\nthree two\n\x1b[1mt\x1b[0mwo\n");
    assert_eq!(Search::new("two").lines(&ring), [1, 2, 3]);
    assert_eq!(Search::new("").lines(&ring), Vec::<usize>::new());
}
