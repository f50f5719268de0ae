//! Addresses without names, to label metrics by.

use super::{
    Request,
    path::{self, Params},
};

/// The address with `{namespace}`, `{name}` and `{value}` for what differs between objects.
///
/// A path that is neither below `/api` nor below `/apis` becomes `/{prefix}`, except one of a single segment.
pub(super) fn of(request: &Request) -> String {
    let params: Params = request.param_names().map(|name| (name.to_owned(), vec!["{value}".to_owned()])).collect();
    let full = request.path();
    let base = &request.client.shared().base_path;
    let below = full.strip_prefix(base.as_str()).unwrap_or(&full);
    let mut segments: Vec<&str> = below.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.len() < 2 {
        return request.url_with(&full, &params);
    }
    let first = match segments[0] {
        "api" => 2,
        "apis" => 3,
        _ => return request.url_with("/{prefix}", &Params::default()),
    };
    let is_own = |segment: &str| matches!(segment, "finalize" | "status");
    match segments.get(first..).unwrap_or_default() {
        [_, _] => segments[first + 1] = "{name}",
        [_, _, last] if is_own(last) => segments[first + 1] = "{name}",
        [_, _, _] => segments[first + 1] = "{namespace}",
        [_, _, _, name, ..] => {
            let named = !is_own(name);
            segments[first + 1] = "{namespace}";
            if named {
                segments[first + 3] = "{name}";
            }
        }
        _ => {}
    }
    let path = path::join(["/", base.as_str()].into_iter().chain(segments));
    request.url_with(&path, &params)
}
