//! Who is measured, and how each is run once.

use std::process::{Command, Stdio};

use anyhow::{Result, anyhow};

use super::{
    PAGE,
    curl::{self, Answer},
    figures::Figures,
    kit::Kit,
};
use crate::command::read;

/// One that can read all pods.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) name: &'static str,
    way: Way,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    CurlWhole(Answer),
    CurlPages,
    /// The encoding, and how the first state is read.
    ClientGo(&'static str, &'static str),
    ClientNode,
    /// A cache of this form.
    Node(&'static str),
    Chromium(&'static str),
}

/// The one that the others are compared with: the same requests as Masthead's.
pub(super) const FLOOR: &str = "curl, pages of 500";

pub(super) const PEERS: &[Peer] = &[
    Peer { name: FLOOR, way: Way::CurlPages },
    Peer { name: "curl, one list", way: Way::CurlWhole(Answer::Json) },
    Peer { name: "curl, one list as protobuf", way: Way::CurlWhole(Answer::Protobuf) },
    Peer { name: "client-go, protobuf, WatchList", way: Way::ClientGo("protobuf", "stream") },
    Peer { name: "client-go, protobuf, one list", way: Way::ClientGo("protobuf", "list") },
    Peer { name: "client-go, JSON, WatchList", way: Way::ClientGo("json", "stream") },
    Peer { name: "client-go, JSON, one list", way: Way::ClientGo("json", "list") },
    Peer { name: "client-node", way: Way::ClientNode },
    Peer { name: "fetch alone, Node", way: Way::Node("bytes") },
    Peer { name: "fetch alone, Chromium", way: Way::Chromium("bytes") },
    Peer { name: "fetch and JSON.parse, Node", way: Way::Node("parsed") },
    Peer { name: "fetch and JSON.parse, Chromium", way: Way::Chromium("parsed") },
    Peer { name: "Masthead typed, Node", way: Way::Node("typed") },
    Peer { name: "Masthead typed, Chromium", way: Way::Chromium("typed") },
    Peer { name: "Masthead lean, Node", way: Way::Node("lean") },
    Peer { name: "Masthead lean, Chromium", way: Way::Chromium("lean") },
    Peer { name: "Masthead packed, Node", way: Way::Node("packed") },
    Peer { name: "Masthead packed, Chromium", way: Way::Chromium("packed") },
];

impl Peer {
    /// Lets it read all pods of the server at `url`, in a process of its own.
    pub(super) fn run(&self, kit: &Kit, url: &str) -> Result<Figures> {
        match self.way {
            Way::CurlWhole(answer) => curl::whole(url, answer),
            Way::CurlPages => curl::pages(url, &kit.scratch()),
            Way::ClientGo(encoding, initial) => {
                let flags = ["pods", "--url", url, "--encoding", encoding, "--initial", initial];
                figures(kit.client_go().args(flags))
            }
            Way::ClientNode => figures(kit.node("client-node.mjs").arg(url)),
            Way::Node(form) => figures(kit.node("node.mjs").arg(kit.page()).args([form, url])),
            Way::Chromium(form) => {
                let page = format!("{url}{PAGE}");
                figures(kit.node("chromium.mjs").arg(kit.chromium()).args([&page, form]))
            }
        }
    }
}

fn figures(program: &mut Command) -> Result<Figures> {
    // What it says of a failure has many lines, and the last one is seldom the one that counts.
    let text =
        read(program.stderr(Stdio::inherit())).map_err(|_| anyhow!("it failed; what it says above is the reason"))?;
    Figures::read(&text)
}
