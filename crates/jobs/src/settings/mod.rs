//! `nub.toml`: settings of a project or a user.
//!
//! ```toml
//! [limits]
//! max-time = "10m"          # of the whole work
//! timeout = 20              # of one run of the user's command, in seconds
//! memory = 2048             # megabytes of one run
//!
//! [defaults]
//! jobs = 4
//! cc = "clang"
//! data-model = "lp64"
//!
//! [solvers]
//! new = "./build/z3 -st"    # `nub fuzz -s new`
//!
//! [programs]
//! z3 = "z3 -st"             # `nub reduce bug.smt2 -- @z3`; what a page may run
//!
//! [nats]                    # docs/machines.md
//! creds = "hub.creds"       # relative to the folder of this file
//! ca = "hub.pem"
//! ```
//!
//! The file is looked for in the working folder and upwards, then in the user's configuration folder. If both set a value, the
//! first wins.

mod apply;
mod read;

use crate::failure::Failure;
use nub_report::{SettingEntry, SettingsReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file.
pub const FILE_NAME: &str = "nub.toml";

/// A value, and where it is set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// As it is written.
    pub value: String,
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: u32,
}

/// The settings of all files, by keys such as `limits.max-time`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    values: BTreeMap<String, Setting>,
}

/// A key that a file may have.
pub struct SettingKey {
    /// Its name; `NAME` at the end is the user's choice.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    kind: ValueKind,
}

/// What values a key takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValueKind {
    Time,
    Number,
    Jobs,
    Text,
}

/// All keys.
pub const KEYS: [SettingKey; 17] = [
    SettingKey { name: "limits.max-time", about: "limit on the whole run", kind: ValueKind::Time },
    SettingKey {
        name: "limits.timeout",
        about: "time of one run of the user's command",
        kind: ValueKind::Time,
    },
    SettingKey { name: "limits.memory", about: "megabytes of one run", kind: ValueKind::Number },
    SettingKey { name: "defaults.jobs", about: "runs at once", kind: ValueKind::Jobs },
    SettingKey { name: "defaults.cc", about: "the C compiler", kind: ValueKind::Text },
    SettingKey {
        name: "defaults.data-model",
        about: "widths of the integer types of C",
        kind: ValueKind::Text,
    },
    SettingKey { name: "solvers.NAME", about: "a solver for `nub fuzz -s NAME`", kind: ValueKind::Text },
    SettingKey { name: "programs.NAME", about: "the command for `@NAME`", kind: ValueKind::Text },
    SettingKey {
        name: "nats.url",
        about: "the NATS server of `nub worker` and `nub status`",
        kind: ValueKind::Text,
    },
    SettingKey { name: "nats.user", about: "the user name, with password-file", kind: ValueKind::Text },
    SettingKey {
        name: "nats.password-file",
        about: "a file whose first line is the password",
        kind: ValueKind::Text,
    },
    SettingKey {
        name: "nats.token-file",
        about: "a file whose first line is the token",
        kind: ValueKind::Text,
    },
    SettingKey { name: "nats.creds", about: "a file with NATS credentials", kind: ValueKind::Text },
    SettingKey { name: "nats.nkey", about: "a file with the seed of an nkey", kind: ValueKind::Text },
    SettingKey { name: "nats.ca", about: "the certificate of the server's authority", kind: ValueKind::Text },
    SettingKey { name: "nats.cert", about: "a client certificate", kind: ValueKind::Text },
    SettingKey { name: "nats.key", about: "the key of the client certificate", kind: ValueKind::Text },
];

/// The key with this name, if a file may have it.
fn key(name: &str) -> Option<&'static SettingKey> {
    let is_meant = |key: &&SettingKey| match key.name.strip_suffix("NAME") {
        Some(section) => name.strip_prefix(section).is_some_and(|rest| !rest.is_empty()),
        None => key.name == name,
    };
    KEYS.iter().find(is_meant)
}

