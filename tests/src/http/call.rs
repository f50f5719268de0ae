//! What passes between the server's thread and the one that owns the transport.

use std::rc::Rc;

use futures::{
    FutureExt, SinkExt, Stream, StreamExt,
    channel::{mpsc, oneshot},
    future::{Either, select},
    stream,
};
use masthead::rest::{Answer, Headers, HttpRequest, Method, Transport};

/// A request on its way to the transport.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) method: Method,
    /// Path and query, as sent.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<Vec<u8>>,
    /// Dropped unused when the transport gives no answer.
    pub(super) reply: oneshot::Sender<Reply>,
    /// Completes when the client is gone: its other end is dropped then.
    pub(super) gone: oneshot::Receiver<()>,
}

/// An answer on its way to the client.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// All there is.
    Whole(Vec<u8>),
    /// What comes, when it comes.
    Stream(mpsc::Receiver<Chunk>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Chunk {
    Bytes(Vec<u8>),
    /// The body broke off, and so must the connection.
    Broken,
}

/// How many chunks wait for a client that reads slowly; the transport waits beyond that.
const WAITING: usize = 2;

impl Call {
    /// Asks the transport and passes its answer on, until its end or until the client is gone.
    pub(super) async fn carry_out(self, transport: Rc<dyn Transport>) {
        let Call { method, target, headers, body, reply, mut gone } = self;
        let mut sent = Headers::default();
        headers.into_iter().for_each(|(name, value)| sent.add(name, value));
        let operation = format!("{} {target}", method.as_str()).into();
        let request = HttpRequest { operation, method, url: target, headers: sent, body: body.map(Rc::from) };
        let Either::Left((Ok(answer), _)) = select(transport.send(request), &mut gone).await else { return };
        let Answer { code, headers, body, .. } = answer;
        let headers = headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut chunks = body.map(|chunk| chunk.map_or(Chunk::Broken, Chunk::Bytes)).boxed_local();
        // A body that is all there at once has a length; whether it is, shows when it is asked for more.
        let (first, second) = (chunks.next().now_or_never(), chunks.next().now_or_never());
        let content = match (first, second) {
            (Some(None), _) => Content::Whole(Vec::new()),
            (Some(Some(Chunk::Bytes(all))), Some(None)) => Content::Whole(all),
            (first, second) => {
                let begun = stream::iter([first, second].into_iter().flatten().flatten());
                let (sink, stream) = mpsc::channel(WAITING);
                if reply.send(Reply { code, headers, content: Content::Stream(stream) }).is_ok() {
                    pass_on(begun.chain(chunks), sink, gone).await;
                }
                return;
            }
        };
        // A client that left meanwhile wants no answer.
        reply.send(Reply { code, headers, content }).ok();
    }
}

async fn pass_on(
    mut chunks: impl Stream<Item = Chunk> + Unpin,
    mut sink: mpsc::Sender<Chunk>,
    mut gone: oneshot::Receiver<()>,
) {
    while let Either::Left((Some(chunk), _)) = select(chunks.next(), &mut gone).await {
        if sink.send(chunk).await.is_err() {
            return;
        }
    }
}
