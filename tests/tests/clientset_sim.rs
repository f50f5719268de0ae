//! The ClientSet has what the simulator serves.

mod clientset;

use std::rc::Rc;

use anyhow::Result;
use masthead::{
    rest::{Config, RestClient},
    runtime::VirtualTime,
};
use masthead_sim::Sim;

#[test]
fn the_clientset_has_every_kind_of_the_simulator() -> Result<()> {
    let time = VirtualTime::new();
    let sim = Rc::new(Sim::new(time.runtime()));
    let client = RestClient::new(Config::new("http://sim", sim, time.runtime()))?;
    let get = |path: &str| Ok(serde_json::from_slice(&time.run(client.get().abs_path([path]).send())?.body)?);
    assert_eq!(clientset::differences(get)?, [""; 0]);
    Ok(())
}
