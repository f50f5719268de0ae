//! The page's clock, the same for every runtime of this page.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures::future::LocalBoxFuture;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{
    browser::{steady::Steady, timer, turn},
    runtime::{Clock, Instant},
};

#[wasm_bindgen]
extern "C" {
    // Of the global scope, which pages, workers and Node all have.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

/// Tells the time by `performance.now()`, corrected by `Date.now()` for the time the machine slept.
#[derive(Debug)]
pub(super) struct PageClock {
    steady: RefCell<Steady>,
}

impl PageClock {
    /// The one clock there is, so that instants of any two parts compare.
    pub(super) fn shared() -> Rc<PageClock> {
        thread_local! {
            static CLOCK: Rc<PageClock> = Rc::new(PageClock { steady: RefCell::new(Steady::new(monotonic(), wall())) });
        }
        CLOCK.with(Rc::clone)
    }
}

impl Clock for PageClock {
    fn now(&self) -> Instant {
        self.steady.borrow_mut().at(monotonic(), wall())
    }

    fn wall(&self) -> Duration {
        wall()
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        Box::pin(timer::sleep(duration))
    }

    fn give_way(&self) -> LocalBoxFuture<'static, ()> {
        Box::pin(turn::give_way())
    }
}

fn monotonic() -> Duration {
    milliseconds(performance_now())
}

fn wall() -> Duration {
    milliseconds(js_sys::Date::now())
}

/// A clock before its origin shows the origin.
fn milliseconds(shown: f64) -> Duration {
    Duration::try_from_secs_f64(shown / 1000.0).unwrap_or_default()
}
