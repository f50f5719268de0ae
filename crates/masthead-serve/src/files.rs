//! The files of the built page.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use crate::listener::is_out_of_handles;

/// A whole file: all of them are small.
pub(crate) struct PageFile {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: &'static str,
    pub(crate) cache_control: &'static str,
}

/// The file that `path` names in the page at `dist`; `None` when there is none, or it is elsewhere. Fails when there is no file
/// handle to read it with.
///
/// It is read on the server's own thread: a file of the page takes less time than to hand it to another thread, which there
/// may not be.
pub(crate) fn read(dist: &Path, path: &str) -> io::Result<Option<PageFile>> {
    let Some(file) = inside(dist, path) else { return Ok(None) };
    match read_inside(dist, &file) {
        Err(error) if is_out_of_handles(&error) => Err(error),
        outcome => Ok(outcome.ok().map(|bytes| PageFile {
            bytes,
            content_type: content_type(&file),
            cache_control: cache_control(&file),
        })),
    }
}

fn read_inside(dist: &Path, file: &Path) -> io::Result<Vec<u8>> {
    // A link in the page may lead out of it, and what is no file may never end.
    let real = fs::canonicalize(file)?;
    if !real.starts_with(fs::canonicalize(dist)?) || !fs::metadata(&real)?.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    fs::read(&real)
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
