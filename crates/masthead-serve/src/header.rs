//! The headers that decide whether a request is answered, and those that end at this hop.

use hyper::{
    HeaderMap, Request,
    header::{CONNECTION, HOST, HeaderName, ORIGIN, UPGRADE},
};

/// The origin that a request is sent to, when that is `port` of this machine by a loopback name.
///
/// A page elsewhere that got its own name to resolve to 127.0.0.1 would name that instead.
pub(crate) fn own_origin<B>(request: &Request<B>, port: u16) -> Option<String> {
    let host = only(request.headers(), &HOST)?;
    let (name, named_port) = host.split_once(':').unwrap_or((host, "80"));
    let is_own = matches!(name, "127.0.0.1" | "localhost") && named_port.parse() == Ok(port);
    let is_same = request.uri().authority().is_none_or(|authority| authority.as_str() == host);
    (is_own && is_same).then(|| format!("http://{host}"))
}

/// Whether a request names this machine by a loopback name, with any port, as for a server that a proxy may stand before.
pub fn names_loopback<B>(request: &Request<B>) -> bool {
    let name = only(request.headers(), &HOST).map(|host| match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    });
    matches!(name, Some("127.0.0.1" | "localhost" | "[::1]"))
}

/// What the Origin header says about who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    /// There is no Origin: a program, or a page that reads from its own origin.
    Unnamed,
    /// The page at this address.
    Own,
    Foreign,
}

/// Who sent the request, for a server at the origin `own`.
pub(crate) fn sender(headers: &HeaderMap, own: &str) -> Sender {
    match (headers.contains_key(ORIGIN), only(headers, &ORIGIN)) {
        (false, _) => Sender::Unnamed,
        (true, Some(origin)) if origin == own => Sender::Own,
        (true, _) => Sender::Foreign,
    }
}

/// Whether a client asks to turn the connection into a WebSocket. Any other upgrade is a request as if it asked for none.
pub fn is_websocket(headers: &HeaderMap) -> bool {
    let asks = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let mut asks = asks.flat_map(|value| value.split(','));
    asks.any(|word| word.trim().eq_ignore_ascii_case("upgrade"))
        && only(headers, &UPGRADE).is_some_and(|protocol| protocol.eq_ignore_ascii_case("websocket"))
}

/// Removes what is meant for this hop, and cookies.
pub(crate) fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|word| word.trim().parse().ok())
        .collect();
    for name in named.iter().map(HeaderName::as_str).chain(NOT_PASSED_ON) {
        headers.remove(name);
    }
}

const NOT_PASSED_ON: [&str; 13] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "cookie",
    "set-cookie",
    // These name addresses that only the other hop knows.
    "content-location",
    "refresh",
];

/// The value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::{Sender, is_websocket, names_loopback, own_origin, remove_hop_by_hop, sender};

    fn request(uri: &str, headers: &[(&str, &str)]) -> Request<()> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    }

    #[test]
    fn only_loopback_names_with_the_own_port_are_served() {
        let check = |host: &str| own_origin(&request("/", &[("Host", host)]), 81);
        assert_eq!(check("127.0.0.1:81").as_deref(), Some("http://127.0.0.1:81"));
        assert_eq!(check("localhost:81").as_deref(), Some("http://localhost:81"));
        for host in ["127.0.0.1", "127.0.0.1:82", "evil.example:81", "127.0.0.1.evil.example:81", "localhost:81@x", ""]
        {
            assert_eq!(check(host), None, "{host}");
        }
        assert_eq!(own_origin(&request("/", &[]), 81), None);
        assert_eq!(own_origin(&request("/", &[("Host", "localhost:81"), ("Host", "evil.example")]), 81), None);
        assert_eq!(own_origin(&request("http://evil.example/", &[("Host", "localhost:81")]), 81), None);
    }

    #[test]
    fn a_loopback_name_may_have_any_port() {
        let check = |host: &str| names_loopback(&request("/", &[("Host", host)]));
        for host in ["127.0.0.1:80", "localhost", "[::1]:9", "[::1]"] {
            assert!(check(host), "{host}");
        }
        for host in ["evil.example:80", "127.0.0.1.evil.example", "localhost:x", ""] {
            assert!(!check(host), "{host}");
        }
        assert!(!names_loopback(&request("/", &[])));
        assert!(!names_loopback(&request("/", &[("Host", "localhost"), ("Host", "evil.example")])));
    }

    #[test]
    fn an_origin_is_absent_own_or_foreign() {
        let check = |origins: &[(&str, &str)]| sender(request("/", origins).headers(), "http://localhost:81");
        assert_eq!(check(&[]), Sender::Unnamed);
        assert_eq!(check(&[("Origin", "http://localhost:81")]), Sender::Own);
        for origin in
            ["null", "", "http://127.0.0.1:81", "https://localhost:81", "http://localhost:8", "http://evil.example"]
        {
            assert_eq!(check(&[("Origin", origin)]), Sender::Foreign, "{origin}");
        }
        assert_eq!(check(&[("Origin", "http://localhost:81"), ("Origin", "null")]), Sender::Foreign);
    }

    #[test]
    fn only_websockets_are_upgrades() {
        let check = |headers: &[(&str, &str)]| is_websocket(request("/", headers).headers());
        assert!(check(&[("Connection", "keep-alive, Upgrade"), ("Upgrade", "WebSocket")]));
        assert!(!check(&[("Connection", "Upgrade"), ("Upgrade", "foo")]));
        assert!(!check(&[("Connection", "Upgrade"), ("Upgrade", "websocket, h2c")]));
        assert!(!check(&[("Upgrade", "websocket")]));
    }

    #[test]
    fn what_the_connection_header_names_ends_here() {
        let mut request =
            request("/", &[("Connection", "close, X-Inner"), ("X-Inner", "1"), ("Cookie", "a"), ("Accept", "b")]);
        remove_hop_by_hop(request.headers_mut());
        assert_eq!(request.headers().keys().map(|name| name.as_str()).collect::<Vec<_>>(), ["accept"]);
    }
}
