//! How a client is configured from JavaScript.

use std::{rc::Rc, time::Duration};

use futures::FutureExt;
use js_sys::{Function, Promise};
use masthead::{
    Error,
    browser::{self, Browser},
    rest::{Auth, Config, Impersonation, WarningHandler},
};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What `connect` was given, but for its functions.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Settings {
    base_url: String,
    socket_base: Option<String>,
    token: Option<String>,
    impersonate: Option<Person>,
    /// Negative for no limit.
    qps: f64,
    burst: u32,
    user_agent: Option<String>,
    /// In seconds.
    timeout: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Person {
    user: String,
    uid: String,
    groups: Vec<String>,
    extra: Vec<(String, Vec<String>)>,
}

impl Settings {
    pub(crate) fn config(self, token: Option<Function>, warn: Option<Function>) -> Result<Config, Error> {
        let mut config = browser::config(self.base_url);
        if let Some(base) = &self.socket_base {
            config.transport = Rc::new(Browser::new(config.runtime.clone()).with_socket_base(base));
        }
        config.auth = match (self.token, token) {
            (_, Some(provider)) => Auth::Provider(Rc::new(move || ask(provider.clone()).boxed_local())),
            (Some(token), None) => Auth::Token(token),
            (None, None) => Auth::None,
        };
        config.impersonate =
            self.impersonate.map(|Person { user, uid, groups, extra }| Impersonation { user, uid, groups, extra });
        (config.qps, config.burst, config.user_agent) = (self.qps, self.burst, self.user_agent);
        config.timeout = self.timeout.map(|limit| seconds("timeout", limit)).transpose()?;
        config.warnings = warn.map_or(WarningHandler::Ignore, |warn| {
            WarningHandler::each(move |text| {
                // The facade's function does not throw.
                warn.call1(&JsValue::NULL, &JsValue::from_str(text)).ok();
            })
        });
        Ok(config)
    }
}

/// A time that a person gave in seconds.
pub(crate) fn seconds(what: &str, given: f64) -> Result<Duration, Error> {
    let refuse = |_| Error::invalid("configure client", format!("{what} must be a number of seconds, not {given}"));
    Duration::try_from_secs_f64(given).map_err(refuse)
}

/// Asks the page for a token: a text, or a promise of one.
async fn ask(provider: Function) -> Result<String, Error> {
    let refuse = |why: &str| Error::invalid("ask for a token", why);
    let failed = |error: JsValue| refuse(&words(&error));
    let given = provider.call0(&JsValue::NULL).map_err(failed)?;
    let given = match given.dyn_into::<Promise>() {
        Ok(promise) => JsFuture::from(promise).await.map_err(failed)?,
        Err(value) => value,
    };
    given.as_string().ok_or_else(|| refuse("the token is not a string"))
}

/// What a thrown value says.
pub(crate) fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => error.as_string().unwrap_or_else(|| format!("{error:?}")),
    }
}
