//! `cargo xtask cluster`: a real Kubernetes control plane on this machine.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use masthead_tests::{Churn, Cluster, ComponentStatus, Health, Interrupt, Load, LoadOptions, Origin, User};

use crate::flags::Flags;

const USAGE: &str = "\
cargo xtask cluster COMMAND [--dir DIR]

  up        start the cluster, building it first when needed (about seven minutes the first time); prints its addresses
  down      stop exactly what up started, and remove its data
  status    one line per component; fails when one is not well
  load      add realistic pods, and keep changing them if asked

--dir DIR   where the cluster keeps its state (default: cluster in $MASTHEAD_CACHE, else in ~/.cache/masthead)

`cargo xtask cluster COMMAND --help` tells more.";

const UP_USAGE: &str = "\
cargo xtask cluster up [--dir DIR]

Starts etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kwok with 20 nodes, and one kubectl proxy per user
(admin, reader, nobody) on free loopback ports. On a cluster that runs already it only prints the addresses.
Programs found in $KUBEBUILDER_ASSETS are used; the others are built with Go and kept in the cache.";

const DOWN_USAGE: &str = "\
cargo xtask cluster down [--dir DIR]

Stops exactly what `up` started and removes the cluster's data.";

const STATUS_USAGE: &str = "\
cargo xtask cluster status [--dir DIR]

Prints process, port, health, uptime and memory of every component. Fails when one is not well or nothing runs.";

const LOAD_USAGE: &str = "\
cargo xtask cluster load [--pods N] [--namespaces K] [--churn R [--seconds S]] [--dir DIR]

  --pods N         add N pods through Deployments (3 to 6 KB each; most run, a few crash, lack their image or a node)
  --namespaces K   spread them over K namespaces (default 10)
  --churn R        then change about R pods a second until Ctrl-C: readiness, restarts, annotations, some deletes
  --seconds S      stop the churn after S seconds";

/// Runs the command named by the first argument.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let Some((command, rest)) = args.split_first() else {
        bail!("cluster needs a command: `cargo xtask cluster --help` lists them")
    };
    let help = rest.iter().any(|word| word == "--help" || word == "-h");
    match command.as_str() {
        "up" if help => say(UP_USAGE),
        "up" => up(rest),
        "down" if help => say(DOWN_USAGE),
        "down" => down(rest),
        "status" if help => say(STATUS_USAGE),
        "status" => status(rest),
        "load" if help => say(LOAD_USAGE),
        "load" => load(rest),
        "--help" | "-h" | "help" => say(USAGE),
        unknown => bail!("cluster has no command `{unknown}`; `cargo xtask cluster --help` lists them"),
    }
}

fn up(args: &[String]) -> Result<()> {
    let dir = only_dir("cluster up", args)?;
    let began = Instant::now();
    let (cluster, origin) = Cluster::up(&dir, &Interrupt::install()?)?;
    let mut lines = vec![match origin {
        Origin::Started => format!("the cluster is ready after {:.1} s", began.elapsed().as_secs_f64()),
        Origin::AlreadyRunning => "the cluster runs already".to_owned(),
    }];
    lines.push(format!("  API server    {}", cluster.apiserver_url()?));
    for user in User::ALL {
        lines.push(format!("  proxy         {}  as {user}", cluster.proxy_url(user)?));
    }
    for user in User::ALL {
        lines.push(format!("  kubeconfig    {}", cluster.kubeconfig(user).display()));
    }
    lines.push(format!("  kubectl       {}", cluster.kubectl().display()));
    lines.push(if dir == Cluster::default_dir()? {
        "next: `cargo xtask cluster load --pods 1000`, `cargo xtask serve --local`, `cargo xtask cluster down`"
            .to_owned()
    } else {
        let (dir, kubeconfig) = (dir.display(), cluster.kubeconfig(User::ALL[0]));
        let kubeconfig = kubeconfig.display();
        format!(
            "next: `cargo xtask cluster load --pods 1000 --dir {dir}`, `KUBECONFIG={kubeconfig} cargo xtask serve`, \
             `cargo xtask cluster down --dir {dir}`"
        )
    });
    say(&lines.join("\n"))
}

fn down(args: &[String]) -> Result<()> {
    let dir = only_dir("cluster down", args)?;
    match Cluster::down(&dir, &Interrupt::install()?)? {
        0 => say(&format!("no cluster runs in {}", dir.display())),
        stopped => say(&format!("stopped {stopped} processes; nothing is left of the cluster in {}", dir.display())),
    }
}

fn status(args: &[String]) -> Result<()> {
    let dir = only_dir("cluster status", args)?;
    let cluster = running(&dir)?;
    let components = cluster.status();
    let head = format!("{:<24} {:>8} {:>6} {:>8} {:>8}  health", "component", "pid", "port", "uptime", "memory");
    let lines: Vec<String> = std::iter::once(head).chain(components.iter().map(line)).collect();
    say(&lines.join("\n"))?;
    let ill = components.iter().filter(|it| it.health != Health::Healthy).count();
    if ill > 0 {
        bail!(
            "{ill} of {} components are not well; `cargo xtask cluster up` starts the cluster anew",
            components.len()
        );
    }
    Ok(())
}

