//! Hides what no two clusters have in common in what kubectl prints.

use crate::conformance::token::{Token, tokens};

/// Replaces uids, times, ages, addresses, generated names, nodes and versions by what they are.
///
/// The widths of columns depend on all of those, so that spaces within a line count as one gap.
#[derive(Debug)]
pub(super) struct Mask {
    /// Each with what stands for it: the server's address, the namespace, the nodes.
    literals: Vec<(String, &'static str)>,
}

impl Mask {
    pub(super) fn new(namespace: &str, url: &str, nodes: Vec<String>) -> Mask {
        let host = url.trim_start_matches("http://");
        let mut literals = vec![(host.to_owned(), "<server>"), (namespace.to_owned(), "<namespace>")];
        literals.extend(nodes.into_iter().map(|node| (node, "<node>")));
        Mask { literals }
    }

    pub(super) fn text(&self, text: &str) -> String {
        text.lines().map(|line| self.line(line) + "\n").collect()
    }

    fn line(&self, line: &str) -> String {
        let line = self.literals.iter().fold(line.to_owned(), |line, (literal, mask)| line.replace(literal, mask));
        let line = dates(&compared(&line));
        let parts = tokens(&line).into_iter().map(|token| match token {
            Token::Uid(_) => "<uid>".to_owned(),
            Token::Time | Token::MicroTime => "<time>".to_owned(),
            Token::Text(text) => text.to_owned(),
        });
        words(&parts.collect::<String>())
    }
}

/// Masks each word, keeps the indentation and makes every other gap one or two spaces wide.
fn words(line: &str) -> String {
    let body = line.trim_start_matches(' ');
    let mut masked = line[..line.len() - body.len()].to_owned();
    let mut gap = 0;
    let mut before = String::new();
    for word in body.trim_end().split(' ') {
        if word.is_empty() {
            gap += 1;
            continue;
        }
        if !before.is_empty() {
            masked.push_str(if gap > 0 { "  " } else { " " });
        }
        gap = 0;
        masked.push_str(&self::word(word, &before));
        word.clone_into(&mut before);
    }
    masked
}

fn word(word: &str, before: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    let (mut masked, mut rest) = (String::new(), word);
    while !rest.is_empty() {
        let (name, tail) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
        masked += &segment(name, before);
        let (between, tail) = tail.split_at(tail.find(is_name).unwrap_or(tail.len()));
        masked += between;
        rest = tail;
    }
    masked
}

/// A part of a word that may be a name, a number or an address.
fn segment(text: &str, before: &str) -> String {
    match before {
        "resourceVersion:" | "\"resourceVersion\":" if is_number(text) => "<version>".to_owned(),
        "nodePort:" if is_number(text) => "<port>".to_owned(),
        _ if is_age(text) => "<age>".to_owned(),
        _ if is_address(text) => "<ip>".to_owned(),
        _ if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => "<digest>".to_owned(),
        _ => generated(text),
    }
}

/// A name without the parts that a controller made up: a template's hash and five characters.
fn generated(name: &str) -> String {
    let parts: Vec<&str> = name.split('-').collect();
    let made_up =
        |part: &str, lengths: &[usize]| lengths.contains(&part.len()) && part.chars().all(|c| SAFE.contains(c));
    match parts[..] {
        [ref base @ .., hash, suffix] if !base.is_empty() && made_up(hash, &[8, 9, 10]) && made_up(suffix, &[5]) => {
            format!("{}-<hash>-<random>", base.join("-"))
        }
        [ref base @ .., hash] if !base.is_empty() && made_up(hash, &[8, 9, 10]) => format!("{}-<hash>", base.join("-")),
        [ref base @ .., suffix] if !base.is_empty() && made_up(suffix, &[5]) => format!("{}-<random>", base.join("-")),
        [hash] if made_up(hash, &[8, 9, 10]) => "<hash>".to_owned(),
        _ => name.to_owned(),
    }
}

/// What generated names are made of, so that they never spell a word.
const SAFE: &str = "bcdfghjklmnpqrstvwxz2456789";

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_age(text: &str) -> bool {
    let units = text.ends_with(['s', 'm', 'h', 'd']) && text.starts_with(|c: char| c.is_ascii_digit());
    units && text.chars().all(|c| c.is_ascii_digit() || "smhd".contains(c))
}

fn is_address(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 4 && parts.iter().all(|part| part.parse::<u8>().is_ok())
}

/// Masks the names and the times of the files that `diff` compares, as in `--- LIVE-123/a` and a time behind a tab.
fn compared(line: &str) -> String {
    let head = ["diff -u", "--- ", "+++ "].iter().any(|head| line.starts_with(head));
    let line = if head { line.split('\t').next().unwrap_or_default() } else { line };
    let mut masked = line.to_owned();
    for folder in ["LIVE-", "MERGED-"] {
        for (before, after) in line.match_indices(folder).map(|(at, _)| line.split_at(at + folder.len())) {
            let number = &after[..after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len())];
            if head && before.contains('/') {
                masked = masked.replace(&format!("{folder}{number}"), &format!("{folder}<number>"));
            }
        }
    }
    masked
}

