//! How many tests passed and failed, read from what the runners print.

use std::ops::AddAssign;

/// Counts of one stage, or their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u32,
    pub(super) failed: u32,
    /// Tests that a runner left out. Nothing here may be left out, so a stage with any fails.
    pub(super) skipped: u32,
}

impl Tally {
    /// Adds what a closing line of cargo's test harness (native or wasm) or of Node's test runner says.
    pub(super) fn read(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.read_cargo(counts);
        } else {
            self.read_node(line);
        }
    }

    /// As in `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.1s`.
    fn read_cargo(&mut self, counts: &str) {
        let counts = counts.split_once(". ").map_or("", |(_, counts)| counts);
        for part in counts.split("; ") {
            match part.split_once(' ').map(|(number, what)| (number.parse::<u32>(), what)) {
                Some((Ok(number), "passed")) => self.passed += number,
                Some((Ok(number), "failed")) => self.failed += number,
                Some((Ok(number), "ignored")) => self.skipped += number,
                _ => {}
            }
        }
    }

    /// As in `# pass 3`, with `ℹ` for `#` in the reporter for people.
    fn read_node(&mut self, line: &str) {
        let mut words = line.split(' ');
        let (Some("#" | "ℹ"), Some(what), Some(number), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return;
        };
        let Ok(number) = number.parse::<u32>() else { return };
        match what {
            "pass" => self.passed += number,
            "fail" | "cancelled" => self.failed += number,
            "skipped" | "todo" => self.skipped += number,
            _ => {}
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[track_caller]
    fn check(output: &str, passed: u32, failed: u32, skipped: u32) {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.read(line));
        assert_eq!(tally, Tally { passed, failed, skipped });
    }

    #[test]
    fn cargos_closing_lines_are_summed() {
        check(
            "running 2 tests\ntest a ... ok\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test result: FAILED. 1 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            3,
            3,
            1,
        );
    }

    #[test]
    fn nodes_closing_lines_are_summed() {
        check("ℹ tests 4\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0", 2, 2, 0);
        check("# pass 5\n# fail 0", 5, 0, 0);
    }

    #[test]
    fn what_a_test_prints_is_not_a_closing_line() {
        check("# pass on to the next\nℹ pass 3 more\ntest result: unclear", 0, 0, 0);
    }
}
