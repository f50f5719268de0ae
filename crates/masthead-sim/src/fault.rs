//! What goes wrong, scripted per request.

use std::{pin::Pin, time::Duration};

use futures::{Stream, StreamExt, future, stream};
use masthead::{
    Error,
    rest::{HttpRequest, Method},
    runtime::Runtime,
};
use serde_json::json;

use crate::{refusal::Refusal, route, telling::write_event};

/// Something that goes wrong with the next requests that fit.
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Node;
/// use masthead::{rest::{Config, ListOptions, Method, RestClient}, runtime::VirtualTime, typed};
/// use masthead_sim::{Effect, Fault, Sim};
///
/// let time = VirtualTime::new();
/// let sim = Sim::new(time.runtime());
/// // The next watch of nodes is told that its version is too old.
/// sim.fault(Fault {
///     method: Some(Method::Get),
///     part_of_url: "/nodes?watch=".into(),
///     ..Fault::next(Effect::ErrorEvent(410))
/// });
/// // And the next request of all is one too many; the client waits and asks again.
/// sim.fault(Fault::next(Effect::Status { code: 429, retry_after: Some(1) }));
/// let client = RestClient::new(Config::new("http://sim", Rc::new(sim), time.runtime()))?;
/// let nodes = typed::Client::<Node>::cluster(&client);
/// assert_eq!(time.run(nodes.list(&ListOptions::default()))?.items.len(), 0);
/// assert_eq!(time.now().since(masthead::runtime::Instant::ORIGIN).as_secs(), 1);
/// # Ok::<(), masthead::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Only requests of this method; `None` for all.
    pub method: Option<Method>,
    /// Only requests whose path and query contain this; empty for all.
    pub part_of_url: String,
    /// How many requests it hits before it is used up.
    pub times: u32,
    /// What happens to them.
    pub effect: Effect,
}

/// What happens to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The server sees the request this much later.
    Latency(Duration),
    /// The server does nothing and answers with this code, such as 410, 429 or 503.
    Status {
        /// The HTTP status code, which the `Status` in the body repeats.
        code: u16,
        /// The seconds of a `Retry-After` header.
        retry_after: Option<u32>,
    },
    /// No answer at all: a network error.
    Unreachable,
    /// The connection breaks after this many bytes of the body.
    CutAfter(usize),
    /// Nothing comes after this many bytes of the body, not even an end.
    FreezeAfter(usize),
    /// Nothing comes for a while; what there is comes then.
    Pause {
        /// How many bytes of the body come before.
        after: usize,
        /// How long it takes.
        pause: Duration,
    },
    /// The body comes in chunks of at most this many bytes.
    Chunks(usize),
    /// A watch begins with an ERROR event of this code, and ends.
    ErrorEvent(u16),
    /// A watch begins with an ERROR event whose status no client can read, and ends.
    UndecodableErrorEvent,
    /// One object of a list or a watch comes damaged.
    Damage {
        /// Which one, from 1 on; only those count that have what is damaged.
        nth: u32,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A watch has no bookmarks, not even that which ends its initial events.
    SkipBookmarks,
    /// A watch leaves out one bookmark: the nth, from 1 on. That which ends its initial events counts.
    SkipBookmark(u32),
    /// A watch that begins with the present state is over, as if all were well, where the bookmark that ends that state
    /// should be.
    CloseBeforeBookmark,
}

/// What is wrong with an object, or with the event that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// `metadata.creationTimestamp` is a number.
    Field,
    /// `metadata.creationTimestamp` has a byte that is no text.
    Text,
    /// `metadata` is a number, so that nobody can tell whose state it is. The metadata of a list counts as the first.
    Metadata,
    /// The event is of a type that no client knows.
    EventType,
}

impl Damage {
    /// Does it to the nth place in a chunk that has it; `left` counts down over the chunks.
    fn apply(self, chunk: &mut Vec<u8>, left: &mut u32) {
        let (place, replacement): (&[u8], &[u8]) = match self {
            Damage::Field => (b"\"creationTimestamp\":\"", b"\"creationTimestamp\":7,\"created\":\""),
            Damage::Text => (b"\"creationTimestamp\":\"", b"\"creationTimestamp\":\"\xff"),
            Damage::Metadata => (b"\"metadata\":{", b"\"metadata\":7,\"was\":{"),
            Damage::EventType => (b"{\"type\":\"", b"{\"type\":\"UN"),
        };
        let mut from = 0;
        while *left > 0 {
            let found = chunk[from..].windows(place.len()).position(|window| window == place);
            let Some(at) = found.map(|at| from + at) else { return };
            *left -= 1;
            from = at + place.len();
            if *left == 0 {
                chunk.splice(at..from, replacement.iter().copied());
            }
        }
    }
}

