//! One of many leads.

use std::rc::Rc;

use js_sys::Function;
use masthead::{
    Error,
    leaderelection::{self, Change, Config, LeaseLock},
    rest::RestClient,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{given::Given, pending::Pending, settings::seconds, thrown::thrown};

/// A candidate.
#[wasm_bindgen]
pub struct Elector {
    elector: Rc<leaderelection::Elector>,
}

impl Elector {
    pub(crate) fn new(
        client: &RestClient,
        (namespace, name): (&str, &str),
        identity: &str,
        times: &str,
    ) -> Result<Elector, Error> {
        // In seconds; those of Kubernetes' own components where none are given.
        let times = Given::parse("configure leader election", times)?;
        let mut config = Config::default();
        for (field, what) in [
            (&mut config.lease_duration, "leaseDuration"),
            (&mut config.renew_deadline, "renewDeadline"),
            (&mut config.retry_period, "retryPeriod"),
        ] {
            if let Some(given) = times.number(what) {
                *field = seconds(what, given)?;
            }
        }
        let lock = LeaseLock::new(client, namespace, name);
        let elector = leaderelection::Elector::new(lock, identity, config)?;
        Ok(Elector { elector: Rc::new(elector) })
    }
}

#[wasm_bindgen]
impl Elector {
    /// Waits for the lease, then keeps it; done once it is lost. `report` is told `leading`, `leader` and its name,
    /// `failed` and the error, and `stopped`.
    pub fn run(&self, report: Function) -> Pending {
        let elector = Rc::clone(&self.elector);
        Pending::begin("lead", async move {
            elector.run(|change| tell(&report, change)).await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Gives the lease up; whether it was held.
    pub fn release(&self) -> Pending {
        let elector = Rc::clone(&self.elector);
        Pending::begin("release leases", async move { elector.release().await.map(JsValue::from_bool) })
    }

    /// Whether this candidate holds a lease that lasts at this moment.
    #[wasm_bindgen(getter, js_name = isLeader)]
    pub fn is_leader(&self) -> bool {
        self.elector.is_leader()
    }

    /// Who led when the lease was last seen.
    #[wasm_bindgen(getter)]
    pub fn leader(&self) -> Option<String> {
        self.elector.leader()
    }
}

fn tell(report: &Function, change: Change) {
    let (what, with) = match change {
        Change::Leading => ("leading", JsValue::UNDEFINED),
        Change::NewLeader(name) => ("leader", JsValue::from_str(&name)),
        Change::Failed(error) => ("failed", thrown(&error)),
        Change::Stopped => ("stopped", JsValue::UNDEFINED),
    };
    // The facade's function does not throw.
    report.call2(&JsValue::NULL, &JsValue::from_str(what), &with).ok();
}
