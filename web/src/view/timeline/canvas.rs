//! A canvas that is as sharp as the screen.

use leptos::{html, prelude::GetUntracked, prelude::NodeRef};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ResizeObserver, window};

/// A canvas with what draws on it.
#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) context: CanvasRenderingContext2d,
    /// In pixels of the page.
    pub(super) width: f64,
    /// In pixels of the page.
    pub(super) height: f64,
}

impl Canvas {
    /// The canvas of `node`, as large as it is on screen and empty; `None` while it is not on screen.
    pub(super) fn of(node: NodeRef<html::Canvas>) -> Option<Canvas> {
        let element: HtmlCanvasElement = node.get_untracked()?;
        let context = element.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
        let (width, height) = (f64::from(element.client_width()), f64::from(element.client_height()));
        if width < 1.0 || height < 1.0 {
            return None;
        }
        let ratio = window().map_or(1.0, |window| window.device_pixel_ratio());
        let sharp = ((width * ratio).round() as u32, (height * ratio).round() as u32);
        if (element.width(), element.height()) != sharp {
            element.set_width(sharp.0);
            element.set_height(sharp.1);
        }
        context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
        context.clear_rect(0.0, 0.0, width, height);
        Some(Canvas { context, width, height })
    }
}

/// Calls something whenever an element has another size. Dropping it ends that.
#[derive(Debug)]
pub(super) struct SizeWatch {
    observer: ResizeObserver,
    _changed: Closure<dyn FnMut()>,
}

impl SizeWatch {
    /// Watches `element`; `None` where the browser cannot.
    pub(super) fn new(element: &HtmlCanvasElement, changed: impl FnMut() + 'static) -> Option<SizeWatch> {
        let changed = Closure::<dyn FnMut()>::new(changed);
        let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(SizeWatch { observer, _changed: changed })
    }
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
