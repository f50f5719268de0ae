//! The front: the page and the API on one port.

use std::{io, path::Path, sync::Arc};

use crate::{
    backend::Backend,
    codes::Codes,
    listener::{Limits, Listener, Serving},
    site::Site,
};

/// A port that is taken and not answered yet.
#[derive(Debug)]
pub struct Front {
    /// What one client may cost.
    pub limits: Limits,
    listener: Listener,
}

impl Front {
    /// Takes `port` of the loopback address, or a free one for 0.
    pub fn bind(port: u16) -> io::Result<Front> {
        Ok(Front { listener: Listener::bind(port)?, limits: Limits::default() })
    }

    /// Starts to answer with the page in `dist`, and with `api` below a new prefix.
    pub fn serve(self, dist: &Path, api: Option<Backend>) -> io::Result<Server> {
        let port = self.listener.port();
        let site = Arc::new(Site { dist: dist.to_owned(), port, api, codes: Codes::new()? });
        let answering = Arc::clone(&site);
        let serving = self.listener.serve(self.limits, move |request, permit| {
            let site = Arc::clone(&answering);
            async move { Some(site.answer(request, permit).await) }
        })?;
        Ok(Server { site, _serving: serving })
    }
}

/// Answers until it is dropped.
#[must_use = "stops when dropped"]
pub struct Server {
    site: Arc<Site>,
    _serving: Serving,
}

impl Server {
    /// A new address to open, once: its code is exchanged for the prefix. Without an API it is good for ever.
    pub fn one_time_address(&self) -> io::Result<String> {
        Ok(match &self.site.api {
            Some(_) => format!("{}#/?code={}", self.root(), self.site.codes.give()?),
            None => format!("{}#/overview?demo=1", self.root()),
        })
    }

    /// The address with the prefix itself in it, for a program that opens many pages and keeps no history.
    pub fn api_address(&self) -> String {
        match &self.site.api {
            Some(_) => format!("{}#/?api={}", self.root(), self.site.codes.prefix()),
            None => self.root(),
        }
    }

    fn root(&self) -> String {
        format!("http://127.0.0.1:{}/", self.site.port)
    }
}

/// Without the prefix, which no log may hold.
impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("root", &self.root()).finish_non_exhaustive()
    }
}
