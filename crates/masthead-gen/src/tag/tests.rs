//! The tags of client-go's generators, one table per case.

use super::{Tags, Verbs, distance};
use crate::{Method, Verb, verb::listed};

fn parse(lines: &str) -> Result<Tags, String> {
    let comments = lines.split('|').map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
    Tags::parse(comments).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.into_iter().map(|(line, why)| format!("{line}: {why}")).collect();
        lines.join("\n")
    })
}

#[track_caller]
fn check(lines: &str, expect: Tags) {
    assert_eq!(parse(lines).unwrap(), Tags { genclient: true, ..expect }, "{lines}");
}

#[track_caller]
fn check_refused(lines: &str, because: &str) {
    let why = parse(lines).unwrap_err();
    assert!(why.contains(because), "{lines}: {why}");
}

fn method(name: &str, verb: Verb) -> Method {
    Method { name: name.into(), verb, subresource: String::new(), input: None, result: None }
}

#[test]
fn cg_01_genclient_generates() {
    check("+genclient", Tags::default());
    assert!(!parse("a comment | about a type").unwrap().genclient);
}

#[test]
fn cg_02_genclient_takes_no_value() {
    check_refused("+genclient=true", "1: `+genclient` takes no value");
    check_refused("+genclient=false", "takes no value");
    check_refused("+genclient:noStatus=true", "`+genclient:noStatus` takes no value");
}

#[test]
fn cg_03_flags_are_set() {
    check("+genclient | +genclient:nonNamespaced", Tags { non_namespaced: true, ..Tags::default() });
    check("+genclient | +genclient:noVerbs", Tags { verbs: Verbs::None, ..Tags::default() });
    check("+genclient:noStatus | +genclient", Tags { no_status: true, ..Tags::default() });
}

#[test]
fn only_and_skipped_verbs_are_kept() {
    let only = Tags { verbs: Verbs::Only(vec![Verb::Get, Verb::List]), ..Tags::default() };
    check("+genclient | +genclient:onlyVerbs=get,list", only);
    let skip = parse("+genclient | +genclient:skipVerbs=watch, applyStatus").unwrap();
    assert_eq!(skip.skip_verbs(), [Verb::Watch, Verb::ApplyStatus]);
    let none = parse("+genclient | +genclient:noVerbs").unwrap();
    assert_eq!(none.skip_verbs(), Verb::ALL);
}

/// CG-05
#[test]
fn cg_05_readonly_skips_every_verb_that_writes() {
    let tags = parse("+genclient | +genclient:readonly").unwrap();
    let expect = "create, update, updateStatus, delete, deleteCollection, patch, apply, applyStatus";
    assert_eq!(listed(&tags.skip_verbs()), expect);
}

/// CG-07
#[test]
fn cg_07_unknown_tags_are_refused_with_the_known_ones() {
    let known = "nonNamespaced, noStatus, noVerbs, onlyVerbs, skipVerbs, readonly, method";
    check_refused(
        "+genclient | +genclient:invalid",
        &format!("2: there is no tag `+genclient:invalid`; behind `+genclient:` stands one of {known}"),
    );
    check_refused("+genclient | +genclient:nonnamespaced", "`+genclient:nonNamespaced` may be meant");
    check_refused("+genclinet", "there is no tag `+genclinet`; `+genclient` may be meant");
    check_refused("+genclient | +resourcename=a", "`+resourceName` may be meant");
    check_refused("+genclient | +k8s:lister_gen=false", "`+k8s:lister-gen` may be meant");
    check("+genclient | +kubebuilder:object:root=true | +optional | +k8s:deepcopy-gen=true", Tags::default());
}

#[test]
fn cg_08_methods_come_in_the_order_of_their_tags() {
    let methods = vec![method("Foo", Verb::Create)];
    check("+genclient | +genclient:method=Foo,verb=create", Tags { methods, ..Tags::default() });
    let methods = vec![method("Foo", Verb::Create), method("Bar", Verb::Get)];
    let lines = "+genclient | +genclient:method=Foo,verb=create | +genclient:method=Bar,verb=get";
    check(lines, Tags { methods, ..Tags::default() });
}

