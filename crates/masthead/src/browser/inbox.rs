//! What a WebSocket brought and nobody has read yet.

use std::{
    cell::RefCell,
    collections::VecDeque,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use crate::Error;

/// Messages of one socket, in order, and how it stands. A socket cannot be told to wait, so that the inbox has a bound: a
/// reader that falls further behind loses the connection, and goes on from the last version it has read.
#[derive(Debug)]
pub(super) struct Inbox {
    operation: Rc<str>,
    limit: usize,
    state: RefCell<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    messages: VecDeque<Vec<u8>>,
    /// The sum of the messages' lengths; at most the limit.
    bytes: usize,
    reader: Option<Waker>,
}

#[derive(Debug)]
enum Phase {
    Opening,
    Open,
    /// Over; the error is given out once, after the messages.
    Closed(Option<Error>),
}

impl Inbox {
    /// Of a socket that is opening; keeps at most `limit` bytes.
    pub(super) fn new(operation: Rc<str>, limit: usize) -> Inbox {
        let state = State { phase: Phase::Opening, messages: VecDeque::new(), bytes: 0, reader: None };
        Inbox { operation, limit, state: RefCell::new(state) }
    }

    /// The socket is open.
    pub(super) fn opened(&self) {
        self.change(|state| {
            if matches!(state.phase, Phase::Opening) {
                state.phase = Phase::Open;
            }
        });
    }

    /// A message came. Says whether it was kept; if not, the connection is of no more use.
    pub(super) fn received(&self, message: Vec<u8>) -> bool {
        let fits = {
            let state = self.state.borrow();
            matches!(state.phase, Phase::Open) && state.bytes + message.len() <= self.limit
        };
        if !fits {
            self.lost(format!("more than {} bytes came unread", self.limit));
            return false;
        }
        self.change(|state| {
            state.bytes += message.len();
            state.messages.push_back(message);
        });
        true
    }

    /// The socket closed; code 1000 after it was open is how the server ends a watch as agreed.
    pub(super) fn closed(&self, code: u16, reason: &str) {
        let clean = code == 1000 && matches!(self.state.borrow().phase, Phase::Open);
        let error = match reason {
            "" => format!("the WebSocket closed with code {code}"),
            reason => format!("the WebSocket closed with code {code}: {reason}"),
        };
        self.end((!clean).then(|| Error::network(&self.operation, error)));
    }

    /// The connection is of no more use.
    pub(super) fn lost(&self, why: impl Into<String>) {
        self.end(Some(Error::network(&self.operation, why)));
    }

    /// Completes once the socket is open, or has failed to open.
    pub(super) fn poll_opened(&self, context: &Context<'_>) -> Poll<Result<(), Error>> {
        let mut state = self.state.borrow_mut();
        let unread = !state.messages.is_empty();
        match &mut state.phase {
            Phase::Opening => {
                state.reader = Some(context.waker().clone());
                Poll::Pending
            }
            Phase::Open => Poll::Ready(Ok(())),
            // What came before the end is read first.
            Phase::Closed(_) if unread => Poll::Ready(Ok(())),
            Phase::Closed(error) => Poll::Ready(error.take().map_or(Ok(()), Err)),
        }
    }

    /// The next message; after the last one the error, if there is one, and then the end.
    pub(super) fn poll_message(&self, context: &Context<'_>) -> Poll<Option<Result<Vec<u8>, Error>>> {
        let mut state = self.state.borrow_mut();
        if let Some(message) = state.messages.pop_front() {
            state.bytes -= message.len();
            return Poll::Ready(Some(Ok(message)));
        }
        match &mut state.phase {
            Phase::Closed(error) => Poll::Ready(error.take().map(Err)),
            Phase::Opening | Phase::Open => {
                state.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }

    /// The first end counts: what closing the socket reports afterwards is its consequence.
    fn end(&self, error: Option<Error>) {
        self.change(|state| {
            if !matches!(state.phase, Phase::Closed(_)) {
                state.phase = Phase::Closed(error);
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let reader = {
            let mut state = self.state.borrow_mut();
            change(&mut state);
            state.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use futures::{FutureExt, executor::block_on};

    use super::Inbox;
    use crate::Error;

    fn inbox() -> Inbox {
        Inbox::new("watch pods".into(), 10)
    }

    fn opened(inbox: &Inbox) -> Option<Result<(), Error>> {
        poll_fn(|context| inbox.poll_opened(context)).now_or_never()
    }

    /// Everything that can be read now, in words; `…` when more may come.
    fn read(inbox: &Inbox) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            match poll_fn(|context| inbox.poll_message(context)).now_or_never() {
                Some(Some(Ok(message))) => found.push(String::from_utf8(message).expect("tests send text")),
                Some(Some(Err(error))) => found.push(error.to_string()),
                Some(None) => return found,
                None => {
                    found.push("…".to_owned());
                    return found;
                }
            }
        }
    }

    #[test]
    fn messages_come_in_order_and_a_clean_close_ends_them() {
        let inbox = inbox();
        assert!(opened(&inbox).is_none());
        inbox.opened();
        assert!(opened(&inbox).is_some_and(|outcome| outcome.is_ok()));
        assert!(inbox.received(b"a".to_vec()) && inbox.received(b"b".to_vec()));
        assert_eq!(read(&inbox), ["a", "b", "…"]);
        assert!(inbox.received(b"c".to_vec()));
        inbox.closed(1000, "");
        assert!(!inbox.received(b"late".to_vec()));
        assert_eq!(read(&inbox), ["c"]);
        assert!(read(&inbox).is_empty());
    }

    #[test]
    fn any_other_close_is_an_error_after_what_came_before_it() {
        let inbox = inbox();
        inbox.opened();
        inbox.received(b"a".to_vec());
        inbox.closed(1006, "");
        assert_eq!(read(&inbox), ["a", "watch pods: no answer from the server (the WebSocket closed with code 1006)"]);
        assert!(read(&inbox).is_empty());
    }

    #[test]
    fn closing_before_it_is_open_is_never_clean() {
        for code in [1000, 1006] {
            let inbox = inbox();
            inbox.closed(code, "no");
            let error = opened(&inbox).expect("over").expect_err("never open");
            assert!(error.is_network(), "{error}");
        }
    }

    #[test]
    fn a_reader_that_falls_behind_loses_the_connection_but_nothing_it_was_sent() {
        let inbox = inbox();
        inbox.opened();
        assert!(inbox.received(vec![b'x'; 6]));
        assert!(!inbox.received(vec![b'y'; 6]));
        inbox.closed(1000, "");
        assert_eq!(read(&inbox), ["xxxxxx", "watch pods: no answer from the server (more than 10 bytes came unread)"]);
    }

    #[test]
    fn a_waiting_reader_is_woken() {
        let inbox = std::rc::Rc::new(inbox());
        inbox.opened();
        let sender = std::rc::Rc::clone(&inbox);
        let reader = poll_fn(|context| inbox.poll_message(context));
        let both = futures::future::join(reader, async move { sender.received(b"a".to_vec()) });
        let (message, kept) = block_on(both);
        assert_eq!((message.map(|found| found.ok()), kept), (Some(Some(b"a".to_vec())), true));
    }
}
