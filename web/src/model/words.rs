//! The words on the page, in the languages it speaks: each language is one file.

mod chinese;
mod drawer;
mod english;
mod log;
mod overview;

use serde::{Deserialize, Serialize};

use crate::model::json::Unread;

pub use drawer::DrawerWords;
pub use log::LogWords;
pub use overview::OverviewWords;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// The language that somebody whose browser prefers `tags`, the best first, reads.
    pub fn preferred<'a>(tags: impl IntoIterator<Item = &'a str>) -> Language {
        let known = |tag: &str| match tag.get(..2) {
            Some("zh") => Some(Language::Chinese),
            Some("en") => Some(Language::English),
            _ => None,
        };
        tags.into_iter().find_map(known).unwrap_or_default()
    }

    /// Its words.
    pub fn words(self) -> &'static Words {
        match self {
            Language::English => &english::WORDS,
            Language::Chinese => &chinese::WORDS,
        }
    }
}

/// Everything the page says. What the server says stays in the server's words.
#[derive(Debug)]
#[expect(missing_docs, reason = "a field's English text is its documentation")]
pub struct Words {
    pub tag: &'static str,
    pub own_name: &'static str,

    pub connecting: &'static str,
    pub live: &'static str,
    pub reconnecting: &'static str,
    pub stale: &'static str,
    pub offline: &'static str,
    pub chip_connecting: &'static str,
    pub chip_live: &'static str,
    pub chip_clock: fn(&str, bool) -> String,
    pub server_version: &'static str,
    pub demo: &'static str,
    pub demo_says: &'static str,
    pub demo_leave: &'static str,

    pub theme: &'static str,
    pub theme_system: &'static str,
    pub theme_light: &'static str,
    pub theme_dark: &'static str,
    pub settings: &'static str,
    pub language: &'static str,
    pub density: &'static str,
    pub compact: &'static str,
    pub comfortable: &'static str,

    pub kinds: &'static str,
    pub events: &'static str,
    pub pinned: &'static str,
    pub workloads: &'static str,
    pub network: &'static str,
    pub config: &'static str,
    pub storage: &'static str,
    pub access: &'static str,
    pub cluster: &'static str,
    pub custom: &'static str,
    pub pin: &'static str,
    pub unpin: &'static str,
    pub fold: &'static str,
    pub may_not_list: fn(&str) -> String,

    pub namespaces: &'static str,
    pub all_namespaces: &'static str,
    pub some_namespaces: fn(usize) -> String,
    pub find_namespace: &'static str,
    pub add_namespace: fn(&str) -> String,
    pub namespaces_refused: &'static str,
    pub cluster_wide: &'static str,

    pub palette: &'static str,
    pub palette_hint: &'static str,
    pub palette_nothing: &'static str,
    pub action: &'static str,
    pub kind: &'static str,
    pub namespace: &'static str,
    pub object: &'static str,

    pub count: fn(usize) -> String,
    pub count_of: fn(usize, usize) -> String,
    pub filter: &'static str,
    pub filter_hint: &'static str,
    pub filter_cut: &'static str,
    pub clear: &'static str,
    pub columns: &'static str,
    pub columns_reset: &'static str,
    pub column_wide: &'static str,
    pub column_add: &'static str,
    pub column_label: &'static str,
    pub column_path: &'static str,
    pub column_title: &'static str,
    pub column_remove: &'static str,
    pub export: &'static str,
    pub export_csv: &'static str,
    pub export_yaml: &'static str,
    pub copy_names: &'static str,
    pub copy_link: &'static str,
    pub selected: fn(usize) -> String,
    pub sorted_up: &'static str,
    pub sorted_down: &'static str,

    pub loading: fn(&str) -> String,
    pub nothing: fn(&str) -> String,
    pub nothing_says: fn(&str) -> String,
    pub filtered: fn(usize) -> String,
    pub clear_filter: &'static str,
    pub no_kind: fn(&str) -> String,
    pub no_kind_says: &'static str,
    pub refused_known: fn(&str) -> String,
    pub refused_unknown: &'static str,
    pub refused: &'static str,
    pub reason: &'static str,
    pub still_works: &'static str,
    pub answers: fn(Option<&str>) -> String,
    pub in_cluster: &'static str,
    pub in_namespaces: fn(&str) -> String,
    pub refused_advice: fn(&str) -> String,
    pub refused_narrow: &'static str,
    pub unknown_advice: &'static str,
    pub asks_again: &'static str,

    pub no_server: &'static str,
    pub server_failing: &'static str,
    pub nobody_answers: &'static str,
    pub not_an_api: &'static str,
    pub behind_proxy: &'static str,
    pub code_refused: &'static str,
    pub code_refused_advice: &'static str,
    pub keeps_trying: &'static str,
    pub or_explore: &'static str,
    pub explore_demo: &'static str,
    pub demo_about: &'static str,

    pub rows_old: fn(&str) -> String,
    pub rows_refused: fn(&str) -> String,
    pub rows_failing: fn(&str) -> String,
    pub unread: fn(usize, &str) -> String,
    pub stale_objects: fn(usize, &str) -> String,
    pub stale_row: &'static str,
    pub stale_open: fn(&str) -> String,

    pub copy: &'static str,
    pub copied: &'static str,
    pub not_copied: &'static str,
    pub close: &'static str,
    pub full_page: &'static str,
    pub resize: &'static str,
    pub object_gone: &'static str,
    pub object_loading: &'static str,
    pub object_unread: fn(Unread) -> &'static str,
    pub format: &'static str,
    pub secret_hidden: &'static str,
    pub reveal: &'static str,
    pub download: &'static str,
    pub show_more: &'static str,
    pub shown_of: fn(usize, usize) -> String,
    pub bytes_of: fn(usize, usize) -> String,

    pub shortcuts: &'static str,
    pub key_move: &'static str,
    pub key_extend: &'static str,
    pub key_page: &'static str,
    pub key_ends: &'static str,
    pub key_open: &'static str,
    pub key_select: &'static str,
    pub key_select_all: &'static str,
    pub key_copy: &'static str,
    pub key_filter: &'static str,
    pub key_namespaces: &'static str,
    pub key_palette: &'static str,
    pub key_help: &'static str,
    pub key_history: &'static str,
    pub key_rail: &'static str,
    pub key_full: &'static str,
    pub key_close: &'static str,
    pub key_go: &'static str,

    pub drawer: DrawerWords,
    pub log: LogWords,
    pub overview: OverviewWords,
}

/// A number with its thousands apart.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_first_of_its_languages_that_is_known() {
        assert_eq!(Language::preferred(["fr-FR", "zh-TW", "en"]), Language::Chinese);
        assert_eq!(Language::preferred(["en-GB", "zh"]), Language::English);
        assert_eq!(Language::preferred(["日本語", "x", ""]), Language::English);
    }

    #[test]
    fn numbers_are_readable() {
        let check = |number, expected: &str| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(1_234_567, "1,234,567");
    }
}
