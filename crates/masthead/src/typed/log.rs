//! Which part of a container's log to read.

use std::fmt;

use crate::rest::options::{Params, ParamsIter};

/// Which part of a container's log to read. What is not set is not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a parameter of the server's")]
pub struct LogOptions {
    /// The container; may be empty when the pod has one.
    pub container: String,
    /// Go on with what is written from now on.
    pub follow: bool,
    /// The log of the container's last run instead of this one's.
    pub previous: bool,
    /// Only what was written in the last seconds. Excludes `since_time`.
    pub since_seconds: Option<u32>,
    /// Only what was written since this time, in RFC 3339.
    pub since_time: String,
    /// Begin every line with its time.
    pub timestamps: bool,
    /// Only this many lines from the end.
    pub tail_lines: Option<u64>,
    /// End after this many bytes, even in the middle of a line.
    pub limit_bytes: Option<u64>,
    /// Only one of the container's outputs; `None` for both. Excludes `tail_lines`.
    pub stream: Option<LogStream>,
    /// Let the server skip the check of the kubelet's certificate.
    pub insecure_skip_tls_verify_backend: bool,
}

impl IntoIterator for &LogOptions {
    type Item = (&'static str, String);
    type IntoIter = ParamsIter;

    fn into_iter(self) -> ParamsIter {
        Params::default()
            .text("container", &self.container)
            .flag("follow", self.follow)
            .flag("previous", self.previous)
            .value("sinceSeconds", self.since_seconds)
            .text("sinceTime", &self.since_time)
            .flag("timestamps", self.timestamps)
            .value("tailLines", self.tail_lines)
            .value("limitBytes", self.limit_bytes)
            .value("stream", self.stream)
            .flag("insecureSkipTLSVerifyBackend", self.insecure_skip_tls_verify_backend)
            .finish()
    }
}

/// An output of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl fmt::Display for LogStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LogStream::Stdout => "Stdout",
            LogStream::Stderr => "Stderr",
        })
    }
}
