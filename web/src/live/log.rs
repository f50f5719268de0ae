//! The log of a container, as it is written.
//!
//! One stream at a time, through the client's budget of connections. It ends with the component that opened it. Views are
//! told at most once a frame.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures::StreamExt;
use leptos::prelude::{GetValue, LocalStorage, RwSignal, Set, StoredValue, Update, WithValue};
use masthead::{Error, browser::timer::sleep, rest::RestClient, runtime::Task, typed::LogOptions};

use crate::{live::frame::Frame, model::log::Ring};

/// Which log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogSource {
    pub(crate) namespace: String,
    pub(crate) pod: String,
    pub(crate) container: String,
    /// The run before this one.
    pub(crate) previous: bool,
    /// Goes on with what is written from now on.
    pub(crate) follow: bool,
}

/// How the stream stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogState {
    Opening,
    Flowing,
    Ended,
    Failed(String),
}

/// A log that is open. Copies are the same one.
#[derive(Clone, Copy)]
pub(crate) struct LogFeed {
    pub(crate) state: RwSignal<LogState>,
    /// Grows with every frame in which lines came.
    pub(crate) revision: RwSignal<u64>,
    inner: StoredValue<Rc<Inner>, LocalStorage>,
}

struct Inner {
    client: RestClient,
    source: LogSource,
    ring: RefCell<Ring>,
    frame: Frame,
    /// Dropping it ends the stream.
    task: RefCell<Option<Task>>,
}

impl LogFeed {
    /// Opens the log at its last lines.
    pub(crate) fn open(client: RestClient, source: LogSource) -> LogFeed {
        let (state, revision) = (RwSignal::new(LogState::Opening), RwSignal::new(0));
        let frame = Frame::new(move || revision.update(|revision| *revision += 1));
        let (ring, task) = (RefCell::default(), RefCell::default());
        let inner = Rc::new(Inner { client, source, ring, frame, task });
        let log = LogFeed { state, revision, inner: StoredValue::new_local(inner) };
        log.again();
        log
    }

    /// Goes on behind the last line that came.
    pub(crate) fn again(self) {
        let inner = self.inner.get_value();
        let task = inner.client.config().runtime.spawn(run(Rc::downgrade(&inner), self.state));
        // What ran before ends here, with nothing borrowed.
        let before = inner.task.replace(Some(task));
        drop(before);
    }

    /// Reads the lines that are kept.
    pub(crate) fn with<T>(self, read: impl FnOnce(&Ring) -> T) -> T {
        self.inner.with_value(|inner| read(&inner.ring.borrow()))
    }
}

/// Streams until the log ends. A connection that breaks is opened again for as long as the log is followed.
async fn run(inner: std::rc::Weak<Inner>, state: RwSignal<LogState>) {
    let mut pause = PAUSE;
    loop {
        state.set(LogState::Opening);
        let Some(source) = inner.upgrade().map(|inner| inner.source.clone()) else { return };
        match stream(&inner, state).await {
            Ok(()) => return state.set(LogState::Ended),
            Err(error) => state.set(LogState::Failed(error.to_string())),
        }
        if !source.follow {
            return;
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONG_PAUSE);
    }
}

async fn stream(inner: &std::rc::Weak<Inner>, state: RwSignal<LogState>) -> Result<(), Error> {
    let Some(held) = inner.upgrade() else { return Ok(()) };
    let LogSource { namespace, pod, container, previous, follow } = held.source.clone();
    let since_time = held.ring.borrow().latest().to_owned();
    let tail_lines = since_time.is_empty().then_some(TAIL);
    let options =
        LogOptions { container, follow, previous, timestamps: true, tail_lines, since_time, ..LogOptions::default() };
    let request = held.client.group_version("", "v1").get().resource("pods").namespace(&namespace).name(&pod);
    let mut body = request.sub_resource(["log"]).params(&options).stream().await?;
    drop(held);
    state.set(LogState::Flowing);
    while let Some(chunk) = body.next().await {
        let Some(inner) = inner.upgrade() else { return Ok(()) };
        if chunk.is_err() {
            inner.ring.borrow_mut().end();
        }
        inner.ring.borrow_mut().push(&chunk?);
        inner.frame.ask();
    }
    if let Some(inner) = inner.upgrade() {
        inner.ring.borrow_mut().end();
        inner.frame.ask();
    }
    Ok(())
}

/// How many lines of the past are asked for.
const TAIL: u64 = 5_000;

const PAUSE: Duration = Duration::from_secs(1);
const LONG_PAUSE: Duration = Duration::from_secs(15);
