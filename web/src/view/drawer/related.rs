//! What an object has to do with others.

use leptos::prelude::*;

use crate::{
    live::{OpenObject, Relatives, Session},
    model::{
        detail::{Detail, Reference, Relation, Usage, used_by},
        kind::Kind,
        supply::Supply,
    },
    view::{
        drawer::{ObjectLink, overview::told, owned::Owned, owners::Owners, relation::RelationTable, section::Section},
        show_more::{FIRST, ShowMore},
    },
};

/// Who owns it, what it uses, what belongs to it, and what refers to it.
#[component]
pub(crate) fn ObjectRelated(session: Session, object: OpenObject) -> impl IntoView {
    let nearest = Memo::new(move |_| told(object, Reference::owner).flatten());
    let uses = Memo::new(move |_| told(object, used_by).unwrap_or_default());
    let relations = Memo::new(move |_| told(object, |object| Detail::of(object).relations).unwrap_or_default());
    // A kind that the server does not have refers to nothing.
    let usages = Memo::new(move |_| {
        let all = told(object, Usage::of).unwrap_or_default().into_iter();
        session.kinds.with(|kinds| {
            let known = |usage: Usage| Some((kinds.as_ref()?.find(usage.kind)?.clone(), usage));
            all.filter_map(known).collect::<Vec<(Kind, Usage)>>()
        })
    });
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| uses.with(Vec::len)));
    let link = move |to: Reference| view! { <li><ObjectLink session to kind=true/></li> };
    let relation = move |relation: Relation| view! { <Owned session relation/> };
    view! {
        <div class="object-overview" data-testid="object-related">
            <Owners session nearest/>
            <Show when=move || uses.with(|uses| !uses.is_empty())>
                <Section title=Signal::derive(move || session.words().drawer.uses.to_owned()) test="uses">
                    <ul class="told-links">{move || uses.get().into_iter().take(shown.get()).map(link).collect_view()}</ul>
                    <ShowMore session shown all/>
                </Section>
            </Show>
            {move || relations.get().into_iter().map(relation).collect_view()}
            {move || view! { <Usages session usages=usages.get()/> }}
        </div>
    }
}

/// Everything that refers to the object: a table for each kind of which there is one that does, and a line on the others.
#[component]
fn Usages(session: Session, usages: Vec<(Kind, Usage)>) -> impl IntoView {
    let asked = !usages.is_empty();
    let find = |(kind, usage): (Kind, Usage)| {
        let selects = usage.is_selection();
        Some((selects, Relatives::referring(session, &kind, usage)?, kind))
    };
    let found: Vec<_> = usages.into_iter().filter_map(find).collect();
    let supplies: Vec<(String, Relatives)> =
        found.iter().map(|(_, relatives, kind)| (kind.title(), *relatives)).collect();
    let supplies = StoredValue::new_local(supplies);
    let named = move |wanted: fn(&Supply) -> bool| {
        supplies.with_value(|all| {
            let some = all.iter().filter(|(_, relatives)| relatives.supply.with(wanted));
            some.map(|(title, _)| title.as_str()).collect::<Vec<_>>().join(", ")
        })
    };
    let note = move || {
        let words = &session.words().drawer;
        let refused = named(|supply| supply.hindrance.as_ref().is_some_and(|it| it.why().is_some()));
        let looking = named(|supply| !supply.complete && supply.hindrance.is_none());
        let none = supplies.with_value(|all| all.iter().all(|(_, relatives)| relatives.rows.with(Vec::is_empty)));
        let mut said = Vec::new();
        if !looking.is_empty() {
            said.push((words.looking)(&looking));
        } else if none && asked && refused.is_empty() {
            said.push(words.unused.to_owned());
        }
        if !refused.is_empty() {
            said.push((words.not_looked)(&refused));
        }
        said.join(" ")
    };
    let table = move |(selects, relatives, kind): (bool, Relatives, Kind)| {
        let plural = StoredValue::new(kind.title());
        let title = Signal::derive(move || {
            let words = &session.words().drawer;
            plural.with_value(|plural| if selects { (words.selected_by)(plural) } else { (words.used_by)(plural) })
        });
        let kind = StoredValue::new(kind);
        view! {
            <Show when=move || relatives.rows.with(|rows| !rows.is_empty())>
                <RelationTable session title kind=kind.get_value() relatives/>
            </Show>
        }
    };
    view! {
        {found.into_iter().map(table).collect_view()}
        <p class="quiet" role="status" data-testid="usage-note">{note}</p>
    }
}
