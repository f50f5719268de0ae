//! A kind that kube's `#[derive(CustomResource)]` makes of its spec.

use syn::{Expr, ExprLit, ItemStruct, Lit, Meta, Token, punctuated::Punctuated};

use crate::tag::Tags;

/// What `#[kube(…)]` says of the kind whose spec it stands above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Derived {
    pub(crate) kind: String,
    group: Option<String>,
    version: Option<String>,
    plural: Option<String>,
    is_namespaced: bool,
    pub(crate) has_status: bool,
}

impl Derived {
    /// What is derived from a struct, if anything is.
    pub(crate) fn of(item: &ItemStruct) -> Result<Option<Derived>, String> {
        let mut derived = Derived::default();
        for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("kube")) {
            let parts = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            for part in parts.map_err(|error| format!("`#[kube(…)]` cannot be read: {error}"))? {
                derived.take(&part);
            }
        }
        Ok((!derived.kind.is_empty()).then_some(derived))
    }

    fn take(&mut self, part: &Meta) {
        let name = part.path().get_ident().map(ToString::to_string).unwrap_or_default();
        match (name.as_str(), text(part)) {
            ("kind", Some(kind)) => self.kind = kind,
            ("group", group) => self.group = group,
            ("version", version) => self.version = version,
            ("plural", plural) => self.plural = plural,
            ("status", _) => self.has_status = true,
            ("namespaced", _) => self.is_namespaced = true,
            _ => {}
        }
    }

    /// What it says otherwise than the tags and the file; the plural is taken over where the tags have none.
    pub(crate) fn agree(&self, group: &str, version: &str, tags: &mut Tags) -> Vec<String> {
        let mut wrong = Vec::new();
        for (what, said, ours) in [("group", &self.group, group), ("version", &self.version, version)] {
            if let Some(said) = said.as_deref().filter(|said| *said != ours) {
                wrong.push(format!("`#[kube({what} = {said:?})]` contradicts this file, which is of {what} {ours:?}"));
            }
        }
        match (self.is_namespaced, tags.non_namespaced) {
            (true, true) => wrong.push("`#[kube(namespaced)]` and `+genclient:nonNamespaced` contradict".to_owned()),
            (false, false) => wrong.push(
                "without `namespaced` in `#[kube(…)]` there are no namespaces: add it, or `// +genclient:nonNamespaced`"
                    .to_owned(),
            ),
            _ => {}
        }
        match (&self.plural, &tags.resource_name) {
            (Some(plural), Some(name)) if plural != name => {
                wrong.push(format!("`#[kube(plural = {plural:?})]` and `+resourceName={name}` contradict"));
            }
            (Some(plural), None) => tags.resource_name = Some(plural.clone()),
            _ => {}
        }
        wrong
    }
}

/// The text behind a name: `kind = "Widget"`.
fn text(part: &Meta) -> Option<String> {
    match part {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
