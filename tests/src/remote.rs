//! A remote control for tests that run where they can start no process: in a page, a worker or Node.

use std::{
    collections::HashMap,
    fs,
    sync::{Arc, Mutex},
};

use anyhow::{Context, Result, anyhow, bail};
use http_body_util::{BodyExt, Full};
use hyper::{
    Response, StatusCode,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE, HeaderValue},
};
use masthead_serve::{Body, Limits, Listener, Serving};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::{Cluster, Proxy, User, peer};

/// Serves orders over HTTP on a loopback port: start a proxy, break it, mend it, count its connections.
///
/// | order | answer |
/// |---|---|
/// | `/proxy/USER` | starts a proxy as that user: `{"id": 0, "url": "http://…"}` |
/// | `/ID/freeze`, `/ID/resume`, `/ID/kill`, `/ID/restart` | `{}` once done |
/// | `/ID/connections` | `{"open": 3}`: connections that clients hold to that proxy |
/// | `/apiserver/restart` | `{}` once the API server was killed and is ready again |
/// | `/etcd/compact` | `{}` once etcd has forgotten all but the present state |
/// | `/kubectl/RESOURCE/NAMESPACE` | what `kubectl get` shows: `{"NAME": "VERSION", …}` |
/// | `/kubectl/RESOURCE/NAMESPACE/json` | the same in full: `{"items": […]}` |
/// | `/client-go/record/API/NAMESPACE` | `{}` once client-go's recorder has written its script of events there |
///
/// Its proxies stop when it is dropped.
#[must_use = "its proxies stop when dropped"]
#[derive(Debug)]
pub struct Remote {
    url: String,
    orders: Arc<Orders>,
    _serving: Serving,
}

impl Remote {
    /// Starts to take orders for `cluster`.
    pub fn start(cluster: Cluster) -> Result<Remote> {
        let listener = Listener::bind(0).context("no port for the remote control")?;
        let url = format!("http://127.0.0.1:{}", listener.port());
        let orders = Arc::new(Orders { cluster: Mutex::new(cluster), proxies: Mutex::default() });
        let shared = Arc::clone(&orders);
        let serving = listener.serve(Limits::default(), move |request, _| {
            let (orders, path) = (Arc::clone(&shared), request.uri().path().to_owned());
            async move {
                // Orders wait for processes, so that each has a thread of its own.
                let done = spawn_blocking(move || orders.carry_out(&path)).await;
                Some(answer(done.unwrap_or_else(|_| Err(anyhow!("the order panicked")))))
            }
        })?;
        Ok(Remote { url, orders, _serving: serving })
    }

    /// Where it takes orders.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.orders.proxies().clear();
    }
}

#[derive(Debug)]
struct Orders {
    cluster: Mutex<Cluster>,
    proxies: Mutex<HashMap<usize, Proxy>>,
}

impl Orders {
    fn carry_out(&self, path: &str) -> Result<Value> {
        match path.trim_matches('/').split('/').collect::<Vec<_>>()[..] {
            ["proxy", user] => {
                let user = User::ALL.into_iter().find(|known| known.to_string() == user);
                let proxy = Proxy::start(&self.cluster(), user.context("no such user")?, None)?;
                let mut proxies = self.proxies();
                let (id, url) = (proxies.len(), proxy.url());
                proxies.insert(id, proxy);
                Ok(json!({ "id": id, "url": url }))
            }
            ["apiserver", "restart"] => {
                let mut cluster = self.cluster();
                cluster.kill_apiserver()?;
                cluster.start_apiserver()?;
                Ok(json!({}))
            }
            ["etcd", "compact"] => self.cluster().compact().map(|()| json!({})),
            ["kubectl", resource, namespace] => self.cluster().kubectl_get(resource, namespace),
            ["kubectl", resource, namespace, "json"] => self.cluster().kubectl_get_json(resource, namespace),
            ["client-go", "record", api, namespace] => {
                let proxy = Proxy::start(&self.cluster(), User::Admin, None)?;
                peer::record_events(api, namespace, &proxy.url()).map(|()| json!({}))
            }
            [id, order] => {
                let id: usize = id.parse().context("a proxy has a number")?;
                let mut proxies = self.proxies();
                let proxy = proxies.get_mut(&id).context("no such proxy")?;
                match order {
                    "freeze" => proxy.freeze()?,
                    "resume" => proxy.resume()?,
                    "kill" => proxy.kill()?,
                    "restart" => proxy.restart()?,
                    "connections" => return Ok(json!({ "open": established(proxy.port())? })),
                    other => bail!("no order {other}"),
                }
                Ok(json!({}))
            }
            _ => bail!("no order at {path}"),
        }
    }

    fn cluster(&self) -> std::sync::MutexGuard<'_, Cluster> {
        // Whoever panicked left a cluster whose state is on disk.
        self.cluster.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn proxies(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Proxy>> {
        // A panic while it was held leaves the map whole: every change of it is one call.
        self.proxies.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// For pages of every origin.
fn answer(done: Result<Value>) -> Response<Body> {
    let (code, body) = match done {
        Ok(body) => (StatusCode::OK, body),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, status(&error)),
    };
    let body = Full::from(body.to_string()).map_err(|never| match never {}).boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = code;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// A failed order as an API server would tell of it, so that a client's error says why.
fn status(error: &anyhow::Error) -> Value {
    let message = format!("{error:#}");
    json!({ "kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": 500 })
}

/// How many connections to `port` of this machine are established, as the kernel counts the server's side.
fn established(port: u16) -> Result<usize> {
    let table = fs::read_to_string("/proc/net/tcp").context("cannot read the kernel's connections")?;
    let is_open = |line: &&str| {
        let mut fields = line.split_whitespace().skip(1);
        let local = fields.next().and_then(|address| address.rsplit_once(':'));
        let local_port = local.and_then(|(_, port)| u16::from_str_radix(port, 16).ok());
        local_port == Some(port) && fields.nth(1) == Some(ESTABLISHED)
    };
    Ok(table.lines().skip(1).filter(is_open).count())
}

/// The kernel's number for a connection that both sides hold.
const ESTABLISHED: &str = "01";

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::established;

    #[test]
    fn counts_the_connections_of_one_port() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(established(address.port()).unwrap(), 0);
        let (client, server) = (TcpStream::connect(address).unwrap(), listener.accept().unwrap());
        assert_eq!(established(address.port()).unwrap(), 1);
        drop((client, server));
        assert_eq!(established(address.port()).unwrap(), 0);
    }
}
