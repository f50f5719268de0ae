//! A file as the rules see it.

/// Where a rule is broken: a line (from 1, or 0 for the file as a whole) and why.
pub(super) type Finding = (usize, String);

/// One text file of the project.
pub(super) struct Source {
    /// From the workspace's root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// What one rule finds here, as `path:line: why`.
    pub(super) fn findings(&self, find: &fn(&Source) -> Vec<Finding>) -> Vec<String> {
        find(self).into_iter().map(|(line, why)| format!("{}:{line}: {why}", self.path)).collect()
    }

    /// The lines, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// The lines of a Rust file before its tests, without comments.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let before_tests = self.lines().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
        before_tests.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// A generator's output, which no rule for people applies to.
    pub(super) fn is_generated(&self) -> bool {
        self.text.lines().take(5).any(|line| line.contains("@generated"))
    }

    /// A file that holds tests or benchmarks and nothing else.
    pub(super) fn is_test(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.starts_with("tests/browser/")
            || name == "tests.rs"
    }

    /// Below one of these paths, or one of them.
    pub(super) fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }
}
