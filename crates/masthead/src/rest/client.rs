//! The client of one server and one group-version: where requests begin.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use futures::{
    FutureExt,
    future::{self, LocalBoxFuture},
};

use crate::{
    Error,
    flowcontrol::{Backoff, TokenBucket},
    rest::{Auth, Config, Method, PatchKind, Request, TokenProvider, config, path},
};

/// Starts requests. Clones share the rate limit, the backoff and the token.
#[derive(Clone, Debug)]
pub struct RestClient {
    shared: Rc<Shared>,
    /// What the paths of requests begin with: `/api/v1`, `/apis/apps/v1`, or nothing.
    api_path: Rc<str>,
}

pub(crate) struct Shared {
    pub(crate) config: Config,
    /// Scheme, host and port; empty for the page's own origin.
    pub(crate) origin: String,
    /// The path below which the server's API lies; empty or without a slash at its end.
    pub(crate) base_path: String,
    pub(crate) limiter: Option<RefCell<TokenBucket>>,
    pub(crate) backoff: Option<RefCell<Backoff>>,
    pub(crate) token: RefCell<Token>,
}

impl RestClient {
    /// A client for absolute paths; [`group_version`](Self::group_version) narrows it.
    ///
    /// Fails on a host that is no address, and on a rate without a burst.
    pub fn new(config: Config) -> Result<RestClient, Error> {
        let (origin, base_path) = split_host(&config.host)?;
        let limiter = match (config.qps, config.burst) {
            (qps, _) if qps < 0.0 => None,
            (0.0, burst) => Some(TokenBucket::new(Config::DEFAULT_QPS, non_zero(burst, Config::DEFAULT_BURST))),
            (qps, 0) => {
                let why = format!("burst is required to be greater than 0 when qps is set to {qps}");
                return Err(Error::invalid("configure client", why));
            }
            (qps, burst) => Some(TokenBucket::new(qps, burst)),
        };
        let backoff = config.backoff.map(|backoff| RefCell::new(Backoff::new(backoff.base, backoff.max)));
        let shared = Shared {
            origin,
            base_path,
            limiter: limiter.map(RefCell::new),
            backoff,
            token: RefCell::default(),
            config,
        };
        Ok(RestClient { shared: Rc::new(shared), api_path: Rc::from("") })
    }

    /// The same client for the paths of a group-version; the core group is empty.
    pub fn group_version(&self, group: &str, version: &str) -> RestClient {
        let api_path = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        RestClient { shared: Rc::clone(&self.shared), api_path: api_path.into() }
    }

    /// Begins a GET.
    pub fn get(&self) -> Request {
        self.verb(Method::Get)
    }

    /// Begins a POST.
    pub fn post(&self) -> Request {
        self.verb(Method::Post)
    }

    /// Begins a PUT.
    pub fn put(&self) -> Request {
        self.verb(Method::Put)
    }

    /// Begins a PATCH with the content type of its kind.
    pub fn patch(&self, kind: PatchKind) -> Request {
        self.verb(Method::Patch).set_header("Content-Type", [kind.content_type()])
    }

    /// Begins a DELETE.
    pub fn delete(&self) -> Request {
        self.verb(Method::Delete)
    }

    /// Begins a request of any verb.
    pub fn verb(&self, method: Method) -> Request {
        let base = &self.shared.base_path;
        Request::new(self.clone(), method, path::join(["/", base, &self.api_path]))
    }

    /// How this client was configured.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Waits for the client's own rate limit; gives the time it took.
    pub(crate) async fn throttle(&self) -> Duration {
        let Some(limiter) = &self.shared.limiter else { return Duration::ZERO };
        let runtime = &self.shared.config.runtime;
        let wait = limiter.borrow_mut().reserve(runtime.now());
        runtime.sleep(wait).await;
        wait
    }

    /// The bearer token to send, if any.
    pub(crate) async fn token(&self) -> Result<Option<String>, Error> {
        match &self.shared.config.auth {
            Auth::None => Ok(None),
            Auth::Token(token) => Ok(Some(token.clone())),
            Auth::Provider(provider) => self.provided(provider).await.map(Some),
        }
    }

    /// The provider's token. Requests that need one at the same time ask for it once.
    async fn provided(&self, provider: &TokenProvider) -> Result<String, Error> {
        let known = match &*self.shared.token.borrow() {
            Token::Known(token) => return Ok(token.clone()),
            Token::Asked(asked) => Some(asked.clone()),
            Token::Unknown => None,
        };
        let asked = known.unwrap_or_else(|| provider().shared());
        self.shared.token.replace(Token::Asked(asked.clone()));
        let outcome = asked.await;
        let mut token = self.shared.token.borrow_mut();
        if matches!(*token, Token::Asked(_)) {
            *token = outcome.clone().map_or(Token::Unknown, Token::Known);
        }
        outcome
    }

    /// Forgets a token that the server refused; says whether another attempt may have a better one.
    pub(crate) fn refuse_token(&self, refused: &str) -> bool {
        let mut token = self.shared.token.borrow_mut();
        // Another request may have got a new one since.
        if matches!(&*token, Token::Known(known) if known == refused) {
            *token = Token::Unknown;
        }
        matches!(self.shared.config.auth, Auth::Provider(_))
    }
}

/// What is known of the provider's token.
#[derive(Default)]
pub(crate) enum Token {
    #[default]
    Unknown,
    /// Somebody asked for it.
    Asked(future::Shared<LocalBoxFuture<'static, Result<String, Error>>>),
    /// It was given, and the server has not refused it.
    Known(String),
}

/// Without the token, which is a secret.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("config", &self.config).finish_non_exhaustive()
    }
}

fn non_zero(value: u32, default: u32) -> u32 {
    if value == 0 { default } else { value }
}

/// Splits `http://host:port/path` behind the authority.
fn split_host(host: &str) -> Result<(String, String), Error> {
    let refuse = || {
        let shown = config::without_user(host);
        Error::invalid("configure client", format!("host must be a URL or a path, not {shown:?}"))
    };
    if host.contains(['?', '#', ' ']) {
        return Err(refuse());
    }
    let (origin, path) = match host.split_once("://") {
        Some((scheme @ ("http" | "https"), rest)) => {
            let authority = rest.find('/').unwrap_or(rest.len());
            if authority == 0 || rest[..authority].contains('@') {
                return Err(refuse());
            }
            host.split_at(scheme.len() + "://".len() + authority)
        }
        Some(_) => return Err(refuse()),
        None if host.is_empty() || host.starts_with('/') => ("", host),
        None => return Err(refuse()),
    };
    Ok((origin.to_owned(), path.to_owned()))
}
