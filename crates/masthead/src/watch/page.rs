//! One page of a list, read while it streams.

use std::{collections::VecDeque, rc::Rc};

use futures::{
    StreamExt,
    stream::{self, LocalBoxStream},
};

use crate::{
    Error,
    cache::ListPart,
    rest::{Body, Decoder, ListReader, Request},
};

/// The parts of the page that `request` asks for, as they come; the first error is the last item.
pub(super) fn parts<K: 'static>(
    request: Request,
    decoder: Rc<dyn Decoder<K>>,
) -> LocalBoxStream<'static, Result<ListPart<K>, Error>> {
    let page = Page { state: State::Asking(Box::new(request), decoder), ready: VecDeque::new() };
    let parts = stream::unfold(page, |mut page| async move {
        let part = page.next().await?;
        Some((part, page))
    });
    parts.boxed_local()
}

struct Page<K> {
    state: State<K>,
    /// Parts that are read and not given out: those of one batch.
    ready: VecDeque<Result<ListPart<K>, Error>>,
}

enum State<K> {
    Asking(Box<Request>, Rc<dyn Decoder<K>>),
    Reading(Box<ListReader<K>>, Body),
    Over,
}

impl<K> Page<K> {
    async fn next(&mut self) -> Option<Result<ListPart<K>, Error>> {
        loop {
            if let Some(part) = self.ready.pop_front() {
                return Some(part);
            }
            let state = std::mem::replace(&mut self.state, State::Over);
            let next = match state {
                State::Over => return None,
                State::Asking(request, decoder) => opened(&request, decoder).await,
                State::Reading(reader, body) => self.read(reader, body).await,
            };
            match next {
                Ok(next) => self.state = next,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Reads on until something is ready.
    async fn read(&mut self, mut reader: Box<ListReader<K>>, mut body: Body) -> Result<State<K>, Error> {
        loop {
            if let Some(batch) = reader.next_batch()? {
                self.ready.extend(reader.next_page().map(|token| Ok(ListPart::Next(token))));
                self.add(batch.objects, batch.skipped);
                return Ok(State::Reading(reader, body));
            }
            match body.next().await {
                Some(chunk) => reader.push(chunk?),
                None => break,
            }
        }
        let list = reader.finish()?;
        self.add(list.items, list.skipped);
        self.ready.push_back(Ok(ListPart::End {
            resource_version: list.resource_version,
            continue_token: list.continue_token,
            remaining: list.remaining_item_count,
        }));
        Ok(State::Over)
    }

    fn add(&mut self, objects: Vec<K>, skipped: Vec<Error>) {
        if !objects.is_empty() {
            self.ready.push_back(Ok(ListPart::Objects(objects)));
        }
        self.ready.extend(skipped.into_iter().map(|error| Ok(ListPart::Skipped(error))));
    }
}

async fn opened<K>(request: &Request, decoder: Rc<dyn Decoder<K>>) -> Result<State<K>, Error> {
    let (reader, body) = ListReader::of_answer(request.open().await?, decoder)?;
    Ok(State::Reading(Box::new(reader), body))
}
