//! An answer before it is sent.

use serde_json::Value;

use crate::{log::Following, object::Object, refusal::Refusal, view::View, watching::Watching};

/// What a request is answered with.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) code: u16,
    /// Empty for none.
    pub(crate) content_type: &'static str,
    pub(crate) retry_after: Option<u32>,
    /// What the caller is told beside the answer.
    pub(crate) warnings: Vec<String>,
    /// Beside those that every answer has.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) content: Content,
}

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum Content {
    Bytes(Vec<u8>),
    Watch(Box<Watching>),
    Log(Box<Following>),
}

impl Reply {
    pub(crate) fn json(code: u16, body: Vec<u8>) -> Reply {
        Reply {
            code,
            content_type: "application/json",
            retry_after: None,
            warnings: Vec::new(),
            headers: Vec::new(),
            content: Content::Bytes(body),
        }
    }

    pub(crate) fn value(code: u16, value: &Value) -> Reply {
        Reply::json(code, format!("{value}\n").into_bytes())
    }

    pub(crate) fn object(code: u16, object: &Object, view: View) -> Reply {
        let mut body = Vec::new();
        view.write_object(object, &mut body);
        body.push(b'\n');
        Reply::json(code, body)
    }

    pub(crate) fn text(code: u16, text: &str) -> Reply {
        Reply { content_type: "text/plain; charset=utf-8", ..Reply::json(code, text.as_bytes().to_vec()) }
    }

    /// No body, and so no type of one.
    pub(crate) fn nothing() -> Reply {
        Reply { code: 204, content_type: "", ..Reply::json(204, Vec::new()) }
    }

    /// The same reply, naming the form that clients look for before they read it as that.
    pub(crate) fn aggregated(self) -> Reply {
        let content_type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        Reply { content_type, ..self }
    }

    pub(crate) fn watch(watching: Watching) -> Reply {
        Reply { content: Content::Watch(Box::new(watching)), ..Reply::json(200, Vec::new()) }
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Reply {
        Reply { retry_after: refusal.retry_after, ..Reply::value(refusal.code, &refusal.status()) }
    }
}
