//! One visit of the page: the signals views read, and the tasks that keep them true.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    time::Duration,
};

use leptos::prelude::{
    Effect, Get, GetUntracked, GetValue, LocalStorage, Memo, RwSignal, Set, StoredValue, Track, Update, With,
    WithUntracked,
};
use masthead::{browser::timer::sleep, rest::RestClient};
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{
        TableView, access, address, catalog, clock,
        feed::{Feed, Subject},
        feeds::Feeds,
        overlay::Overlay,
        place::Place,
        presence::Presence,
        pulse,
        server::Server,
        settings, theme,
    },
    model::{
        access::Rules,
        connection::{Connection, Phase},
        kind::{Kind, Kinds},
        route::{Open, Page, Route},
        settings::Settings,
        table::column::Column,
        theme::Theme,
        words::{Language, Words},
    },
};

/// Everything a view may read, and what it may ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session {
    /// What is on screen; equal to the address.
    pub(crate) route: RwSignal<Route>,
    /// Where requests go. Another one when the first place turns out to be wrong.
    pub(crate) server: RwSignal<Server, LocalStorage>,
    /// Whether the server of the page did not take the code in the address.
    pub(crate) code_refused: bool,
    pub(crate) connection: RwSignal<Connection>,
    /// The server's version, once it told.
    pub(crate) version: RwSignal<Option<String>>,
    /// The kinds that the server serves, once it told.
    pub(crate) kinds: RwSignal<Option<Kinds>>,
    /// How many objects there are of the kinds that are followed, by kind.
    pub(crate) counts: RwSignal<BTreeMap<String, usize>>,
    /// The kinds that the server refused to list, by id.
    pub(crate) refused: RwSignal<BTreeSet<String>>,
    /// What the person may do in the namespaces that are chosen, as far as the server tells.
    pub(crate) rules: RwSignal<Vec<Rules>>,
    /// Milliseconds since 1970, by the server's clock; ticks once a second.
    pub(crate) now: RwSignal<i64>,
    pub(crate) theme: RwSignal<Theme>,
    pub(crate) settings: RwSignal<Settings>,
    pub(crate) overlay: RwSignal<Overlay>,
    /// The table on screen.
    pub(crate) table: RwSignal<Option<TableView>>,
    /// All columns of the table on screen, shown or not.
    pub(crate) columns: RwSignal<Vec<Column>>,
    language: Memo<Language>,
    feeds: StoredValue<Rc<Feeds>, LocalStorage>,
    /// The namespaces, for who may list them. Apart from the others, since it is always needed.
    namespaces: RwSignal<Option<Rc<Feed>>, LocalStorage>,
}

impl Session {
    /// Starts to follow the cluster, for as long as the page lives.
    pub(crate) fn start(place: Place) -> Self {
        let route = address::followed();
        let server = if route.with_untracked(|route| route.demo) { Server::demo() } else { Server::at(place.base) };
        let settings = settings::kept();
        let browser = settings::browser_language();
        let session = Self {
            route,
            server: RwSignal::new_local(server),
            code_refused: place.code_refused,
            connection: RwSignal::new(Connection::default()),
            version: RwSignal::new(None),
            kinds: RwSignal::new(None),
            counts: RwSignal::new(BTreeMap::new()),
            refused: RwSignal::new(BTreeSet::new()),
            rules: RwSignal::new(Vec::new()),
            now: clock::ticking(),
            theme: theme::chosen(),
            settings,
            overlay: RwSignal::new(Overlay::None),
            table: RwSignal::new(None),
            columns: RwSignal::new(Vec::new()),
            language: Memo::new(move |_| settings.with(|settings| settings.language.unwrap_or(browser))),
            feeds: StoredValue::new_local(Rc::default()),
            namespaces: RwSignal::new_local(None),
        };
        Effect::new(move || settings.with(|settings| settings::apply(settings, session.language.get())));
        session.follow_namespaces();
        Effect::new(move || {
            session.now.track();
            session.look();
        });
        access::follow(session);
        spawn_local(pulse::run(session));
        spawn_local(catalog::run(session));
        spawn_local(session.follow_presence());
        session
    }

    /// The client of the server.
    pub(crate) fn client(self) -> RestClient {
        self.server.get_untracked().client
    }

