//! The real kubectl prints the same for the simulator as for the real cluster.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result};
use masthead_tests::{SimOrder, SimWorld, Testbed, User, create_nodes, kubectl::Series};

#[test]
fn kubectl_prints_the_same_for_the_simulator_as_for_the_real_cluster() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kubectl");
    let series = Series::read(&folder.join("series.txt"))?;
    let known = known(&folder.join("known.txt"))?;
    let bed = Testbed::new();
    let namespace = format!("{}-series", bed.namespace());
    let (kubectl, home) = (bed.cluster().kubectl(), Home::new(bed.namespace())?);
    let simulator = Simulator::start()?;
    create_nodes(&masthead_tests::Api::new(&simulator.url))?;
    let real = series.run(kubectl, &bed.cluster().proxy_url(User::Admin)?, &namespace, &home.0.join("real"))?;
    let simulated = series.run(kubectl, &simulator.url, &namespace, &home.0.join("simulated"))?;
    let (mut new, mut mended) = (Vec::new(), Vec::new());
    for (real, simulated) in real.iter().zip(&simulated) {
        let expected = known.contains_key(&real.command);
        match (real.text == simulated.text, expected) {
            (false, false) => new.push(format!("{}\n{}", real.command, difference(&real.text, &simulated.text))),
            (true, true) => mended.push(&real.command),
            _ => {}
        }
    }
    assert!(new.is_empty(), "{} of {} differ and are not known to:\n{}", new.len(), real.len(), new.join("\n"));
    assert!(mended.is_empty(), "these no longer differ; take them out of known.txt: {mended:#?}");
    Ok(())
}

/// The commands that are known to differ, with the reason: `COMMAND  # REASON`.
fn known(file: &Path) -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let (command, reason) = line.split_once("  # ").with_context(|| format!("no reason in: {line}"))?;
            Ok((command.to_owned(), reason.to_owned()))
        })
        .collect()
}

/// The lines that only one of two texts has.
fn difference(real: &str, simulated: &str) -> String {
    let only = |sign: char, here: &str, there: &str| {
        let mut left: Vec<&str> = there.lines().collect();
        let mut lines = String::new();
        for line in here.lines() {
            match left.iter().position(|other| *other == line) {
                Some(at) => drop(left.remove(at)),
                None => lines += &format!("  {sign} {line}\n"),
            }
        }
        lines
    };
    match only('-', real, simulated) + &only('+', simulated, real) {
        same if same.is_empty() => "  the same lines in another order\n".to_owned(),
        lines => lines,
    }
}

/// A simulator with controllers; ends when dropped.
struct Simulator {
    child: Child,
    url: String,
}

impl Simulator {
    fn start() -> Result<Simulator> {
        let order = serde_json::to_string(&SimOrder { world: SimWorld::Bare, ..SimOrder::default() })?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_sim-server"));
        let mut child = command.arg(order).stdout(Stdio::piped()).spawn().context("cannot start the simulator")?;
        let mut url = String::new();
        BufReader::new(child.stdout.take().context("the child's output is piped")?).read_line(&mut url)?;
        Ok(Simulator { child, url: url.trim().to_owned() })
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A folder for what kubectl keeps; gone when dropped.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Result<Home> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(folder.join("real")).and_then(|()| fs::create_dir_all(folder.join("simulated")))?;
        Ok(Home(folder))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}
