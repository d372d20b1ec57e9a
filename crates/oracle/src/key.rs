//! Keys under which verdicts are remembered between runs of nub.
//!
//! A key covers the bytes, the words of the commands, the content of each program file and of every existing
//! file that a word names, patterns, limits, environment, and the version of this crate. It cannot know what a
//! program loads by itself: a solver called inside a script, a shared library, a configuration file. After
//! changing those, delete the remembered verdicts.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use blake3::Hasher;

use crate::invocation::Prepared;
use crate::{Expect, OracleConfig};

/// The part of a key that does not depend on the candidate.
pub(crate) struct KeyBase {
    fixed: [u8; 32],
    /// Files whose content matters, each with the hash of the content last seen.
    files: Mutex<Vec<Watched>>,
}

/// A file, and the hash of its content when its metadata was `look`.
struct Watched {
    path: PathBuf,
    look: Option<Look>,
    content: [u8; 32],
}

/// Metadata by which a file is taken to be unchanged; cheap to compare.
type Look = (i64, i64, u64, u64);

impl KeyBase {
    pub fn new(config: &OracleConfig, commands: &[&Prepared]) -> KeyBase {
        let mut hasher = Hasher::new();
        part(&mut hasher, env!("CARGO_PKG_VERSION").as_bytes());
        part(&mut hasher, options_text(config).as_bytes());
        let mut paths = Vec::new();
        for prepared in commands {
            part(&mut hasher, format!("{:?}", prepared.words()).as_bytes());
            paths.push(prepared.program.clone());
            paths.extend(named_files(&config.folder, prepared));
        }
        paths.sort();
        paths.dedup();
        let files = paths.into_iter().map(|path| Watched { path, look: None, content: [0; 32] }).collect();
        KeyBase { fixed: *hasher.finalize().as_bytes(), files: Mutex::new(files) }
    }

    pub fn key(&self, bytes: &[u8]) -> [u8; 32] {
        let mut hasher = Hasher::new();
        hasher.update(&self.fixed);
        for file in self.files.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            hasher.update(&file.content());
        }
        hasher.update(bytes);
        *hasher.finalize().as_bytes()
    }
}

impl Watched {
    fn content(&mut self) -> [u8; 32] {
        let look = self.path.metadata().ok().map(|data| look_of(&data));
        if look.is_none() || look != self.look {
            // A file that cannot be read hashes as empty; then it cannot be run either.
            self.content = hash_file(&self.path).unwrap_or_default();
            self.look = look;
        }
        self.content
    }
}

fn look_of(data: &Metadata) -> Look {
    (data.mtime(), data.mtime_nsec(), data.size(), data.ino())
}

fn hash_file(path: &Path) -> std::io::Result<[u8; 32]> {
    let mut hasher = Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(*hasher.finalize().as_bytes())
}

/// Regular files that words of the command name: `python3 check.py`, `sh test.sh`.
fn named_files(folder: &Path, prepared: &Prepared) -> Vec<PathBuf> {
    let paths = prepared.words().iter().map(|word| folder.join(word));
    paths.filter(|path| path.is_file()).collect()
}

/// Length first, so that no two lists of parts look the same.
fn part(hasher: &mut Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn options_text(config: &OracleConfig) -> String {
    let check = config.cross_check.as_ref().map(|check| (expect_text(&check.expect), check.time));
    format!(
        "{:?}",
        (
            (std::mem::discriminant(&config.convention), config.stdin, expect_text(&config.expect), check),
            (config.time, config.cpu, config.memory, config.output, config.hang, &config.slow),
            (&config.keep_name, &config.env, &config.key_env, &config.folder),
        )
    )
}

fn expect_text(expect: &Expect) -> String {
    let source = |pattern: &Option<crate::Pattern>| pattern.as_ref().map(crate::Pattern::source);
    format!(
        "{:?}",
        (
            source(&expect.match_out),
            source(&expect.match_err),
            expect.ignore_out,
            expect.ignore_err,
            expect.exact
        )
    )
}
