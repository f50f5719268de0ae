//! What is written is what kubectl writes, and reads back as what it was.

use serde_json::{Value, json};

use super::{ManagedFields, Yaml};

fn yaml(object: &Value) -> String {
    Yaml::of(object, ManagedFields::Folded).text().to_owned()
}

/// The text was written by `sigs.k8s.io/yaml`, which kubectl uses, from the same object.
#[test]
fn objects_are_written_as_kubectl_writes_them() {
    let object: Value = serde_json::from_str(include_str!("tests/object.json")).expect("an object");
    let expected = include_str!("tests/object.yaml");
    for (ours, theirs) in yaml(&object).lines().zip(expected.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(yaml(&object), expected);
}

#[track_caller]
fn reads_back(object: &Value) {
    let text = yaml(object);
    let read: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, *object, "{text}");
}

#[test]
fn what_is_written_reads_back() {
    reads_back(&serde_json::from_str(include_str!("tests/object.json")).expect("an object"));
    for text in [
        "tab\tin\nlines\n",
        "space at the end \nof a line",
        "one\n  \ntwo",
        "\n\n",
        "a\n ",
        "\n a\n",
        "emoji \u{1f600}\nline",
        "<<",
        "tRue",
        "1e999",
        "\u{2028}",
        "\0",
        "\ttab first\nline",
    ] {
        reads_back(&json!({ "a": text, "b": [text, { "c": text }], (text): 1 }));
    }
}

/// Texts put together of what is special somewhere.
#[test]
fn any_text_reads_back() {
    let pieces = [
        "a",
        " ",
        "\n",
        "\t",
        ":",
        "#",
        "-",
        "'",
        "\"",
        "\\",
        "1",
        "0x",
        "e",
        ".",
        "é",
        "\r",
        "[",
        "]",
        "{",
        "|",
        ">",
        "%",
        "@",
        "`",
        "!",
        "&",
        "*",
        "?",
        ",",
        "~",
        "null",
        "true",
        "_",
        "+",
        "\u{85}",
        "\u{feff}",
        "\u{1f600}",
    ];
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..4_000 {
        let mut text = String::new();
        for _ in 0..=chance % 7 {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            text.push_str(pieces[(chance >> 20) as usize % pieces.len()]);
        }
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        reads_back(&json!({ "key": text, "list": [[text]], (text): null }));
    }
}

#[test]
fn managed_fields_are_folded_unless_asked_for() {
    let object = json!({ "metadata": { "name": "a", "managedFields": [{ "manager": "x" }, {}] },
        "spec": { "managedFields": [1] } });
    let folded = "metadata:\n  # managedFields: 2 entries\n  name: a\nspec:\n  managedFields:\n  - 1\n";
    assert_eq!(yaml(&object), folded);
    let shown = "metadata:\n  managedFields:\n  - manager: x\n  - {}\n  name: a\nspec:\n  managedFields:\n  - 1\n";
    assert_eq!(Yaml::of(&object, ManagedFields::Shown).text(), shown);
}

#[test]
fn lines_tell_what_their_parts_are() {
    let object = json!({ "a": [{ "b": 1, "c": null }], "d": "one\n\ntwo", "e": true, "f": {}, "metadata": {
        "managedFields": [] } });
    let yaml = Yaml::of(&object, ManagedFields::Folded);
    let told = |number: usize| {
        let pieces = yaml.line(number).expect("a line").pieces();
        pieces
            .map(|(token, text)| format!("{text}<{}>", token.map_or("".into(), |it| format!("{it:?}"))))
            .collect::<String>()
    };
    assert_eq!(told(0), "a<Key>:<Sign>");
    assert_eq!(told(1), "-<Sign> <>b<Key>:<Sign> <>1<Number>");
    assert_eq!(told(2), "  <>c<Key>:<Sign> <>null<Null>");
    assert_eq!(told(3), "d<Key>:<Sign> <>|-<Sign>");
    assert_eq!(told(4), "  <>one<Text>");
    assert_eq!(told(5), "");
    assert_eq!(told(6), "  <>two<Text>");
    assert_eq!(told(7), "e<Key>:<Sign> <>true<Bool>");
    assert_eq!(told(8), "f<Key>:<Sign> <>{}<Sign>");
    assert_eq!(told(10), "  <># managedFields: 0 entries<Comment>");
    assert_eq!(yaml.len(), 11);
    assert!(yaml.line(11).is_none() && !yaml.is_empty());
    let lines: Vec<&str> = (0..yaml.len()).filter_map(|number| yaml.line(number)).map(|line| line.text()).collect();
    assert_eq!(lines.join("\n") + "\n", yaml.text());
    assert!(lines.iter().all(|line| !line.contains('\n')));
}
