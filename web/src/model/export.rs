//! Rows as a file that spreadsheets open: CSV, as RFC 4180 has it.

use masthead::quantity::Quantity;

use crate::model::table::{column::Column, row::Row};

/// The table of these rows with the cells at these places, and with the namespace if that is told.
///
/// A cell that begins as a formula would is preceded by an apostrophe: what somebody wrote into an object is text, and a
/// spreadsheet must not run it. Numbers stay numbers.
pub fn csv<'a>(
    columns: &[Column],
    places: &[usize],
    namespace: bool,
    rows: impl IntoIterator<Item = &'a Row>,
    now: i64,
) -> String {
    let (mut text, mut cell) = (String::new(), String::new());
    let shown = || places.iter().filter_map(|place| columns.get(*place));
    let head = namespace.then_some("NAMESPACE").into_iter().chain(shown().map(|column| column.title.as_str()));
    write_line(head, &mut text);
    for row in rows {
        let mut first = true;
        if namespace {
            write_cell(&row.namespace, &mut first, &mut text);
        }
        for place in places.iter().filter(|place| **place < columns.len()) {
            cell.clear();
            if let Some(value) = row.cells.get(*place) {
                value.write(now, &mut cell);
            }
            write_cell(&cell, &mut first, &mut text);
        }
        text.push_str(END);
    }
    text
}

/// A line ends like this, whatever the system.
const END: &str = "\r\n";

fn write_line<'a>(cells: impl Iterator<Item = &'a str>, to: &mut String) {
    let mut first = true;
    cells.for_each(|cell| write_cell(cell, &mut first, to));
    to.push_str(END);
}

fn write_cell(cell: &str, first: &mut bool, to: &mut String) {
    if !std::mem::take(first) {
        to.push(',');
    }
    let guard = if is_formula(cell) { "'" } else { "" };
    if !cell.contains(['"', ',', '\n', '\r']) {
        to.push_str(guard);
        to.push_str(cell);
        return;
    }
    to.push('"');
    to.push_str(guard);
    to.push_str(&cell.replace('"', "\"\""));
    to.push('"');
}

/// Whether a spreadsheet would take the text for something to run.
fn is_formula(cell: &str) -> bool {
    match cell.chars().next() {
        Some('=' | '@' | '\t' | '\r' | '\n') => true,
        Some('+' | '-') => Quantity::parse(cell).is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::csv;
    use crate::model::table::{
        cell::{Cell, Tone},
        column::Column,
        row::Row,
    };

    fn row(name: &str, text: &str) -> Row {
        Row {
            uid: name.into(),
            version: "1".into(),
            namespace: "shop".into(),
            name: name.into(),
            labels: Rc::new([]),
            owner: None,
            created: None,
            tone: Tone::Quiet,
            load: Default::default(),
            life: None,
            cells: Box::new([Cell::Text(name.into()), Cell::Count(-3), Cell::Age(Some(0)), Cell::Text(text.into())]),
        }
    }

    fn columns() -> Vec<Column> {
        let titles = ["NAME", "COUNT", "AGE", "PORT(S), ALL"];
        titles.iter().map(|title| Column { title: (*title).into(), wide: false, numeric: false }).collect()
    }

    #[test]
    fn cells_are_quoted_where_they_must() {
        let rows = [row("a", "plain"), row("b", "say \"hi\", you"), row("c", "two\nlines"), row("d", "")];
        let expect = "NAMESPACE,NAME,COUNT,AGE,\"PORT(S), ALL\"\r\nshop,a,-3,6m40s,plain\r\n\
            shop,b,-3,6m40s,\"say \"\"hi\"\", you\"\r\nshop,c,-3,6m40s,\"two\nlines\"\r\nshop,d,-3,6m40s,\r\n";
        assert_eq!(csv(&columns(), &[0, 1, 2, 3], true, &rows, 400_000), expect);
    }

    #[test]
    fn only_what_is_asked_for_is_written() {
        assert_eq!(csv(&columns(), &[3, 0], false, &[row("a", "x")], 0), "\"PORT(S), ALL\",NAME\r\nx,a\r\n");
        assert_eq!(csv(&columns(), &[0, 9], false, &[], 0), "NAME\r\n");
    }

    #[test]
    fn text_is_never_a_formula() {
        for (text, expect) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+cmd|x", "'+cmd|x"),
            ("-2+3", "'-2+3"),
            ("-5", "-5"),
            ("+1.5", "+1.5"),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            ("\t=1", "'\t=1"),
            ("\n=1", "\"'\n=1\""),
            ("<none>", "<none>"),
        ] {
            assert_eq!(csv(&columns(), &[3], false, &[row("a", text)], 0), format!("\"PORT(S), ALL\"\r\n{expect}\r\n"));
        }
    }
}
