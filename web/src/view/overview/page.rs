//! The page of the overview.

use leptos::prelude::*;

use crate::{
    live::{OverviewFeed, Session},
    model::{
        overview::{Board, Counted, Figure},
        supply::{Hindrance, Supply},
    },
    view::overview::{capacity::Capacity, changes::RecentChanges, figures::Figures},
};

/// What is wrong right now, how full the cluster is, and what changed.
#[component]
pub(crate) fn OverviewPage(session: Session) -> impl IntoView {
    let namespaces = Memo::new(move |_| session.route.with(|route| route.namespaces.clone()));
    let known = Memo::new(move |_| session.kinds.with(Option::is_some));
    move || {
        known.track();
        let feed = OverviewFeed::open(session, namespaces.get());
        view! { <OverviewBoard session feed/> }
    }
}

#[component]
fn OverviewBoard(session: Session, feed: OverviewFeed) -> impl IntoView {
    let board = feed.board;
    let read = move |of: fn(&Board) -> Vec<Figure>| Memo::new(move |_| board.with(of));
    let pods = read(Board::failing_pods);
    let warnings = read(Board::warnings);
    let lacking = read(Board::lacking);
    let nodes = read(|board| board.nodes().to_vec());
    let names = move |wanted: fn(&Supply) -> bool| {
        feed.supplies.with_value(|all| {
            let some = all.iter().filter(|(_, supply)| supply.with(wanted));
            some.map(|(counted, _)| counted.id()).collect::<Vec<_>>().join(", ")
        })
    };
    let loading = move || names(|supply| !supply.complete && supply.hindrance.is_none());
    let refused = move || names(|supply| matches!(supply.hindrance, Some(Hindrance::Refused(_))));
    let note = move |text: String, say: fn(&str) -> String| {
        (!text.is_empty()).then(|| view! { <p class="quiet" role="status">{say(&text)}</p> })
    };
    let refused_all = move |kinds: &'static [Counted]| {
        Memo::new(move |_| {
            let is_refused = |supply: &Supply| matches!(supply.hindrance, Some(Hindrance::Refused(_)));
            feed.supplies.with_value(|all| {
                let mut asked = all.iter().filter(|(counted, _)| kinds.contains(counted));
                asked.all(|(_, supply)| supply.with(is_refused))
            })
        })
    };
    let total = move |counted| Memo::new(move |_| board.with(|board| board.total(counted)));
    let workloads =
        Memo::new(move |_| board.with(|board| WORKLOADS.iter().map(|kind| board.total(*kind)).sum::<usize>()));
    view! {
        <section class="overview" data-testid="overview">
            <header class="page-head"><h1>{move || session.words().overview.title}</h1></header>
            <div class="overview-scroll">
                {move || note(loading(), session.words().overview.still_loading)}
                {move || note(refused(), session.words().overview.refused)}
                <h2>{move || session.words().overview.wrong}</h2>
                <div class="overview-cards">
                    <Figures session test="failing-pods" figures=pods total=total(Counted::Pods) refused=refused_all(&[Counted::Pods])
                        title=Signal::derive(move || session.words().overview.pods_failing)/>
                    <Figures session test="lacking" figures=lacking total=workloads refused=refused_all(WORKLOADS)
                        title=Signal::derive(move || session.words().overview.unavailable)/>
                    <Figures session test="nodes" figures=nodes total=total(Counted::Nodes) refused=refused_all(&[Counted::Nodes])
                        title=Signal::derive(move || session.words().overview.nodes)/>
                    <Figures session test="warnings" figures=warnings total=total(Counted::Warnings) refused=refused_all(&[Counted::Warnings])
                        title=Signal::derive(move || session.words().overview.warnings)/>
                </div>
                <Capacity session board/>
                <RecentChanges session board/>
                <p class="quiet">{move || session.words().overview.watches}</p>
            </div>
        </section>
    }
}

const WORKLOADS: &[Counted] = &[Counted::Deployments, Counted::StatefulSets, Counted::DaemonSets];