impl Fault {
    /// A fault of the next request, whatever it is.
    pub fn next(effect: Effect) -> Fault {
        Fault { method: None, part_of_url: String::new(), times: 1, effect }
    }

    /// Whether it is about this request.
    pub(crate) fn fits(&self, request: &HttpRequest) -> bool {
        let (path, query) = route::split_url(&request.url);
        let url = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        self.times > 0 && self.method.is_none_or(|method| method == request.method) && url.contains(&self.part_of_url)
    }
}

/// The chunks of a body.
pub(crate) type Chunks = Pin<Box<dyn Stream<Item = Result<Vec<u8>, Error>>>>;

impl Effect {
    /// The body as the fault leaves it.
    pub(crate) fn bend(&self, body: Chunks, operation: &str, runtime: &Runtime) -> Chunks {
        match *self {
            Effect::CutAfter(bytes) => {
                let broken = Error::network(operation, "connection reset");
                first_bytes(body, bytes, move |_| stream::once(future::ready(Err(broken))).boxed_local())
            }
            Effect::FreezeAfter(bytes) => first_bytes(body, bytes, |_| stream::pending().boxed_local()),
            Effect::Pause { after, pause } => {
                let runtime = runtime.clone();
                first_bytes(body, after, move |rest| {
                    let late = async move {
                        runtime.sleep(pause).await;
                        rest
                    };
                    stream::once(late).flatten().boxed_local()
                })
            }
            Effect::Chunks(size) => body.flat_map(move |chunk| stream::iter(pieces(chunk, size.max(1)))).boxed_local(),
            Effect::ErrorEvent(code) => {
                let mut event = Vec::new();
                write_event("ERROR", &Refusal::scripted(code, None).status(), &mut event);
                stream::once(future::ready(Ok(event))).boxed_local()
            }
            Effect::UndecodableErrorEvent => {
                let mut event = Vec::new();
                write_event("ERROR", &json!({ "code": "gone" }), &mut event);
                stream::once(future::ready(Ok(event))).boxed_local()
            }
            Effect::Damage { nth, damage } => {
                let mut left = nth;
                let damaged = body.map(move |mut chunk| {
                    if let Ok(chunk) = &mut chunk {
                        damage.apply(chunk, &mut left);
                    }
                    chunk
                });
                damaged.boxed_local()
            }
            Effect::Latency(_)
            | Effect::Status { .. }
            | Effect::Unreachable
            | Effect::SkipBookmarks
            | Effect::SkipBookmark(_)
            | Effect::CloseBeforeBookmark => body,
        }
    }
}

/// So many bytes of a body, and then what `after` makes of the rest; a shorter body is left as it is.
fn first_bytes(body: Chunks, bytes: usize, after: impl FnOnce(Chunks) -> Chunks + 'static) -> Chunks {
    let bent = stream::unfold((body, bytes, Some(after)), async |(mut body, mut left, mut after)| {
        if left == 0
            && let Some(after) = after.take()
        {
            body = after(body);
        }
        let mut chunk = body.next().await?;
        if let Ok(chunk) = &mut chunk
            && after.is_some()
        {
            let rest = chunk.split_off(chunk.len().min(left));
            left -= chunk.len();
            if !rest.is_empty() {
                body = stream::once(future::ready(Ok(rest))).chain(body).boxed_local();
            }
        }
        Some((chunk, (body, left, after)))
    });
    bent.boxed_local()
}

fn pieces(chunk: Result<Vec<u8>, Error>, size: usize) -> Vec<Result<Vec<u8>, Error>> {
    match chunk {
        Ok(bytes) => bytes.chunks(size).map(|piece| Ok(piece.to_vec())).collect(),
        Err(error) => vec![Err(error)],
    }
}
