//! The rules that look at one file at a time.

use super::source::{Finding, Source};

/// A rule and what breaks it.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) find: fn(&Source) -> Vec<Finding>,
}

pub(super) const RULES: &[Rule] = &[
    Rule { name: "a file has at most 600 lines", find: length },
    Rule { name: "a file is named after what it holds", find: file_name },
    Rule { name: "a type or function is named after what it is or does", find: names },
    Rule { name: "a Rust file opens by saying what it is", find: opening },
    Rule { name: "comments in a function say why, so they are few", find: comments },
    Rule { name: "only the browser's edge names the browser", find: browser_types },
    Rule { name: "cfg(wasm) stands at the edge, on items", find: wasm_cfg },
    Rule { name: "the library has one thread", find: threads },
    Rule { name: "shared mutable state is not in a public signature", find: shared_state },
    Rule { name: "a resource version is opaque", find: opaque_version },
    Rule { name: "work to be done is an issue, not a comment", find: to_do },
    Rule { name: "no path of one machine and no download address", find: machine },
    Rule { name: "the documents stay short", find: documents },
];

/// Where the browser may be named (design: only its edge, the bindings and the page), and what is measured there.
const EDGE: &[&str] = &["crates/masthead/src/browser", "crates/masthead-js/", "tests/bench/", "tests/peers/", "web/"];

fn length(source: &Source) -> Vec<Finding> {
    let counted = [".rs", ".mjs", ".ts", ".js", ".css", ".go"].iter().any(|ending| source.path.ends_with(ending));
    let lines = source.text.lines().count();
    let long = counted && !source.is_generated() && !source.is_test() && lines > 600;
    long.then(|| (0, format!("{lines} lines: look for the second noun"))).into_iter().collect()
}

fn file_name(source: &Source) -> Vec<Finding> {
    const DRAWERS: &[&str] = &["util", "utils", "helper", "helpers", "common", "types", "traits", "misc", "shared"];
    let file = source.path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let drawer = source.is_rust() && DRAWERS.contains(&stem);
    drawer.then(|| (0, format!("`{stem}` is a drawer of strangers"))).into_iter().collect()
}

fn names(source: &Source) -> Vec<Finding> {
    const EMPTY: &[&str] = &["Manager", "Helper", "Util", "Utils", "Handler2", "Impl", "Base", "Data", "Info"];
    if !source.is_rust() || source.is_generated() {
        return Vec::new();
    }
    let named = source.code().filter_map(|(line, text)| {
        let (keyword, name) = declared(text)?;
        let wrong = match keyword {
            "fn" => name.starts_with("do_") || name.starts_with("process_"),
            _ => EMPTY.iter().any(|word| name.ends_with(word)),
        };
        wrong.then(|| (line, format!("`{name}` says nothing")))
    });
    named.collect()
}

/// The keyword and the name of what a line declares.
fn declared(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let keyword = words.by_ref().find(|word| !matches!(*word, "pub" | "crate" | "super" | "const" | "async"))?;
    matches!(keyword, "fn" | "struct" | "enum" | "trait" | "type").then(|| Some((keyword, words.next()?)))?
}

fn opening(source: &Source) -> Vec<Finding> {
    let silent = source.is_rust() && !source.is_test() && !source.text.starts_with("//!");
    silent.then(|| (1, "no `//!` line".to_owned())).into_iter().collect()
}

fn comments(source: &Source) -> Vec<Finding> {
    let lines = source.text.lines().count();
    if !source.is_rust() || source.is_generated() || source.is_test() || lines < 80 {
        return Vec::new();
    }
    let plain = source.lines().filter(|(_, line)| {
        let line = line.trim_start();
        line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
    });
    let share = plain.count() * 100 / lines;
    (share > 8).then(|| (0, format!("{share}% of the lines are comments in the code"))).into_iter().collect()
}

