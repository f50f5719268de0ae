//! Reads a list while its body still streams.

use std::{fmt, rc::Rc};

use masthead_scan::ListFramer;

use super::{Answer, Body, Decoder, First, Framer, Headers, List, MediaType, Method, Response, list};
use crate::Error;

/// Reads the objects of a list out of chunks of its body, and the list's own words when all of it was there.
///
/// Push a chunk, then take batches until there is none. Holds at most one incomplete object besides the chunk last pushed,
/// and the batch it gives out. An error is the end, and comes again.
///
/// ```
/// use std::rc::Rc;
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use masthead::rest::{Json, ListReader, MediaType};
///
/// let mut reader = ListReader::<ConfigMap>::new("list configmaps", MediaType::Json, Rc::new(Json::new()));
/// reader.push(br#"{"items":[{"metadata":{"name":"a"}},{"meta"#.to_vec());
/// let batch = reader.next_batch()?.expect("an object is complete");
/// assert_eq!(batch.objects[0].metadata.name.as_deref(), Some("a"));
/// assert!(reader.next_batch()?.is_none());
/// reader.push(br#"data":{"name":"b"}}],"metadata":{"resourceVersion":"7"}}"#.to_vec());
/// assert_eq!(reader.next_batch()?.expect("the other one").objects.len(), 1);
/// assert_eq!(reader.finish()?.resource_version, "7");
/// # Ok::<(), masthead::Error>(())
/// ```
pub struct ListReader<K> {
    head: Response,
    media_type: MediaType,
    framer: ListFramer,
    decoder: Rc<dyn Decoder<K>>,
    /// Whether it was looked for where the next page begins.
    announced: bool,
}

/// Some objects of a list.
#[derive(Debug)]
pub struct Batch<K> {
    /// The objects, in the server's order.
    pub objects: Vec<K>,
    /// Why objects are missing from these; one entry per object.
    pub skipped: Vec<Error>,
}

impl<K> ListReader<K> {
    /// Reads what `operation`, as errors call it, is answered with.
    pub fn new(operation: &str, media_type: MediaType, decoder: Rc<dyn Decoder<K>>) -> ListReader<K> {
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        let head = Response { operation: operation.into(), method: Method::Get, code: 200, headers, body: Vec::new() };
        ListReader { head, media_type, framer: ListFramer::new(Framer::DEFAULT_LIMIT), decoder, announced: false }
    }

    /// Reads the body of `answer`, which is a success; gives that body back, to be read from. Fails when it is not in a
    /// form that can be read.
    pub fn of_answer(answer: Answer, decoder: Rc<dyn Decoder<K>>) -> Result<(ListReader<K>, Body), Error> {
        let Answer { operation, method, code, headers, body } = answer;
        let content_type = headers.get("Content-Type").unwrap_or_default();
        let media_type = MediaType::of(content_type).ok_or_else(|| Error::not_json(&operation, content_type))?;
        let head = Response { operation, method, code, headers, body: Vec::new() };
        let framer = ListFramer::new(Framer::DEFAULT_LIMIT);
        Ok((ListReader { head, media_type, framer, decoder, announced: false }, body))
    }

    /// Refuses objects of more than `limit` bytes, and as much around them, instead of [`Framer::DEFAULT_LIMIT`].
    #[must_use]
    pub fn limit(mut self, limit: usize) -> ListReader<K> {
        self.framer = ListFramer::new(limit);
        self
    }

    /// Adds the next chunk of the body.
    pub fn push(&mut self, chunk: Vec<u8>) {
        self.framer.push(chunk);
    }

    /// The next objects, or `None` until more chunks arrive: not all that a chunk may hold, so that whoever takes them can
    /// give way in between.
    pub fn next_batch(&mut self) -> Result<Option<Batch<K>>, Error> {
        let (mut objects, mut skipped, mut read) = (Vec::new(), Vec::new(), 0);
        while read < BATCH {
            let (object, length) = match self.next_object() {
                Ok(Some(found)) => found,
                Ok(None) => break,
                // What was read before is given out first; the error comes again.
                Err(_) if read > 0 => break,
                Err(error) => return Err(Error::from(error).during(&self.head.operation)),
            };
            read += length;
            match object {
                Ok(object) => objects.push(object),
                Err(error) => skipped.push(error.during(&self.head.operation)),
            }
        }
        Ok((read > 0).then_some(Batch { objects, skipped }))
    }

    /// Where the next page begins, if the list says so before its objects, as servers do. Told once, with the first batch.
    pub fn next_page(&mut self) -> Option<String> {
        if self.announced {
            return None;
        }
        let head = self.framer.head()?;
        self.announced = true;
        list::continues(head)
    }

    /// Says that the body ended: gives the list without the objects that were given out. A body that ends too early is a
    /// network error.
    pub fn finish(mut self) -> Result<List<K>, Error> {
        let around = self.framer.finish().map_err(|error| Error::from(error).during(&self.head.operation))?;
        self.head.body = around.to_vec();
        List::decode_with(&self.head, &*self.decoder)
    }

    #[expect(clippy::type_complexity, reason = "an object or why there is none, and how long it was")]
    fn next_object(&mut self) -> Result<Option<(Result<K, Error>, usize)>, super::FrameError> {
        if self.framer.is_waiting() {
            return Ok(None);
        }
        if let Some(ahead) = self.framer.ahead()? {
            let available = ahead.len();
            match self.decoder.decode_first(self.media_type, ahead) {
                First::Whole { object, length } if length <= available => {
                    self.framer.pass(length);
                    return Ok(Some((Ok(object), length)));
                }
                First::Cut => return self.framer.await_more().map(|()| None),
                // A decoder that claims more than there is does not know where the object ends.
                First::Whole { .. } | First::Unknown => {}
            }
        }
        let Some(item) = self.framer.next_item()? else { return Ok(None) };
        let decoded = self.decoder.decode(self.media_type, item).map_err(|error| error.in_object(item, None));
        Ok(Some((decoded, item.len())))
    }
}

impl<K> fmt::Debug for ListReader<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListReader").field("operation", &self.head.operation).finish_non_exhaustive()
    }
}

/// How many bytes become objects in one go: two milliseconds' worth in the slowest form.
const BATCH: usize = 128 << 10;

#[cfg(test)]
mod tests;
