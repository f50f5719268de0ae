use super::{RULES, Source};

/// The names of the rules that a file at `path` with this text breaks must be those that begin with `broken`.
#[track_caller]
fn check(path: &str, text: &str, broken: &[&str]) {
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    let found: Vec<&str> =
        RULES.iter().filter(|rule| !source.findings(&rule.find).is_empty()).map(|rule| rule.name).collect();
    let matches = found.len() == broken.len() && found.iter().zip(broken).all(|(name, start)| name.starts_with(start));
    assert!(matches, "broken: {found:?}");
}

#[test]
fn a_plain_file_breaks_nothing() {
    check("crates/masthead/src/rest/frame.rs", "//! Frames.\n\npub struct Frame;\n", &[]);
}

#[test]
fn long_files_break_the_length_rule_unless_generated_or_tests() {
    let long = format!("//! Long.\n{}", "fn a() {}\n".repeat(600));
    check("crates/masthead/src/cache/store.rs", &long, &["a file has"]);
    check("crates/masthead/tests/node_store.rs", &long, &[]);
    check("crates/masthead/src/listers/pod.rs", &long.replace("Long", "@generated"), &[]);
}

#[test]
fn drawers_and_empty_names_are_found() {
    check("crates/masthead/src/utils.rs", "//! Things.\n", &["a file is named"]);
    check("crates/masthead/src/pod.rs", "//! Pods.\npub struct PodManager;\n", &["a type or function"]);
    check("crates/masthead/src/pod.rs", "//! Pods.\npub(crate) async fn process_pod() {}\n", &["a type or function"]);
    check("crates/masthead/src/pod.rs", "//! Pods.\nlet pod_data = 1;\n", &[]);
}

#[test]
fn a_rust_file_without_an_opening_line_is_found() {
    check("crates/masthead/src/pod.rs", "pub struct Pod;\n", &["a Rust file opens"]);
}

#[test]
fn narrating_comments_are_found() {
    let text = format!("//! Pods.\n{}", "    // Adds one.\n    x += 1;\n    y += 1;\n".repeat(40));
    check("crates/masthead/src/pod.rs", &text, &["comments in a function"]);
}

#[test]
fn the_browser_is_named_only_at_the_edge() {
    let text = "//! Fetch.\nuse web_sys::Window;\n";
    check("crates/masthead/src/rest/client.rs", text, &["only the browser's edge"]);
    check("crates/masthead/src/browser/fetch.rs", text, &[]);
    check("web/src/live/page.rs", text, &[]);
}

#[test]
fn cfg_wasm_stands_on_items_at_the_edge() {
    let item = "//! Root.\n#[cfg(target_family = \"wasm\")]\npub mod browser;\n";
    check("crates/masthead/src/lib.rs", item, &[]);
    check("crates/masthead/src/cache/store.rs", item, &["cfg(wasm)"]);
    let body = "//! Page.\nfn a() {\n    if cfg!(target_family = \"wasm\") {}\n}\n";
    check("web/src/main.rs", body, &["cfg(wasm)"]);
}

#[test]
fn threads_shared_state_and_parsed_versions_are_found() {
    check("crates/masthead/src/cache/store.rs", "//! S.\nuse std::sync::Mutex;\n", &["the library has one"]);
    check("crates/masthead/src/cache/store.rs", "//! S.\npub fn a() -> Rc<RefCell<u8>> {}\n", &["shared mutable"]);
    check("web/src/model/row.rs", "//! R.\nlet n: u64 = resource_version.parse()?;\n", &["a resource version"]);
}

#[test]
fn work_to_be_done_and_machine_paths_are_found() {
    check("web/src/model/row.rs", &format!("//! R.\n// {}DO: later\n", "TO"), &["work to be done"]);
    check(
        "web/src/model/row.rs",
        &format!("//! R.\nconst A: &str = \"{}/a\";\n", "/root"),
        &["no path of one machine"],
    );
    let lock = "{\n  \"resolved\": \"http://somewhere/a.tgz\"\n}\n";
    check("tests/browser/package-lock.json", lock, &["no path of one machine"]);
}

#[test]
fn a_long_readme_is_found() {
    check("README.md", &"line\n".repeat(151), &["the documents"]);
}