/// Masks what `describe` prints for a time, as in `Mon, 16 Nov 2026 16:34:27 +0000`.
fn dates(line: &str) -> String {
    const DAYS: [&str; 7] = ["Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "];
    const LENGTH: usize = "Mon, 16 Nov 2026 16:34:27 +0000".len();
    let start = DAYS.iter().find_map(|day| line.find(day));
    match start.and_then(|start| Some((line.get(..start)?, line.get(start + LENGTH..)?))) {
        Some((before, after)) => format!("{before}<time>{after}"),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Mask;

    fn check(line: &str, expect: &str) {
        let mask = Mask::new("space", "http://127.0.0.1:8001", vec!["node-01".to_owned()]);
        assert_eq!(mask.text(line), format!("{expect}\n"));
    }

    #[test]
    fn what_two_clusters_differ_in_is_masked() {
        check("NAME    AGE", "NAME  AGE");
        check(
            "web-5d4f8c7b9-x2vkz   1/1     Running   2 (5s ago)     3m12s",
            "web-<hash>-<random>  1/1  Running  2 (<age> ago)  <age>",
        );
        check("  uid: 152f5b39-ea32-41ac-89f2-792fa309c775", "  uid: <uid>");
        check("  resourceVersion: \"123\"", "  resourceVersion: \"<version>\"");
        check("  \"resourceVersion\": \"123\",", "  \"resourceVersion\": \"<version>\",");
        check("Node:   node-01/10.0.0.7", "Node:  <node>/<ip>");
        check("Start Time:  Mon, 16 Nov 2026 16:34:27 +0000", "Start Time:  <time>");
        check("  creationTimestamp: \"2026-11-16T16:34:27Z\"", "  creationTimestamp: \"<time>\"");
        check("Endpoints:  10.0.0.1:80,10.0.0.2:80", "Endpoints:  <ip>:80,<ip>:80");
        check("replicaset.apps/web-5d4f8c7b9", "replicaset.apps/web-<hash>");
        check("Labels: pod-template-hash=5d4f8c7b9", "Labels: pod-template-hash=<hash>");
        check(&format!("  imageID: sha256:{}", "0a".repeat(32)), "  imageID: sha256:<digest>");
        check("--- /tmp/LIVE-86/v1.space\t2026-11-16 17:35:52.07 +0000", "--- /tmp/LIVE-<number>/v1.<namespace>");
        check("in space at 127.0.0.1:8001", "in <namespace> at <server>");
    }

    #[test]
    fn words_and_indentation_stay() {
        check("    front-page: kube-proxy  http 10m", "    front-page: kube-proxy  http <age>");
        check("- name: settings", "- name: settings");
    }
}
