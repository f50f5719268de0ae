//! The methods of a client, one for each verb.

use crate::{Verb, imports::Imports};

/// The method of a verb, and for `get` its like that tells of an absent object without an error.
pub(super) fn method(verb: Verb, kind: &str, imports: &mut Imports) -> String {
    let error = imports.of_masthead("Error");
    let one = |name: &str| Answer { name: name.to_owned(), output: kind.to_owned(), error: error.clone() };
    match verb {
        Verb::Create => {
            let options = imports.of_masthead("rest::CreateOptions");
            let doc = "Creates the object; gives it as the server stored it.";
            one("create").method(doc, &[("object", &format!("&{kind}")), ("options", &format!("&{options}"))])
        }
        Verb::Update => {
            let options = imports.of_masthead("rest::UpdateOptions");
            let doc = "Replaces the object of the same name, if it has not changed since its `resourceVersion`.";
            one("update").method(doc, &[("object", &format!("&{kind}")), ("options", &format!("&{options}"))])
        }
        Verb::UpdateStatus => {
            let options = imports.of_masthead("rest::UpdateOptions");
            let doc = "Replaces the object's status alone, if the object has not changed since its `resourceVersion`.";
            one("update_status").method(doc, &[("object", &format!("&{kind}")), ("options", &format!("&{options}"))])
        }
        Verb::Delete => {
            let options = imports.of_masthead("rest::DeleteOptions");
            let doc = "Deletes the object of this name. It may live on until its finalizers are done.";
            let answer = Answer { output: "()".to_owned(), ..one("delete") };
            answer.method(doc, &[("name", "&str"), ("options", &format!("&{options}"))])
        }
        Verb::DeleteCollection => {
            let (options, which) =
                (imports.of_masthead("rest::DeleteOptions"), imports.of_masthead("rest::ListOptions"));
            let answer = Answer { output: "()".to_owned(), ..one("delete_collection") };
            let arguments = [("options", &*format!("&{options}")), ("which", &*format!("&{which}"))];
            answer.method("Deletes every object that `which` selects.", &arguments)
        }
        Verb::Get => {
            let options = format!("&{}", imports.of_masthead("rest::GetOptions"));
            let optional = Answer { output: format!("Option<{kind}>"), ..one("get_opt") };
            let arguments = [("name", "&str"), ("options", options.as_str())];
            let doc = "The object of this name, or `None` if there is none.";
            format!(
                "{}\n{}",
                one("get").method("The object of this name.", &arguments),
                optional.method(doc, &arguments)
            )
        }
        Verb::List => {
            let (options, list) = (imports.of_masthead("rest::ListOptions"), imports.of_masthead("rest::List"));
            let answer = Answer { output: format!("{list}<{kind}>"), ..one("list") };
            let doc = "One page of the objects; all of them without a `limit`.";
            answer.method(doc, &[("options", &format!("&{options}"))])
        }
        Verb::Watch => {
            let (options, watch) = (imports.of_masthead("rest::ListOptions"), imports.of_masthead("rest::Watch"));
            let answer = Answer { output: format!("{watch}<{kind}>"), ..one("watch") };
            let doc = "The changes from `options.resource_version` on.";
            answer.method(doc, &[("options", &format!("&{options}"))])
        }
        Verb::Patch => patch(&one("patch"), imports),
        Verb::Apply => apply(&one("apply"), "the fields of `configuration` so", imports),
        Verb::ApplyStatus => apply(&one("apply_status"), "the fields of `configuration`'s status so", imports),
    }
}

fn patch(answer: &Answer, imports: &mut Imports) -> String {
    let (kind, options) = (imports.of_masthead("rest::PatchKind"), imports.of_masthead("rest::PatchOptions"));
    let body = format!("&impl {}", imports.name("serde::Serialize"));
    let doc = "Changes the object of this name; `kind` says how `body` is meant.";
    answer.method(doc, &[("name", "&str"), ("kind", &kind), ("body", &body), ("options", &format!("&{options}"))])
}

fn apply(answer: &Answer, what: &str, imports: &mut Imports) -> String {
    let options = imports.of_masthead("rest::ApplyOptions");
    let body = format!("&impl {}", imports.name("serde::Serialize"));
    let doc = format!("Makes {what}, and the manager in `options` their owner.");
    answer.method(&doc, &[("configuration", &body), ("options", &format!("&{options}"))])
}

/// A method that passes on what it gets to the one of the same name of the generic client.
struct Answer {
    name: String,
    output: String,
    error: String,
}

impl Answer {
    /// The future is the generic client's own: there is none around it, and none is compiled before it is used.
    fn method(&self, doc: &str, arguments: &[(&str, &str)]) -> String {
        let Answer { name, output, error } = self;
        let declared: Vec<String> = arguments.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
        let passed: Vec<&str> = arguments.iter().map(|(name, _)| *name).collect();
        format!(
            "/// {doc}
            #[inline]
            pub fn {name}(&self, {}) -> impl Future<Output = Result<{output}, {error}>> {{
                self.client.{name}({})
            }}\n",
            declared.join(", "),
            passed.join(", ")
        )
    }
}
