//! Objects that have too many events.

use k8s_openapi::api::core::v1::Event;

use super::{
    CorrelatorOptions,
    correlator::{LruCache, key_of, lru_cache, source_of, text},
};
use crate::{flowcontrol::TokenBucket, runtime::Instant};

/// Lets a burst of events through for each key, and few after that.
#[derive(Debug)]
pub(super) struct SpamFilter {
    options: CorrelatorOptions,
    buckets: LruCache<TokenBucket>,
}

impl SpamFilter {
    pub(super) fn new(options: CorrelatorOptions) -> SpamFilter {
        SpamFilter { buckets: lru_cache(options.cache_size), options }
    }

    /// Whether `event` may be written.
    pub(super) fn accepts(&mut self, event: &Event, now: Instant) -> bool {
        let CorrelatorOptions { burst, qps, spam_key, .. } = self.options;
        let bucket = self.buckets.get_or_insert_mut(spam_key(event), || TokenBucket::new(qps, burst));
        bucket.try_accept(now)
    }
}

/// Limited together: what one source says of one object with one type.
pub(super) fn by_object_and_type(event: &Event) -> String {
    let [component, host] = source_of(event);
    let object = &event.involved_object;
    key_of([
        component,
        host,
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.uid),
        text(&object.api_version),
        text(&event.type_),
    ])
}
