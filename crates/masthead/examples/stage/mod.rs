//! What the examples play on: a server of a few answers by path, so that they run anywhere and are tested.
//!
//! In a page, `Config` comes from `browser` instead, and the future is spawned.

use std::rc::Rc;

use futures::{future::LocalBoxFuture, stream};
use masthead::{
    Error,
    rest::{Answer, Body, Config, Headers, HttpRequest, Transport},
    runtime::VirtualTime,
};

/// `GET /api/v1/nodes`, or `WATCH` for its events, and the JSON it gets.
pub(crate) type Answers = &'static [(&'static str, &'static str)];

/// Runs an example with a server that gives these answers, whatever the query, and 404 to everything else.
pub(crate) fn play(answers: Answers, example: impl AsyncFnOnce(Config) -> Result<(), Error>) -> Result<(), Error> {
    let world = VirtualTime::new();
    let config = Config::new("http://stage", Rc::new(Stage(answers)), world.runtime());
    world.run(example(config))
}

struct Stage(Answers);

impl Transport for Stage {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.answer(request.method.as_str(), &request)
    }

    fn watch(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.answer("WATCH", &request)
    }
}

impl Stage {
    fn answer(&self, verb: &str, request: &HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let path = request.url.trim_start_matches("http://stage").split('?').next().unwrap_or_default();
        let asked = format!("{verb} {path}");
        let found = self.0.iter().find(|(known, _)| *known == asked).map(|(_, answer)| *answer);
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        let chunk = found.unwrap_or_default().as_bytes().to_vec();
        let answer = Answer {
            operation: Rc::clone(&request.operation),
            method: request.method,
            code: if found.is_some() { 200 } else { 404 },
            headers,
            body: Body::new(stream::iter([Ok(chunk)])),
        };
        Box::pin(async move { Ok(answer) })
    }
}
