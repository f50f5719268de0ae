//! Schemas that are made of other schemas.

use serde_json::Value;

use super::check_value;
use crate::cause::Cause;

/// What is wrong with a value by `allOf`, `anyOf`, `oneOf` and `not`.
pub(super) fn check(schema: &Value, value: &Value, path: &str, causes: &mut Vec<Cause>) {
    let whole = |why: String| Cause::invalid("<nil>", "\"\"", format!("{path:?} must {why}"));
    let faults = |name: &str| -> Vec<Vec<Cause>> {
        schema[name].as_array().into_iter().flatten().map(|part| check_value(part, value, path)).collect()
    };
    let any = faults("anyOf");
    if !any.is_empty() && !any.iter().any(Vec::is_empty) {
        causes.push(whole("validate at least one schema (anyOf)".to_owned()));
        causes.extend(any.into_iter().next().into_iter().flatten());
    }
    let one = faults("oneOf");
    let valid = one.iter().filter(|faults| faults.is_empty()).count();
    if !one.is_empty() && valid != 1 {
        let found = if valid == 0 { "none valid".to_owned() } else { format!("{valid} valid alternatives") };
        causes.push(whole(format!("validate one and only one schema (oneOf). Found {found}")));
        if valid == 0 {
            causes.extend(one.into_iter().next().into_iter().flatten());
        }
    }
    let all = faults("allOf");
    if all.iter().any(|faults| !faults.is_empty()) {
        causes.extend(all.into_iter().flatten());
        causes.push(whole("validate all the schemas (allOf)".to_owned()));
    }
    if let Some(not) = schema.get("not").filter(|not| not.is_object())
        && check_value(not, value, path).is_empty()
    {
        causes.push(whole("not validate the schema (not)".to_owned()));
    }
}
