//! A remote control for tests that run where they can start no process: in a page, a worker or Node.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

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
}

impl Remote {
    /// Starts to take orders for `cluster`.
    pub fn start(cluster: Cluster) -> Result<Remote> {
        let listener = TcpListener::bind("127.0.0.1:0").context("no port for the remote control")?;
        let url = format!("http://{}", listener.local_addr().context("a bound listener has an address")?);
        let orders = Arc::new(Orders { cluster: Mutex::new(cluster), proxies: Mutex::default() });
        let shared = Arc::clone(&orders);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let orders = Arc::clone(&shared);
                // Orders wait for processes, so that each has a thread of its own.
                std::thread::spawn(move || orders.answer(&connection));
            }
        });
        Ok(Remote { url, orders })
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
    fn answer(&self, mut connection: &TcpStream) {
        let mut line = String::new();
        let mut reader = BufReader::new(connection);
        let read = reader.read_line(&mut line);
        // The rest of the head tells nothing, but closing before it was read would reset the connection.
        let mut header = String::new();
        while reader.read_line(&mut header).is_ok_and(|length| length > 2) {
            header.clear();
        }
        let path = read.ok().and_then(|_| line.split(' ').nth(1)).unwrap_or_default();
        let (status, body) = match self.carry_out(path) {
            Ok(body) => ("200 OK", body),
            Err(error) => ("500 Internal Server Error", status(&error)),
        };
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        // Nobody is left to be told when the asker has gone.
        connection.write_all((head + &body).as_bytes()).ok();
    }

    fn carry_out(&self, path: &str) -> Result<Value> {
        let path = path.split('?').next().unwrap_or_default();
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
