//! Makes foreign text safe to read: characters that are invisible, or that turn the text around, are shown as marks.
//!
//! A name with U+202E in it reads backwards from there on, and one with U+200B looks like another name. The page obeys no
//! such character: it shows `⟨U+202E⟩` in its place. Whatever copies or exports a text takes the original.
//!
//! Letters of languages that are written from right to left stay as they are; the style sheet isolates each cell. The
//! joiners U+200C and U+200D are marked too, even where a language has a use for them, and so is every space but the common
//! one: a name must not have two spellings that look the same. In prose ([`visible_prose`], used for logs and messages) a
//! joiner between two characters that are not ASCII stays, so that emoji and Indic scripts read as they were written, and
//! spaces of any width are spaces: French and Chinese texts are full of them. A selector of variants stays behind an emoji
//! and nowhere else.

use std::{borrow::Cow, fmt::Write};

/// A name, a value or a line of an object, with marks. ASCII text without control characters costs one scan.
pub fn visible(text: &str) -> Cow<'_, str> {
    marked(text, false)
}

/// Words of a person or a program, with marks. Line breaks stay, and so do joiners within a script that joins.
pub fn visible_prose(text: &str) -> Cow<'_, str> {
    marked(text, true)
}

/// The beginning of a text for a place that has room for `limit` bytes, with marks; what was cut is shown as `…`.
pub fn excerpt(text: &str, limit: usize) -> Cow<'_, str> {
    let start = start_of(text, limit);
    if start.len() == text.len() {
        return visible(text);
    }
    let mut shown = visible(start).into_owned();
    shown.push('…');
    Cow::Owned(shown)
}

/// As much of a text as fits into `limit` bytes without cutting a character.
pub fn start_of(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

fn marked(text: &str, prose: bool) -> Cow<'_, str> {
    let Some(first) = text.bytes().position(is_suspect) else { return Cow::Borrowed(text) };
    let mut shown: Option<String> = None;
    // Every byte before `first` is a whole character of ASCII.
    let (mut from, mut before) = (0, text[..first].chars().next_back().unwrap_or('\0'));
    let mut letters = text[first..].char_indices().map(|(at, letter)| (first + at, letter)).peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or('\0', |(_, next)| *next);
        let stays = match letter {
            '\u{200c}' | '\u{200d}' => prose && (is_foreign(before) || before == '\u{fe0f}') && is_foreign(next),
            '\u{fe0e}' | '\u{fe0f}' => is_emoji(before) || prose && next == KEYCAP,
            letter => !is_hidden(letter) && (prose || !is_odd_space(letter)),
        };
        if !stays {
            let shown = shown.get_or_insert_with(|| String::with_capacity(text.len() + 16));
            shown.push_str(&text[from..at]);
            write!(shown, "⟨U+{:04X}⟩", u32::from(letter)).unwrap_or_default();
            from = at + letter.len_utf8();
        }
        before = if stays { letter } else { '\0' };
    }
    match shown {
        None => Cow::Borrowed(text),
        Some(mut shown) => {
            shown.push_str(&text[from..]);
            Cow::Owned(shown)
        }
    }
}

/// Whether a byte may begin a character that is marked.
fn is_suspect(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t')
}

/// Whether a character has a shape and is none of ASCII.
fn is_foreign(letter: char) -> bool {
    !letter.is_ascii() && !is_hidden(letter)
}

/// Whether a character may be an emoji, of which a selector chooses the coloured form. Letters and digits are none, but for
/// the few that Unicode made ones.
fn is_emoji(letter: char) -> bool {
    let is_letter = letter.is_alphanumeric() && !matches!(letter, 'ℹ' | 'Ⓜ' | '\u{1f170}'..='\u{1f189}');
    is_foreign(letter) && !is_letter && !is_odd_space(letter)
}

/// What makes a key of the digit before it, with a selector between them.
const KEYCAP: char = '\u{20e3}';

/// Whether a character is a gap, but not the one that the space bar makes.
fn is_odd_space(letter: char) -> bool {
    letter.is_whitespace() && !letter.is_ascii()
}

