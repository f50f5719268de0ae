//! Acting as somebody else.

use masthead::rest::Headers;

use super::{
    attempt::{Attempt, Resource},
    policy::Policy,
    user::User,
};
use crate::refusal::Refusal;

/// Whom a request acts as: the user that its headers name, if the one who sends it may act as that one.
pub(crate) fn acting(user: &User, headers: &Headers, attempt: &Attempt, policy: &Policy<'_>) -> Result<User, Refusal> {
    let Some(asked) = asked(headers)? else { return Ok(user.clone()) };
    let whole = |group: &str, resource: &str, name: &str| {
        let verb = "impersonate".to_owned();
        let (group, resource, name) = (group.to_owned(), resource.to_owned(), name.to_owned());
        Attempt::Resource(Resource { verb, group, resource, name, ..Resource::default() })
    };
    let named = headers.all("Impersonate-Group");
    let mut needed: Vec<Attempt> = named.map(|group| whole("", "groups", group)).collect();
    needed.push(match asked.name.strip_prefix("system:serviceaccount:").and_then(|rest| rest.split_once(':')) {
        Some((namespace, name)) => match whole("", "serviceaccounts", name) {
            Attempt::Resource(account) => Attempt::Resource(Resource { namespace: namespace.to_owned(), ..account }),
            other => other,
        },
        None => whole("", "users", &asked.name),
    });
    if !asked.uid.is_empty() {
        needed.push(whole("authentication.k8s.io", "uids", &asked.uid));
    }
    if needed.iter().all(|needed| policy.decide(user, needed).allowed) {
        return Ok(asked);
    }
    let how = if asked.is_account() { "serviceaccount" } else { "user-info" };
    let refused = attempt.clone().with_verb(|verb| format!("impersonate-on:{how}:{verb}"));
    Err(Refusal::denied(user, &refused, ""))
}

fn asked(headers: &Headers) -> Result<Option<User>, Refusal> {
    let (name, uid) = (headers.get("Impersonate-User"), headers.get("Impersonate-Uid").unwrap_or_default());
    let groups: Vec<&str> = headers.all("Impersonate-Group").collect();
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        if groups.is_empty() && uid.is_empty() {
            return Ok(None);
        }
        let groups: Vec<String> = groups.iter().map(|group| format!("{group:?}")).collect();
        let groups =
            if groups.is_empty() { "[]string(nil)".to_owned() } else { format!("[]string{{{}}}", groups.join(", ")) };
        return Err(Refusal::bad_request(format!(
            "requested &user.DefaultInfo{{Name:\"\", UID:{uid:?}, Groups:{groups}, Extra:map[string][]string(nil)}} without \
             impersonating a user name"
        )));
    };
    let mut user = User { uid: uid.to_owned(), ..User::new(name, groups) };
    for (header, value) in headers.iter() {
        let lower = header.to_ascii_lowercase();
        let Some(key) = lower.strip_prefix("impersonate-extra-") else { continue };
        match user.extra.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => values.push(value.to_owned()),
            None => user.extra.push((key.to_owned(), vec![value.to_owned()])),
        }
    }
    Ok(Some(user))
}
