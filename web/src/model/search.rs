//! How well a text answers what somebody typed into the palette.

/// How well `text` answers `query`, the smaller the better; `None` when it does not.
///
/// The whole text first, then its beginning, then the beginning of a word in it, then anywhere, then its letters in their
/// order. Case does not matter.
pub fn score(query: &str, text: &str) -> Option<u32> {
    let (query, text) = (query.trim().to_ascii_lowercase(), text.to_ascii_lowercase());
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX).min(999);
    let class = if query.is_empty() || query == text {
        0
    } else if text.starts_with(&query) {
        1
    } else {
        match text.find(&query) {
            Some(at) if text[..at].ends_with(|c: char| !c.is_alphanumeric()) => 2,
            Some(_) => 3,
            None if has_in_order(&text, &query) => 4,
            None => return None,
        }
    };
    Some(class * 1000 + length)
}

fn has_in_order(text: &str, query: &str) -> bool {
    let mut letters = text.chars();
    query.chars().filter(|c| !c.is_whitespace()).all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_answers_come_first() {
        let mut texts = ["replicasets", "pods", "podtemplates", "a-pod", "xpodx", "p-o-d", "nodes"];
        texts.sort_by_key(|text| score("pod", text).unwrap_or(u32::MAX));
        assert_eq!(texts, ["pods", "podtemplates", "a-pod", "xpodx", "p-o-d", "replicasets", "nodes"]);
        assert_eq!(score("pod", "nodes"), None);
        assert!(score("PODS", "pods") < score("pods", "pods-x"));
        assert!(score("", "anything").is_some());
    }
}
