//! The handle of a simulated server, and the wire it is reached by.

use std::{cell::RefCell, fmt, rc::Rc};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};
use masthead::{
    Error,
    rest::{Answer, Body, Headers, HttpRequest, Transport},
    runtime::{Runtime, Task},
};
use serde_json::{Value, json};

use crate::{
    access::{self, User},
    api_service, builtin,
    caller::Caller,
    ending, expiry,
    fault::{Chunks, Effect, Fault},
    kind::Kind,
    refusal::Refusal,
    reply::{Content, Reply},
    server, timestamp,
    world::World,
    write::Write,
};

/// A Kubernetes API server in memory. Clones are the same server.
///
/// It answers requests with bytes, as a [`Transport`]. Its clock, its chance and so every name, uid and time come from its
/// runtime: a run on virtual time replays.
///
/// ```
/// use std::rc::Rc;
///
/// use k8s_openapi::api::core::v1::Namespace;
/// use masthead::{rest::{Config, ListOptions, RestClient}, runtime::VirtualTime, typed};
/// use masthead_sim::Sim;
///
/// let time = VirtualTime::new();
/// let sim = Sim::new(time.runtime());
/// let client = RestClient::new(Config::new("http://sim", Rc::new(sim), time.runtime()))?;
/// let namespaces = typed::Client::<Namespace>::cluster(&client);
/// assert_eq!(time.run(namespaces.list(&ListOptions::default()))?.items.len(), 4);
/// # Ok::<(), masthead::Error>(())
/// ```
#[derive(Clone)]
pub struct Sim {
    shared: Rc<Shared>,
    /// Who asks through this handle.
    user: Rc<User>,
}

pub(crate) struct Shared {
    pub(crate) runtime: Runtime,
    pub(crate) world: RefCell<World>,
    /// Ends events; over when there are none.
    expiry: RefCell<Option<Task>>,
    /// Empties namespaces; over when none ends.
    ending: RefCell<Option<Task>>,
    /// The controllers, the scheduler and the nodes, with the number of their start.
    workloads: RefCell<Option<(u64, Task)>>,
}

impl Sim {
    /// A server with nothing but what every cluster begins with.
    pub fn new(runtime: Runtime) -> Sim {
        let shared = Shared {
            runtime,
            world: RefCell::new(World::new()),
            expiry: RefCell::default(),
            ending: RefCell::default(),
            workloads: RefCell::default(),
        };
        let sim = Sim { shared: Rc::new(shared), user: Rc::new(User::admin()) };
        let namespaces = Rc::clone(sim.shared.world.borrow().kinds.namespaces());
        for name in builtin::NAMESPACES {
            sim.seed(&namespaces, json!({ "metadata": { "name": name } }));
        }
        builtin::objects().into_iter().for_each(|object| _ = sim.insert(object));
        for service in api_service::built_in(&timestamp::format(sim.shared.runtime.wall()).into()) {
            sim.insert(service);
        }
        let caller = Caller::component("apiserver");
        let seeded = sim.shared.write(&caller, false, &mut Vec::new(), access::seed);
        seeded.expect("the roles of every cluster are objects of their kinds");
        sim.shared.settle();
        sim
    }

    /// Stores an object as it is given, its status, uid and age too, without a request.
    ///
    /// The server adds what is missing of that; one of the same name is replaced and keeps its own. Whether the namespace
    /// exists is not asked. Gives back `false`, and does nothing, for an object without a name, for one whose `apiVersion`
    /// and `kind` are not served, and for one that is no object of its kind at all.
    pub fn insert(&self, object: Value) -> bool {
        let text = |field: &str| object[field].as_str().unwrap_or_default();
        let named = object["metadata"]["name"].as_str().is_some_and(|name| !name.is_empty());
        let kind = self.shared.world.borrow().kinds.of_object(text("apiVersion"), text("kind")).cloned();
        match kind {
            Some(kind) if named => self.seed(&kind, object),
            _ => false,
        }
    }

    /// The same server as another user is answered: one who may do only what the stored roles allow.
    ///
    /// A handle from [`Sim::new`] is that of an admin who may do everything. Every user is in the group
    /// `system:authenticated`, and `system:serviceaccount:NAMESPACE:NAME` is that service account.
    ///
    /// ```
    /// # use std::rc::Rc;
    /// # use k8s_openapi::api::core::v1::Pod;
    /// # use masthead::{rest::{Config, ListOptions, RestClient}, runtime::VirtualTime, typed};
    /// # use masthead_sim::Sim;
    /// # let time = VirtualTime::new();
    /// let sim = Sim::new(time.runtime());
    /// let reader = Rc::new(sim.as_user("reader", &["developers"]));
    /// let client = RestClient::new(Config::new("http://sim", reader, time.runtime()))?;
    /// let pods = typed::Client::<Pod>::namespaced(&client, "default");
    /// let refused = time.run(pods.list(&ListOptions::default())).unwrap_err();
    /// assert!(refused.is_forbidden());
    /// # Ok::<(), masthead::Error>(())
    /// ```
    pub fn as_user(&self, name: &str, groups: &[&str]) -> Sim {
        Sim { shared: Rc::clone(&self.shared), user: Rc::new(User::new(name, groups.iter().copied())) }
    }

    /// The version that the last change led to.
    pub fn version(&self) -> u64 {
        self.shared.world.borrow().store.version()
    }

    /// Keeps only the last `changes` for watches and pages of lists; older versions are expired. 4096 at first.
    pub fn keep_history(&self, changes: usize) {
        self.shared.world.borrow_mut().store.keep(changes);
    }

