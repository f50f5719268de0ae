//! An informer of all pods.

use std::rc::Rc;

use k8s_openapi::api::core::v1::Pod;
use masthead::{
    browser,
    cache::{InformerOptions, Object, SharedInformer, without_managed_fields},
    lean::{Projector, Row},
    packed::{Packed, Packer},
    rest::{Config, Decoder, Json, RestClient},
    watch::Source,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::pod_row::PodRow;

/// An informer of all pods of a server, in one of the forms that a cache can have.
#[expect(missing_debug_implementations, reason = "a class of JavaScript")]
#[wasm_bindgen]
pub struct Pods {
    held: Held,
}

enum Held {
    Typed(SharedInformer<Pod>),
    Lean(SharedInformer<Row<PodRow>>),
    Packed(SharedInformer<Packed<PodRow>>),
}

#[wasm_bindgen]
impl Pods {
    /// An informer of the pods of the server at `url`, in this form.
    #[wasm_bindgen(constructor)]
    pub fn new(form: &str, url: &str) -> Result<Pods, JsError> {
        let client = RestClient::new(Config { qps: -1.0, ..browser::config(url) })?;
        let bare = InformerOptions { transform: Some(without_managed_fields()), ..InformerOptions::default() };
        let held = match form {
            "typed" => Held::Typed(informer(&client, Rc::new(Json::new()), bare)),
            "lean" => Held::Lean(informer(&client, Rc::new(Projector::new()), InformerOptions::default())),
            "packed" => Held::Packed(informer(&client, Rc::new(Packer::new()), InformerOptions::default())),
            _ => return Err(JsError::new("typed, lean or packed")),
        };
        Ok(Pods { held })
    }

    /// Runs the informer until it has everything; gives the number of pods.
    pub async fn sync(&self) -> Result<usize, JsError> {
        match &self.held {
            Held::Typed(informer) => sync(informer).await,
            Held::Lean(informer) => sync(informer).await,
            Held::Packed(informer) => sync(informer).await,
        }
    }
}

fn informer<T: Object>(
    client: &RestClient,
    decoder: Rc<dyn Decoder<T>>,
    options: InformerOptions<T>,
) -> SharedInformer<T> {
    let request = client.group_version("", "v1").get().resource("pods");
    SharedInformer::new(Rc::new(Source::read_by(decoder, request)), options)
}

async fn sync<T: Object>(informer: &SharedInformer<T>) -> Result<usize, JsError> {
    informer.start();
    informer.synced().await?;
    Ok(informer.store().len())
}