/// CG-09
#[test]
fn cg_09_malformed_methods_are_refused() {
    let check = |value: &str, because: &str| check_refused(&format!("+genclient | +genclient:method{value}"), because);
    check("", "a method needs a name");
    check("=", "a method needs a name");
    check("=Foo", "method Foo needs a verb");
    check("=Foo,unknown=bar", "a method has no `unknown`");
    check("=Foo,verb=create,subresource=", "`subresource=` has no value");
    check("=Foo,verb", "`verb` has no value");
    check("=Foo,verb=explode", "`verb=explode` cannot be: a method is one of create, update, get, list, patch, apply");
    for verb in ["updateStatus", "deleteCollection", "watch", "delete", "applyStatus"] {
        check(&format!("=Foo,verb={verb}"), &format!("`verb={verb}` cannot be"));
    }
    for verb in ["get", "list", "patch"] {
        check(&format!("=Foo,verb={verb},input=Bar"), "`input=` goes with create, update and apply");
    }
    check("=Foo,verb=get,verb=list", "`verb=` stands twice");
    check("=Foo,verb=get,result=k8s.io/api/core/v1.Pod", "types are Rust paths");
    check("=Foo,verb=get,subresource=a b", "is no subresource");
    check("=1,verb=get", "a method needs a name");
}

/// CG-10
#[test]
fn cg_10_the_fields_of_a_method_are_set() {
    let check = |value: &str, expect: Method| {
        let tags = parse(&format!("+genclient | +genclient:method={value}")).unwrap();
        assert_eq!(tags.methods, [expect], "{value}");
    };
    check("Foo,verb=create,subresource=bar", Method { subresource: "bar".into(), ..method("Foo", Verb::Create) });
    check("Foos,verb=list,result=Bars", Method { result: Some("Bars".into()), ..method("Foos", Verb::List) });
    check("Foo,verb=update,input=Bar", Method { input: Some("Bar".into()), ..method("Foo", Verb::Update) });
    let path = "k8s_openapi::api::autoscaling::v1::Scale";
    let scale = Method { subresource: "scale".into(), result: Some(path.into()), ..method("GetScale", Verb::Get) };
    check(&format!("GetScale,verb=get,subresource=scale,result={path}"), scale.clone());
    assert_eq!(scale.function(), "get_scale");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let one = "only one of noVerbs, onlyVerbs, skipVerbs and readonly";
    check_refused("+genclient | +genclient:onlyVerbs=get | +genclient:skipVerbs=list", one);
    check_refused("+genclient | +genclient:readonly | +genclient:noVerbs", one);
    check_refused("+genclient | +genclient", "`+genclient` stands twice");
    check_refused("+genclient:readonly", "do nothing without `+genclient`");
    check_refused("+genclient | +genclient:noStatus | +genclient:onlyVerbs=updateStatus", "contradict each other");
    check_refused("+genclient | +genclient:onlyVerbs=get,get", "get stands twice");
    check_refused("+genclient | +genclient:onlyVerbs=fetch", "`fetch` is no verb");
    check_refused("+genclient | +genclient:onlyVerbs", "`` is no verb");
    check_refused("+genclient | +resourceName=Pods", "is no resource");
    check_refused("+genclient | +k8s:client-gen", "is true or false");
    check_refused("+genclient | +genclient:method=Get,verb=get", "has the name of a verb");
    check_refused("+genclient | +groupName=a", "stands above its first item");
    let twice = "+genclient | +genclient:method=GetA,verb=get | +genclient:method=get_a,verb=get";
    check_refused(twice, "two methods get_a");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let why = parse("+genclient=1 | +genclient:what | +genclient:onlyVerbs=x").unwrap_err();
    assert_eq!(why.lines().filter(|line| ["1:", "2:", "3:"].contains(&&line[..2])).count(), 3, "{why}");
}

#[test]
fn distances_are_counted_in_letters() {
    for (one, other, expect) in [("", "ab", 2), ("kitten", "sitting", 3), ("same", "same", 0)] {
        assert_eq!(distance(one, other), expect);
    }
}
