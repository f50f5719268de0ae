//! The command line of one command: flags with or without a value, and a clear sentence for any other word.

use anyhow::{Result, anyhow, bail};

/// Walks the words behind a command's name.
pub(crate) struct Flags<'a> {
    command: &'a str,
    rest: std::slice::Iter<'a, String>,
}

impl<'a> Flags<'a> {
    /// `command` is what an error names, as in `serve`.
    pub(crate) fn new(command: &'a str, args: &'a [String]) -> Flags<'a> {
        Flags { command, rest: args.iter() }
    }

    /// The next word, or `None` at the end.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        self.rest.next().map(String::as_str)
    }

    /// The word that must follow `flag`.
    pub(crate) fn value(&mut self, flag: &str) -> Result<&'a str> {
        match self.word() {
            Some(value) if !value.starts_with("--") => Ok(value),
            _ => bail!("{flag} needs a value; `cargo xtask {} --help` shows how", self.command),
        }
    }

    /// The number that must follow `flag`.
    pub(crate) fn number<N: std::str::FromStr>(&mut self, flag: &str) -> Result<N> {
        let value = self.value(flag)?;
        value.parse().map_err(|_| anyhow!("{flag} takes a number, not `{value}`"))
    }

    /// The numbers, with commas between, that must follow `flag`.
    pub(crate) fn numbers<N: std::str::FromStr>(&mut self, flag: &str) -> Result<Vec<N>> {
        let value = self.value(flag)?;
        let numbers: Result<Vec<N>, _> = value.split(',').map(str::parse).collect();
        numbers.map_err(|_| anyhow!("{flag} takes numbers with commas between, not `{value}`"))
    }

    /// For a command without flags: prints `usage` when asked to, and says whether that was all.
    pub(crate) fn only_help(mut self, usage: &str) -> Result<bool> {
        match self.word() {
            None => Ok(false),
            Some("--help" | "-h") => {
                println!("{usage}");
                Ok(true)
            }
            Some(other) => Err(self.unknown(other)),
        }
    }

    /// The error for a word that the command does not know.
    pub(crate) fn unknown(&self, word: &str) -> anyhow::Error {
        anyhow!("{} does not know `{word}`; `cargo xtask {} --help` lists its flags", self.command, self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    #[test]
    fn a_flag_without_its_value_is_refused_even_before_another_flag() {
        let args = ["--port".to_owned(), "--local".to_owned()];
        let mut flags = Flags::new("serve", &args);
        let flag = flags.word().unwrap();
        let error = flags.number::<u16>(flag).unwrap_err().to_string();
        assert_eq!(error, "--port needs a value; `cargo xtask serve --help` shows how");
    }

    #[test]
    fn a_number_out_of_range_is_refused() {
        let args = ["70000".to_owned()];
        let error = Flags::new("serve", &args).number::<u16>("--port").unwrap_err().to_string();
        assert_eq!(error, "--port takes a number, not `70000`");
    }
}
