//! Reading a page of a list: one undecodable object never costs the others.

use std::{borrow::Cow, ops::Range};

use kube_core::TypeMeta;
use masthead_scan::{Cursor, Stop};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Error,
    rest::{Decoder, Json, MediaType, Response},
};

/// One page of a list.
#[derive(Debug)]
pub struct List<K> {
    /// What the server calls it, as in `PodList`; absent from most items of a built-in kind.
    pub types: Option<TypeMeta>,
    /// The version the list is from. A watch that starts here misses nothing; opaque.
    pub resource_version: String,
    /// Where the next page begins; `None` on the last.
    pub continue_token: Option<String>,
    /// How many objects the next pages have, where the server counts them.
    pub remaining_item_count: Option<u64>,
    /// The objects of this page, in the server's order.
    pub items: Vec<K>,
    /// Why objects of this page are missing from `items`; one entry per object.
    pub skipped: Vec<Error>,
}

impl<K: DeserializeOwned> List<K> {
    /// Reads a complete answer as a page of a list.
    pub fn decode(response: &Response) -> Result<Self, Error> {
        List::decode_with(response, &Json::new())
    }
}

impl<K> List<K> {
    /// As [`decode`](Self::decode), with objects read by `decoder`.
    pub fn decode_with(response: &Response, decoder: &dyn Decoder<K>) -> Result<Self, Error> {
        let (body, operation) = (response.json()?, &response.operation);
        let (around, raw) = split_array(body, "items");
        let page: Page = serde_json::from_slice(&around).map_err(|source| Error::undecodable(operation, source))?;
        let (mut items, mut skipped) = (Vec::with_capacity(raw.len()), Vec::new());
        for raw in raw {
            match decoder.decode(MediaType::Json, raw) {
                Ok(item) => items.push(item),
                Err(error) => skipped.push(error.in_object(raw, None).during(operation)),
            }
        }
        let types = page.kind.zip(page.api_version);
        Ok(Self {
            types: types.map(|(kind, api_version)| TypeMeta { api_version, kind }),
            resource_version: page.metadata.resource_version,
            continue_token: page.metadata.continue_token.filter(|token| !token.is_empty()),
            remaining_item_count: page.metadata.remaining_item_count,
            items,
            skipped,
        })
    }
}

/// Where the next page begins, by all of a page that stands before its objects.
pub(super) fn continues(head: &[u8]) -> Option<String> {
    let empty = [head, b"]}"].concat();
    let page: Page = serde_json::from_slice(&empty).ok()?;
    page.metadata.continue_token.filter(|token| !token.is_empty())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    api_version: Option<String>,
    kind: Option<String>,
    metadata: ListMeta,
    /// Go writes an empty list without backing array as `null`.
    #[expect(dead_code, reason = "a list has items, which are read elsewhere")]
    #[serde(deserialize_with = "empty_or_null")]
    items: (),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListMeta {
    #[serde(default)]
    resource_version: String,
    #[serde(default, rename = "continue")]
    continue_token: Option<String>,
    remaining_item_count: Option<u64>,
}

fn empty_or_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    Option::<[(); 0]>::deserialize(deserializer).map(drop)
}

/// Takes the elements of the array `member` out of an object: gives what is left, with an empty array in its place, and each
/// element as it is written. An object that cannot be walked through is left as it is.
pub(crate) fn split_array<'a>(object: &'a [u8], member: &str) -> (Cow<'a, [u8]>, Vec<&'a [u8]>) {
    match find_array(object, member) {
        Ok(Some((inside, elements))) => {
            let around = [&object[..inside.start], &object[inside.end..]].concat();
            (Cow::Owned(around), elements)
        }
        Ok(None) | Err(_) => (Cow::Borrowed(object), Vec::new()),
    }
}

/// What lies between the brackets of the array `member`, and its elements.
#[expect(clippy::type_complexity, reason = "a place and what is there")]
fn find_array<'a>(object: &'a [u8], member: &str) -> Result<Option<(Range<usize>, Vec<&'a [u8]>)>, Stop> {
    let (mut cursor, mut first, mut found) = (Cursor::new(object), true, None);
    cursor.expect(b'{')?;
    while let Some(name) = cursor.name(first)? {
        first = false;
        if !name.is(member) || cursor.peek()? != b'[' {
            cursor.skip()?;
            continue;
        }
        cursor.expect(b'[')?;
        let (start, mut elements) = (cursor.at(), Vec::new());
        while cursor.element(elements.is_empty())? {
            elements.push(cursor.value()?);
        }
        found = Some((start..cursor.at() - 1, elements));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rest::{Headers, Method};

    #[derive(Deserialize)]
    struct Named {
        name: String,
    }

    fn answer() -> Response {
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        Response { operation: "list".into(), method: Method::Get, code: 200, headers, body: Vec::new() }
    }

    fn check(body: &str, expect: &str) {
        let response = Response { body: body.into(), ..answer() };
        let got = match List::<Named>::decode(&response) {
            Ok(list) => format!(
                "{} @{} continue={:?} skipped={}",
                list.items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>().join(","),
                list.resource_version,
                list.continue_token,
                list.skipped.len()
            ),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expect);
    }

    #[test]
    fn reads_pages() {
        check(
            r#"{"metadata":{"resourceVersion":"7","continue":"x"},"items":[{"name":"a"},{"name":"b"}]}"#,
            r#"a,b @7 continue=Some("x") skipped=0"#,
        );
        check(r#"{"metadata":{"resourceVersion":"7","continue":""},"items":[]}"#, " @7 continue=None skipped=0");
        check(r#"{"metadata":{"resourceVersion":"7"},"items":null}"#, " @7 continue=None skipped=0");
    }

    #[test]
    fn skips_an_undecodable_object_and_keeps_the_rest() {
        check(
            r#"{"metadata":{"resourceVersion":"7"},"items":[{"name":"a"},{"name":5},{"name":"c"}]}"#,
            "a,c @7 continue=None skipped=1",
        );
    }

    #[test]
    fn an_item_that_is_no_text_costs_that_item() {
        let body = b"{\"items\":[{\"name\":\"a\"},{\"name\":\"\xff\"},{\"name\":\"c\"}],\"metadata\":{}}";
        let response = Response { body: body.to_vec(), ..answer() };
        let list = List::<Named>::decode(&response).expect("a list");
        assert_eq!(list.items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(list.skipped.len(), 1);
    }

    #[test]
    fn refuses_what_is_no_list() {
        check(r#"{"items":[]}"#, "list: undecodable: missing field `metadata` at line 1 column 12");
        check("[]", "list: undecodable: invalid length 0, expected struct Page with 4 elements at line 1 column 2");
    }
}
