//! In which form an answer is asked for.

/// What an `Accept` header comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// Plain JSON.
    Json,
    /// `as=PartialObjectMetadata`.
    Metadata,
    /// `as=PartialObjectMetadataList`.
    MetadataList,
    /// `as=APIGroupDiscoveryList`.
    Discovery,
}

impl Accepted {
    /// The first form of the header that is served; `None` when there is none.
    pub(crate) fn parse(header: Option<&str>) -> Option<Accepted> {
        header.unwrap_or("*/*").split(',').find_map(form)
    }
}

fn form(entry: &str) -> Option<Accepted> {
    let mut parts = entry.split(';').map(str::trim);
    let media = parts.next()?;
    let parameter = |name: &str| {
        let mut found = entry.split(';').map(str::trim).filter_map(|part| part.split_once('='));
        found.find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    };
    let is_json = matches!(media, "application/json" | "application/*" | "*/*");
    match (is_json, parameter("as"), parameter("g"), parameter("v")) {
        (true, "", ..) => Some(Accepted::Json),
        (true, "PartialObjectMetadata", "meta.k8s.io", "v1") => Some(Accepted::Metadata),
        (true, "PartialObjectMetadataList", "meta.k8s.io", "v1") => Some(Accepted::MetadataList),
        (true, "APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2") => Some(Accepted::Discovery),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Accepted;

    #[test]
    fn the_first_form_that_is_served_wins() {
        let check = |header: &str, expect| assert_eq!(Accepted::parse(Some(header)), expect, "{header}");
        check("application/json", Some(Accepted::Json));
        check("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", Some(Accepted::Json));
        check("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", Some(Accepted::Metadata));
        check("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", Some(Accepted::Discovery));
        check("application/vnd.kubernetes.protobuf", None);
        assert_eq!(Accepted::parse(None), Some(Accepted::Json));
    }
}
