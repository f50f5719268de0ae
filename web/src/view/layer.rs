//! A layer over the page.

use leptos::{html, prelude::*};

use crate::live::{Overlay, Session};

/// What lies over the page while `which` is open. The browser keeps the focus in it, and gives it back.
#[component]
pub(crate) fn Layer(
    session: Session,
    which: Overlay,
    class: &'static str,
    label: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let open = Memo::new(move |_| session.overlay.get() == which);
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) if dialog.show_modal().is_err() => leptos::logging::warn!("a layer did not open"),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let shut = move || {
        if open.get_untracked() {
            session.overlay.set(Overlay::None);
        }
    };
    // Only the space around the layer is the dialog itself; all within it is the sheet.
    let outside = move |event: leptos::ev::MouseEvent| {
        let target = event.target().map(|target| target.loose_eq(&event.current_target().into()));
        if target == Some(true) {
            shut();
        }
    };
    view! {
        <dialog class=format!("layer {class}") node_ref=dialog aria-label=label on:close=move |_| shut() on:mousedown=outside>
            <div class="sheet">
                <Show when=move || open.get()>{children()}</Show>
            </div>
        </dialog>
    }
}