impl Settings {
    /// Reads the nearest file in or above `folder`, and that of the user. Without files nothing is set.
    ///
    /// # Errors
    /// If a file cannot be read or is invalid.
    pub fn find(folder: &Path, user: Option<&Path>) -> Result<Settings, Failure> {
        // A dangling link counts as a file too: reading it fails with a message, instead of being skipped.
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let near = folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(is_there);
        let user = user.map(|folder| folder.join(FILE_NAME)).filter(is_there);
        let mut settings = Settings::default();
        // The nearer one last: it wins.
        for path in user.into_iter().chain(near) {
            settings.values.extend(read::read(&path)?);
        }
        Ok(settings)
    }

    /// All that is set, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.values.iter().map(|(key, setting)| (key.as_str(), setting))
    }

    /// All that is set, as `nub config --json` prints it.
    pub fn report(&self) -> SettingsReport {
        let entry = |(key, setting): (&str, &Setting)| SettingEntry {
            key: key.to_owned(),
            value: setting.value.clone(),
            file: setting.file.display().to_string(),
            line: setting.line,
        };
        SettingsReport::new(self.iter().map(entry).collect())
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)
    }

    /// A path, which is relative to the folder of the file that sets it.
    pub(crate) fn path(&self, key: &str) -> Option<PathBuf> {
        let Setting { value, file, .. } = self.values.get(key)?;
        Some(file.parent().unwrap_or(Path::new(".")).join(value))
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|setting| setting.value.as_str())
    }

    // Values were checked when they were read.
    pub(crate) fn number<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }

    pub(crate) fn time(&self, key: &str) -> Option<Duration> {
        crate::quantity::parse_time(self.get(key)?).ok()
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // tests write files
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_wins_and_places_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let (user, inner) = (folder.path().join("user"), folder.path().join("project/src"));
        std::fs::create_dir_all(&user).unwrap();
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(user.join(FILE_NAME), "[limits]\nmax-time = \"1h\"\nmemory = 512\n").unwrap();
        let project = folder.path().join("project").join(FILE_NAME);
        std::fs::write(&project, "[programs]\nz3 = 'z3 -st'\n\n[limits]\nmax-time = 90\n").unwrap();
        let settings = Settings::find(&inner, Some(&user)).unwrap();
        assert_eq!(settings.time("limits.max-time"), Some(Duration::from_secs(90)));
        assert_eq!(settings.number("limits.memory"), Some(512u64));
        let places: Vec<(&str, u32)> = settings.iter().map(|(key, setting)| (key, setting.line)).collect();
        assert_eq!(places, [("limits.max-time", 5), ("limits.memory", 3), ("programs.z3", 2)]);
        assert_eq!(settings.values["limits.max-time"].file, project);
        assert_eq!(Settings::find(&user.join("none"), None).unwrap().iter().count(), 2, "found upwards");
    }

    #[test]
    fn what_is_there_is_read_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE_NAME);
        std::os::unix::fs::symlink("nowhere", &file).unwrap();
        assert!(Settings::find(folder.path(), None).unwrap_err().message.contains("cannot read"));
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert!(Settings::find(folder.path(), None).unwrap_err().message.contains("cannot read"));
    }

    #[test]
    fn what_nobody_understands_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let failure = |text: &str| {
            std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
            Settings::find(folder.path(), None).unwrap_err()
        };
        let unknown = failure("[limits]\nmaxtime = 3\n");
        assert_eq!(unknown.place.as_ref().map(|place| place.line), Some(2), "{unknown:?}");
        assert!(unknown.message.contains("`limits.maxtime`"), "{unknown:?}");
        assert!(failure("[limits]\nmax-time = \"soon\"\n").message.contains("not a time"));
        assert!(failure("[limits]\nmemory = \"much\"\n").message.contains("number"));
        assert!(failure("[defaults]\njobs = [1]\n").message.contains("defaults.jobs"));
        assert!(failure("[defaults]\njobs = 70000\n").message.contains("from 1 to 1024"));
        assert_eq!(failure("[limits\n").place.map(|place| place.line), Some(1));
    }
}
