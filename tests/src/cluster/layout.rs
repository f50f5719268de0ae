//! The files in a cluster's directory.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::User;

/// The names of what a cluster keeps in its directory. Nothing else in there is ever touched.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    dir: PathBuf,
}

const STATE: &str = "state.json";
const LOCK: &str = "lock";
const LOGS: &str = "logs";
/// What `clear` removes besides the logs. The state goes last: while it is there, a cleanup that was cut off is found.
const KEPT_WHILE_RUNNING: [&str; 5] = ["etcd", "pki", "users", "kwok", STATE];

impl Layout {
    pub(crate) fn new(dir: &Path) -> Result<Self> {
        let dir = std::path::absolute(dir).with_context(|| format!("{} is no directory name", dir.display()))?;
        Ok(Self { dir })
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.dir.join(LOCK)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.dir.join(STATE)
    }

    pub(crate) fn log(&self, process: &str) -> PathBuf {
        self.dir.join(LOGS).join(format!("{process}.log"))
    }

    pub(crate) fn etcd(&self) -> PathBuf {
        self.dir.join("etcd")
    }

    pub(crate) fn pki(&self) -> PathBuf {
        self.dir.join("pki")
    }

    pub(crate) fn signing_key(&self) -> PathBuf {
        self.pki().join("service-account.key")
    }

    pub(crate) fn tokens(&self) -> PathBuf {
        self.dir.join("users").join("tokens.csv")
    }

    pub(crate) fn kubeconfig(&self, user: User) -> PathBuf {
        self.dir.join("users").join(format!("{user}.kubeconfig"))
    }

    pub(crate) fn kwok_config(&self) -> PathBuf {
        self.dir.join("kwok").join("logs.yaml")
    }

    /// What every container of every pod says, in the format of a container runtime.
    pub(crate) fn pod_log(&self) -> PathBuf {
        self.dir.join("kwok").join("pod.log")
    }

    /// Makes the directory itself, refusing one that holds strangers' files and no cluster.
    pub(crate) fn create(&self) -> Result<()> {
        make_dir(&self.dir)?;
        let strangers = fs::read_dir(&self.dir)
            .with_context(|| format!("cannot read {}; choose another directory with --dir", self.dir.display()))?
            .flatten()
            .any(|entry| !self.owns(&entry.file_name().to_string_lossy()));
        if strangers {
            bail!("{} holds files that no cluster made; choose an empty directory with --dir", self.dir.display());
        }
        Ok(())
    }

    /// Fails, with what to do, when the disk has less than `bytes` left.
    pub(crate) fn check_room(&self, bytes: u64) -> Result<()> {
        let disk = rustix::fs::statvfs(&self.dir)
            .with_context(|| format!("cannot ask for the room in {}", self.dir.display()))?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < bytes {
            bail!(
                "the disk of {} is full: {} MB are free and {} MB are needed; free some or choose another with --dir",
                self.dir.display(),
                free >> 20,
                bytes >> 20
            );
        }
        Ok(())
    }

    /// Makes the directories that the processes expect, with empty logs.
    pub(crate) fn fill(&self) -> Result<()> {
        remove(&self.dir.join(LOGS))?;
        for name in ["etcd", "pki", "users", "kwok", LOGS] {
            make_dir(&self.dir.join(name))?;
        }
        Ok(())
    }

    /// Removes everything but the lock and the logs.
    pub(crate) fn clear(&self) -> Result<()> {
        KEPT_WHILE_RUNNING.iter().try_for_each(|name| remove(&self.dir.join(name)))
    }

    /// Removes the logs and the lock too, and the directory unless something else is in it.
    pub(crate) fn remove(&self) -> Result<()> {
        self.clear()?;
        remove(&self.dir.join(LOGS))?;
        remove(&self.lock())?;
        match fs::remove_dir(&self.dir) {
            Err(error) if error.kind() != std::io::ErrorKind::DirectoryNotEmpty => {
                Err(error).with_context(|| format!("cannot remove {}", self.dir.display()))
            }
            _ => Ok(()),
        }
    }

    fn owns(&self, name: &str) -> bool {
        // A temporary file is the name of the real one with a suffix.
        let name = name.strip_suffix(".new").unwrap_or(name);
        KEPT_WHILE_RUNNING.contains(&name) || [LOCK, LOGS].contains(&name)
    }
}

/// Writes a file that only its owner may read; it appears complete or not at all.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&fresh)?;
        file.write_all(content)?;
        drop(file);
        fs::rename(&fresh, path)
    };
    write().with_context(|| format!("cannot write {}: free some space or choose another directory", path.display()))
}

fn make_dir(path: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .with_context(|| format!("cannot make the directory {}; choose another with --dir", path.display()))
}

fn remove(path: &Path) -> Result<()> {
    let outcome = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match outcome {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_a_directory_with_strangers_files_and_leaves_them() {
        let dir = std::env::temp_dir().join(format!("masthead-layout-{}", std::process::id()));
        let layout = Layout::new(&dir).unwrap();
        layout.create().unwrap();
        fs::write(dir.join("thesis.txt"), "three years of work").unwrap();
        assert!(layout.create().unwrap_err().to_string().contains("choose an empty directory"));
        layout.remove().unwrap();
        assert!(dir.join("thesis.txt").exists());
        fs::remove_dir_all(&dir).unwrap();
    }
}
