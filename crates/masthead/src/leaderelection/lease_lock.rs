//! A Lease object as a lock.

use std::{cell::RefCell, collections::BTreeMap, time::Duration};

use k8s_openapi::api::core::v1::ObjectReference;
use serde_json::{Value, json};

use super::Record;
use crate::{
    Error,
    record::{EventRecorder, EventType},
    rest::{Request, RestClient},
};

/// Reads and writes one Lease. Every write names the version that was read or written last, so that of two writers one
/// fails.
#[derive(Debug)]
pub struct LeaseLock {
    /// For `coordination.k8s.io/v1`.
    client: RestClient,
    namespace: String,
    name: String,
    /// Set on the Lease beside those it has.
    pub labels: BTreeMap<String, String>,
    /// How long a request may take; `None` for the client's own limit.
    pub timeout: Option<Duration>,
    /// Tells of every beginning and end of leading, as an event about the Lease.
    pub recorder: Option<EventRecorder>,
    /// As the server gave it last, with whatever else it says: an update must not lose that.
    lease: RefCell<Option<Value>>,
}

impl LeaseLock {
    /// The lock `namespace/name`.
    pub fn new(client: &RestClient, namespace: &str, name: &str) -> LeaseLock {
        LeaseLock {
            client: client.group_version("coordination.k8s.io", "v1"),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            labels: BTreeMap::new(),
            timeout: None,
            recorder: None,
            lease: RefCell::default(),
        }
    }

    /// What the lock says; `None` when there is no such Lease.
    pub async fn read(&self) -> Result<Option<Record>, Error> {
        match self.bounded(self.client.get()).name(&self.name).send().await {
            Ok(response) => {
                let lease: Value = response.decode()?;
                let record = Record::from_spec(&lease["spec"]);
                self.lease.replace(Some(lease));
                Ok(Some(record))
            }
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates the Lease.
    pub async fn create(&self, record: &Record) -> Result<(), Error> {
        let mut lease = json!({
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": { "name": self.name, "namespace": self.namespace },
            "spec": record.to_spec(),
        });
        self.label(&mut lease);
        let made = self.bounded(self.client.post()).json(&lease).send().await?.decode()?;
        self.lease.replace(Some(made));
        Ok(())
    }

    /// Writes the Lease as it was read or written last, with another record.
    pub async fn update(&self, record: &Record) -> Result<(), Error> {
        let Some(mut lease) = self.lease.borrow().clone() else {
            return Err(Error::invalid("update leases", "lease not initialized, call get or create first"));
        };
        let Some(object) = lease.as_object_mut() else {
            return Err(Error::invalid("update leases", "what was read is no object"));
        };
        object.insert("spec".to_owned(), record.to_spec());
        self.label(&mut lease);
        let written = self.bounded(self.client.put()).name(&self.name).json(&lease).send().await?.decode()?;
        self.lease.replace(Some(written));
        Ok(())
    }

    /// Records that `identity` did `what`.
    pub(super) fn record(&self, identity: &str, what: &str) {
        let lease = self.lease.borrow().as_ref().map(reference);
        if let (Some(recorder), Some(lease)) = (&self.recorder, lease) {
            recorder.eventf(&lease, EventType::Normal, "LeaderElection", format_args!("{identity} {what}"));
        }
    }

    /// The client that carries the requests.
    pub fn rest_client(&self) -> &RestClient {
        &self.client
    }

    fn label(&self, lease: &mut Value) {
        if let Some(metadata) = lease["metadata"].as_object_mut().filter(|_| !self.labels.is_empty()) {
            let mut labels =
                metadata.remove("labels").and_then(|labels| labels.as_object().cloned()).unwrap_or_default();
            labels.extend(self.labels.iter().map(|(name, value)| (name.clone(), value.as_str().into())));
            metadata.insert("labels".to_owned(), labels.into());
        }
    }

    fn bounded(&self, request: Request) -> Request {
        let request = request.namespace(&self.namespace).resource("leases");
        match self.timeout {
            Some(limit) => request.timeout(limit),
            None => request,
        }
    }
}

fn reference(lease: &Value) -> ObjectReference {
    let text = |field: &str| lease["metadata"][field].as_str().map(str::to_owned);
    ObjectReference {
        api_version: Some("coordination.k8s.io/v1".to_owned()),
        kind: Some("Lease".to_owned()),
        name: text("name"),
        namespace: text("namespace"),
        resource_version: text("resourceVersion"),
        uid: text("uid"),
        ..ObjectReference::default()
    }
}
