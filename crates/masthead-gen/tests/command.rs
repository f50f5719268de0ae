//! The command: what it writes, checks, leaves alone and refuses.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder of one test's own, gone with it.
struct Crate(PathBuf);

const WIDGETS: &str = "// +groupName=shop.example.com\n\n\
    // +genclient\npub struct Widget { pub metadata: ObjectMeta, pub status: u8 }\n\n\
    // +genclient\n// +genclient:nonNamespaced\npub struct Region { pub metadata: ObjectMeta }\n";

impl Crate {
    /// A crate with these types in `src/api/v1.rs`.
    fn new(name: &str, types: &str) -> Crate {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let made = Crate(folder);
        made.put("src/api/v1.rs", types);
        made
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    fn run(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_masthead-gen"));
        command.args(line.split_whitespace()).current_dir(&self.0).output().unwrap()
    }

    #[track_caller]
    fn done(&self, line: &str) -> String {
        let output = self.run(line);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {told}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    #[track_caller]
    fn refused(&self, line: &str, because: &str) {
        let output = self.run(line);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(because), "{line}: {told}");
    }

    /// Every file below `src/generated`, with its text.
    fn generated(&self) -> BTreeMap<PathBuf, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.0.join("src/generated")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.insert(path.clone(), fs::read_to_string(path).unwrap());
                }
            }
        }
        files
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        // What is left of a test that failed is there to be looked at.
        if !std::thread::panicking() {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

const ALL: &str = "all --input src/api --output src/generated";

#[test]
fn a_second_run_changes_nothing_and_check_agrees() {
    let it = Crate::new("second", WIDGETS);
    it.refused(&format!("{ALL} --check"), "src/generated/clientset/shop_v1.rs: missing");
    assert!(!it.0.join("src/generated").exists(), "a check writes nothing");
    assert_eq!(it.done(ALL), "7 written, 0 removed, 0 unchanged");
    let first = it.generated();
    assert_eq!(it.done(ALL), "0 written, 0 removed, 7 unchanged");
    assert_eq!(it.generated(), first);
    assert_eq!(it.done(&format!("{ALL} --check")), "7 files are up to date");
    it.put("src/generated/listers/shop_v1.rs", &format!("{}\n", it.text("src/generated/listers/shop_v1.rs")));
    it.refused(&format!("{ALL} --check"), "src/generated/listers/shop_v1.rs: not what would be generated now");
    assert_eq!(it.done(ALL), "1 written, 0 removed, 6 unchanged");
    assert_eq!(it.generated(), first);
}

#[test]
fn each_generator_writes_what_the_one_for_all_writes() {
    let it = Crate::new("each", WIDGETS);
    it.done(ALL);
    let all = it.generated();
    fs::remove_dir_all(it.0.join("src/generated")).unwrap();
    it.done("client-gen --input src/api --output src/generated/clientset");
    it.done("lister-gen --input src/api --output src/generated/listers");
    it.done("informer-gen --input src/api --output src/generated/informers");
    let root = it.0.join("src/generated/mod.rs");
    let without_root: BTreeMap<PathBuf, String> = all.into_iter().filter(|(path, _)| *path != root).collect();
    assert_eq!(it.generated(), without_root);
}

#[test]
fn expansions_are_declared_and_never_touched() {
    let it = Crate::new("expansions", WIDGETS);
    let [client, lister] =
        ["clientset", "listers"].map(|folder| format!("src/generated/{folder}/shop_v1/widget_expansion.rs"));
    it.done(ALL);
    assert!(!it.text("src/generated/clientset/shop_v1.rs").contains("mod widget_expansion;"));
    it.put(&client, "// by hand");
    it.put(&lister, "// by hand too");
    it.put("src/generated/clientset/notes.rs", "// somebody's");
    assert_eq!(it.done(ALL), "2 written, 0 removed, 5 unchanged");
    assert!(it.text("src/generated/clientset/shop_v1.rs").contains("\nmod widget_expansion;\n"));
    assert!(it.text("src/generated/listers/shop_v1.rs").contains("\nmod widget_expansion;\n"));
    // The version goes, and what people wrote for it stays.
    it.put("src/api/v1.rs", &WIDGETS.replacen("// +groupName", "// +versionName=v2\n// +groupName", 1));
    assert_eq!(it.done(ALL), "6 written, 3 removed, 1 unchanged");
    assert_eq!((it.text(&client).as_str(), it.text(&lister).as_str()), ("// by hand", "// by hand too"));
    assert_eq!(it.text("src/generated/clientset/notes.rs"), "// somebody's");
}

#[test]
fn a_file_that_was_not_generated_is_not_overwritten() {
    let it = Crate::new("overwritten", WIDGETS);
    it.put("src/generated/listers/mod.rs", "pub fn mine() {}\n");
    it.refused(ALL, "src/generated/listers/mod.rs is not generated: move it away, or choose another output");
    assert_eq!(it.generated().len(), 1, "nothing was written");
}

#[test]
fn mistakes_are_told_with_file_line_and_what_would_be_right() {
    let it = Crate::new("mistakes", "// +groupName=a.b\n// +genclient:nonNamespace\npub struct A;\n");
    it.put("src/api/v2.rs", "// +groupName=a.b\n\n// +genclient\n// +genclient:onlyVerbs=got\npub struct B;\n");
    let told = String::from_utf8(it.run(ALL).stderr).unwrap();
    for line in [
        "src/api/v1.rs:2: there is no tag `+genclient:nonNamespace`; `+genclient:nonNamespaced` may be meant",
        "src/api/v2.rs:4: `got` is no verb",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    assert!(!it.0.join("src/generated").exists());
}

#[test]
fn what_would_be_called_the_same_is_refused() {
    let it = Crate::new("same", WIDGETS);
    it.put("src/api/other/v1.rs", &WIDGETS.replace("shop.example.com", "shop.example.org"));
    it.refused(ALL, "shop.example.com/v1 and shop.example.org/v1 are both called shop_v1: name one of them by");
    let it =
        Crate::new("plural", "// +groupName=a.b\n// +genclient\npub struct Bus;\n// +genclient\npub struct Buse;\n");
    it.refused(ALL, "Bus and Buse of a.b/v1 are both called buses");
    it.done(&format!("{ALL} --plural Bus=Busses"));
}

#[test]
fn words_that_mean_nothing_are_refused() {
    let it = Crate::new("words", WIDGETS);
    for (line, because) in [
        ("client-gin --input a --output b", "there is no command `client-gin`"),
        ("client-gen --output b", "client-gen needs --input"),
        ("client-gen --input src/api", "client-gen needs --output"),
        ("client-gen --input --output b", "--input needs a value"),
        ("client-gen --imput a", "there is no `--imput`"),
        ("client-gen --input nowhere --output b", "nowhere"),
        ("all --config a.toml --input src/api", "--config goes with `all` alone"),
        ("all --config a.toml", "could not read a.toml"),
        ("fake-gen --input src/api --output src/fake.rs", "--clients MODULE"),
    ] {
        it.refused(line, because);
    }
    assert!(it.done("--help").starts_with("masthead-gen COMMAND"));
}

#[test]
fn a_configuration_generates_several_packages() {
    let it = Crate::new("configuration", WIDGETS);
    it.put("old/api/v1.rs", &WIDGETS.replace("shop.", "store."));
    it.put(
        "gen.toml",
        "[[generate]]\ninput = [\"src/api\"]\noutput = \"src/generated\"\nfake = \"src/fake.rs\"\n\n\
         [[generate]]\ninput = [\"old/api\"]\nmodule = \"crate::old::v1\"\nclients = \"src/generated/old\"\n\
         features = true\nplurals = { Region = \"Regionen\" }\n",
    );
    assert_eq!(it.done("all --config gen.toml"), "10 written, 0 removed, 0 unchanged");
    assert!(it.text("src/fake.rs").contains("generated::clientset::ClientSet"));
    let old = it.text("src/generated/old/store_v1.rs");
    assert!(old.contains("old::v1::{Region, Widget}") && old.contains("pub fn regionen(&self)"), "{old}");
    assert!(it.text("src/generated/old/mod.rs").contains("#[cfg(feature = \"store\")]\npub mod store_v1;"));
    it.done("all --config gen.toml --check");
    it.put("gen.toml", "[[generate]]\ninputs = []\n");
    it.refused("all --config gen.toml", "unknown field `inputs`");
    it.put("gen.toml", "[[generate]]\ninput = [\"src/api\"]\n");
    it.refused("all --config gen.toml", "an entry needs an `output`");
}

#[test]
fn a_kind_gets_its_resource_unless_it_has_one() {
    let has_one = "\nimpl kube_core::Resource for Region {}\n";
    let it = Crate::new("resource", &format!("{WIDGETS}{has_one}"));
    it.done(ALL);
    let text = it.text("src/generated/clientset/shop_v1.rs");
    assert!(text.contains("impl Resource for Widget") && !text.contains("impl Resource for Region"), "{text}");
}

/// CG-03, CG-05: what the tags leave is what the clients have.
#[test]
fn cg_03_cg_05_clients_have_the_verbs_that_the_tags_leave() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shop/src/generated/clientset/shop_v1.rs");
    let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for item in file.items {
        let syn::Item::Impl(it) = item else { continue };
        let syn::Type::Path(of) = *it.self_ty else { continue };
        let names = it.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(it) => Some(it.sig.ident.to_string()),
            _ => None,
        });
        functions.entry(of.path.require_ident().unwrap().to_string()).or_default().extend(names);
    }
    let check = |client: &str, expect: &str| {
        let found = functions.get(client).map(|names| names.join(" ")).unwrap_or_default();
        assert_eq!(found, expect, "{client}");
    };
    check(
        "WidgetClient",
        "generic create update update_status delete delete_collection get get_opt list watch patch apply apply_status \
         get_scale update_scale apply_scale patch_scale",
    );
    check("RegionClient", "generic create update delete delete_collection get get_opt list watch patch apply");
    check("ReceiptClient", "get get_opt list watch");
    check("OrderClient", "delete get get_opt list place widgets everything pay");
    check("SheepClient", "create update update_status delete get get_opt list watch apply");
    check("AuditClient", "");
    check("ShopV1", "new rest_client widgets regions receipts orders sheep audits");
}
