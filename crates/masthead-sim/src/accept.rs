//! In which form an answer is asked for.

/// What an `Accept` header comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// Plain JSON.
    Json,
    /// `as=PartialObjectMetadata`.
    Metadata(Meta),
    /// `as=PartialObjectMetadataList`.
    MetadataList(Meta),
    /// `as=Table`.
    Table(Meta),
    /// `as=APIGroupDiscoveryList`.
    Discovery,
}

/// A version of the group that the forms of objects are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meta {
    V1,
    V1beta1,
}

/// Which forms a path serves beside plain JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// Those of objects.
    Objects,
    /// The same but for tables.
    Metadata,
    /// That of aggregated discovery.
    Discovery,
    None,
}

/// Why nothing that is accepted can be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unacceptable {
    /// No media type that the server knows.
    Media,
    /// None of the forms of one.
    Form,
}

impl Meta {
    pub(crate) fn api_version(self) -> &'static str {
        match self {
            Meta::V1 => "meta.k8s.io/v1",
            Meta::V1beta1 => "meta.k8s.io/v1beta1",
        }
    }
}

impl Accepted {
    /// The form that the header prefers among those that are served.
    pub(crate) fn parse(header: Option<&str>, forms: Forms) -> Result<Accepted, Unacceptable> {
        let Some(header) = header.filter(|header| !header.is_empty()) else {
            return Ok(Accepted::Json);
        };
        let mut clauses: Vec<Clause<'_>> = header.split(',').map(Clause::parse).collect();
        if !clauses.iter().any(|clause| matches!(clause.media, "application/json" | "*/*")) {
            return Err(Unacceptable::Media);
        }
        clauses.sort_by_key(|clause| (std::cmp::Reverse(clause.quality), clause.media == "*/*"));
        clauses.iter().find_map(|clause| clause.form(forms)).ok_or(Unacceptable::Form)
    }
}

/// One of the entries of a header.
struct Clause<'a> {
    media: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
    /// In thousandths.
    quality: u32,
}

impl Clause<'_> {
    fn parse(entry: &str) -> Clause<'_> {
        let (media, rest) = entry.split_once(';').unwrap_or((entry, ""));
        let parameters = rest.split(';').filter_map(|part| part.split_once('='));
        let parameters: Vec<(&str, &str)> = parameters.map(|(key, value)| (key.trim(), value.trim())).collect();
        let quality = parameters.iter().find(|(key, _)| *key == "q").and_then(|(_, value)| value.parse::<f32>().ok());
        // A quality beyond one is a slip; the cast cannot overflow then.
        let quality = quality.map_or(1000, |quality| (quality.clamp(0.0, 1.0) * 1000.0) as u32);
        Clause { media: media.trim(), parameters, quality }
    }

    fn form(&self, forms: Forms) -> Option<Accepted> {
        if !matches!(self.media, "application/json" | "application/*" | "*/*") {
            return None;
        }
        let parameter =
            |name: &str| self.parameters.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value);
        let (form, group, version) = (parameter("as"), parameter("g"), parameter("v"));
        let meta = match (group, version) {
            ("", "") if form.is_empty() => return Some(Accepted::Json),
            ("apidiscovery.k8s.io", "v2") if form == "APIGroupDiscoveryList" && forms == Forms::Discovery => {
                return Some(Accepted::Discovery);
            }
            ("meta.k8s.io", "v1") => Meta::V1,
            ("meta.k8s.io", "v1beta1") => Meta::V1beta1,
            _ => return None,
        };
        match form {
            _ if !matches!(forms, Forms::Objects | Forms::Metadata) => None,
            "PartialObjectMetadata" => Some(Accepted::Metadata(meta)),
            "PartialObjectMetadataList" => Some(Accepted::MetadataList(meta)),
            "Table" if forms == Forms::Objects => Some(Accepted::Table(meta)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Accepted, Forms, Meta, Unacceptable};

    #[test]
    fn the_preferred_form_that_is_served_wins() {
        let check =
            |header: &str, expect| assert_eq!(Accepted::parse(Some(header), Forms::Objects), expect, "{header}");
        let (json, table) = ("application/json", "application/json;as=Table;v=v1;g=meta.k8s.io");
        check(json, Ok(Accepted::Json));
        check("text/html, */*;q=0.8", Ok(Accepted::Json));
        check(&format!("{table},{json}"), Ok(Accepted::Table(Meta::V1)));
        check(&format!("application/json;as=Table;v=v7;g=meta.k8s.io,{table},{json}"), Ok(Accepted::Table(Meta::V1)));
        check("application/json;as=Table;v=v1beta1;g=meta.k8s.io", Ok(Accepted::Table(Meta::V1beta1)));
        check(&format!("{table};q=0.5,{json}"), Ok(Accepted::Json));
        check(&format!("*/*,{table}"), Ok(Accepted::Table(Meta::V1)));
        check("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", Ok(Accepted::Metadata(Meta::V1)));
        check("application/json;g=meta.k8s.io", Err(Unacceptable::Form));
        check("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", Err(Unacceptable::Form));
        check("application/xml", Err(Unacceptable::Media));
        check("application/*", Err(Unacceptable::Media));
    }

    #[test]
    fn each_path_has_its_forms() {
        let discovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        assert_eq!(Accepted::parse(Some(discovery), Forms::Discovery), Ok(Accepted::Discovery));
        assert_eq!(Accepted::parse(Some(table), Forms::Discovery), Err(Unacceptable::Form));
        assert_eq!(Accepted::parse(Some(table), Forms::None), Err(Unacceptable::Form));
        assert_eq!(Accepted::parse(Some(table), Forms::Metadata), Err(Unacceptable::Form));
        assert_eq!(Accepted::parse(None, Forms::None), Ok(Accepted::Json));
    }
}
