//! The commands as a person meets them: what they refuse, in how many words, with which exit code.

use std::process::{Command, Output};

fn xtask(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(line.split_whitespace())
        .output()
        .expect("xtask was built for this test")
}

/// Refused with one line on standard error that contains `because`, and nothing else.
#[track_caller]
fn check_refused(line: &str, because: &str) {
    let output = xtask(line);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with("error: ") && stderr.contains(because), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

#[test]
fn unknown_words_are_refused_with_the_way_to_the_known_ones() {
    check_refused("sreve", "`cargo xtask --help`");
    check_refused("serve --prot 1", "`cargo xtask serve --help`");
    check_refused("test fmt nonsense", "`cargo xtask test --list`");
    check_refused("tidy everything", "`cargo xtask tidy --help`");
    check_refused("setup now", "`cargo xtask setup --help`");
    check_refused("bench everything", "`cargo xtask bench --help`");
    check_refused("bench cache --pods many", "not `many`");
    check_refused("cluster sideways", "`cargo xtask cluster --help`");
}

#[test]
fn every_command_explains_itself() {
    for line in
        ["", "--help", "serve --help", "test --help", "bench --help", "cluster --help", "tidy --help", "setup --help"]
    {
        let output = xtask(line);
        assert!(output.status.success(), "{line}");
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("cargo xtask "), "{line}");
    }
}

#[test]
fn the_stages_are_listed() {
    let stages = String::from_utf8(xtask("test --list").stdout).unwrap();
    for stage in [
        "fmt",
        "clippy",
        "clippy-wasm",
        "doc",
        "tidy",
        "native",
        "wasm-node",
        "wasm-chromium",
        "cluster",
        "wasm-cluster",
        "browser",
    ] {
        assert!(stages.lines().any(|line| line.split_whitespace().next() == Some(stage)), "{stage} in {stages}");
    }
}

#[test]
fn a_taken_port_is_refused_before_anything_is_built() {
    let holder = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = holder.local_addr().unwrap().port();
    check_refused(&format!("serve --port {port}"), &format!("port {port}"));
}

#[test]
fn a_proxy_that_does_not_answer_is_refused_before_anything_is_built() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    check_refused(&format!("serve --proxy http://127.0.0.1:{free}"), "is `kubectl proxy` running there?");
}
