//! A `kubectl proxy` on a unix socket that only this user reaches, started again whenever it ends.

use std::{
    fs::DirBuilder,
    io::{BufRead, BufReader, ErrorKind},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use masthead_serve::Backend;

use crate::{
    guarded,
    running::{Owned, Running},
};

/// The proxy of one context. It listens at the same place for as long as this lives; dropping it ends it.
pub(super) struct KubectlProxy {
    context: Option<String>,
    socket: PathBuf,
    process: Process,
    /// How long to wait after the next end; doubles while ends follow each other quickly.
    pause: Duration,
    _directory: Owned,
}

enum Process {
    Running { proxy: Running, since: Instant },
    Ended { until: Instant },
}

impl KubectlProxy {
    /// Starts it for a context, or for the current one.
    pub(super) fn start(context: Option<&str>) -> Result<KubectlProxy> {
        let (socket, directory) = private_socket()?;
        let context = context.map(str::to_owned);
        let proxy = start(context.as_deref(), &socket)?;
        let process = Process::Running { proxy, since: Instant::now() };
        Ok(KubectlProxy { context, socket, process, pause: MIN_PAUSE, _directory: directory })
    }

    pub(super) fn backend(&self) -> Backend {
        Backend::unix(&self.socket)
    }

    /// Looks whether it still runs, and starts it again when it is time to. Called every moment.
    pub(super) fn keep_running(&mut self, now: Instant) -> Result<()> {
        match &mut self.process {
            Process::Running { proxy, since } => {
                let Some(status) = proxy.child.try_wait().context("lost kubectl proxy")? else { return Ok(()) };
                if now.duration_since(*since) > MAX_PAUSE {
                    self.pause = MIN_PAUSE;
                }
                eprintln!("kubectl proxy ended ({status}): it is started again");
                self.wait(now);
            }
            Process::Ended { until } if now < *until => {}
            Process::Ended { .. } => match start(self.context.as_deref(), &self.socket) {
                Ok(proxy) => {
                    eprintln!("kubectl proxy runs again");
                    self.process = Process::Running { proxy, since: now };
                }
                Err(error) => {
                    eprintln!("{error:#}; the next try follows");
                    self.wait(now);
                }
            },
        }
        Ok(())
    }

    fn wait(&mut self, now: Instant) {
        self.process = Process::Ended { until: now + self.pause };
        self.pause = (self.pause * 2).min(MAX_PAUSE);
    }
}

fn start(context: Option<&str>, socket: &Path) -> Result<Running> {
    let mut kubectl = guarded::command("kubectl")?;
    kubectl.args(context.map(|name| format!("--context={name}"))).arg("proxy").arg("--unix-socket").arg(socket);
    let mut proxy = Running::start(kubectl.stdout(Stdio::piped()))?;
    let stdout = proxy.child.stdout.take().context("the child's output is piped")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).context("could not read what kubectl proxy says")?;
    if !line.starts_with("Starting to serve on ") {
        bail!("kubectl proxy did not start; what it says above is the reason");
    }
    Ok(proxy)
}

/// A place for a socket in a new directory that nobody else may enter.
fn private_socket() -> Result<(PathBuf, Owned)> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let bases = runtime.into_iter().chain([std::env::temp_dir(), PathBuf::from("/tmp")]);
    let bases: Vec<PathBuf> = bases.filter(|base| base.is_absolute() && base.is_dir()).collect();
    for base in &bases {
        for attempt in 0..MAX_ATTEMPTS {
            let directory = base.join(format!("masthead-{}-{attempt}", std::process::id()));
            let socket = directory.join("proxy.sock");
            if socket.as_os_str().len() > MAX_SOCKET_PATH {
                break;
            }
            match DirBuilder::new().mode(0o700).create(&directory) {
                Ok(()) => return Ok((socket, Owned::directory(directory))),
                // Left behind by a process that was killed, or made by somebody else: it is not this one's.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(_) => break,
            }
        }
    }
    bail!("no directory for the socket of kubectl proxy can be made in any of {bases:?}")
}

/// What `sockaddr_un` holds on the systems that hold least, with its end.
const MAX_SOCKET_PATH: usize = 103;

const MAX_ATTEMPTS: u32 = 100;

const MIN_PAUSE: Duration = Duration::from_millis(250);

const MAX_PAUSE: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::private_socket;

    #[test]
    fn only_this_user_may_enter_the_directory_of_the_socket() {
        let ((one, _one), (other, _other)) = (private_socket().unwrap(), private_socket().unwrap());
        assert_ne!(one, other);
        let mode = one.parent().unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
