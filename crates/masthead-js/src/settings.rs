//! How a client is configured from JavaScript.

use std::{rc::Rc, time::Duration};

use futures::FutureExt;
use js_sys::{Function, Promise};
use masthead::{
    Error,
    browser::{self, Browser},
    rest::{Auth, Config, Impersonation, WarningHandler},
};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::given::Given;

/// The configuration by what `connect` was given. `token` gives a token or a promise of one, `warn` is told warnings.
pub(crate) fn config(settings: &str, token: Option<Function>, warn: Option<Function>) -> Result<Config, Error> {
    let given = Given::parse("configure client", settings)?;
    let mut config = browser::config(given.text_or_empty("baseUrl"));
    if let Some(base) = given.text("socketBase") {
        config.transport = Rc::new(Browser::new(config.runtime.clone()).with_socket_base(&base));
    }
    config.auth = match (given.text("token"), token) {
        (_, Some(provider)) => Auth::Provider(Rc::new(move || ask(provider.clone()).boxed_local())),
        (Some(token), None) => Auth::Token(token),
        (None, None) => Auth::None,
    };
    config.impersonate = given.object("impersonate").map(|person| Impersonation {
        user: person.text_or_empty("user"),
        uid: person.text_or_empty("uid"),
        groups: person.texts("groups"),
        extra: person.lists("extra"),
    });
    // Negative is no limit.
    config.qps = given.number("qps").unwrap_or(-1.0);
    config.burst = given.number("burst").unwrap_or_default() as u32;
    config.user_agent = given.text("userAgent");
    config.timeout = given.number("timeout").map(|limit| seconds("timeout", limit)).transpose()?;
    config.warnings = warn.map_or(WarningHandler::Ignore, |warn| {
        WarningHandler::each(move |text| {
            // The facade's function does not throw.
            warn.call1(&JsValue::NULL, &JsValue::from_str(text)).ok();
        })
    });
    Ok(config)
}

/// A time that a person gave in seconds.
pub(crate) fn seconds(what: &str, given: f64) -> Result<Duration, Error> {
    // Not in words: what writes any number is as large as the rest of this file.
    let refuse =
        |_| Error::invalid("configure client", format!("{what} must be a number of seconds, and not negative"));
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