fn line(component: &ComponentStatus) -> String {
    let ComponentStatus { name, pid, port, health, uptime, resident_bytes } = component;
    let health = match health {
        Health::Healthy => "healthy",
        Health::Frozen => "frozen",
        Health::Gone => "gone",
        Health::Unhealthy(why) => why,
    };
    let port = port.map_or("-".to_owned(), |port| port.to_string());
    let uptime = uptime.map_or("-".to_owned(), |uptime| format!("{} s", uptime.as_secs()));
    let memory = resident_bytes.map_or("-".to_owned(), |bytes| format!("{} MB", bytes >> 20));
    format!("{name:<24} {pid:>8} {port:>6} {uptime:>8} {memory:>8}  {health}")
}

fn load(args: &[String]) -> Result<()> {
    let options = LoadFlags::parse(args)?;
    let cluster = running(&options.dir)?;
    let interrupt = Interrupt::install()?;
    if options.pods > 0 {
        let wish = LoadOptions { pods: options.pods, namespaces: options.namespaces };
        let load = Load::fill(&cluster, &wish, &interrupt)?;
        say(&format!("added {} pods; `kubectl get pods -A -l {}` shows them", load.pods(), load.selector()))?;
    }
    if let Some(rate) = options.churn {
        say(&format!("changing {rate} pods a second; Ctrl-C ends it"))?;
        let changes = Churn::new(&cluster, rate)?.run(options.seconds.map(Duration::from_secs), &interrupt)?;
        say(&format!("made {changes} changes"))?;
    }
    Ok(())
}

/// What `load` was asked for.
struct LoadFlags {
    dir: PathBuf,
    /// Zero when only a churn is asked for.
    pods: usize,
    namespaces: usize,
    /// Changes per second.
    churn: Option<f64>,
    seconds: Option<u64>,
}

impl LoadFlags {
    fn parse(args: &[String]) -> Result<Self> {
        let mut flags = Flags::new("cluster load", args);
        let (mut dir, mut pods, mut namespaces, mut churn, mut seconds) = (None, 0, 10, None, None);
        while let Some(flag) = flags.word() {
            match flag {
                "--dir" => dir = Some(PathBuf::from(flags.value(flag)?)),
                "--pods" => pods = flags.number(flag)?,
                "--namespaces" => namespaces = flags.number(flag)?,
                "--churn" => churn = Some(flags.number::<f64>(flag)?),
                "--seconds" => seconds = Some(flags.number(flag)?),
                unknown => return Err(flags.unknown(unknown)),
            }
        }
        if pods == 0 && churn.is_none() {
            bail!("load needs --pods N, --churn R or both\n\n{LOAD_USAGE}");
        }
        if namespaces == 0 {
            bail!("--namespaces takes at least 1");
        }
        if churn.is_some_and(|rate| !(0.1..=5000.0).contains(&rate)) {
            bail!("--churn takes changes per second between 0.1 and 5000");
        }
        if seconds.is_some() && churn.is_none() {
            bail!("--seconds limits a churn: give --churn R too");
        }
        let dir = dir.map_or_else(Cluster::default_dir, Ok)?;
        Ok(Self { dir, pods, namespaces, churn, seconds })
    }
}

/// The directory that `--dir` names, or the usual one.
fn only_dir(command: &str, args: &[String]) -> Result<PathBuf> {
    let mut flags = Flags::new(command, args);
    let mut dir = None;
    while let Some(flag) = flags.word() {
        match flag {
            "--dir" => dir = Some(PathBuf::from(flags.value(flag)?)),
            unknown => return Err(flags.unknown(unknown)),
        }
    }
    dir.map_or_else(Cluster::default_dir, Ok)
}

/// Prints a text at once; a reader that has seen enough, such as `head`, is no error.
fn say(text: &str) -> Result<()> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot print"),
        _ => Ok(()),
    }
}

fn running(dir: &Path) -> Result<Cluster> {
    let none = || format!("no cluster runs in {}; `cargo xtask cluster up` starts one", dir.display());
    Cluster::open(dir)?.with_context(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: &str) {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let seen = match LoadFlags::parse(&args) {
            Ok(it) => format!("{} pods in {}, churn {:?} for {:?}", it.pods, it.namespaces, it.churn, it.seconds),
            Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
        };
        assert_eq!(seen, expect, "{line}");
    }

    #[test]
    fn load_takes_what_makes_sense_and_says_what_does_not() {
        check("--dir d --pods 100", "100 pods in 10, churn None for None");
        check("--dir d --churn 200 --seconds 5", "0 pods in 10, churn Some(200.0) for Some(5)");
        check("--dir d", "load needs --pods N, --churn R or both");
        check("--dir d --pods 1 --seconds 5", "--seconds limits a churn: give --churn R too");
        check("--dir d --pods 1 --namespaces 0", "--namespaces takes at least 1");
        check("--dir d --churn NaN", "--churn takes changes per second between 0.1 and 5000");
        check("--dir d --pods many", "--pods takes a number, not `many`");
        check("--pots 1", "cluster load does not know `--pots`; `cargo xtask cluster load --help` lists its flags");
    }
}
