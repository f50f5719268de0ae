//! How to reach a server, as whom, and how hard.

use std::{fmt, rc::Rc, time::Duration};

use futures::future::LocalBoxFuture;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    Error,
    rest::{Answer, Headers, Transport, WarningHandler},
    runtime::Runtime,
};

/// Everything a client needs to know. Clones share the transport and the runtime.
///
/// `Debug` never prints a secret.
#[derive(Clone)]
pub struct Config {
    /// Scheme, host and port as in `http://127.0.0.1:8001`, with the path below which the API lies, if any. Empty for the
    /// page's own origin.
    pub host: String,
    /// How requests prove who sends them.
    pub auth: Auth,
    /// As whom to act instead.
    pub impersonate: Option<Impersonation>,
    /// Requests a second in the long run; 0 for [`Config::DEFAULT_QPS`], negative for no limit.
    pub qps: f64,
    /// Requests at once; 0 for [`Config::DEFAULT_BURST`].
    pub burst: u32,
    /// Sent where the platform allows it: browsers may keep their own.
    pub user_agent: Option<String>,
    /// How long a request may take, its retries aside; `None` for no limit. Watches and streams are not bound by it.
    pub timeout: Option<Duration>,
    /// The delays that answers of 429 and 5xx call for, per host; `None` for none.
    pub backoff: Option<UrlBackoff>,
    /// Who reads the server's warnings.
    pub warnings: WarningHandler,
    /// Hears of every attempt once it is over.
    pub observer: Option<Observer>,
    /// The network.
    pub transport: Rc<dyn Transport>,
    /// Time, tasks and chance.
    pub runtime: Runtime,
}

impl Config {
    /// client-go's default rate.
    pub const DEFAULT_QPS: f64 = 5.0;
    /// client-go's default burst.
    pub const DEFAULT_BURST: u32 = 10;

    /// The server at `host` through `transport`, without proof of identity and with the default limits.
    pub fn new(host: impl Into<String>, transport: Rc<dyn Transport>, runtime: Runtime) -> Config {
        Config {
            host: host.into(),
            auth: Auth::None,
            impersonate: None,
            qps: 0.0,
            burst: 0,
            user_agent: None,
            timeout: None,
            backoff: None,
            warnings: WarningHandler::default(),
            observer: None,
            transport,
            runtime,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("host", &without_user(&self.host))
            .field("auth", &self.auth)
            .field("impersonate", &self.impersonate)
            .field("qps", &self.qps)
            .field("burst", &self.burst)
            .field("user_agent", &self.user_agent)
            .field("timeout", &self.timeout)
            .field("backoff", &self.backoff)
            .finish_non_exhaustive()
    }
}

/// The host without what stands before its `@`: a person may have put a password there.
pub(super) fn without_user(host: &str) -> String {
    match (host.find("://"), host.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}://---{}", &host[..scheme], &host[at..]),
        (_, Some(at)) => format!("---{}", &host[at..]),
        (_, None) => host.to_owned(),
    }
}

/// How requests prove who sends them. Behind `kubectl proxy`, by nothing.
#[derive(Clone, Default)]
pub enum Auth {
    /// The proxy or the browser takes care of it.
    #[default]
    None,
    /// A bearer token.
    Token(String),
    /// A bearer token that is asked for when none is known, and again after the server refused one with 401.
    Provider(TokenProvider),
}

/// Gives a bearer token.
pub type TokenProvider = Rc<dyn Fn() -> LocalBoxFuture<'static, Result<String, Error>>>;

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Auth::None => "None",
            Auth::Token(_) => "Token(--- REDACTED ---)",
            Auth::Provider(_) => "Provider",
        })
    }
}

/// Another user to act as, if the server allows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Impersonation {
    /// The user's name.
    pub user: String,
    /// The user's uid; empty for none.
    pub uid: String,
    /// The groups to be in.
    pub groups: Vec<String>,
    /// Further attributes; each may have several values.
    pub extra: Vec<(String, Vec<String>)>,
}

/// The delays between requests to a host that answers 429 or 5xx: from `base`, doubling, up to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlBackoff {
    /// The first delay.
    pub base: Duration,
    /// The longest.
    pub max: Duration,
}

/// Hears of every attempt of every request.
pub type Observer = Rc<dyn Fn(&Attempt)>;

/// One attempt of a request, over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The verb, as in `GET`.
    pub method: &'static str,
    /// The address with names and values replaced by placeholders, so that it may label a metric.
    pub template: String,
    /// The status code; `None` when no answer came.
    pub code: Option<u16>,
    /// From sending to the head of the answer.
    pub latency: Duration,
    /// How long the attempt waited for the client's own rate limit before.
    pub throttled: Duration,
    /// 0 for the first attempt.
    pub retry: u32,
    /// What is waited for, and why, where another attempt follows; `None` where this one is final.
    pub retry_after: Option<RetryAfter>,
}

/// Why a request is sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryAfter {
    /// How long the server asked to wait; a second after a lost connection.
    pub wait: Duration,
    /// The number of the attempt that this follows, from 1.
    pub attempt: u32,
    /// The reason in client-go's words.
    pub reason: String,
    /// The UID of the FlowSchema by which the server throttles the request, where it says so.
    pub flow_schema_uid: Option<String>,
}

impl RetryAfter {
    pub(super) fn new(attempt: u32, wait: Duration, outcome: &Result<Answer, Error>) -> RetryAfter {
        let uid = outcome.as_ref().ok().and_then(|answer| answer.headers.get(FLOW_SCHEMA_UID)).map(str::to_owned);
        let why = match outcome {
            Ok(Answer { code: 429, .. }) => {
                let uid = uid.as_deref().unwrap_or_default();
                format!("due to server-side throttling, FlowSchema UID: {uid:?}")
            }
            Ok(answer) => answer.code.to_string(),
            Err(error) => format!("due to retryable error, error: {error}"),
        };
        let reason = format!("retries: {attempt}, retry-after: {}s - retry-reason: {why}", wait.as_secs());
        RetryAfter { wait, attempt, reason, flow_schema_uid: uid }
    }
}

/// Where priority and fairness name the FlowSchema of a request.
const FLOW_SCHEMA_UID: &str = "X-Kubernetes-PF-FlowSchema-UID";

impl Impersonation {
    /// Sets the headers that name the other user.
    pub(super) fn write(&self, headers: &mut Headers) {
        headers.set("Impersonate-User", [self.user.clone()]);
        if !self.uid.is_empty() {
            headers.set("Impersonate-Uid", [self.uid.clone()]);
        }
        headers.set("Impersonate-Group", self.groups.iter().cloned());
        for (key, values) in &self.extra {
            // A key may hold what a header's name cannot.
            let key = utf8_percent_encode(key, HEADER_KEY);
            headers.set(&format!("Impersonate-Extra-{key}"), values.iter().cloned());
        }
    }
}

/// What RFC 7230 lets stand in a header's name, less the percent sign that escapes begin with.
const HEADER_KEY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'*')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');
