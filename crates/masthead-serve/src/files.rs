//! The files of the built page.

use std::path::{Component, Path, PathBuf};

use tokio::fs;

/// A whole file: all of them are small.
pub(crate) struct PageFile {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: &'static str,
    pub(crate) cache_control: &'static str,
}

/// The file that `path` names in the page at `dist`; `None` when there is none, or it is elsewhere.
pub(crate) async fn read(dist: &Path, path: &str) -> Option<PageFile> {
    let file = inside(dist, path)?;
    // A link in the page may lead out of it.
    let (real, root) = (fs::canonicalize(&file).await.ok()?, fs::canonicalize(dist).await.ok()?);
    if !real.starts_with(root) {
        return None;
    }
    let bytes = fs::read(&real).await.ok()?;
    Some(PageFile { bytes, content_type: content_type(&file), cache_control: cache_control(&file) })
}

/// The place below `dist` that a URL path names; `None` for whatever would lead out of it.
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
fn cache_control(file: &Path) -> &'static str {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let hash = stem.trim_end_matches("_bg").rsplit('-').next().unwrap_or_default();
    // Sixteen digits, less the zeros it may begin with.
    if (12..=16).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

fn content_type(file: &Path) -> &'static str {
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

    use super::{cache_control, inside};

    #[test]
    fn a_path_stays_inside_the_page() {
        let dist = Path::new("dist");
        assert_eq!(inside(dist, "/").unwrap(), Path::new("dist/index.html"));
        assert_eq!(inside(dist, "/a/b.js").unwrap(), Path::new("dist/a/b.js"));
        for outside in ["/../Cargo.toml", "//", "//etc/passwd", "/a/../../b", "/%2e%2e/b", "no-slash", "/..\\b"] {
            assert_eq!(inside(dist, outside), None, "{outside}");
        }
    }

    #[test]
    fn only_hashed_names_are_kept_for_ever() {
        assert!(cache_control(Path::new("masthead-web-0123456789abcdef_bg.wasm")).contains("immutable"));
        assert!(cache_control(Path::new("style-123456789abcdef.css")).contains("immutable"));
        assert_eq!(cache_control(Path::new("index.html")), "no-cache");
        assert_eq!(cache_control(Path::new("boot.js")), "no-cache");
    }
}