fn browser_types(source: &Source) -> Vec<Finding> {
    const NAMES: &[&str] = &["web_sys", "js_sys", "wasm_bindgen", "gloo_net", "gloo_timers"];
    if !source.is_in(&["crates/"]) || source.is_in(EDGE) || !source.is_rust() || source.is_test() {
        return Vec::new();
    }
    let named = source.code().filter_map(|(line, text)| {
        let name = NAMES.iter().find(|name| text.contains(&format!("{name}::")))?;
        Some((line, format!("`{name}` outside the edge")))
    });
    named.collect()
}

fn wasm_cfg(source: &Source) -> Vec<Finding> {
    let items_may = source.is_in(EDGE) || source.path == "crates/masthead/src/lib.rs";
    if !source.is_rust() || source.is_test() || source.is_in(&["crates/xtask/"]) {
        return Vec::new();
    }
    let conditions = source.code().filter(|(_, line)| line.contains("target_family") || line.contains("target_arch"));
    let wrong = conditions.filter_map(|(line, text)| {
        let in_body = text.contains("cfg!(") || text.starts_with("        ");
        (!items_may || in_body).then(|| (line, "a condition on the target".to_owned()))
    });
    wrong.collect()
}

fn threads(source: &Source) -> Vec<Finding> {
    const NAMES: &[&str] = &["Mutex", "RwLock", "Atomic", "thread::", "tokio", "mpsc::", ": Send", "+ Send"];
    if !source.is_rust() || !source.is_in(&["crates/masthead/src/", "crates/masthead-scan/src/"]) {
        return Vec::new();
    }
    let named = source.code().filter_map(|(line, text)| {
        let name = NAMES.iter().find(|name| text.contains(*name) && !text.contains("futures::channel"))?;
        Some((line, format!("`{name}` in what runs on one thread")))
    });
    named.collect()
}

fn shared_state(source: &Source) -> Vec<Finding> {
    if !source.is_rust() {
        return Vec::new();
    }
    let public =
        source.code().filter(|(_, line)| line.trim_start().starts_with("pub ") && line.contains("Rc<RefCell<"));
    public.map(|(line, _)| (line, "keep it inside one handle type".to_owned())).collect()
}

fn opaque_version(source: &Source) -> Vec<Finding> {
    if !source.is_rust() || !source.is_in(&["crates/masthead/", "web/"]) {
        return Vec::new();
    }
    let parsed = source.code().filter(|(_, line)| line.contains("resource_version") && line.contains(".parse"));
    parsed.map(|(line, _)| (line, "compared for equality, never parsed or ordered".to_owned())).collect()
}

fn to_do(source: &Source) -> Vec<Finding> {
    // Put together here, or this file would break its own rule.
    let words = [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["XX", "X"].concat()];
    let code = [".rs", ".mjs", ".ts", ".css", ".go", ".html"].iter().any(|ending| source.path.ends_with(ending));
    let found = source.lines().filter(|(_, line)| code && words.iter().any(|word| line.contains(word)));
    found.map(|(line, _)| (line, "open an issue, or do it".to_owned())).collect()
}

fn machine(source: &Source) -> Vec<Finding> {
    let places = ["/work", "/root", "/home"].map(|place| format!("{place}/"));
    let found = source.lines().filter_map(|(line, text)| {
        let resolved = source.path.ends_with("package-lock.json") && text.contains("\"resolved\": \"http");
        let place = places
            .iter()
            .find(|place| [" ", "\"", "=", "'", "(", "`"].iter().any(|c| text.contains(&format!("{c}{place}"))));
        let why = if resolved { "a download address".to_owned() } else { format!("`{}` is one machine's", place?) };
        Some((line, why))
    });
    found.collect()
}

fn documents(source: &Source) -> Vec<Finding> {
    let most = match source.path.as_str() {
        "README.md" => 150,
        "ARCHITECTURE.md" => 200,
        _ => return Vec::new(),
    };
    let lines = source.text.lines().count();
    (lines > most).then(|| (0, format!("{lines} lines, at most {most}"))).into_iter().collect()
}

#[cfg(test)]
mod tests;
