//! A Lease object as a lock.

use std::{cell::RefCell, collections::BTreeMap, time::Duration};

use k8s_openapi::{api::coordination::v1::Lease, apimachinery::pkg::apis::meta::v1::ObjectMeta};

use super::Record;
use crate::{
    Error,
    record::{EventRecorder, EventType, reference},
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
    /// As the server gave it last.
    lease: RefCell<Option<Lease>>,
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
                let lease: Lease = response.decode()?;
                let record = lease.spec.as_ref().map(Record::from_spec).unwrap_or_default();
                self.lease.replace(Some(lease));
                Ok(Some(record))
            }
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates the Lease.
    pub async fn create(&self, record: &Record) -> Result<(), Error> {
        let metadata = ObjectMeta {
            name: Some(self.name.clone()),
            namespace: Some(self.namespace.clone()),
            labels: (!self.labels.is_empty()).then(|| self.labels.clone()),
            ..ObjectMeta::default()
        };
        let lease = Lease { metadata, spec: Some(record.to_spec()) };
        let made = self.bounded(self.client.post()).json(&lease).send().await?.decode()?;
        self.lease.replace(Some(made));
        Ok(())
    }

    /// Writes the Lease as it was read or written last, with another record.
    pub async fn update(&self, record: &Record) -> Result<(), Error> {
        let Some(mut lease) = self.lease.borrow().clone() else {
            return Err(Error::invalid("update leases", "lease not initialized, call get or create first"));
        };
        lease.spec = Some(record.to_spec());
        if !self.labels.is_empty() {
            lease.metadata.labels.get_or_insert_default().extend(self.labels.clone());
        }
        let written = self.bounded(self.client.put()).name(&self.name).json(&lease).send().await?.decode()?;
        self.lease.replace(Some(written));
        Ok(())
    }

    /// Records that `identity` did `what`.
    pub(super) fn record(&self, identity: &str, what: &str) {
        let lease = self.lease.borrow().as_ref().map(|lease| reference(lease, &()));
        if let (Some(recorder), Some(lease)) = (&self.recorder, lease) {
            recorder.eventf(&lease, EventType::Normal, "LeaderElection", format_args!("{identity} {what}"));
        }
    }

    /// The client that carries the requests.
    pub fn rest_client(&self) -> &RestClient {
        &self.client
    }

    fn bounded(&self, request: Request) -> Request {
        let request = request.namespace(&self.namespace).resource("leases");
        match self.timeout {
            Some(limit) => request.timeout(limit),
            None => request,
        }
    }
}
