//! Informers of pods in each form.

use std::{cell::RefCell, rc::Rc};

use js_sys::Function;
use k8s_openapi::api::core::v1::Pod;
use masthead::{
    browser,
    cache::{Indexer, InformerOptions, Object, SharedInformer},
    lean::{Projector, Row},
    packed::{Packed, Packer},
    rest::{Config, Decoder, Json, RestClient, WatchEvent},
    watch::Source,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::{feed::Feed, pod_row::PodRow};

/// A cache of pods, typed, lean or packed.
#[expect(missing_debug_implementations, reason = "a class of JavaScript")]
#[wasm_bindgen]
pub struct Cache {
    held: Held,
}

enum Held {
    Typed(Pods<Pod>),
    Lean(Pods<Row<PodRow>>),
    Packed(Pods<Packed<PodRow>>),
}

struct Pods<T: Object> {
    informer: SharedInformer<T>,
    decoder: Rc<dyn Decoder<T>>,
    /// The same objects under three indexes, once updates are measured.
    indexer: RefCell<Indexer<T>>,
}

#[wasm_bindgen]
impl Cache {
    /// An informer of the pods that `page` gives, in this form.
    #[wasm_bindgen(constructor)]
    pub fn new(form: &str, page: Function) -> Result<Cache, JsError> {
        let bare: masthead::cache::Transform<Pod> = Rc::new(|mut pod: Pod| {
            pod.metadata.managed_fields = None;
            Ok(pod)
        });
        let typed = InformerOptions { transform: Some(bare), ..InformerOptions::default() };
        let held = match form {
            "typed" => Held::Typed(Pods::new(Rc::new(Json::new()), typed, page)),
            "lean" => Held::Lean(Pods::new(Rc::new(Projector::new()), InformerOptions::default(), page)),
            "packed" => Held::Packed(Pods::new(Rc::new(Packer::new()), InformerOptions::default(), page)),
            _ => return Err(JsError::new("typed, lean or packed")),
        };
        Ok(Cache { held })
    }

    /// Runs the informer until it has everything; gives the number of pods.
    pub async fn sync(&self) -> Result<usize, JsError> {
        match &self.held {
            Held::Typed(pods) => pods.sync().await,
            Held::Lean(pods) => pods.sync().await,
            Held::Packed(pods) => pods.sync().await,
        }
    }

    /// Puts all pods under three indexes, for [`update`](Self::update).
    pub fn index(&self) -> Result<(), JsError> {
        match &self.held {
            Held::Typed(pods) => pods.index(|pod| {
                let spec = pod.spec.as_ref();
                let labels = pod.metadata.labels.as_ref();
                [
                    pod.metadata.namespace.clone().unwrap_or_default(),
                    spec.and_then(|spec| spec.node_name.clone()).unwrap_or_default(),
                    labels.and_then(|labels| labels.get("app").cloned()).unwrap_or_default(),
                ]
            }),
            Held::Lean(pods) => pods.index(values),
            Held::Packed(pods) => pods.index(|pod| values(pod)),
        }
    }

    /// Applies the event in `frame` `count` times.
    pub fn update(&self, frame: &[u8], count: u32) -> Result<(), JsError> {
        match &self.held {
            Held::Typed(pods) => pods.update(frame, count),
            Held::Lean(pods) => pods.update(frame, count),
            Held::Packed(pods) => pods.update(frame, count),
        }
    }

    /// Unpacks every pod once; gives the number of bytes.
    pub fn unpack(&self) -> Result<f64, JsError> {
        let Held::Packed(pods) = &self.held else { return Ok(0.0) };
        let mut total = 0.0;
        for pod in pods.informer.store().list() {
            total += pod.json()?.len() as f64;
        }
        Ok(total)
    }

    /// What the objects say of their memory, in all.
    pub fn accounted(&self) -> usize {
        let mut total = 0;
        match &self.held {
            Held::Typed(_) => {}
            Held::Lean(pods) => pods.informer.store().for_each(|pod| total += pod.bytes()),
            Held::Packed(pods) => pods.informer.store().for_each(|pod| total += pod.bytes()),
        }
        total
    }
}

fn values(pod: &Row<PodRow>) -> [String; 3] {
    [pod.key().namespace().to_owned(), pod.node.to_string(), pod.app.to_string()]
}

impl<T: Object> Pods<T> {
    fn new(decoder: Rc<dyn Decoder<T>>, options: InformerOptions<T>, page: Function) -> Pods<T> {
        let config = Config { qps: -1.0, ..Config::new("http://pods", Feed::new(page), browser::runtime()) };
        let request = RestClient::new(config).expect("a plain address").group_version("", "v1").get().resource("pods");
        let source = Source::read_by(Rc::clone(&decoder), request);
        Pods { informer: SharedInformer::new(Rc::new(source), options), decoder, indexer: RefCell::default() }
    }

    async fn sync(&self) -> Result<usize, JsError> {
        self.informer.start();
        self.informer.synced().await?;
        Ok(self.informer.store().len())
    }

    fn index(&self, values: impl Fn(&T) -> [String; 3] + Clone + 'static) -> Result<(), JsError> {
        let mut indexer = self.indexer.borrow_mut();
        for place in 0..3 {
            let values = values.clone();
            let name = ["namespace", "node", "app"][place];
            indexer.add_index(name, move |pod| [values(pod)[place].clone()])?;
        }
        self.informer.store().for_each(|pod| drop(indexer.put(Rc::clone(pod))));
        Ok(())
    }

    fn update(&self, frame: &[u8], count: u32) -> Result<(), JsError> {
        let mut indexer = self.indexer.borrow_mut();
        for _ in 0..count {
            if let WatchEvent::Modified(pod) = WatchEvent::decode_with(frame, &*self.decoder)? {
                indexer.put(Rc::new(pod));
            }
        }
        Ok(())
    }
}
