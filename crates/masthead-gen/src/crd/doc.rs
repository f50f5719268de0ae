//! Descriptions as doc comments.

/// A description as a doc comment: nothing in it is taken for a link, a tag or an example to compile.
pub(super) fn comment(description: &str, indent: &str) -> String {
    let mut comment = String::new();
    let mut fence = None;
    for line in lines(description) {
        let is_fence = line.trim_start().starts_with("```");
        let line = match (is_fence, fence) {
            (true, None) => {
                fence = Some(());
                "```text".to_owned()
            }
            (true, Some(())) => {
                fence = None;
                "```".to_owned()
            }
            (false, Some(())) => line,
            (false, None) => escape(line.trim_start()),
        };
        let wrapped = if is_fence || fence.is_some() { vec![line] } else { wrap(&line, WIDTH - indent.len()) };
        for line in wrapped {
            comment.push_str(format!("{indent}/// {line}").trim_end());
            comment.push('\n');
        }
    }
    if fence.is_some() {
        comment.push_str(&format!("{indent}/// ```\n"));
    }
    comment
}

/// The lines that are for readers: markers of Go's generators are not, and one empty line parts two paragraphs.
fn lines(description: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in description.lines() {
        let line = line.replace(char::is_control, " ").trim_end().to_owned();
        let is_marker = line.trim_start().strip_prefix('+').is_some_and(|tag| tag.starts_with(char::is_alphabetic));
        let is_second_gap = line.is_empty() && lines.last().is_none_or(String::is_empty);
        if !is_marker && !is_second_gap {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Takes their meaning from brackets outside of code, and makes links of addresses.
fn escape(line: &str) -> String {
    let is_closed = line.matches('`').count().is_multiple_of(2);
    let mut escaped = String::new();
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            escaped.push('`');
        }
        if is_closed && index % 2 == 1 {
            escaped.push_str(part);
            continue;
        }
        let words: Vec<String> = part.split(' ').map(word).collect();
        escaped.push_str(&words.join(" "));
    }
    escaped
}

fn word(word: &str) -> String {
    let plain = word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'']);
    if (plain.starts_with("https://") || plain.starts_with("http://")) && !plain.contains(['<', '>']) {
        return format!("<{plain}>{}", &word[plain.len()..]);
    }
    let mut escaped = String::new();
    for letter in word.chars() {
        if "[]<>".contains(letter) && !escaped.ends_with('\\') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Breaks a line between words.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let last = lines.last_mut().expect("there is a first line");
        // A dash at the start of a line would be an item of a list.
        let may_break = !word.starts_with(['-', '*', '#', '+', '=', '>', '|']);
        if may_break && !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    lines
}

/// Where a line of a comment ends, without its slashes.
const WIDTH: usize = 96;

#[cfg(test)]
mod tests {
    use super::comment;

    #[track_caller]
    fn check(description: &str, expect: &str) {
        assert_eq!(comment(description, ""), expect, "{description}");
    }

    #[test]
    fn a_description_is_plain_text() {
        check("One.\n\n\n+optional\nTwo.\n", "/// One.\n///\n/// Two.\n");
        check("    indented is no example", "/// indented is no example\n");
        check("```\n  let x;\n```\nafter", "/// ```text\n///   let x;\n/// ```\n/// after\n");
        check("```yaml\na: [b]", "/// ```text\n/// a: [b]\n/// ```\n");
        check("a[0] and `b[1]` <name>", "/// a\\[0\\] and `b[1]` \\<name\\>\n");
        check("see https://example.com/x.", "/// see <https://example.com/x>.\n");
        check("an open ` tick [x]", "/// an open ` tick \\[x\\]\n");
        check("", "");
        let (word, long) = ("x".repeat(60), "x".repeat(130));
        check(
            &format!("{word} {word} {long} - {word}"),
            &format!("/// {word}\n/// {word}\n/// {long} -\n/// {word}\n"),
        );
    }
}
