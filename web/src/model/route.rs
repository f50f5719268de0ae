//! The address of a view: everything that decides what is on screen, as the fragment of the page's address.
//!
//! `#/pods?ns=shop,web&q=status!=Running&sort=-age&open=shop/web-1&tab=yaml`. A pasted link shows the same screen. Nothing
//! of an object but its name is ever in it.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::model::{filter, table::sort::Sort, visible::start_of};

/// What is on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Which page.
    pub page: Page,
    /// The namespaces that are shown, by name; all of them when there is none.
    pub namespaces: Vec<String>,
    /// The filter as it was typed.
    pub filter: String,
    /// The column to sort by; the kind's own order when there is none.
    pub sort: Option<Sort>,
    /// The object that is open beside the list.
    pub open: Option<Open>,
    /// The window of the timeline, in its own words.
    pub window: String,
    /// Whether it is the demo cluster's.
    pub demo: bool,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// What is wrong, and how full the cluster is.
    Overview,
    /// What happened, and in what order.
    Events,
    /// The objects of a kind, by the kind's id.
    Table(String),
}

/// An open object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Its namespace; empty for what has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The tab that is shown; the first when empty.
    pub tab: String,
    /// Whether it fills the page.
    pub full: bool,
}

impl Default for Page {
    fn default() -> Page {
        Page::Table("pods".to_owned())
    }
}

impl Page {
    /// The page of this id: a kind's, or one of those that are of no kind.
    pub fn of(id: &str) -> Page {
        match id {
            "overview" => Page::Overview,
            "events" => Page::Events,
            id => Page::Table(id.to_owned()),
        }
    }

    fn word(&self) -> &str {
        match self {
            Page::Overview => "overview",
            Page::Events => "events",
            Page::Table(id) => id,
        }
    }
}

impl Route {
    /// Reads a fragment, with or without its `#`. What it does not understand it leaves out.
    pub fn parse(fragment: &str) -> Route {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        let (path, query) = fragment.split_once('?').unwrap_or((fragment, ""));
        let page = match path.trim_matches('/') {
            "" => Page::default(),
            id => Page::of(&decoded(id, NAME)),
        };
        let mut route = Route { page, ..Route::default() };
        let (mut tab, mut full) = (String::new(), false);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value, if name == "q" { filter::LONGEST + 1 } else { NAME });
            match name {
                "ns" => {
                    route.namespaces = value.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
                }
                "q" => route.filter = value,
                "sort" => route.sort = Sort::parse(&value),
                "open" => route.open = Open::parse(&value),
                "tab" => tab = value,
                "full" => full = true,
                "window" => route.window = value,
                "demo" => route.demo = true,
                _ => {}
            }
        }
        route.open = route.open.map(|open| Open { tab, full, ..open });
        route
    }

    /// The fragment, with its `#`.
    pub fn write(&self) -> String {
        let mut pairs = Vec::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                pairs.push(format!("{name}={}", utf8_percent_encode(value, RESERVED)));
            }
        };
        add("ns", &self.namespaces.join(","));
        add("q", &self.filter);
        add("sort", &self.sort.as_ref().map(Sort::write).unwrap_or_default());
        add("window", &self.window);
        if let Some(open) = &self.open {
            add("open", &open.write());
            add("tab", &open.tab);
            add("full", if open.full { "1" } else { "" });
        }
        add("demo", if self.demo { "1" } else { "" });
        let path = format!("#/{}", utf8_percent_encode(self.page.word(), RESERVED));
        if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// The same cluster and namespaces on another page.
    #[must_use]
    pub fn to(&self, page: Page) -> Route {
        Route { page, namespaces: self.namespaces.clone(), demo: self.demo, ..Route::default() }
    }

    /// The id of the kind whose table is on screen.
    pub fn kind(&self) -> Option<&str> {
        match &self.page {
            Page::Table(id) => Some(id),
            Page::Overview | Page::Events => None,
        }
    }
}

impl Open {
    fn parse(text: &str) -> Option<Open> {
        let (namespace, name) = text.split_once('/').unwrap_or(("", text));
        let named = !name.is_empty() && !name.contains('/');
        named.then(|| Open { namespace: namespace.to_owned(), name: name.to_owned(), ..Open::default() })
    }

    fn write(&self) -> String {
        match self.namespace.as_str() {
            "" => self.name.clone(),
            namespace => format!("{namespace}/{}", self.name),
        }
    }
}

/// The beginning of a value, so that no link makes the page draw or search more than it can at once. What is longer than a
/// filter may be stays longer, and is refused in words.
fn decoded(text: &str, most: usize) -> String {
    let written = start_of(text, most.saturating_mul(3));
    let decoded = percent_decode_str(written).decode_utf8_lossy();
    start_of(&decoded, most).to_owned()
}

/// Longer than any name, and than the namespaces that anybody chooses by hand.
const NAME: usize = 8192;

/// What would end a value, or what browsers escape by themselves.
const RESERVED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'>').add(b'?').add(b'`');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_shows_the_same_view() {
        let route = Route {
            page: Page::Table("deployments.apps".into()),
            namespaces: vec!["shop".into(), "web".into()],
            filter: "app=web,tier!=db & /re?x#y/ 100% <日本>".into(),
            sort: Sort::parse("-age"),
            open: Some(Open { namespace: "shop".into(), name: "web-1".into(), tab: "yaml".into(), full: true }),
            window: String::new(),
            demo: true,
        };
        let written = route.write();
        assert_eq!(Route::parse(&written), route, "{written}");
        assert!(written.starts_with("#/deployments.apps?ns=shop,web&q=app=web,tier!=db%20%26%20"), "{written}");
    }

    #[test]
    fn the_bare_page_shows_pods_and_an_event_page_keeps_its_window() {
        assert_eq!(Route::parse(""), Route::default());
        assert_eq!(Route::parse("#/").write(), "#/pods");
        let events = Route { page: Page::Events, window: "1000..2000".into(), ..Route::default() };
        assert_eq!(Route::parse(&events.write()), events);
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        let route = Route::parse("#/nodes?open=a/b/c&tab=yaml&sort=&ns=,,&future=1&q=%FF");
        assert_eq!(route, Route { page: Page::Table("nodes".into()), filter: "\u{fffd}".into(), ..Route::default() });
    }

    #[test]
    fn a_long_link_is_cut() {
        let long = "x%20".repeat(1_000_000);
        let route = Route::parse(&format!("#/{long}?q={long}&ns={long}&open={long}&tab={long}&sort={long}"));
        assert_eq!(route.filter.len(), filter::LONGEST + 1, "so that it is refused as too long");
        assert!(route.write().len() < 200_000, "{}", route.write().len());
        assert_eq!(Route::parse("#/pods?q=%C3%A9"), Route { filter: "é".into(), ..Route::default() });
    }

    /// What a Secret holds is asked for by a click: an address has no word for it.
    #[test]
    fn no_link_asks_for_the_values_of_a_secret() {
        let plain = Route::parse("#/secrets?open=shop/key&tab=yaml");
        for word in ["reveal=1", "revealed=true", "show=1", "values=1", "data=1"] {
            assert_eq!(Route::parse(&format!("#/secrets?open=shop/key&tab=yaml&{word}")), plain);
        }
    }

    #[test]
    fn another_page_keeps_cluster_and_namespaces_only() {
        let route = Route::parse("#/pods?ns=a&q=x&sort=age&open=a/b&demo=1").to(Page::Events);
        assert_eq!(route.write(), "#/events?ns=a&demo=1");
    }
}
