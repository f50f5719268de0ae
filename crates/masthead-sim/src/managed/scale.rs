//! The scale of an object: a write of it owns one field of the object.

use serde_json::Value;

use super::{FieldSet, Owned, Owner, Owners, Ownership, put_entries};
use crate::schema::Schema;

/// The version of scales themselves.
const VERSION: &str = "autoscaling/v1";

impl Ownership<'_> {
    /// Writes into `next` who owns its fields once its scale was changed from one to another. `replicas` is the path of
    /// the number that its scale has, such as `spec.replicas`.
    pub(crate) fn rescale(&self, next: &mut Value, replicas: &str, scales: (&Value, &Value)) {
        let Some(schema) = Schema::of_kind("autoscaling", "v1", "Scale") else { return };
        let mut owners = Owners::decode(&next["metadata"]["managedFields"]).unwrap_or_default();
        let (in_scale, field) = (FieldSet::of(&["spec.replicas"]), FieldSet::of(&[replicas]));
        let owns =
            |owned: &Owned| owned.api_version == self.api_version && !owned.fields.intersection(&field).is_empty();
        let mut scalers = Owners::default();
        for (manager, owned) in owners.0.iter().filter(|(_, owned)| owns(owned)) {
            let scaler = Owner::new(&manager.name, manager.operation, VERSION, &manager.subresource);
            let owned = Owned { fields: in_scale.clone(), api_version: VERSION.to_owned(), ..owned.clone() };
            scalers.0.insert(scaler, owned);
        }
        let scale = Ownership {
            schema,
            api_version: VERSION.to_owned(),
            subresource: "scale",
            reset: FieldSet::default(),
            ..self.clone()
        };
        let [mut before, mut after] = [scales.0.clone(), scales.1.clone()];
        scale.schema.write(&mut before);
        scale.schema.write(&mut after);
        scale.track(&before, &after, &mut scalers);
        for (manager, owned) in owners.0.iter_mut().filter(|(_, owned)| owns(owned)) {
            // An updater of the object is another one than that of its scale, so that it loses the field at least for now.
            if scalers.0.remove(manager).is_none() {
                owned.fields = owned.fields.difference(&field);
            }
        }
        owners.0.retain(|_, owned| !owned.fields.is_empty());
        for (manager, _) in scalers.0.into_iter().filter(|(_, owned)| owned.fields == in_scale) {
            // The real server forgets the time on the way.
            let owned = Owned { fields: field.clone(), api_version: self.api_version.clone(), time: String::new() };
            owners.0.insert(manager, owned);
        }
        put_entries(next, &owners);
    }
}
