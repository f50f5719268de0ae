//! What the drawer tells of an object: a section for each sort of thing.

mod amounts;
mod conditions;
mod containers;
mod entries;
mod events;
mod facts;
mod listing;
mod object_link;
mod overview;
mod owned;
mod owners;
mod pairs;
mod related;
mod relation;
mod secret;
mod section;
mod told;

pub(crate) use events::ObjectEvents;
pub(crate) use object_link::ObjectLink;
pub(crate) use overview::ObjectOverview;
pub(crate) use related::ObjectRelated;
pub(crate) use told::Ago;
