//! Passes one request on to the API and its answer back, as both come.

use http_body_util::BodyExt;
use hyper::{
    Request, Response, StatusCode, Uri,
    body::Incoming,
    client::conn::http1,
    header::{
        CONNECTION, CONTENT_SECURITY_POLICY, HOST, HeaderValue, InvalidHeaderValue, LOCATION, UPGRADE,
        X_CONTENT_TYPE_OPTIONS,
    },
    http::uri::InvalidUri,
    upgrade::{self, OnUpgrade},
};
use hyper_util::rt::TokioIo;
use tokio::io::copy_bidirectional;

use crate::{
    backend::Backend,
    header,
    listener::{Body, Permit, is_out_of_handles, with_file_handle},
    site::{out_of_handles, text},
};

impl Backend {
    /// Sends a request below `prefix` to the API. One connection carries one request: dropping the answer ends both.
    pub(crate) async fn forward(&self, mut request: Request<Incoming>, prefix: &str, permit: Permit) -> Response<Body> {
        let upgrades = header::is_websocket(request.headers());
        let client = upgrades.then(|| upgrade::on(&mut request));
        let request = match self.rewritten(request, prefix, upgrades) {
            Ok(request) => request,
            Err(_) => return text(StatusCode::BAD_REQUEST, "not a path of the API"),
        };
        let response = match self.send(request).await {
            Ok(response) => response,
            Err(Unanswered::NotThere) => {
                return text(StatusCode::BAD_GATEWAY, "the API does not answer: does its proxy run?");
            }
            Err(Unanswered::OutOfHandles) => return out_of_handles(),
            Err(Unanswered::Broken) => return text(StatusCode::BAD_GATEWAY, "the API closed the connection"),
        };
        match (response.status() == StatusCode::SWITCHING_PROTOCOLS, client) {
            (true, Some(client)) => self.joined(response, client, permit),
            (true, None) => text(StatusCode::BAD_GATEWAY, "the API changed to another protocol unasked"),
            (false, _) => self.returned(response, prefix).map(passed_on),
        }
    }

    async fn send(&self, request: Request<Incoming>) -> Result<Response<Incoming>, Unanswered> {
        let stream = with_file_handle(|| self.connect()).await.map_err(|error| match is_out_of_handles(&error) {
            true => Unanswered::OutOfHandles,
            false => Unanswered::NotThere,
        })?;
        let (mut sender, connection) = http1::handshake(stream).await.map_err(|_| Unanswered::Broken)?;
        // It ends with the answer's body. Its error is the body's too, and that is where somebody reads it.
        tokio::spawn(async move { connection.with_upgrades().await.ok() });
        sender.send_request(request).await.map_err(|_| Unanswered::Broken)
    }

    fn rewritten(
        &self,
        mut request: Request<Incoming>,
        prefix: &str,
        upgrades: bool,
    ) -> Result<Request<Incoming>, NotSendable> {
        let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
        let below = target.strip_prefix(prefix).unwrap_or(target);
        *request.uri_mut() = format!("{}{below}", self.base).parse::<Uri>()?;
        let headers = request.headers_mut();
        header::remove_hop_by_hop(headers);
        headers.insert(HOST, self.authority.parse()?);
        if upgrades {
            headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
            headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        }
        Ok(request)
    }

    /// The answer as the browser may see it.
    fn returned<B>(&self, mut response: Response<B>, prefix: &str) -> Response<B> {
        let headers = response.headers_mut();
        header::remove_hop_by_hop(headers);
        let location = headers.remove(LOCATION).and_then(|location| self.location(location.to_str().ok()?, prefix));
        headers.extend(location.map(|location| (LOCATION, location)));
        // The API passes on what programs in the cluster serve. Opened as a page, that must not act as this origin.
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; frame-ancestors 'none'"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }

    /// Where a redirect leads here: below `prefix` for a path of the API, else nowhere.
    fn location(&self, location: &str, prefix: &str) -> Option<HeaderValue> {
        let inner = format!("http://{}", self.authority);
        let path = location.strip_prefix(&inner).unwrap_or(location);
        let below = path.strip_prefix(&self.base)?;
        let is_path = below.starts_with('/') && !below.starts_with("//") && !below.contains('\\');
        if is_path { format!("{prefix}{below}").parse().ok() } else { None }
    }

    /// Passes bytes both ways for as long as both sides want.
    fn joined(&self, mut response: Response<Incoming>, client: OnUpgrade, permit: Permit) -> Response<Body> {
        let api = upgrade::on(&mut response);
        tokio::spawn(async move {
            if let (Ok(client), Ok(api)) = (client.await, api.await) {
                // Either error is one side leaving, which is the end of both.
                copy_bidirectional(&mut TokioIo::new(client), &mut TokioIo::new(api)).await.ok();
            }
            drop(permit);
        });
        header::remove_hop_by_hop(response.headers_mut());
        response.headers_mut().remove(LOCATION);
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        response.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
        response.map(passed_on)
    }
}

/// What the API sends, as it comes.
fn passed_on(body: Incoming) -> Body {
    body.map_err(Into::into).boxed_unsync()
}

enum Unanswered {
    NotThere,
    OutOfHandles,
    Broken,
}

/// A path or host that cannot stand in a request.
struct NotSendable;

impl From<InvalidUri> for NotSendable {
    fn from(_: InvalidUri) -> NotSendable {
        NotSendable
    }
}

impl From<InvalidHeaderValue> for NotSendable {
    fn from(_: InvalidHeaderValue) -> NotSendable {
        NotSendable
    }
}

#[cfg(test)]
mod tests {
    use super::Backend;

    #[test]
    fn a_redirect_leads_below_the_prefix_or_nowhere() {
        let check = |backend: &str, location: &str| {
            let backend: Backend = backend.parse().unwrap();
            backend.location(location, "/k-1").map(|value| value.to_str().unwrap().to_owned())
        };
        for (backend, location, expect) in [
            ("http://a:1", "/api/", Some("/k-1/api/")),
            ("http://a:1", "http://a:1/api?x=1", Some("/k-1/api?x=1")),
            ("http://a:1/base", "/base/api", Some("/k-1/api")),
            ("http://a:1/base", "/api", None),
            ("http://a:1/base", "/based/api", None),
            ("http://a:1", "http://a:12/api", None),
            ("http://a:1", "https://10.0.0.1:6443/api", None),
            ("http://a:1", "//evil.example/", None),
            ("http://a:1", "/\\evil.example/", None),
            ("http://a:1", "http://a:1@evil.example/", None),
            ("http://a:1", "javascript:alert(1)", None),
        ] {
            assert_eq!(check(backend, location).as_deref(), expect, "{backend} {location}");
        }
    }
}
