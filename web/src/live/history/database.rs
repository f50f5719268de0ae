//! A small part of IndexedDB: texts, sorted by cluster and time.

use std::{cell::Cell, fmt, rc::Rc};

use futures::channel::oneshot;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    IdbDatabase, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction, IdbTransactionMode, window,
};

use crate::model::timeline::record::Record;

/// The page's database.
#[derive(Clone, Debug)]
pub(super) struct Database(IdbDatabase);

/// What the browser says went wrong.
#[derive(Debug)]
pub(super) struct Failure(String);

impl Database {
    /// Opens it, or makes it.
    pub(super) async fn open() -> Result<Database, Failure> {
        let factory = window().and_then(|window| window.indexed_db().ok().flatten());
        let factory = factory.ok_or_else(|| Failure("this browser has no database for the page".to_owned()))?;
        let request: IdbOpenDbRequest = factory.open_with_u32(NAME, VERSION)?;
        let made = request.clone();
        let make = Closure::once(move || {
            let database = made.result().ok().and_then(|result| result.dyn_into::<IdbDatabase>().ok());
            if database.is_none_or(|database| database.create_object_store(STORE).is_err()) {
                leptos::logging::warn!("history: the browser did not make a store");
            }
        });
        request.set_onupgradeneeded(Some(make.as_ref().unchecked_ref()));
        let database = done(&request).await?;
        Ok(Database(database.dyn_into().map_err(|_| Failure("the browser opened something else".to_owned()))?))
    }

    /// Writes these, all or none.
    pub(super) async fn write(&self, cluster: &str, records: &[Record]) -> Result<(), Failure> {
        let (transaction, store) = self.store(IdbTransactionMode::Readwrite)?;
        for record in records {
            let (time, id) = record.key();
            let key = Array::of3(&cluster.into(), &(time as f64).into(), &id.into());
            store.put_with_key(&record.text().into(), &key)?;
        }
        completed(&transaction).await
    }

    /// The texts of a cluster, oldest first; at most `limit`.
    pub(super) async fn read(&self, cluster: &str, limit: usize) -> Result<Vec<String>, Failure> {
        let (_, store) = self.store(IdbTransactionMode::Readonly)?;
        let found = done(&store.get_all_with_key_and_limit(&all_of(cluster)?, limit as u32)?).await?;
        Ok(Array::from(&found).iter().filter_map(|text| text.as_string()).collect())
    }

    /// How many there are of a cluster.
    pub(super) async fn count(&self, cluster: &str) -> Result<u32, Failure> {
        let (_, store) = self.store(IdbTransactionMode::Readonly)?;
        Ok(done(&store.count_with_key(&all_of(cluster)?)?).await?.as_f64().unwrap_or_default() as u32)
    }

    /// How many there are at all.
    pub(super) async fn count_all(&self) -> Result<u32, Failure> {
        let (_, store) = self.store(IdbTransactionMode::Readonly)?;
        Ok(done(&store.count()?).await?.as_f64().unwrap_or_default() as u32)
    }

    /// Removes what a cluster has from before `time`.
    pub(super) async fn remove_before(&self, cluster: &str, time: i64) -> Result<(), Failure> {
        let end = Array::of2(&cluster.into(), &(time as f64).into());
        self.remove(&IdbKeyRange::bound(&first_of(cluster), &end)?.into()).await
    }

    /// Removes the oldest of a cluster.
    pub(super) async fn remove_oldest(&self, cluster: &str, count: u32) -> Result<(), Failure> {
        let (_, store) = self.store(IdbTransactionMode::Readonly)?;
        let keys = done(&store.get_all_keys_with_key_and_limit(&all_of(cluster)?, count)?).await?;
        let last = Array::from(&keys).pop();
        self.remove(&IdbKeyRange::bound(&first_of(cluster), &last)?.into()).await
    }

    /// Removes all of every other cluster.
    pub(super) async fn remove_others(&self, cluster: &str) -> Result<(), Failure> {
        self.remove(&IdbKeyRange::upper_bound_with_open(&first_of(cluster), true)?.into()).await?;
        self.remove(&IdbKeyRange::lower_bound_with_open(&end_of(cluster), true)?.into()).await
    }

    /// Removes everything.
    pub(super) async fn clear(&self) -> Result<(), Failure> {
        let (transaction, store) = self.store(IdbTransactionMode::Readwrite)?;
        store.clear()?;
        completed(&transaction).await
    }

    async fn remove(&self, range: &JsValue) -> Result<(), Failure> {
        let (transaction, store) = self.store(IdbTransactionMode::Readwrite)?;
        store.delete(range)?;
        completed(&transaction).await
    }

    fn store(&self, mode: IdbTransactionMode) -> Result<(IdbTransaction, IdbObjectStore), Failure> {
        let transaction = self.0.transaction_with_str_and_mode(STORE, mode)?;
        let store = transaction.object_store(STORE)?;
        Ok((transaction, store))
    }
}

/// Keys are `[cluster, time, id]`; an array sorts behind every number.
fn first_of(cluster: &str) -> Array {
    Array::of1(&cluster.into())
}

fn end_of(cluster: &str) -> Array {
    Array::of2(&cluster.into(), &Array::new())
}

fn all_of(cluster: &str) -> Result<JsValue, Failure> {
    Ok(IdbKeyRange::bound(&first_of(cluster), &end_of(cluster))?.into())
}

/// What a request gives.
async fn done(request: &IdbRequest) -> Result<JsValue, Failure> {
    let (sender, receiver) = oneshot::channel();
    let [success, failure] = ending(sender);
    request.set_onsuccess(Some(success.as_ref().unchecked_ref()));
    request.set_onerror(Some(failure.as_ref().unchecked_ref()));
    match receiver.await {
        Ok(true) => Ok(request.result()?),
        _ => Err(Failure(request.error().ok().flatten().map_or_else(|| "refused".to_owned(), |error| error.message()))),
    }
}

async fn completed(transaction: &IdbTransaction) -> Result<(), Failure> {
    let (sender, receiver) = oneshot::channel();
    let [success, failure] = ending(sender);
    transaction.set_oncomplete(Some(success.as_ref().unchecked_ref()));
    transaction.set_onabort(Some(failure.as_ref().unchecked_ref()));
    match receiver.await {
        Ok(true) => Ok(()),
        _ => Err(Failure(transaction.error().map_or_else(|| "aborted".to_owned(), |error| error.message()))),
    }
}

/// Two calls of which one is made: it went well, or it did not.
fn ending(sender: oneshot::Sender<bool>) -> [Closure<dyn FnMut()>; 2] {
    let sender = Rc::new(Cell::new(Some(sender)));
    [true, false].map(|well| {
        let sender = Rc::clone(&sender);
        Closure::new(move || {
            // Who asked may be gone, and then nobody wants to know.
            sender.take().map(|sender| sender.send(well).is_ok());
        })
    })
}

impl From<JsValue> for Failure {
    fn from(value: JsValue) -> Failure {
        let message = value.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
        Failure(message.unwrap_or_else(|| "refused by the browser".to_owned()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const NAME: &str = "masthead.timeline";
const STORE: &str = "points";
const VERSION: u32 = 1;
