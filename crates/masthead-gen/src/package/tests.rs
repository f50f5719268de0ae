//! What is read from a file, and what is refused.

use super::{Package, is_version};

fn parse(text: &str) -> Result<Package, String> {
    Package::parse("src/api/v1.rs", text, "crate::api::v1").map_err(|mistakes| mistakes.to_string())
}

#[track_caller]
fn check_refused(text: &str, because: &[&str]) {
    let why = parse(text).unwrap_err();
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!(lines.len(), because.len(), "{why}");
    for (line, because) in lines.iter().zip(because) {
        assert!(line.starts_with("src/api/v1.rs:") && line.contains(because), "{because} in {why}");
    }
}

#[test]
fn tags_belong_to_the_type_below_them() {
    let package = parse(
        "//! Widgets.\n\
         // +groupName=shop.example.com\n\
         \n\
         use serde::Serialize;\n\
         \n\
         // +genclient\n\
         /// A widget.\n\
         // +genclient:nonNamespaced\n\
         #[derive(Serialize)]\n\
         // +genclient:noStatus\n\
         pub struct Widget { pub spec: u8, pub status: u8 }\n\
         \n\
         pub struct Untagged;\n\
         // +genclient\n\
         // +resourceName=podz\n\
         pub use k8s_openapi::api::core::v1::Pod as Podd;\n\
         // +genclient\n\
         pub use super::v2::Gadget;\n\
         const TEXT: &str = \"\n// +genclient\n\";\n",
    );
    let package = package.unwrap();
    assert_eq!((package.name().as_str(), package.title().as_str()), ("shop_v1", "shop.example.com/v1"));
    let names: Vec<&str> = package.kinds.iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!(names, ["Widget", "Podd", "Gadget"]);
    assert!(package.kinds[0].tags.non_namespaced && package.kinds[0].tags.no_status);
    assert_eq!(package.kinds[1].origin, "k8s_openapi::api::core::v1::Pod");
    assert_eq!(package.kinds[1].tags.resource_name.as_deref(), Some("podz"));
    assert_eq!(package.kinds[2].origin, "");
}

#[test]
fn names_come_from_the_tags_or_the_file() {
    let text = "// +groupName=\n// +genclient\npub struct A { status: u8 }";
    let package = Package::parse("apis/core/v2beta1/mod.rs", text, "crate").unwrap();
    assert_eq!((package.name().as_str(), package.title().as_str()), ("core_v2beta1", "core/v2beta1"));
    let text =
        "// +groupName=internal.k8s.io\n// +groupGoName=ApiServer\n// +versionName=v3\n// +genclient\npub struct A;";
    let package = Package::parse("types.rs", text, "crate").unwrap();
    assert_eq!(package.name(), "api_server_v3");
    for (version, expect) in [
        ("v1", true),
        ("v12beta3", true),
        ("v1alpha1", true),
        ("v", false),
        ("1", false),
        ("v1beta", false),
        ("v1x2", false),
    ] {
        assert_eq!(is_version(version), expect, "{version}");
    }
}

#[test]
fn the_types_of_methods_are_found_where_the_file_has_them_from() {
    let text = "// +groupName=a.b\n\
                use one::{two::Scale, three::Four as Five};\n\
                use super::Six;\n\
                // +genclient\n\
                // +genclient:method=A,verb=update,input=Scale,result=Five\n\
                // +genclient:method=B,verb=update,input=Six,result=own::Scale\n\
                pub struct A;";
    let methods = parse(text).unwrap().kinds.remove(0).tags.methods;
    let types: Vec<&str> =
        methods.iter().flat_map(|method| [&method.input, &method.result]).flatten().map(String::as_str).collect();
    assert_eq!(types, ["one::two::Scale", "one::three::Four", "Six", "own::Scale"]);
}

#[test]
fn the_kind_is_the_one_that_kube_derives() {
    let text = "// +groupName=shop.example.com\n\
                // +genclient\n\
                #[derive(CustomResource)]\n\
                #[kube(group = \"shop.example.com\", version = \"v1\", kind = \"Widget\", plural = \"gadgets\", namespaced)]\n\
                #[kube(status = \"WidgetStatus\", crates(kube_core = \"::kube_core\"), shortname = \"w\")]\n\
                pub struct WidgetSpec { pub colour: String }";
    let kind = parse(text).unwrap().kinds.remove(0);
    assert_eq!((kind.name.as_str(), kind.has_status, kind.needs_resource), ("Widget", true, false));
    assert_eq!(kind.tags.resource_name.as_deref(), Some("gadgets"));
    let check = |kube: &str, because: &str| {
        let text = format!("// +groupName=a.b\n// +genclient\n#[kube(kind = \"A\", {kube})]\npub struct ASpec {{}}");
        check_refused(&text, &[because]);
    };
    check("group = \"a.c\", namespaced", "contradicts this file, which is of group \"a.b\"");
    check("version = \"v2\", namespaced", "contradicts this file, which is of version \"v1\"");
    check("group = \"a.b\"", "add it, or `// +genclient:nonNamespaced`");
    check("namespaced, 1 +", "cannot be read");
}

#[test]
fn all_mistakes_are_told_with_their_lines() {
    check_refused(
        "// +groupName=example.com\n\
         // +genclient:what\n\
         pub struct A;\n\
         // +genclient\n\
         struct B;\n\
         // +genclient\n\
         fn f() {\n\
         // +genclient\n\
         }\n\
         pub struct C; // +genclient\n",
        &[
            ":2: there is no tag `+genclient:what`",
            ":4: generated code must reach it: `pub struct`",
            ":6: tags stand above a struct",
            ":8: this tag belongs to nothing",
            ":10: this tag belongs to nothing",
        ],
    );
}

#[test]
fn what_cannot_be_generated_is_refused() {
    let check =
        |text: &str, because: &str| check_refused(&format!("// +groupName=a.b\n// +genclient\n{text}"), &[because]);
    check("pub struct A<T>(T);", "no type parameters");
    check("pub use a::{B, C};", "names one type");
    check("pub use a::*;", "names one type");
    check("pub enum E { A }", "tags stand above a struct");
    check("use a::B;", "`pub use`");
    check("pub struct A;\n// +genclient\npub struct A;", "two kinds A");
    check("// +genclient:noStatus\npub struct A;", "leave `+genclient:noStatus` out");
    check("// +genclient:onlyVerbs=get,updateStatus\npub struct A;", "there is no updateStatus to name");
    check("pub struct A {", "no Rust");
    check_refused("// +groupName=a.b\n/// +genclient\npub struct A;", &["not `///`"]);
    check_refused("// +groupName=a.b\npub struct A;", &["no type has a tag"]);
    check_refused("// +genclient\npub struct A;", &["no `// +groupName=example.com`"]);
    check_refused("// +groupName=A_b\n// +genclient\npub struct A;", &["no API group"]);
    check_refused("// +groupName=a\n// +groupName=b\n// +genclient\npub struct A;", &["stands twice"]);
    let why = Package::parse("src/types.rs", "// +groupName=a\n// +genclient\npub struct A;", "crate").unwrap_err();
    assert_eq!(
        why.to_string(),
        "src/types.rs: `types` is no version: name the file like `v1.rs`, or say `// +versionName=v1`"
    );
}
