//! A mapper that learns what it needs when it needs it.

use std::{cell::RefCell, rc::Rc};

use super::{CachedDiscovery, Catalog, Resource, ResourceName, RestMapper, cached::Age};
use crate::Error;

/// Understands names and kinds by a cached catalog. Clones share it.
///
/// When the cached catalog does not know a name, the server is asked once more before the answer is no: a resource
/// definition may have been added since. So an unknown name costs two requests to a server with aggregated discovery.
#[derive(Clone, Debug)]
pub struct DeferredRestMapper {
    discovery: CachedDiscovery,
    built: Rc<RefCell<Option<Built>>>,
}

/// The mapper for one catalog.
#[derive(Clone, Debug)]
struct Built {
    catalog: Rc<Catalog>,
    mapper: Rc<RestMapper>,
}

impl DeferredRestMapper {
    /// A mapper by what `discovery` learns; nothing is asked for before the first look-up.
    pub fn new(discovery: CachedDiscovery) -> DeferredRestMapper {
        DeferredRestMapper { discovery, built: Rc::default() }
    }

    /// As [`RestMapper::resource_for`].
    pub async fn resource_for(&self, name: &ResourceName) -> Result<Rc<Resource>, Error> {
        self.look_up(|mapper| mapper.resource_for(name)).await
    }

    /// As [`RestMapper::resource_for_kind`].
    pub async fn resource_for_kind(&self, group: &str, kind: &str, versions: &[&str]) -> Result<Rc<Resource>, Error> {
        self.look_up(|mapper| mapper.resource_for_kind(group, kind, versions)).await
    }

    /// As [`RestMapper::expand`].
    pub async fn expand(&self, text: &str) -> Result<Vec<Rc<Resource>>, Error> {
        self.look_up(|mapper| mapper.expand(text)).await
    }

    /// The mapper by the catalog of this moment, for look-ups that are content with it.
    pub async fn mapper(&self) -> Result<Rc<RestMapper>, Error> {
        self.built().await.map(|(built, _)| built.mapper)
    }

    /// Forgets the catalog; the next look-up asks for another.
    pub fn reset(&self) {
        self.discovery.invalidate();
    }

    async fn look_up<T>(&self, find: impl Fn(&RestMapper) -> Result<T, Error>) -> Result<T, Error> {
        let (built, age) = self.built().await?;
        match find(&built.mapper) {
            Err(error) if error.is_no_match() && age == Age::Held => {
                self.discovery.outdate(&built.catalog);
                find(&self.built().await?.0.mapper)
            }
            found => found,
        }
    }

    async fn built(&self) -> Result<(Built, Age), Error> {
        let (catalog, age) = self.discovery.load().await?;
        let known = self.built.borrow().clone().filter(|built| Rc::ptr_eq(&built.catalog, &catalog));
        let built = known.unwrap_or_else(|| {
            let mapper = Rc::new(RestMapper::new(&catalog));
            Built { catalog, mapper }
        });
        self.built.replace(Some(built.clone()));
        Ok((built, age))
    }
}
