//! What things are told, and who may do what.

use super::{Amount, Detail, Facts, Label, Listing, Object, Reference, Told, listing::text};

pub(super) fn config_map(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    immutable(it, facts);
    detail.entries = it.pairs("/data").map(|(key, value)| (key.to_owned(), value)).collect();
    let size = |(key, value): (&str, String)| (key.to_owned(), format!("{} B (base64)", value.len()));
    detail.entries.extend(it.pairs("/binaryData").map(size));
}

/// Its values are none of this module's business.
pub(super) fn secret(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    facts.at(Label::Type, it, "/type");
    immutable(it, facts);
}

pub(super) fn service_account(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    let namespace = it.text("/metadata/namespace");
    for name in it.items("/secrets").chain(it.items("/imagePullSecrets")).map(|secret| secret.text("/name")) {
        facts.link(Label::Secret, ["v1", "Secret"], [namespace, name]);
    }
    facts.at(Label::MountsToken, it, "/automountServiceAccountToken");
}

pub(super) fn quota(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    facts.text(Label::Scopes, it.joined("/spec/scopes"));
    let used = |name: &str| it.pairs("/status/used").find(|(key, _)| *key == name).map(|(_, used)| used);
    let amount =
        |(name, of): (&str, String)| Amount { name: name.to_owned(), taken: used(name).unwrap_or_default(), of };
    detail.amounts = it.pairs("/status/hard").map(amount).collect();
}

pub(super) fn role(it: Object<'_>, _: &mut Facts, detail: &mut Detail) {
    let rule = |rule: Object<'_>| {
        let what = [rule.joined("/resources"), rule.joined("/nonResourceURLs")].concat();
        let names = rule.joined("/resourceNames");
        let what = if names.is_empty() { what } else { format!("{what}: {names}") };
        let groups = rule.items("/apiGroups").map(|group| match group.written("") {
            core if core.is_empty() => "core".to_owned(),
            group => group,
        });
        vec![text(rule.joined("/verbs")), text(what), text(groups.collect::<Vec<_>>().join(", "))]
    };
    let heads = [Label::Verbs, Label::Resources, Label::Groups];
    detail.listings.extend(Listing::new(Label::Rules, &heads, it.items("/rules").map(rule)));
}

pub(super) fn binding(it: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let role = it.at("/roleRef");
    let namespace = it.text("/metadata/namespace");
    let within = if role.text("/kind") == "Role" { namespace } else { "" };
    facts.link(Label::Role, ["rbac.authorization.k8s.io/v1", role.text("/kind")], [within, role.text("/name")]);
    let subject = |subject: Object<'_>| {
        let [kind, name, of] = ["/kind", "/name", "/namespace"].map(|path| subject.text(path));
        let who = match kind {
            "ServiceAccount" => Told::Link(Reference::new("v1", kind, of, name)),
            _ => text(name),
        };
        vec![text(kind), who, text(of)]
    };
    let heads = [Label::Kind, Label::Name, Label::Namespace];
    detail.listings.extend(Listing::new(Label::Subjects, &heads, it.items("/subjects").map(subject)));
}

fn immutable(it: Object<'_>, facts: &mut Facts) {
    if it.is("/immutable") {
        facts.text(Label::Immutable, "true");
    }
}
