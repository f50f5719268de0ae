//! What broadcasters of both event APIs have in common: one way in, many ways out.

use std::{cell::Cell, pin::pin, rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::{join3, select},
};
use k8s_openapi::jiff::Timestamp;

use super::{
    EventKind, Recording, Sink,
    counts::{Cause, Intake, Ledger, Loss, LossHandler},
    delivery::Delivery,
    event_name::EventNames,
    write::key_of,
};
use crate::{
    Error,
    cache::notify::Notify,
    runtime::{Runtime, Task},
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Takes events of recorders and hands them to sinks and watchers.
pub(crate) struct Hub<K> {
    fan: Broadcaster<Rc<K>>,
    names: EventNames,
    runtime: Runtime,
    intake: Rc<Cell<Intake>>,
    limits: Limits,
    on_loss: Option<LossHandler>,
    is_stopped: Cell<bool>,
    stopping: Notify,
}

/// How much a hub holds, and how long a failed write waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) queue: usize,
    pub(crate) when_full: WhenFull,
    pub(crate) pause: Duration,
}

impl<K: EventKind> Hub<K> {
    pub(crate) fn new(
        runtime: &Runtime,
        fan: Broadcaster<Rc<K>>,
        limits: Limits,
        on_loss: Option<LossHandler>,
    ) -> Rc<Hub<K>> {
        Rc::new(Hub {
            fan,
            names: EventNames::new(runtime),
            runtime: runtime.clone(),
            intake: Rc::default(),
            limits,
            on_loss,
            is_stopped: Cell::new(false),
            stopping: Notify::default(),
        })
    }

    /// Takes an event if there is room. Never waits and never fails: what is lost is counted and told of.
    pub(crate) fn record(&self, event: K) {
        let (event, dropped) = (Rc::new(event), self.fan.dropped());
        let taken = self.fan.action_or_drop(Rc::clone(&event));
        let mut intake = self.intake.get();
        *(if matches!(taken, Ok(true)) { &mut intake.accepted } else { &mut intake.refused }) += 1;
        self.intake.set(intake);
        let lost = match taken {
            Err(_) => Some(Cause::Stopped),
            // Refused, or taken and missed by somebody whose own queue is full.
            Ok(_) => (self.fan.dropped() > dropped).then_some(Cause::QueueFull),
        };
        if let (Some(cause), Some(handler)) = (lost, &self.on_loss) {
            handler(&Loss { event: key_of(&*event), cause });
        }
    }

    pub(crate) fn name(&self, object: &str) -> String {
        self.names.name(object)
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// What a person's clock shows; 1970 if that cannot be written.
    pub(crate) fn timestamp(&self) -> Timestamp {
        let nanoseconds = i128::try_from(self.runtime.wall().as_nanos()).ok();
        nanoseconds.and_then(|wall| Timestamp::from_nanosecond(wall).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub(crate) fn intake(&self) -> Intake {
        self.intake.get()
    }

    pub(crate) fn watch(&self) -> Result<Watcher<Rc<K>>, Error> {
        self.fan.watch()
    }

    /// Hands every event to `handler`, until the hub is shut down or the task is dropped.
    pub(crate) fn watch_by(&self, mut handler: impl FnMut(&K) + 'static) -> Result<Task, Error> {
        let mut watcher = self.watch()?;
        Ok(self.runtime.spawn(async move {
            while let Some(event) = watcher.next().await {
                handler(&event);
            }
        }))
    }

    /// Hands every event to `feed`, which gives the delivery to `sink` what is to be written; `rounds` does so beside it.
    pub(crate) fn deliver<R: Future<Output = ()> + 'static>(
        self: &Rc<Self>,
        sink: Rc<dyn Sink<K>>,
        mut feed: impl FnMut(&K, &Delivery<K>) + 'static,
        rounds: impl FnOnce(Rc<Delivery<K>>) -> R,
    ) -> Result<Recording, Error> {
        let mut watcher = self.watch()?;
        let Limits { queue, when_full, pause } = self.limits;
        let ledger = Rc::new(Ledger::new(self.on_loss.clone()));
        let delivery = Rc::new(Delivery::new(sink, &self.runtime, pause, queue, Rc::clone(&ledger)));
        let rounds = rounds(Rc::clone(&delivery));
        let (hub, given) = (Rc::clone(self), Rc::clone(&ledger));
        let task = self.runtime.spawn(async move {
            let mut missed = 0;
            let feeding = async {
                loop {
                    if when_full == WhenFull::Wait {
                        delivery.room().await;
                    }
                    let Some(event) = watcher.next().await else { break };
                    let before = std::mem::replace(&mut missed, watcher.dropped());
                    given.give(missed - before);
                    feed(&event, &delivery);
                    given.notify.notify_all();
                }
            };
            let feeding = async {
                select(pin!(feeding), pin!(rounds)).await;
                delivery.close();
            };
            let hurrying = async {
                hub.stopping.until(|| hub.is_stopped.get()).await;
                delivery.hurry();
            };
            join3(feeding, delivery.run(), hurrying).await;
        });
        Ok(Recording { ledger, intake: Rc::clone(&self.intake), before: self.intake().accepted, task })
    }

    /// Takes nothing more. What was taken is still handed out, and written if the first attempt succeeds.
    pub(crate) fn shutdown(&self) {
        self.fan.shutdown();
        self.is_stopped.set(true);
        self.stopping.notify_all();
    }
}
