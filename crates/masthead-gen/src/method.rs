//! A method beyond the verbs, as `+genclient:method=` declares it.

use crate::{
    case::snake,
    verb::{self, Verb},
};

/// A method of one's own: a verb on a subresource, or one with other types.
///
/// `+genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// As the tag has it, in the manner of Go or of Rust.
    pub name: String,
    /// What is done; never one that [`Verb::OF_METHODS`] lacks.
    pub verb: Verb,
    /// The part of the object it is done to; empty for the object itself.
    pub subresource: String,
    /// The type of the body, if it is not the kind: a path, or a name of the kind's own module.
    pub input: Option<String>,
    /// The type of the answer, if it is not the kind; of its items for a list.
    pub result: Option<String>,
}

impl Method {
    /// What the generated function is called.
    pub fn function(&self) -> String {
        snake(&self.name)
    }

    /// Reads what stands behind `+genclient:method=`.
    pub(crate) fn parse(value: &str) -> Result<Method, String> {
        let mut parts = value.split(',').map(str::trim);
        let name = parts.next().filter(|name| is_name(name)).ok_or_else(|| format!("a method needs a name: {FORM}"))?;
        let (mut verb, mut subresource, mut input, mut result) = (None, None, None, None);
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("`{part}` has no value: {FORM}"))?;
            if value.is_empty() {
                return Err(format!("`{key}=` has no value: leave it out or say which"));
            }
            let slot = match key {
                "verb" => &mut verb,
                "subresource" => &mut subresource,
                "input" => &mut input,
                "result" => &mut result,
                _ => return Err(format!("a method has no `{key}`: {FORM}")),
            };
            if slot.replace(value.to_owned()).is_some() {
                return Err(format!("`{key}=` stands twice"));
            }
        }
        let verb = method_verb(verb.as_deref().ok_or_else(|| format!("method {name} needs a verb: {FORM}"))?)?;
        if input.is_some() && !verb.has_input() {
            return Err(format!("`input=` goes with create, update and apply; {verb} has no body of a type"));
        }
        for path in input.iter().chain(&result) {
            check_path(path)?;
        }
        let subresource = subresource.unwrap_or_default();
        if !subresource.split('/').all(is_segment) && !subresource.is_empty() {
            return Err(format!("`{subresource}` is no subresource: they are written like `scale`"));
        }
        Ok(Method { name: name.to_owned(), verb, subresource, input, result })
    }
}

const FORM: &str = "+genclient:method=Name,verb=get[,subresource=scale][,input=Type][,result=Type]";

fn method_verb(name: &str) -> Result<Verb, String> {
    let verb = Verb::named(name).filter(|verb| Verb::OF_METHODS.contains(verb));
    verb.ok_or_else(|| format!("`verb={name}` cannot be: a method is one of {}", verb::listed(&Verb::OF_METHODS)))
}

fn check_path(path: &str) -> Result<(), String> {
    let is_path = path.split("::").all(is_name);
    let why = "types are Rust paths, like `k8s_openapi::api::autoscaling::v1::Scale`, or names of this module";
    if is_path { Ok(()) } else { Err(format!("`{path}` is no type: {why}")) }
}

fn is_name(word: &str) -> bool {
    let starts = word.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    starts && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_segment(segment: &str) -> bool {
    !segment.is_empty() && segment.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
}
