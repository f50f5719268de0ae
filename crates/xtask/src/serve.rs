//! `cargo xtask serve`: the dashboard on one loopback address, page and API together, rebuilt on change.

mod api;
mod kubectl_proxy;
mod terminal;

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};
use masthead_serve::{Front, Server};

use self::api::{Api, Wanted};
use crate::{command::command, flags::Flags, running, running::Running, tool, workspace};

const USAGE: &str = "\
cargo xtask serve [--proxy URL | --local] [--context NAME] [--port N] [--dev | --dist DIR]

Builds the dashboard, serves it together with the Kubernetes API on one loopback address, and rebuilds it on change. The
API is that of the current kubeconfig context, through a `kubectl proxy` of its own that no other user reaches. The address
it prints opens the API once; Enter prints another. Without a cluster it opens the demo, which lives in the page. Installs what
is missing first.

  --proxy URL      use this running `kubectl proxy` (as in http://127.0.0.1:8001) instead of starting one
  --local          use the cluster of `cargo xtask cluster up`, starting it when it does not run
  --context NAME   use this kubeconfig context instead of the current one
  --port N         serve on this port (default: a free one)
  --dev            build without optimisation: quick to rebuild, slow to run
  --dist DIR       serve this finished build, build nothing";

pub(crate) fn run(args: &[String]) -> Result<()> {
    let Some(options) = Options::parse(args)? else {
        println!("{USAGE}");
        return Ok(());
    };
    running::end_all_on_signal()?;
    // The port is taken first: building for a minute and then finding it in use would be rude.
    let front = bind(options.port)?;
    let mut api = Api::find(&options.api)?;
    let mut page = Page::start(&options.build)?;
    page.wait_for_first_build()?;
    let server = Arc::new(front.serve(&page.dist, api.backend()).context("could not serve the page")?);
    print_address(&server)?;
    println!(
        "{}\n{}Ctrl-C stops it.",
        api.described(),
        if api.backend().is_some() { "Enter prints a new address, " } else { "" }
    );
    let asked = Arc::clone(&server);
    terminal::on_enter(move || {
        if let Err(error) = print_address(&asked) {
            eprintln!("{error:#}");
        }
    });
    loop {
        std::thread::sleep(Duration::from_millis(200));
        api.keep_running(Instant::now())?;
        page.check_alive()?;
    }
}

fn bind(port: u16) -> Result<Front> {
    Front::bind(port).map_err(|error| {
        anyhow!("port {port} of 127.0.0.1 cannot be had ({error}): name another with --port, or none for a free one")
    })
}

fn print_address(server: &Server) -> Result<()> {
    println!("\nMasthead is at  {}", server.one_time_address().context("no address can be made")?);
    Ok(())
}

struct Options {
    api: Wanted,
    port: u16,
    build: Build,
}

enum Build {
    Release,
    Dev,
    Finished(PathBuf),
}

impl Options {
    /// `None` when help was asked for.
    fn parse(args: &[String]) -> Result<Option<Options>> {
        let mut options = Options { api: Wanted::Current { context: None }, port: 0, build: Build::Release };
        let mut flags = Flags::new("serve", args);
        while let Some(word) = flags.word() {
            match word {
                "--proxy" => options.choose(Wanted::Proxy(flags.value(word)?.parse()?))?,
                "--local" => options.choose(Wanted::Local)?,
                "--context" => options.choose(Wanted::Current { context: Some(context(&mut flags, word)?) })?,
                "--port" => options.port = flags.number(word)?,
                "--dev" => options.build(Build::Dev)?,
                "--dist" => options.build(Build::Finished(flags.value(word)?.into()))?,
                "--help" | "-h" => return Ok(None),
                other => return Err(flags.unknown(other)),
            }
        }
        Ok(Some(options))
    }

    fn choose(&mut self, api: Wanted) -> Result<()> {
        if !matches!(self.api, Wanted::Current { context: None }) {
            bail!("--proxy, --local and --context each name a cluster: give one of them");
        }
        self.api = api;
        Ok(())
    }

    fn build(&mut self, build: Build) -> Result<()> {
        if !matches!(self.build, Build::Release) {
            bail!("--dev and --dist exclude each other");
        }
        self.build = build;
        Ok(())
    }
}

/// The built page, and the trunk that keeps it fresh.
struct Page {
    dist: PathBuf,
    trunk: Option<Running>,
}

impl Page {
    fn start(build: &Build) -> Result<Page> {
        let profile = match build {
            Build::Finished(dist) => {
                if !dist.join("index.html").is_file() {
                    bail!("{} holds no index.html: name the folder that `trunk build` made", dist.display());
                }
                return Ok(Page { dist: dist.clone(), trunk: None });
            }
            Build::Release => Some("--release"),
            Build::Dev => None,
        };
        let path = build_path()?;
        let dist = workspace::target_dir().join("serve");
        // An old build would be taken for the first new one.
        if dist.exists() {
            fs::remove_dir_all(&dist).with_context(|| format!("could not empty {}", dist.display()))?;
        }
        fs::create_dir_all(&dist).with_context(|| format!("could not make {}", dist.display()))?;
        println!("building the page (one to two minutes the first time, seconds later)");
        let mut trunk = command("trunk");
        trunk.args(["watch", "--dist"]).arg(&dist).args(profile).env("PATH", path);
        Ok(Page { dist, trunk: Some(Running::start(&mut trunk)?) })
    }

    fn wait_for_first_build(&mut self) -> Result<()> {
        while !self.dist.join("index.html").is_file() {
            self.check_alive()?;
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    fn check_alive(&mut self) -> Result<()> {
        if let Some(trunk) = &mut self.trunk
            && let Some(status) = trunk.child.try_wait().context("lost trunk")?
        {
            bail!("trunk ended ({status}); what it says above is the reason, `trunk build` shows it alone");
        }
        Ok(())
    }
}

/// A context's name, which kubectl must not take for a flag.
fn context(flags: &mut Flags<'_>, word: &str) -> Result<String> {
    match flags.word() {
        Some(name) if name.starts_with('-') => bail!("`{name}` begins with a dash and cannot be the name of a context"),
        Some(name) if !name.is_empty() => Ok(name.to_owned()),
        _ => bail!("{word} needs a value; `cargo xtask serve --help` shows how"),
    }
}

/// Serves a finished build in front of an API.
pub(crate) fn present(dist: &Path, proxy: &str) -> Result<Server> {
    Front::bind(0)?.serve(dist, Some(proxy.parse()?)).context("could not serve the page")
}

/// A `PATH` with all that a build of the page calls, after installing what is missing.
pub(crate) fn build_path() -> Result<OsString> {
    tool::ensure_wasm_target()?;
    tool::SearchPath::default().with(&tool::TRUNK)?.with(&tool::WASM_BINDGEN)?.with_wasm_opt()?.value()
}

/// Builds the optimised page into `dist` once.
pub(crate) fn build_page(dist: &Path) -> Result<()> {
    let mut trunk = command("trunk");
    trunk.args(["build", "--release", "--dist"]).arg(dist).env("PATH", build_path()?);
    crate::command::run(&mut trunk)
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[track_caller]
    fn check_refused(line: &str, because: &str) {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let error = Options::parse(&args).err().expect("refused").to_string();
        assert!(error.contains(because), "{error}");
    }

    #[test]
    fn wrong_flags_are_refused_in_words() {
        check_refused("--prxy x", "does not know `--prxy`");
        check_refused("--proxy", "--proxy needs a value");
        check_refused("--proxy https://127.0.0.1:8001", "http://");
        check_refused("--proxy 127.0.0.1:8001", "http://");
        check_refused("--port eighty", "takes a number");
        check_refused("--context", "--context needs a value");
        check_refused("--context -s=elsewhere.example", "begins with a dash");
        check_refused("--context --token=x", "begins with a dash");
        check_refused("--local --proxy http://127.0.0.1:8001", "give one of them");
        check_refused("--dev --dist somewhere", "exclude each other");
    }
}
