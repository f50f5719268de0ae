//! What the palette finds: pages, namespaces, objects that are loaded, and actions.

use leptos::prelude::{Set, Update, With, WithUntracked};

use crate::{
    live::{Clip, Overlay, Session, address, theme::system_is_dark},
    model::{
        kind::Kind,
        route::{Open, Page, Route},
        search::score,
    },
};

/// Something that the palette offers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) find: Find,
    /// What a person reads.
    pub(crate) title: String,
    /// Where it is.
    pub(crate) detail: String,
}

/// What choosing an entry leads to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Find {
    Kind(String),
    Namespace(String),
    Object { kind: String, namespace: String, name: String },
    Action(Action),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Theme,
    CopyLink,
    Help,
    Settings,
    Columns,
    ClearFilter,
}

impl Session {
    /// What answers `query`, the best first.
    pub(crate) fn find(self, query: &str) -> Vec<Found> {
        let mut found: Vec<(u32, Found)> = Vec::new();
        self.add_kinds(query, &mut found);
        if !query.trim().is_empty() {
            self.add_namespaces(query, &mut found);
            self.add_objects(query, &mut found);
        }
        self.add_actions(query, &mut found);
        found.sort_by_key(|(score, _)| *score);
        found.truncate(ENTRIES);
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// Goes where an entry leads.
    pub(crate) fn choose(self, find: &Find) {
        self.overlay.set(Overlay::None);
        match find {
            Find::Kind(id) => self.go_to_id(id),
            Find::Namespace(name) => {
                let name = name.clone();
                self.go(self.route.with_untracked(|route| Route {
                    namespaces: vec![name],
                    open: None,
                    ..route.clone()
                }));
            }
            Find::Object { kind, namespace, name } => {
                let mut route = self.route.with_untracked(|route| match route.kind() == Some(kind) {
                    true => route.clone(),
                    false => route.to(Page::Table(kind.clone())),
                });
                let before = route.open.take().unwrap_or_default();
                route.open = Some(Open { namespace: namespace.clone(), name: name.clone(), ..before });
                self.go(route);
            }
            Find::Action(action) => self.act(*action),
        }
    }

    fn act(self, action: Action) {
        match action {
            Action::Theme => self.theme.update(|theme| *theme = theme.next(system_is_dark())),
            Action::CopyLink => Clip::new().copy(address::link()),
            Action::Help => self.overlay.set(Overlay::Help),
            Action::Settings => self.overlay.set(Overlay::Settings),
            Action::Columns => self.overlay.set(Overlay::Columns),
            Action::ClearFilter => self.amend(|route| route.filter.clear()),
        }
    }

    fn add_kinds(self, query: &str, found: &mut Vec<(u32, Found)>) {
        let best = |kind: &Kind| {
            let names = [kind.title(), kind.id()].into_iter().chain(kind.short_names.iter().cloned());
            names.filter_map(|name| score(query, &name)).min()
        };
        self.kinds.with(|kinds| {
            for kind in kinds.iter().flat_map(|kinds| kinds.all()) {
                if let Some(score) = best(kind) {
                    let detail = if kind.group.is_empty() { kind.version.clone() } else { kind.group.clone() };
                    found.push((score, Found { find: Find::Kind(kind.id()), title: kind.title(), detail }));
                }
            }
        });
    }

    fn add_namespaces(self, query: &str, found: &mut Vec<(u32, Found)>) {
        for name in self.known_namespaces() {
            if let Some(score) = score(query, &name) {
                let find = Find::Namespace(name.clone());
                found.push((score + 100, Found { find, title: name, detail: self.words().namespace.to_owned() }));
            }
        }
    }

    fn add_objects(self, query: &str, found: &mut Vec<(u32, Found)>) {
        let query = query.trim().to_ascii_lowercase();
        for feed in self.feeds() {
            let (kind, title) = (feed.subject.kind.id(), feed.subject.kind.kind.clone());
            let names = feed.keys().into_iter().filter(|key| key.name().contains(&query));
            for key in names.take(ENTRIES) {
                let (namespace, name) = (key.namespace().to_owned(), key.name().to_owned());
                let detail = [title.as_str(), &namespace].join(" ").trim().to_owned();
                let score = score(&query, &name).unwrap_or(9999) + 200;
                let find = Find::Object { kind: kind.clone(), namespace, name: name.clone() };
                found.push((score, Found { find, title: name, detail }));
            }
        }
    }

    fn add_actions(self, query: &str, found: &mut Vec<(u32, Found)>) {
        let words = self.words();
        let actions = [
            (Action::Theme, words.theme),
            (Action::Columns, words.columns),
            (Action::CopyLink, words.copy_link),
            (Action::ClearFilter, words.clear_filter),
            (Action::Settings, words.settings),
            (Action::Help, words.shortcuts),
        ];
        for (action, title) in actions {
            if let Some(score) = score(query, title) {
                let find = Find::Action(action);
                let found_action = Found { find, title: title.to_owned(), detail: words.action.to_owned() };
                found.push((score + 300, found_action));
            }
        }
    }
}

/// As many as anyone reads.
const ENTRIES: usize = 40;
