//! Answers for the files of the built page.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// A whole answer: small files, read at once.
pub(super) struct Answer {
    pub(super) status: &'static str,
    pub(super) kind: &'static str,
    pub(super) cache: &'static str,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// The file at `path` of the page in `dist`, or a 404.
    pub(super) fn for_path(dist: &Path, path: &str) -> Answer {
        let found = inside(dist, path).and_then(|file| Some((fs::read(&file).ok()?, file)));
        match found {
            Some((body, file)) => Answer { status: "200 OK", kind: kind(&file), cache: cache(&file), body },
            None => Answer::text("404 Not Found", "no such file; the page is at /"),
        }
    }

    /// A sentence for a person.
    pub(super) fn text(status: &'static str, body: &str) -> Answer {
        let body = format!("{body}\n").into_bytes();
        Answer { status, kind: "text/plain; charset=utf-8", cache: "no-store", body }
    }
}

/// The file below `dist` that a URL path names; `None` for whatever would lead out of it.
fn inside(dist: &Path, path: &str) -> Option<PathBuf> {
    let relative = match path.strip_prefix('/')? {
        "" => "index.html",
        other => other,
    };
    let plain = Path::new(relative).components().all(|part| matches!(part, Component::Normal(_)));
    // The page's files have plain names, so an escape can only be an attempt.
    (plain && !relative.contains(['%', '\\'])).then(|| dist.join(relative))
}

/// Names with a hash in them never change; the others must be asked for again.
fn cache(file: &Path) -> &'static str {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let hash = stem.trim_end_matches("_bg").rsplit('-').next().unwrap_or_default();
    // Sixteen digits, less the zeros it may begin with.
    if (12..=16).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{cache, inside};

    #[test]
    fn a_path_stays_inside_the_page() {
        let dist = Path::new("dist");
        assert_eq!(inside(dist, "/").unwrap(), Path::new("dist/index.html"));
        assert_eq!(inside(dist, "/a/b.js").unwrap(), Path::new("dist/a/b.js"));
        for outside in ["/../Cargo.toml", "//etc/passwd", "/a/../../b", "/%2e%2e/b", "no-slash", "/..\\b"] {
            assert_eq!(inside(dist, outside), None, "{outside}");
        }
    }

    #[test]
    fn only_hashed_names_are_kept_for_ever() {
        assert!(cache(Path::new("masthead-web-0123456789abcdef_bg.wasm")).contains("immutable"));
        assert!(cache(Path::new("style-123456789abcdef.css")).contains("immutable"));
        assert_eq!(cache(Path::new("index.html")), "no-cache");
        assert_eq!(cache(Path::new("boot.js")), "no-cache");
    }
}
