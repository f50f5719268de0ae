//! Work that is done once before the next frame, however often it is asked for.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::window;

/// Calls something once before the next frame of the page. Dropping it cancels.
pub(crate) struct Frame {
    shared: Rc<Shared>,
}

struct Shared {
    /// The frame that was asked for.
    asked: Cell<Option<i32>>,
    call: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl Frame {
    pub(crate) fn new(work: impl Fn() + 'static) -> Frame {
        let shared = Rc::new(Shared { asked: Cell::new(None), call: RefCell::default() });
        let asked = Rc::downgrade(&shared);
        let call = Closure::new(move || {
            if let Some(shared) = asked.upgrade() {
                shared.asked.set(None);
            }
            work();
        });
        shared.call.replace(Some(call));
        Frame { shared }
    }

    /// Asks for the next frame. A page that nobody sees has none: the work is then done when it is seen again.
    pub(crate) fn ask(&self) {
        if self.shared.asked.get().is_some() {
            return;
        }
        let call = self.shared.call.borrow();
        let (Some(window), Some(call)) = (window(), call.as_ref()) else { return };
        self.shared.asked.set(window.request_animation_frame(call.as_ref().unchecked_ref()).ok());
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        if let (Some(window), Some(asked)) = (window(), self.shared.asked.get())
            && window.cancel_animation_frame(asked).is_err()
        {
            leptos::logging::warn!("a frame was not cancelled");
        }
    }
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame").field("asked", &self.shared.asked.get()).finish()
    }
}
