//! How many pods there are, by an informer.

use masthead::{Error, browser, rest::RestClient};
use wasm_bindgen::prelude::wasm_bindgen;

/// By the informer of any kind.
#[cfg(feature = "inform-generic")]
#[wasm_bindgen]
pub async fn inform_generic(address: String) -> Result<usize, String> {
    async fn count(address: &str) -> Result<usize, Error> {
        use k8s_openapi::api::core::v1::Pod;

        let client = RestClient::new(browser::config(address))?;
        let factory = masthead::cache::InformerFactory::default();
        let client = masthead::typed::Client::<Pod>::all_namespaces(&client);
        let pods = factory.informer(&client, &Default::default());
        factory.start();
        factory.synced().await?;
        Ok(pods.store().len())
    }
    count(&address).await.map_err(|error| error.to_string())
}

/// By the generated factory.
#[cfg(feature = "inform-factory")]
#[wasm_bindgen]
pub async fn inform_factory(address: String) -> Result<usize, String> {
    async fn count(address: &str) -> Result<usize, Error> {
        let client = RestClient::new(browser::config(address))?;
        let factory = masthead::informers::SharedInformerFactory::new(&client);
        let pods = factory.core().v1().pods();
        factory.start();
        factory.synced().await?;
        Ok(pods.informer().store().len())
    }
    count(&address).await.map_err(|error| error.to_string())
}
