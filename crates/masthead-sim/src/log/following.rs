//! The body of a log: what there is, and what comes while somebody follows it.

use std::{pin::pin, rc::Rc, time::Duration};

use futures::{
    Stream,
    future::{Either, select},
    stream,
};
use masthead::Error;
use serde_json::Value;

use super::{
    instance::Instance,
    options::{LogOptions, Since},
};
use crate::{kind::ResourceId, object::Key, seat::Seat, sim::Shared, timestamp};

/// One open log.
#[derive(Debug)]
pub(crate) struct Following {
    pods: ResourceId,
    key: Key,
    instance: Instance,
    options: LogOptions,
    /// The line to tell next.
    next: u64,
    /// How many lines there were when it was opened: all that one is told who does not follow.
    opened: u64,
    /// How many bytes may still be told.
    left: Option<u64>,
    /// Which life of the server this is a log of.
    life: u64,
}

/// How many lines a chunk has at most.
const BATCH: u64 = 500;
/// How many lines a node keeps of a log.
const KEPT: u64 = 100_000;

impl Following {
    /// The log of a run of a container of the pod that lies there, from now on.
    pub(super) fn new(
        (pods, key): (ResourceId, &Key),
        instance: Instance,
        options: LogOptions,
        wall: Duration,
        life: u64,
    ) -> Following {
        let opened = instance.output.len(wall);
        let since = match options.since {
            Since::Start => Duration::ZERO,
            Since::Ago(ago) => wall.saturating_sub(ago),
            Since::Time(time) => time,
        };
        let tail = opened.saturating_sub(options.tail.unwrap_or(KEPT).min(KEPT));
        let next = tail.max(instance.output.first_since(since, opened));
        Following { pods, key: key.clone(), instance, options, next, opened, left: options.bytes, life }
    }

    /// The body of the answer.
    pub(crate) fn into_stream(self, shared: Rc<Shared>) -> impl Stream<Item = Result<Vec<u8>, Error>> {
        let seat = Seat::take(shared);
        stream::unfold((self, seat), async |(mut following, seat)| {
            let chunk = following.next(&seat).await?;
            Some((Ok(chunk), (following, seat)))
        })
    }

    async fn next(&mut self, seat: &Seat) -> Option<Vec<u8>> {
        loop {
            if self.left == Some(0) {
                return None;
            }
            let wall = seat.shared.runtime.wall();
            let version = self.look(&seat.shared, wall)?;
            let len = if self.options.follow { self.instance.output.len(wall) } else { self.opened };
            if self.next < len {
                return Some(self.tell(len));
            }
            if !self.options.follow || self.instance.output.has_ended() {
                return None;
            }
            let pause = self.instance.output.time(self.next).saturating_sub(wall).max(Duration::from_millis(1));
            let pause = pin!(seat.shared.runtime.sleep(pause));
            match select(pin!(seat.changed(version, self.life)), pause).await {
                Either::Left(((), _)) | Either::Right(((), _)) => {}
            }
        }
    }

    /// Looks after the container; gives back the version it was seen at, and nothing once the server started anew.
    fn look(&mut self, shared: &Shared, wall: Duration) -> Option<u64> {
        let world = shared.world.borrow();
        let pod: Option<Value> = world.store.find(self.pods, &self.key).map(|pod| pod.value());
        self.instance.look(pod.as_ref(), wall);
        (world.life == self.life).then(|| world.store.version())
    }

    fn tell(&mut self, len: u64) -> Vec<u8> {
        let mut chunk = Vec::new();
        let until = len.min(self.next + BATCH);
        for line in self.next..until {
            if self.options.timestamps {
                let time = self.instance.output.time(line);
                let seconds = timestamp::format(time);
                let shown = format!("{}.{:09}Z ", seconds.trim_end_matches('Z'), time.subsec_nanos());
                chunk.extend_from_slice(shown.as_bytes());
            }
            chunk.extend_from_slice(self.instance.output.text(line).as_bytes());
            chunk.push(b'\n');
        }
        self.next = until;
        if let Some(left) = &mut self.left {
            chunk.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
            *left -= chunk.len() as u64;
        }
        chunk
    }
}
