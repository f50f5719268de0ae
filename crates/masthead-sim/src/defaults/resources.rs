//! Amounts of resources, written in the server's one way.

use serde_json::Value;

use crate::{quantity::Quantity, tree::member};

/// Rewrites the amounts of a list of resources; what is no amount stays, and is refused later.
pub(super) fn complete_list(parent: &mut Value, name: &str) {
    if let Some(list) = member(parent, name).and_then(Value::as_object_mut) {
        for amount in list.values_mut() {
            if let Some(known) = parsed(amount) {
                *amount = known.rounded_to_milli().to_string().into();
            }
        }
    }
}

/// Rewrites limits and requests.
pub(super) fn complete_requirements(parent: &mut Value) {
    complete_list(parent, "limits");
    complete_list(parent, "requests");
}

/// Rewrites a single amount.
pub(super) fn complete_amount(parent: &mut Value, name: &str) {
    if let Some(amount) = parent.get_mut(name)
        && let Some(known) = parsed(amount)
    {
        *amount = known.to_string().into();
    }
}

/// Adds to a list what only another has.
pub(super) fn fill_list(parent: &mut Value, name: &str, from: &Value) {
    let Some(from) = from.as_object().filter(|from| !from.is_empty()) else { return };
    if let Some(list) = crate::tree::made(parent, name).and_then(Value::as_object_mut) {
        for (resource, amount) in from {
            list.entry(resource).or_insert_with(|| amount.clone());
        }
    }
}

fn parsed(amount: &Value) -> Option<Quantity> {
    match amount {
        Value::String(text) => Quantity::parse(text),
        Value::Number(number) => Quantity::parse(&number.to_string()),
        _ => None,
    }
}
