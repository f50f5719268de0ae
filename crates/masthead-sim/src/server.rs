//! From a request to its reply: which verb of which route it is.

mod acting;
mod collecting;
mod patching;

use std::{cell::RefCell, rc::Rc};

use masthead::rest::{HttpRequest, Method};
use serde_json::{Value, json};

use crate::{
    accept::{Accepted, Forms, Unacceptable},
    access::{self, Attempt, Policy, Review, User},
    caller::Caller,
    component_status, discovery, incoming,
    kind::{Kind, Subresource},
    log,
    object::{Form, Key, Object},
    open_api, protobuf,
    query::{From, Query},
    refusal::Refusal,
    registry::Registry,
    reply::Reply,
    route::{self, Route},
    sim::Shared,
    table::Table,
    view::View,
    write::{DeleteOptions, Deleted, Half, Write},
    write_options::{WriteOptions, WriteVerb},
};

/// A request, taken apart.
struct Asked<'a> {
    shared: &'a Shared,
    caller: Caller,
    warnings: RefCell<Vec<String>>,
    method: Method,
    query: Query,
    accepted: Accepted,
    content_type: &'a str,
    body: &'a [u8],
}

/// Where an object or a part of it lies.
struct Target {
    kind: Rc<Kind>,
    key: Key,
    part: Option<Subresource>,
}

/// Answers a request of a user. What it changes is there before it returns.
pub(crate) fn answer(shared: &Shared, user: &User, request: &HttpRequest) -> Reply {
    let (path, query) = route::split_url(&request.url);
    let query = Query::parse(query);
    let user = match admitted(shared, user, request, &Attempt::of(request.method, path, &query)) {
        Ok(user) => user,
        Err(refusal) => return refusal.into(),
    };
    let content_type = request.headers.get("Content-Type").unwrap_or_default();
    let (content_type, body) = match protobuf::to_json(content_type, request.body.as_deref().unwrap_or_default()) {
        Ok(read) => read,
        Err(refusal) => return refusal.into(),
    };
    let world = shared.world.borrow();
    let route = Route::parse(path, &world.kinds);
    let accepted = match accepted(request, &route) {
        Ok(accepted) => accepted,
        Err(refusal) => return refusal.into(),
    };
    let asked = Asked {
        shared,
        caller: Caller::of(user, request, &query),
        warnings: RefCell::default(),
        method: request.method,
        query,
        accepted,
        content_type,
        body: &body,
    };
    let reply = match asked.discovered(&world.kinds, &route) {
        Some(reply) => reply,
        None => {
            drop(world);
            asked.served(route)
        }
    };
    Reply { warnings: asked.warnings.take(), ..reply }
}

/// Whom the request acts as, if that one may do what it attempts.
fn admitted(shared: &Shared, user: &User, request: &HttpRequest, attempt: &Attempt) -> Result<User, Refusal> {
    let world = shared.world.borrow();
    let policy = Policy { kinds: &world.kinds, store: &world.store };
    let user = access::acting(user, &request.headers, attempt, &policy)?;
    policy.check(&user, attempt)?;
    Ok(user)
}

/// In which form to answer, if there is one that the path serves.
fn accepted(request: &HttpRequest, route: &Route) -> Result<Accepted, Refusal> {
    let header = request.headers.get("Accept");
    let forms = match route {
        // What a container wrote is text to begin with.
        Route::Object { part: Some(Subresource::Log), .. } if header.is_some_and(|it| it.contains("text/plain")) => {
            return Ok(Accepted::Json);
        }
        Route::Collection { kind, .. } if !kind.allows("list") => Forms::Metadata,
        Route::Object { part: Some(part), .. } if !matches!(part, Subresource::Status | Subresource::Scale) => {
            Forms::Metadata
        }
        Route::Collection { .. } | Route::Watch { .. } | Route::Object { .. } => Forms::Objects,
        Route::CoreVersions | Route::Groups => Forms::Discovery,
        Route::Group(_) | Route::Resources { .. } => Forms::None,
        // The rest is written without asking.
        _ => return Ok(Accepted::Json),
    };
    // The routes of custom kinds do not look at media types first.
    let is_custom = matches!(route, Route::Collection { kind, .. } | Route::Watch { kind, .. } | Route::Object { kind, .. }
        if kind.columns.is_some());
    Accepted::parse(header, forms).map_err(|why| match why {
        Unacceptable::Form => Refusal::no_form(),
        Unacceptable::Media if is_custom => Refusal::no_form(),
        Unacceptable::Media => {
            Refusal::no_representation(request.method == Method::Get && matches!(route, Route::Collection { .. }))
        }
    })
}

