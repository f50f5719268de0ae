//! Where builds and state are kept between runs.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};

/// The directory for what is worth keeping between runs and clones: `$MASTHEAD_CACHE`, else `masthead` in the user's
/// cache directory.
pub fn cache_dir() -> Result<PathBuf> {
    from(|name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
}

fn from(variable: impl Fn(&str) -> Option<PathBuf>) -> Result<PathBuf> {
    if let Some(dir) = variable("MASTHEAD_CACHE") {
        return Ok(std::path::absolute(dir)?);
    }
    if let Some(dir) = variable("XDG_CACHE_HOME") {
        return Ok(dir.join("masthead"));
    }
    match variable("HOME") {
        Some(home) => Ok(home.join(".cache").join("masthead")),
        None => bail!("no cache directory: set MASTHEAD_CACHE to a directory that may hold a few gigabytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], expect: Option<&str>) {
        let found = from(|name| {
            let (_, value) = variables.iter().find(|(key, _)| *key == name)?;
            Some(PathBuf::from(value))
        });
        assert_eq!(found.ok(), expect.map(PathBuf::from));
    }

    #[test]
    fn the_most_specific_variable_wins() {
        check(&[("HOME", "/h")], Some("/h/.cache/masthead"));
        check(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")], Some("/x/masthead"));
        check(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("MASTHEAD_CACHE", "/m")], Some("/m"));
        check(&[], None);
    }
}
