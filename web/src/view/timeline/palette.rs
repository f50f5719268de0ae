//! The colours of the style sheet, for the canvas.

use leptos::{html, prelude::GetUntracked, prelude::NodeRef};
use wasm_bindgen::JsCast;
use web_sys::{Element, window};

use crate::model::timeline::point::Status;

/// The inks of the canvas, as the style sheet has them at present.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Palette {
    pub(super) ground: String,
    pub(super) raised: String,
    pub(super) hover: String,
    pub(super) hairline: String,
    pub(super) text: String,
    pub(super) quiet: String,
    pub(super) accent: String,
    pub(super) activity: Ink,
    pub(super) warning: Ink,
    pub(super) failure: Ink,
    pub(super) running: String,
    pub(super) pending: String,
    pub(super) fonts: Fonts,
}

/// The fonts of the canvas, as it wants them written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fonts {
    pub(super) label: String,
    pub(super) small: String,
    pub(super) pill: String,
    pub(super) name: String,
}

/// A hue, strong and soft.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ink {
    pub(super) strong: String,
    pub(super) soft: String,
}

/// The classes of the elements that show the inks, in the order of [`Palette::read`].
pub(super) const INKS: [&str; 15] = [
    "tl-ink-ground",
    "tl-ink-raised",
    "tl-ink-hover",
    "tl-ink-hairline",
    "tl-ink-text",
    "tl-ink-quiet",
    "tl-ink-accent",
    "tl-ink-activity",
    "tl-ink-activity-soft",
    "tl-ink-warning",
    "tl-ink-warning-soft",
    "tl-ink-failure",
    "tl-ink-failure-soft",
    "tl-ink-running",
    "tl-ink-pending",
];

impl Palette {
    /// Reads the inks again if the theme changed: then the first of them has.
    pub(super) fn refresh(&mut self, node: NodeRef<html::Div>) {
        let Some(element) = node.get_untracked() else { return };
        let element: Element = element.unchecked_into();
        if let Some(first) = element.first_element_child()
            && colour(&first) != self.ground
        {
            self.read(&element);
        }
    }

    /// The ink of a status.
    pub(super) fn ink(&self, status: Status) -> &Ink {
        match status {
            Status::Activity => &self.activity,
            Status::Warning => &self.warning,
            Status::Failure => &self.failure,
        }
    }

    fn read(&mut self, element: &Element) {
        let children = element.children();
        let mut next = (0..children.length()).filter_map(|at| children.item(at)).map(|child| colour(&child));
        let mut take = || next.next().unwrap_or_default();
        let [ground, raised, hover, hairline, text, quiet, accent] = std::array::from_fn(|_| take());
        let [activity, warning, failure] = std::array::from_fn(|_| Ink { strong: take(), soft: take() });
        let [running, pending] = std::array::from_fn(|_| take());
        let (sans, mono) = (family(element, "tl-sans"), family(element, "tl-mono"));
        let fonts = Fonts {
            label: format!("11px {sans}"),
            small: format!("10.5px {sans}"),
            pill: format!("600 10.5px {sans}"),
            name: format!("12px {mono}"),
        };
        *self = Palette {
            ground,
            raised,
            hover,
            hairline,
            text,
            quiet,
            accent,
            activity,
            warning,
            failure,
            running,
            pending,
            fonts,
        };
    }
}

fn colour(element: &Element) -> String {
    computed(element, "color")
}

fn family(palette: &Element, class: &str) -> String {
    let found = palette.query_selector(&format!(".{class}")).ok().flatten();
    found.map(|element| computed(&element, "font-family")).unwrap_or_default()
}

fn computed(element: &Element, property: &str) -> String {
    let style = window().and_then(|window| window.get_computed_style(element).ok().flatten());
    style.and_then(|style| style.get_property_value(property).ok()).unwrap_or_default()
}