    /// Forgets every change so far: versions before the present one are expired.
    pub fn compact(&self) {
        self.shared.world.borrow_mut().store.forget();
    }

    /// Ends every watch with a network error and forgets every change so far, as a server that starts again does.
    pub fn restart(&self) {
        self.shared.world.borrow_mut().restart();
        self.shared.wake();
    }

    /// Lets something go wrong. Faults that fit the same request add up, in the order they were added.
    pub fn fault(&self, fault: Fault) {
        self.shared.world.borrow_mut().add_fault(fault);
    }

    /// Lets nothing go wrong any more.
    pub fn clear_faults(&self) {
        self.shared.world.borrow_mut().clear_faults();
    }

    pub(crate) fn shared(&self) -> &Rc<Shared> {
        &self.shared
    }

    fn seed(&self, kind: &Rc<Kind>, object: Value) -> bool {
        let caller = Caller::component("masthead-sim");
        let stored = self.shared.write(&caller, false, &mut Vec::new(), |write| write.seed(kind, object)).is_ok();
        self.shared.settle();
        stored
    }
}

impl Transport for Sim {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let (shared, user) = (Rc::clone(&self.shared), Rc::clone(&self.user));
        async move {
            let effects = shared.world.borrow_mut().faults_of(&request);
            for effect in &effects {
                if let Effect::Latency(latency) = effect {
                    shared.runtime.sleep(*latency).await;
                }
            }
            if effects.contains(&Effect::Unreachable) {
                return Err(Error::network(&request.operation, "connection refused"));
            }
            let scripted = effects.iter().find_map(|effect| match effect {
                Effect::Status { code, retry_after } => Some(Refusal::scripted(*code, *retry_after).into()),
                _ => None,
            });
            let reply = scripted.unwrap_or_else(|| server::answer(&shared, &user, &request));
            shared.settle();
            Ok(answer(shared, request, reply, &effects))
        }
        .boxed_local()
    }
}

impl fmt::Debug for Sim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sim").field("version", &self.version()).finish_non_exhaustive()
    }
}

impl Shared {
    /// Makes one change in somebody's name. What follows from it is seen to by [`Shared::settle`].
    pub(crate) fn write<T>(
        &self,
        caller: &Caller,
        dry_run: bool,
        warnings: &mut Vec<String>,
        change: impl FnOnce(&mut Write<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut world = self.world.borrow_mut();
        let World { kinds, store, .. } = &mut *world;
        let mut write = Write { kinds, store, runtime: &self.runtime, caller, warnings, dry_run };
        let done = change(&mut write);
        write.settle_definitions();
        done
    }

    /// Takes the place of whatever ran the workloads before.
    pub(crate) fn set_workloads(&self, number: u64, task: Task) {
        let before = self.workloads.borrow_mut().replace((number, task));
        drop(before);
    }

    /// Stops what runs the workloads, if it is still the one of this number.
    pub(crate) fn stop_workloads(&self, number: u64) {
        let stopped = self.workloads.borrow_mut().take_if(|(known, _)| *known == number);
        if stopped.is_some() {
            let mut world = self.world.borrow_mut();
            world.store.ignore();
            world.leave(number);
        }
    }

    /// Sees to what follows from a change.
    pub(crate) fn settle(self: &Rc<Self>) {
        self.world.borrow_mut().aggregate_roles();
        let mortal = self.world.borrow_mut().watch_over(self.runtime.now());
        let idle = self.expiry.borrow().as_ref().is_none_or(Task::is_finished);
        if mortal && idle {
            let task = self.runtime.spawn(expiry::run(Rc::downgrade(self), self.runtime.clone()));
            *self.expiry.borrow_mut() = Some(task);
        }
        let ends = self.world.borrow_mut().look_after(self.runtime.now());
        let idle = self.ending.borrow().as_ref().is_none_or(Task::is_finished);
        if ends && idle {
            let task = self.runtime.spawn(ending::run(Rc::downgrade(self), self.runtime.clone()));
            *self.ending.borrow_mut() = Some(task);
        }
        self.wake();
    }

    /// Wakes the watches if there is something to tell; nothing is borrowed meanwhile.
    pub(crate) fn wake(&self) {
        let wakers = self.world.borrow_mut().take_wakers();
        wakers.into_values().for_each(std::task::Waker::wake);
    }
}

fn answer(shared: Rc<Shared>, request: HttpRequest, reply: Reply, effects: &[Effect]) -> Answer {
    let mut headers = Headers::default();
    if !reply.content_type.is_empty() {
        headers.add("Content-Type", reply.content_type);
    }
    headers.add("Cache-Control", "no-cache, private");
    for warning in &reply.warnings {
        headers.add("Warning", format!("299 - {}", Value::from(warning.as_str())));
    }
    for (name, value) in reply.headers {
        headers.add(name, value);
    }
    if let Some(seconds) = reply.retry_after {
        headers.add("Retry-After", seconds.to_string());
    }
    let runtime = shared.runtime.clone();
    let mut body: Chunks = match reply.content {
        Content::Bytes(bytes) => stream::once(async move { Ok(bytes) }).boxed_local(),
        Content::Watch(mut watching) => {
            effects.iter().for_each(|effect| watching.bend(effect));
            watching.into_stream(shared, Rc::clone(&request.operation)).boxed_local()
        }
        Content::Log(following) => following.into_stream(shared).boxed_local(),
    };
    for effect in effects {
        body = effect.bend(body, &request.operation, &runtime);
    }
    Answer { operation: request.operation, method: request.method, code: reply.code, headers, body: Body::new(body) }
}
