//! Decides for each request who answers it: the API, the exchange of codes, or the page's files.

use std::{future::ready, path::PathBuf, time::Duration};

use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{
        ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY, RETRY_AFTER,
        X_CONTENT_TYPE_OPTIONS,
    },
};
use tokio::time::timeout;

use crate::{
    backend::Backend,
    codes::{CODE_PATH, Codes, Refusal},
    files,
    header::{self, Sender},
    listener::{Body, Permit, with_file_handle},
};

/// What is served at the address.
pub(crate) struct Site {
    pub(crate) dist: PathBuf,
    pub(crate) port: u16,
    pub(crate) api: Option<Backend>,
    pub(crate) codes: Codes,
}

impl Site {
    pub(crate) async fn answer(&self, request: Request<Incoming>, permit: Permit) -> Response<Body> {
        let Some(own) = header::own_origin(&request, self.port) else {
            return text(StatusCode::FORBIDDEN, "this address is for this machine only");
        };
        let sender = header::sender(request.headers(), &own);
        let path = request.uri().path();
        match &self.api {
            Some(api) if self.codes.below_prefix(path).is_some() => match sender {
                Sender::Foreign => text(StatusCode::FORBIDDEN, FOREIGN),
                Sender::Own | Sender::Unnamed => api.forward(request, self.codes.prefix(), permit).await,
            },
            Some(_) if path == CODE_PATH => self.exchange(request, sender).await,
            _ => self.file(&request).await,
        }
    }

    async fn exchange(&self, request: Request<Incoming>, sender: Sender) -> Response<Body> {
        if request.method() != Method::POST {
            return not_allowed("POST", "a code is sent with POST");
        }
        if sender != Sender::Own {
            return text(StatusCode::FORBIDDEN, FOREIGN);
        }
        let body = Limited::new(request.into_body(), MAX_CODE_BODY).collect();
        let Ok(Ok(code)) = timeout(CODE_WITHIN, body).await else {
            return text(StatusCode::BAD_REQUEST, "the body is the code and nothing else");
        };
        match self.codes.exchange(code.to_bytes().trim_ascii()) {
            Ok(session) => match serde_json::to_string(&session) {
                Ok(json) => own_answer(StatusCode::OK, "application/json", "no-store", json.into()),
                Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "the session could not be written"),
            },
            Err(Refusal::Used) => {
                text(StatusCode::GONE, "this address was used before: press Enter where Masthead runs for a new one")
            }
            Err(Refusal::Unknown) => text(
                StatusCode::FORBIDDEN,
                "this code is not known here: press Enter where Masthead runs for a new address",
            ),
        }
    }

    async fn file(&self, request: &Request<Incoming>) -> Response<Body> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return not_allowed("GET, HEAD", "the page's files are only read");
        }
        match with_file_handle(|| ready(files::read(&self.dist, request.uri().path()))).await {
            Ok(Some(file)) => own_answer(StatusCode::OK, file.content_type, file.cache_control, file.bytes.into()),
            Ok(None) => text(StatusCode::NOT_FOUND, "no such file; the page is at /"),
            Err(_) => out_of_handles(),
        }
    }
}

/// A sentence for a person.
pub(crate) fn text(status: StatusCode, sentence: &str) -> Response<Body> {
    own_answer(status, "text/plain; charset=utf-8", "no-store", format!("{sentence}\n").into())
}

/// For a client that waited and may come back.
pub(crate) fn out_of_handles() -> Response<Body> {
    let mut response = text(StatusCode::SERVICE_UNAVAILABLE, "there are too many open files: try again in a moment");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

fn not_allowed(allowed: &'static str, sentence: &str) -> Response<Body> {
    let mut response = text(StatusCode::METHOD_NOT_ALLOWED, sentence);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

fn own_answer(
    status: StatusCode,
    content_type: &'static str,
    cache_control: &'static str,
    body: Bytes,
) -> Response<Body> {
    let mut response = Response::new(Full::new(body).map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = status;
    for (name, value) in [
        (CONTENT_TYPE, content_type),
        (CACHE_CONTROL, cache_control),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

const FOREIGN: &str = "another page than Masthead's sent this request";

/// A code has 32 bytes, and perhaps an end of line.
const MAX_CODE_BODY: usize = 64;

const CODE_WITHIN: Duration = Duration::from_secs(10);