impl Asked<'_> {
    /// What the server says of itself.
    fn discovered(&self, kinds: &Registry, route: &Route) -> Option<Reply> {
        let whole = self.accepted == Accepted::Discovery;
        let reply = match route {
            Route::Health(health) => return Some(health.reply(&self.query)),
            Route::Metrics => Reply::text(200, ""),
            Route::Paths => Reply::value(200, &discovery::paths(kinds)),
            Route::OpenApi(place) => open_api::reply(kinds, place, &self.query),
            Route::Version => Reply::value(200, &discovery::version()),
            Route::CoreVersions if whole => Reply::value(200, &discovery::aggregated_core(kinds)).aggregated(),
            Route::CoreVersions => Reply::value(200, &discovery::core_versions()),
            Route::Groups if whole => Reply::value(200, &discovery::aggregated_groups(kinds)).aggregated(),
            Route::Groups => Reply::value(200, &discovery::groups(kinds)),
            Route::Group(name) => Reply::value(200, &discovery::group(kinds, name)),
            Route::Resources { group, version } => Reply::value(200, &discovery::resources(kinds, group, version)),
            _ => return None,
        };
        Some(if self.method == Method::Get { reply } else { Refusal::method_not_allowed().into() })
    }

    fn served(&self, route: Route) -> Reply {
        if let Route::Collection { kind, .. }
        | Route::Watch { kind, .. }
        | Route::Object { kind, .. }
        | Route::NoPart { kind, .. } = &route
        {
            self.warnings.borrow_mut().extend(kind.deprecation().map(str::to_owned));
        }
        let reply = match route {
            Route::Collection { kind, namespace } => self.collection(&kind, namespace),
            Route::Object { kind, namespace, name, part } => {
                self.object(&Target { kind, key: Key::new(&namespace, &name), part })
            }
            Route::Watch { kind, namespace, name } if self.method == Method::Get => {
                self.watch(&kind, namespace, name.as_deref())
            }
            Route::Watch { .. } => Err(Refusal::method_not_allowed()),
            Route::NoPart { kind, name } => Err(Refusal::not_found(&kind, &name)),
            Route::UnknownResource => Err(Refusal::unknown_resource()),
            _ => Ok(Reply::text(404, "404 page not found\n")),
        };
        reply.unwrap_or_else(Reply::from)
    }

    fn component_status(&self, kind: &Rc<Kind>, name: Option<&str>) -> Result<Reply, Refusal> {
        if self.method != Method::Get {
            return Err(Refusal::method_not_allowed());
        }
        match name {
            Some(name) => {
                let status = component_status::get(name)?;
                self.shown(200, &Object::new(kind, status, 0))
            }
            None if self.query.flag("watch") => Err(Refusal::unwatchable(kind)),
            None => {
                let all: Vec<Rc<Object>> =
                    component_status::all().map(|status| Rc::new(Object::new(kind, status, 0))).collect();
                Ok(Reply::json(200, self.list_view(kind)?.list(kind, "{}", &all.iter().collect::<Vec<_>>())))
            }
        }
    }

    /// Assigns the pod of the binding's name, as its subresource does.
    fn bind(&self, namespace: String) -> Result<Reply, Refusal> {
        let body = self.parsed()?;
        let name = body["metadata"]["name"].as_str().unwrap_or_default();
        if name.is_empty() {
            return Err(Refusal::bad_request("Name parameter required."));
        }
        let pods = self.shared.world.borrow().kinds.find("", "v1", "pods").cloned();
        let kind = pods.ok_or_else(Refusal::unknown_resource)?;
        let target = Target { kind, key: Key::new(&namespace, name), part: Some(Subresource::Binding) };
        self.act(&target, Subresource::Binding)
    }

    /// Answers a question about access.
    fn review(&self, kind: &Rc<Kind>, namespace: &str) -> Result<Reply, Refusal> {
        let mut review = self.decoded(kind, WriteOptions::of(WriteVerb::Create, &self.query)?)?;
        self.query.dry_run("CreateOptions")?;
        if kind.is_namespaced() {
            review["metadata"]["namespace"] = namespace.into();
        }
        if kind.kind.ends_with("AccessReview") {
            self.write(true, |write| {
                write.own(kind, None, &Value::Null, &mut review);
                Ok(())
            })?;
        }
        let world = self.shared.world.borrow();
        let policy = Policy { kinds: &world.kinds, store: &world.store };
        let wall = self.shared.runtime.wall();
        let answer = Review { policy, user: &self.caller.user, namespace, wall }.answer(kind, review)?;
        Ok(Reply::value(201, &answer))
    }

    fn object(&self, target: &Target) -> Result<Reply, Refusal> {
        if target.kind.is("", "componentstatuses") {
            return self.component_status(&target.kind, Some(&target.key.name));
        }
        match (self.method, target.part) {
            (Method::Get, Some(Subresource::Log)) => log::open(self.shared, &target.kind, &target.key, &self.query),
            (method, Some(part)) if part.connects(method) => self.connect(target, part),
            (Method::Get, part) if part.is_none_or(Subresource::is_whole) => self.get(target),
            (Method::Get, Some(Subresource::Scale)) => {
                let scale = self.write(true, |write| write.scale(&target.kind, &target.key))?;
                self.scale(&scale)
            }
            (Method::Put, part) if let Some(half) = Half::of(part) => {
                let options = WriteOptions::of(WriteVerb::Update, &self.query)?;
                let next = self.decoded(&target.kind, options)?;
                let (replaced, code) = self.write(options.dry_run, |write| {
                    if half == Half::Main && write.creates(&target.kind, &target.key) {
                        return Ok((write.create_at(&target.kind, &target.key, next)?, 201));
                    }
                    Ok((write.replace(&target.kind, &target.key, half, next)?, 200))
                })?;
                self.shown(code, &replaced)
            }
            (Method::Patch, part) if part.is_none_or(Subresource::is_whole) => self.patch(target),
            (Method::Put | Method::Patch, Some(Subresource::Scale)) => self.rescale(target),
            (Method::Post, Some(part @ (Subresource::Binding | Subresource::Eviction | Subresource::Token))) => {
                self.act(target, part)
            }
            (Method::Delete, None) => self.delete(target),
            _ => Err(Refusal::method_not_allowed()),
        }
    }

    fn get(&self, Target { kind, key, .. }: &Target) -> Result<Reply, Refusal> {
        let world = self.shared.world.borrow();
        let from =
            self.query.version().map_err(|why| Refusal::bad_request(format!("invalid resource version: {why}")))?;
        if let From::Version(asked) = from
            && asked > world.store.version()
        {
            return Err(Refusal::too_large_version(asked, world.store.version()));
        }
        let object = world.store.get(kind, key).ok_or_else(|| Refusal::not_found(kind, &key.name))?;
        self.shown(200, &object.served_as(kind))
    }

    fn scale(&self, scale: &Value) -> Result<Reply, Refusal> {
        match self.view()? {
            View::Objects(Form::Whole) => Ok(Reply::value(200, scale)),
            View::Objects(Form::Metadata(meta)) => {
                let metadata = &scale["metadata"];
                let named = ("PartialObjectMetadata", meta.api_version());
                Ok(Reply::value(200, &json!({ "kind": named.0, "apiVersion": named.1, "metadata": metadata })))
            }
            View::Table(table) => {
                let mut body = Vec::new();
                table.write_scale(scale, &mut body);
                body.push(b'\n');
                Ok(Reply::json(200, body))
            }
        }
    }

    fn delete(&self, Target { kind, key, .. }: &Target) -> Result<Reply, Refusal> {
        let options = DeleteOptions::decode(self.body, &self.query)?;
        match self.write(options.dry_run, |write| write.delete(kind, key, &options))? {
            Deleted::Gone(object) if !kind.returns_deleted => {
                let mut about = crate::refusal::details(&key.name, &kind.group, &kind.plural);
                about["uid"] = object.uid.as_str().into();
                let status = json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
                    "details": about });
                self.told(200, &status)
            }
            Deleted::Gone(object) | Deleted::Ending(object) => self.shown(200, &object),
        }
    }

    fn write<T>(&self, dry_run: bool, change: impl FnOnce(&mut Write<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.shared.write(&self.caller, dry_run, &mut self.warnings.borrow_mut(), change)
    }

    fn decoded(&self, kind: &Kind, options: WriteOptions) -> Result<Value, Refusal> {
        let media = self.content_type.split(';').next().unwrap_or_default().trim();
        if !matches!(media, "" | "*/*" | "application/json" | "application/yaml") {
            return Err(Refusal::unknown_format());
        }
        let (world, mut warnings) = (self.shared.world.borrow(), self.warnings.borrow_mut());
        incoming::decode(&world.kinds, kind, self.body, options.validation, &mut warnings)
    }

    fn parsed(&self) -> Result<Value, Refusal> {
        serde_json::from_slice(self.body).map_err(|error| Refusal::bad_request(error.to_string()))
    }

    /// The answer that is one object.
    fn shown(&self, code: u16, object: &Object) -> Result<Reply, Refusal> {
        match self.accepted {
            Accepted::MetadataList(_) => Err(Refusal::not_a_list(&object.kind)),
            _ => Ok(Reply::object(code, object, self.view()?)),
        }
    }

    /// The answer that is a status, which has one form only; but a bad one is refused all the same.
    fn told(&self, code: u16, status: &Value) -> Result<Reply, Refusal> {
        self.view().map(|_| Reply::value(code, status))
    }

    fn list_view(&self, kind: &Kind) -> Result<View, Refusal> {
        match self.accepted {
            Accepted::Metadata(_) => Err(Refusal::a_list(kind)),
            _ => self.view(),
        }
    }

    /// How to show objects. Asked for after the work is done: the real server refuses a bad one only then.
    fn view(&self) -> Result<View, Refusal> {
        Ok(match self.accepted {
            Accepted::Metadata(meta) | Accepted::MetadataList(meta) => View::Objects(Form::Metadata(meta)),
            Accepted::Json | Accepted::Discovery => View::Objects(Form::Whole),
            Accepted::Table(meta) => View::Table(Table::asked(&self.query, meta, self.shared.runtime.wall())?),
        })
    }
}
