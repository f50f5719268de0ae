//! Formatting by the user's own rustfmt and its settings.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

/// Formats the text of a file as `cargo fmt` would where the file lies.
pub(crate) fn format(text: &str, path: &Path) -> Result<String> {
    let absolute = std::path::absolute(path).with_context(|| format!("no folder holds {}", path.display()))?;
    // The folder may not be there yet; settings are looked for in those above it.
    let place = absolute.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--emit", "stdout", "--quiet"]).current_dir(place);
    rustfmt.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let missing = "could not start rustfmt: `rustup component add rustfmt`, or pass --no-format";
    let mut child = rustfmt.spawn().context(missing)?;
    // It reads everything before it writes anything, so that neither waits for the other.
    child.stdin.take().context("rustfmt has an input")?.write_all(text.as_bytes()).context("rustfmt ended early")?;
    let output = child.wait_with_output().context("lost rustfmt")?;
    if !output.status.success() {
        bail!("rustfmt refused {}: {}", path.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).context("rustfmt did not print text")
}