/// Whether a character has no shape of its own, or changes the direction or the place of others.
fn is_hidden(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        ' '..='~' => false,
        // The soft hyphen, the grapheme joiner, fillers of Hangul, vowels of Khmer that have no shape, Mongolian selectors.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' => true,
        // Spaces without width, marks and embeddings of direction, separators of lines, isolates, invisible operators.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        // The Braille cell without dots, controls of hieroglyphs, of shorthand and of music.
        '\u{2800}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Tags, and the selectors of variants.
        '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' => true,
        letter => letter.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{excerpt, start_of, visible, visible_prose};

    #[test]
    fn what_turns_or_hides_text_is_shown_as_a_mark() {
        let check = |text: &str, expected: &str| assert_eq!(visible(text), expected, "{text:?}");
        check("web-\u{202e}gpj.exe", "web-⟨U+202E⟩gpj.exe");
        check("a\u{200b}b", "a⟨U+200B⟩b");
        check("\u{feff}a\u{ad}", "⟨U+FEFF⟩a⟨U+00AD⟩");
        check("\u{2066}\u{2069}", "⟨U+2066⟩⟨U+2069⟩");
        check("a\0b\u{7}\u{1b}[31m\u{7f}\u{85}", "a⟨U+0000⟩b⟨U+0007⟩⟨U+001B⟩[31m⟨U+007F⟩⟨U+0085⟩");
        check("x\u{e0041}\u{e007f}", "x⟨U+E0041⟩⟨U+E007F⟩");
        check("\u{3164}", "⟨U+3164⟩");
        check("one\r\ntwo\tthree", "one⟨U+000D⟩\ntwo\tthree");
    }

    #[test]
    fn every_character_that_must_never_be_obeyed_is_marked() {
        let ranges = [
            '\u{202a}'..='\u{202e}',
            '\u{2066}'..='\u{2069}',
            '\u{200b}'..='\u{200f}',
            '\u{e0000}'..='\u{e007f}',
            '\u{1}'..='\u{8}',
            '\u{80}'..='\u{9f}',
            '\u{fe00}'..='\u{fe0f}',
            '\u{fff0}'..='\u{fffb}',
            '\u{1d173}'..='\u{1d17a}',
        ];
        for letter in ranges
            .into_iter()
            .flatten()
            .chain(['\u{61c}', '\u{feff}', '\u{ad}', '\u{7f}', '\u{2028}', '\u{2029}', '\u{2800}'])
        {
            let shown = visible_prose(&format!("a{letter}b")).into_owned();
            assert_eq!(shown, format!("a⟨U+{:04X}⟩b", u32::from(letter)));
        }
    }

    #[test]
    fn other_text_is_not_even_copied() {
        for text in [
            "",
            "web-1",
            "two\nlines\tand a tab",
            "café",
            "שלום עולם",
            "مرحبا",
            "日本語",
            "😀❤️",
            "Ünïcode – “quotes”…",
        ] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn selectors_stay_behind_emoji_and_nowhere_else() {
        for text in ["❤\u{fe0f}", "⚠\u{fe0f} low", "ℹ\u{fe0f}", "☎\u{fe0e}"] {
            assert_eq!(visible(text), text);
        }
        assert_eq!(visible("a\u{fe0f}"), "a⟨U+FE0F⟩");
        assert_eq!(visible("\u{fe0f}"), "⟨U+FE0F⟩");
        assert_eq!(visible("é\u{fe0f}日\u{fe00}"), "é⟨U+FE0F⟩日⟨U+FE00⟩");
        assert_eq!(visible("❤\u{fe0f}\u{fe0f}"), "❤\u{fe0f}⟨U+FE0F⟩");
        assert_eq!(visible("pay ❤\u{fe00}"), "pay ❤⟨U+FE00⟩");
        assert_eq!(visible_prose("1\u{fe0f}\u{20e3} first"), "1\u{fe0f}\u{20e3} first");
    }

    #[test]
    fn odd_spaces_are_spaces_in_prose_and_marks_in_names() {
        for space in ['\u{a0}', '\u{2003}', '\u{202f}', '\u{3000}'] {
            let text = format!("a{space}b");
            assert_eq!(visible_prose(&text), text);
            assert_eq!(visible(&text), format!("a⟨U+{:04X}⟩b", u32::from(space)));
        }
    }

    #[test]
    fn joiners_stay_in_prose_where_a_script_joins() {
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(visible_prose(family), family);
        assert_eq!(visible_prose("❤\u{fe0f}\u{200d}🔥"), "❤\u{fe0f}\u{200d}🔥");
        assert_eq!(visible_prose("क्\u{200d}ष"), "क्\u{200d}ष");
        assert_eq!(visible(family), "👩⟨U+200D⟩👩⟨U+200D⟩👧");
        assert_eq!(visible_prose("pay\u{200d}ments"), "pay⟨U+200D⟩ments");
        assert_eq!(visible_prose("é\u{200d}"), "é⟨U+200D⟩");
        assert_eq!(visible_prose("é\u{200d}\u{200d}é"), "é⟨U+200D⟩⟨U+200D⟩é");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(excerpt("abcdef", 3), "abc…");
        assert_eq!(excerpt("abc", 3), "abc");
        assert_eq!(excerpt("a\u{202e}bc", 4), "a⟨U+202E⟩…");
        assert_eq!(start_of("é", 1), "");
        assert_eq!(start_of("日本", 100), "日本");
    }
}
