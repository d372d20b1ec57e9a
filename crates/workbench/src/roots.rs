//! Opens files below given folders only.
//!
//! The page names a file as `ROOT/path/below/it`, where `ROOT` is the name of a folder that was given at the start. The
//! kernel resolves the rest with `RESOLVE_BENEATH`: `..`, absolute names and symbolic links that lead out of the folder
//! are errors at the moment of opening, so there is no gap between a check and its use.

use crate::limits;
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// Why a file was not opened.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// The name does not begin with a given folder.
    #[error("there is no folder `{0}`; folders are given when the workbench starts")]
    NoRoot(String),
    /// The name leads out of its folder, or is malformed.
    #[error("`{0}` is not below a folder of the workbench")]
    Outside(String),
    /// It is not a plain file, or not a folder.
    #[error("`{path}` is not {wanted}")]
    Kind {
        /// The name.
        path: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// The file is too large to show.
    #[error("`{path}` has {bytes} bytes; the limit is {}", limits::FILE_BYTES)]
    TooLarge {
        /// The name.
        path: String,
        /// Its size.
        bytes: u64,
    },
    /// The system reports an error.
    #[error("cannot open `{path}`: {source}")]
    System {
        /// The name.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A folder with its name.
#[derive(Clone, Debug)]
pub struct Root {
    /// As the page names it.
    pub name: String,
    /// Its real path.
    pub path: PathBuf,
}

/// All folders of a workbench.
#[derive(Clone, Debug, Default)]
pub struct Roots(Vec<Root>);

impl Roots {
    /// Adds a folder under the last part of its path, or with a number if that name is taken.
    ///
    /// # Errors
    /// If it is not a folder.
    pub fn add(&mut self, folder: &Path) -> std::io::Result<String> {
        let path = folder.canonicalize()?;
        if !path.is_dir() {
            return Err(std::io::ErrorKind::NotADirectory.into());
        }
        if let Some(known) = self.0.iter().find(|root| root.path == path) {
            return Ok(known.name.clone());
        }
        let last = path.file_name().map(|name| name.to_string_lossy().trim_start_matches('.').to_owned());
        let base = last.filter(|name| !name.is_empty()).unwrap_or_else(|| "root".to_owned());
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        let is_free = |name: &String| self.0.iter().all(|root| root.name != *name);
        let name = std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base);
        self.0.push(Root { name: name.clone(), path });
        Ok(name)
    }

    /// The folders, in the order in which they were added.
    pub fn list(&self) -> &[Root] {
        &self.0
    }

    /// Reads a plain file of at most [`limits::FILE_BYTES`].
    ///
    /// # Errors
    /// If it is outside, not a plain file, too large or unreadable.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, RootError> {
        let system = |source| RootError::System { path: name.to_owned(), source };
        // Without O_NONBLOCK, opening a pipe that has no writer would block.
        let file = File::from(self.open(name, OFlags::RDONLY | OFlags::NONBLOCK)?);
        let meta = file.metadata().map_err(system)?;
        if !meta.is_file() {
            return Err(RootError::Kind { path: name.to_owned(), wanted: "a file" });
        }
        if meta.len() > limits::FILE_BYTES {
            return Err(RootError::TooLarge { path: name.to_owned(), bytes: meta.len() });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or_default());
        file.take(limits::FILE_BYTES).read_to_end(&mut bytes).map_err(system)?;
        Ok(bytes)
    }

    /// The real path of an existing file or folder, for programs that are given one.
    ///
    /// # Errors
    /// If it is outside, does not exist, or is something else, such as a pipe: reading it would wait for a writer.
    pub fn path(&self, name: &str) -> Result<PathBuf, RootError> {
        let descriptor = File::from(self.open(name, OFlags::PATH)?);
        let (root, _) = self.split(name)?;
        let system = |source| RootError::System { path: name.to_owned(), source };
        let meta = descriptor.metadata().map_err(system)?;
        if !meta.is_file() && !meta.is_dir() {
            return Err(RootError::Kind { path: name.to_owned(), wanted: "a file or a folder" });
        }
        let link = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&descriptor));
        let path = std::fs::read_link(link).map_err(system)?;
        // A file that is moved meanwhile may be anywhere.
        if path.starts_with(&root.path) { Ok(path) } else { Err(RootError::Outside(name.to_owned())) }
    }

    /// The real path of a file that may not exist yet, in a folder that does.
    ///
    /// # Errors
    /// If its folder is outside, or the name exists and is not a plain file.
    pub fn path_to_write(&self, name: &str) -> Result<PathBuf, RootError> {
        let outside = || RootError::Outside(name.to_owned());
        let (folder, file) = name.rsplit_once('/').ok_or_else(outside)?;
        if file.is_empty() || file == "." || file == ".." || file.contains('\0') {
            return Err(outside());
        }
        let path = self.path(folder)?.join(file);
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if !meta.is_file() => {
                Err(RootError::Kind { path: name.to_owned(), wanted: "a plain file" })
            }
            _ => Ok(path),
        }
    }

    /// How the page names a path, if it is below a folder.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let root = self
            .0
            .iter()
            .filter(|root| path.starts_with(&root.path))
            .max_by_key(|root| root.path.as_os_str().len())?;
        let below = path.strip_prefix(&root.path).ok()?;
        Some(format!("{}/{}", root.name, below.to_string_lossy()).trim_end_matches('/').to_owned())
    }

    fn split<'name>(&self, name: &'name str) -> Result<(&Root, &'name Path), RootError> {
        let (root, below) = name.split_once('/').unwrap_or((name, ""));
        let root = self
            .0
            .iter()
            .find(|known| known.name == root)
            .ok_or_else(|| RootError::NoRoot(root.to_owned()))?;
        let below = Path::new(if below.is_empty() { "." } else { below });
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.contains('\0') || !below.components().all(is_plain) {
            return Err(RootError::Outside(name.to_owned()));
        }
        Ok((root, below))
    }

    fn open(&self, name: &str, flags: OFlags) -> Result<OwnedFd, RootError> {
        let (root, below) = self.split(name)?;
        let system = |source: rustix::io::Errno| match source {
            // The kernel's error for a name that leads out of the folder.
            rustix::io::Errno::XDEV | rustix::io::Errno::LOOP => RootError::Outside(name.to_owned()),
            source => RootError::System { path: name.to_owned(), source: source.into() },
        };
        let folder =
            rustix::fs::open(&root.path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
                .map_err(system)?;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        openat2(&folder, below, flags | OFlags::CLOEXEC, Mode::empty(), resolve).map_err(system)
    }
}