    /// The words of the language in use.
    pub(crate) fn words(self) -> &'static Words {
        self.language.get().words()
    }

    /// The words of the language in use, for what is drawn anew whenever it opens.
    pub(crate) fn words_now(self) -> &'static Words {
        self.language.get_untracked().words()
    }

    pub(crate) fn language(self) -> Language {
        self.language.get()
    }

    /// Whether it is the demo cluster.
    pub(crate) fn is_demo(self) -> bool {
        self.route.with(|route| route.demo)
    }

    /// Goes to another view.
    pub(crate) fn go(self, route: Route) {
        let away = self.route.with_untracked(|present| *present != route);
        if away {
            address::go(&route);
            self.route.set(route);
        }
    }

    /// Goes to another page, in the same namespaces.
    pub(crate) fn go_to(self, page: Page) {
        self.go(self.route.with_untracked(|route| route.to(page)));
    }

    /// Goes to the page of this id.
    pub(crate) fn go_to_id(self, id: &str) {
        self.go_to(Page::of(id));
    }

    /// Changes the present view in place. Browsers take only so many addresses a second, so that the address follows when
    /// nothing changed for a moment.
    pub(crate) fn amend(self, change: impl FnOnce(&mut Route)) {
        let mut route = self.route.get_untracked();
        change(&mut route);
        if self.route.with_untracked(|present| *present != route) {
            self.route.set(route.clone());
            spawn_local(async move {
                sleep(SETTLED).await;
                if self.route.with_untracked(|present| *present == route) {
                    address::amend(&route);
                }
            });
        }
    }

    /// Opens an object of the kind on screen, in the tab that the last one was open in.
    pub(crate) fn open(self, namespace: &str, name: &str) {
        let mut route = self.route.get_untracked();
        let before = route.open.take().unwrap_or_default();
        route.open = Some(Open { namespace: namespace.to_owned(), name: name.to_owned(), ..before });
        self.go(route);
    }

    /// The kind of this id: as the server tells, or as every server has it while it has not told.
    pub(crate) fn kind(self, id: &str) -> Option<Kind> {
        self.kinds.with(|kinds| match kinds {
            Some(kinds) => kinds.find(id).cloned(),
            None => Kind::expected(id),
        })
    }

    /// Whether the server would refuse to list a kind here, as far as it told.
    pub(crate) fn is_refused(self, id: &str) -> bool {
        self.refused.with(|refused| refused.contains(id))
            || self.kinds.with(|kinds| {
                kinds.as_ref().and_then(|kinds| kinds.find(id)).is_some_and(|kind| {
                    self.rules.with(|rules| !rules.is_empty() && !rules.iter().any(|rules| rules.may_list(kind)))
                })
            })
    }

    /// The feed of a kind in the namespaces that are chosen; it is on screen from now on.
    pub(crate) fn feed(self, subject: &Subject) -> Rc<Feed> {
        self.feeds.get_value().show(&self.server.get().client, subject)
    }

    /// The feeds of these subjects, which are on screen together from now on.
    pub(crate) fn feeds_of(self, subjects: &[Subject]) -> Vec<Rc<Feed>> {
        self.feeds.get_value().show_all(&self.server.get().client, subjects)
    }

    /// A feed that tells all of this subject, and perhaps more: one that runs, or a new one for as long as it is held.
    pub(crate) fn shared_feed(self, subject: &Subject) -> Rc<Feed> {
        self.feeds.get_value().share(&self.client(), subject)
    }

    /// A feed that runs and tells all of this subject, and perhaps more.
    pub(crate) fn running_feed(self, subject: &Subject) -> Option<Rc<Feed>> {
        self.feeds.get_value().running(subject)
    }

    /// The feeds that run.
    pub(crate) fn feeds(self) -> Vec<Rc<Feed>> {
        self.feeds.get_value().all()
    }

    /// The names of the namespaces that are known: those of the server, and those that were typed in.
    pub(crate) fn known_namespaces(self) -> Vec<String> {
        self.now.track();
        let listed = self.namespaces.with(|feed| feed.as_ref().map(|feed| feed.keys()).unwrap_or_default());
        let mut names: Vec<String> = listed.iter().map(|key| key.name().to_owned()).collect();
        names.extend(self.settings.with(|settings| settings.namespaces.clone()));
        names.extend(self.route.with(|route| route.namespaces.clone()));
        names.sort();
        names.dedup();
        names
    }

    /// The feed of the namespaces.
    pub(crate) fn namespace_feed(self) -> Option<Rc<Feed>> {
        self.namespaces.get()
    }

    /// Turns to another server: nothing of the one before stays.
    pub(crate) fn turn_to(self, server: Server) {
        self.feeds.get_value().clear();
        clock::forget();
        self.server.set(server);
        self.follow_namespaces();
    }

    fn follow_namespaces(self) {
        let kind = Kind::expected("namespaces").expect("every server has namespaces");
        let feed = Feed::new(&self.client(), Subject::new(&kind, &[]));
        feed.start();
        self.namespaces.set(Some(Rc::new(feed)));
    }

    /// Looks once a second at what feeds have not said by themselves.
    fn look(self) {
        let reachable = self.connection.with_untracked(|connection| matches!(connection.phase(), Phase::Live));
        let feeds = self.feeds.get_value();
        let others = self.namespaces.get_untracked();
        feeds.all().iter().chain(others.as_ref()).for_each(|feed| feed.look(reachable));
        let counts = feeds.counts(&self.route.with_untracked(|route| route.namespaces.clone()));
        if self.counts.with_untracked(|known| *known != counts) {
            self.counts.set(counts);
        }
    }

    /// Browsers keep left pages frozen, and a frozen page must hold no connection.
    async fn follow_presence(self) {
        let mut presence = Presence::new();
        let each = |act: fn(&Feed)| {
            let namespaces = self.namespaces.get_untracked();
            self.feeds().iter().chain(namespaces.as_ref()).for_each(|feed| act(feed));
        };
        loop {
            presence.left().await;
            each(Feed::stop);
            presence.back().await;
            each(Feed::start);
            self.connection.update(|_| {});
        }
    }
}

/// About as long as between two keys.
const SETTLED: Duration = Duration::from_millis(250);
