//! The logs of the pod that is open.

use leptos::prelude::*;

use crate::{
    live::{Contents, LogFeed, LogSource, LogState, OpenObject, Session},
    model::{
        detail::{Container, Role},
        log::{Ring, Search},
    },
    view::logs::{bar::LogBar, window::LogWindow},
};

/// What a person chose to see of a log.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) container: RwSignal<String>,
    pub(crate) follow: RwSignal<bool>,
    pub(crate) previous: RwSignal<bool>,
    pub(crate) wrap: RwSignal<bool>,
    pub(crate) times: RwSignal<bool>,
    pub(crate) search: RwSignal<String>,
    /// Which of the lines that were found is looked at.
    pub(crate) at: RwSignal<usize>,
}

impl Choice {
    /// What is shown at first.
    fn new() -> Choice {
        Choice {
            container: RwSignal::new(String::new()),
            follow: RwSignal::new(true),
            previous: RwSignal::new(false),
            wrap: RwSignal::new(true),
            times: RwSignal::new(false),
            search: RwSignal::new(String::new()),
            at: RwSignal::new(0),
        }
    }
}

/// The log of one container, and which one.
#[component]
pub(crate) fn ObjectLogs(session: Session, object: OpenObject) -> impl IntoView {
    let containers = Memo::new(move |_| {
        object.contents.with(|contents| match contents {
            Contents::Whole(pod) => Container::of_pod(pod),
            _ => Vec::new(),
        })
    });
    let names = Memo::new(move |_| {
        containers.with(|all| all.iter().map(|one| (one.name.clone(), one.role)).collect::<Vec<_>>())
    });
    let preferred = Memo::new(move |_| {
        object.contents.with(|contents| match contents {
            Contents::Whole(pod) => Container::preferred(pod).to_owned(),
            _ => String::new(),
        })
    });
    let choice = Choice::new();
    let container = Memo::new(move |_| {
        let (chosen, preferred) = (choice.container.get(), preferred.get());
        names.with(|all| {
            let named = |wanted: &str| all.iter().find(|(name, _)| name == wanted);
            let first = || all.iter().find(|(_, role)| *role == Role::Main).or(all.first());
            named(&chosen).or_else(|| named(&preferred)).or_else(first).map(|(name, _)| name.clone())
        })
    });
    let (namespace, pod) = (object.key().namespace().to_owned(), object.key().name().to_owned());
    let source = Memo::new(move |_| {
        let container = container.get()?;
        let (previous, follow) = (choice.previous.get(), choice.follow.get());
        Some(LogSource {
            namespace: namespace.clone(),
            pod: pod.clone(),
            container,
            previous,
            follow: follow && !previous,
        })
    });
    let run = Memo::new(move |_| {
        let name = container.get().unwrap_or_default();
        containers.with(|all| all.iter().find(|one| one.name == name).map(|one| one.run.clone()))
    });
    move || {
        source.get().map(|source| {
            let log = LogFeed::open(session.client(), source);
            // A container that starts again writes into a new log.
            Effect::watch(
                move || run.get(),
                move |_, before, _| {
                    let over = !matches!(log.state.get_untracked(), LogState::Flowing | LogState::Opening);
                    if before.is_some() && over && choice.follow.get_untracked() {
                        log.again();
                    }
                },
                false,
            );
            let search = Memo::new(move |_| Search::new(&choice.search.get()));
            let found = Memo::new(move |_| {
                log.revision.track();
                search.with(|search| log.with(|ring: &Ring| search.lines(ring)))
            });
            view! {
                <div class="log" data-testid="log">
                    <LogBar session choice names container log found/>
                    <LogWindow session choice log search found/>
                </div>
            }
        })
    }
}
