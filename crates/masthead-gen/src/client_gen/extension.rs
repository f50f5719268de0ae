//! The methods that `+genclient:method=` declares.

use crate::{Kind, Method, Package, Verb, imports::Imports, naming::method_type};

/// A method beyond the verbs.
pub(super) fn method(package: &Package, kind: &Kind, method: &Method, imports: &mut Imports) -> String {
    let Call { doc, function, arguments, options } = Call::new(method);
    let result = imports.name(&method_type(package, kind, method.result.as_deref()));
    let output = match method.verb {
        Verb::List => format!("{}<{result}>", imports.of_masthead("rest::List")),
        _ => result,
    };
    let declared = arguments.iter().map(|argument| match *argument {
        "name" => "name: &str".to_owned(),
        "kind" => format!("kind: {}", imports.of_masthead("rest::PatchKind")),
        "options" => format!("options: &{}", imports.of_masthead(&format!("rest::{options}"))),
        // A patch and a configuration are parts of objects, which are no values of the kind's type.
        body if method.verb == Verb::Patch || (method.verb == Verb::Apply && method.input.is_none()) => {
            format!("{body}: &impl {}", imports.name("serde::Serialize"))
        }
        body => format!("{body}: &{}", imports.name(&method_type(package, kind, method.input.as_deref()))),
    });
    let declared: Vec<String> = declared.collect();
    let (name, subresource, error) = (method.function(), &method.subresource, imports.of_masthead("Error"));
    format!(
        "/// {doc}
        #[inline]
        pub async fn {name}(&self, {}) -> Result<{output}, {error}> {{
            self.client.extension({subresource:?}).{function}({}).await
        }}\n",
        declared.join(", "),
        arguments.join(", ")
    )
}

/// The function of the library's `Extension` that does it.
struct Call {
    doc: String,
    function: &'static str,
    arguments: &'static [&'static str],
    options: &'static str,
}

impl Call {
    fn new(method: &Method) -> Call {
        let below = !method.subresource.is_empty();
        let part = if below { format!("`{}` of the object", method.subresource) } else { "the object".to_owned() };
        let (doc, function, arguments, options): (_, _, &[&str], _) = match method.verb {
            Verb::Create if below => {
                (format!("Creates {part} of this name."), "create_for", &["name", "body", "options"], "CreateOptions")
            }
            Verb::Create => ("Creates an object from `body`.".into(), "create", &["body", "options"], "CreateOptions"),
            Verb::Update => {
                (format!("Replaces {part} of this name."), "update", &["name", "body", "options"], "UpdateOptions")
            }
            Verb::List if below => {
                (format!("One page of {part} of this name."), "list_of", &["name", "options"], "ListOptions")
            }
            Verb::List => ("One page of all objects.".into(), "list", &["options"], "ListOptions"),
            Verb::Patch => {
                let doc = format!("Changes {part} of this name; `kind` says how `body` is meant.");
                (doc, "patch", &["name", "kind", "body", "options"], "PatchOptions")
            }
            Verb::Apply => {
                let doc = format!("Makes the fields of `configuration` so in {part} of this name.");
                (doc, "apply", &["name", "configuration", "options"], "ApplyOptions")
            }
            _ => (format!("Reads {part} of this name."), "get", &["name", "options"], "GetOptions"),
        };
        Call { doc, function, arguments, options }
    }
}
