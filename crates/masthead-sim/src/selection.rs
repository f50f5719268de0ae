//! Which objects of a kind a request is about.

use masthead::{fields, labels};

use crate::{kind::Kind, object::Object, query::Query, refusal::Refusal};

/// A namespace and both selectors.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    namespace: Option<String>,
    labels: labels::Selector,
    fields: fields::Selector,
}

impl Selection {
    /// Reads the selectors of a query, and refuses what the kind cannot be asked.
    pub(crate) fn new(kind: &Kind, namespace: Option<String>, query: &Query) -> Result<Selection, Refusal> {
        let labels = query.text("labelSelector").parse();
        let labels: labels::Selector =
            labels.map_err(|error: labels::ParseError| Refusal::bad_request(error.to_string()))?;
        let fields = query.text("fieldSelector").parse();
        let fields: fields::Selector =
            fields.map_err(|error: fields::ParseError| Refusal::bad_request(error.to_string()))?;
        for requirement in fields.requirements() {
            let field = requirement.field.as_str();
            if !matches!(field, "metadata.name" | "metadata.namespace")
                && !kind.fields.iter().any(|known| known == field)
            {
                return Err(Refusal::bad_request(unknown_field(kind, field)));
            }
        }
        Ok(Selection { namespace, labels, fields })
    }

    /// The same, of one object alone; selectors of others are refused.
    pub(crate) fn only(mut self, name: &str) -> Result<Selection, Refusal> {
        if self.fields.is_empty() {
            let (field, operator) = ("metadata.name".to_owned(), fields::Operator::Equals);
            self.fields = fields::Selector::new([fields::Requirement { field, operator, value: name.to_owned() }]);
        } else if self.fields.required("metadata.name") != Some(name) {
            return Err(Refusal::bad_request("fieldSelector metadata.name doesn't match requested name"));
        }
        Ok(self)
    }

    pub(crate) fn matches(&self, object: &Object) -> bool {
        self.namespace.as_deref().is_none_or(|namespace| *object.key.namespace == *namespace)
            && self.labels.matches(|key| object.labels.get(key).map(String::as_str))
            && self.fields.matches(|path| object.field(path))
    }

    /// Whether only the namespace decides, so that what is left of a list can be counted.
    pub(crate) fn has_selectors(&self) -> bool {
        !self.labels.is_empty() || !self.fields.is_empty()
    }

    pub(crate) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }
}

fn unknown_field(kind: &Kind, field: &str) -> String {
    if kind.fields.is_empty() && !kind.is_custom() {
        let known = "only \"metadata.name\", \"metadata.namespace\"";
        format!("\"{field}\" is not a known field selector: {known}")
    } else {
        format!("field label not supported: {field}")
    }
}
