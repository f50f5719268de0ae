//! Rows as text for other programs.

use crate::model::table::{layout::Placed, row::Row, sort::Field};

/// The columns on screen as CSV, as RFC 4180 has it.
///
/// A text that a spreadsheet would take for a formula gets an apostrophe before it: what is in a cluster is not for anyone's
/// spreadsheet to run.
pub fn csv<'a>(columns: &[Placed], rows: impl Iterator<Item = &'a Row>, now: i64) -> String {
    let mut text = String::new();
    write_line(columns.iter().map(|column| column.title.clone()), &mut text);
    for row in rows {
        write_line(columns.iter().map(|column| value(row, column.field, now)), &mut text);
    }
    text
}

/// The text of a column of a row.
pub fn value(row: &Row, field: Field, now: i64) -> String {
    match field {
        Field::Namespace => row.namespace.to_string(),
        Field::Cell(at) => row.cells.get(at).map(|cell| cell.text(now)).unwrap_or_default(),
    }
}

fn write_line(fields: impl Iterator<Item = String>, text: &mut String) {
    for (at, field) in fields.enumerate() {
        if at > 0 {
            text.push(',');
        }
        let runs = field.starts_with(['=', '@', '\t', '\r']) || (field.starts_with(['+', '-']) && !is_number(&field));
        let field = if runs { format!("'{field}") } else { field };
        if field.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&field);
        }
    }
    text.push_str("\r\n");
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::table::{cell::Tone, column::Column, fixture::row, layout};

    #[test]
    fn rows_are_quoted_where_they_must_be_and_run_nowhere() {
        let column = |title: &str| Column { title: title.into(), wide: false, numeric: false };
        let columns = layout::placed(&[column("NAME"), column("STATUS")], &layout::Choice::default(), true);
        let rows = [
            row("a/web", "said \"no\", twice", Tone::Quiet),
            row("a/=1+1", "-12", Tone::Quiet),
            row("a/b", "-x\ny", Tone::Quiet),
        ];
        let expected = "NAMESPACE,NAME,STATUS\r\n\
            a,web,\"said \"\"no\"\", twice\"\r\n\
            a,'=1+1,-12\r\n\
            a,b,\"'-x\ny\"\r\n";
        assert_eq!(csv(&columns, rows.iter(), 0), expected);
    }
}
