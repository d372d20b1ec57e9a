//! A place with small `sh` programs.

#![allow(dead_code)] // each test file uses a part
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests make their own files, and may panic

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nub_oracle::{Baseline, Convention, OracleConfig, OracleRefusal, RealOracle, Session};
use nub_process::{Cancel, Runner};

pub struct Place {
    root: tempfile::TempDir,
}

pub fn runner() -> Arc<Runner> {
    static RUNNER: OnceLock<Arc<Runner>> = OnceLock::new();
    RUNNER.get_or_init(|| Arc::new(Runner::new().unwrap())).clone()
}

impl Place {
    pub fn new() -> Place {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("user")).unwrap();
        std::fs::create_dir(root.path().join("temp")).unwrap();
        Place { root }
    }

    pub fn user(&self) -> PathBuf {
        self.root.path().join("user")
    }

    pub fn temp(&self) -> PathBuf {
        self.root.path().join("temp")
    }

    /// Writes an executable script into the user's folder.
    pub fn program(&self, name: &str, body: &str) -> PathBuf {
        let path = self.user().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub fn config(&self, convention: Convention) -> OracleConfig {
        let mut config = OracleConfig::new(convention, self.user(), self.temp(), "/usr/bin:/bin".into());
        config.keep_name = "bug.smt2".to_owned();
        config
    }

    /// A golden config for the script `./solver` with this body.
    pub fn golden(&self, body: &str) -> OracleConfig {
        self.program("solver", body);
        self.config(Convention::Golden { command: ["./solver"].into() })
    }

    /// A script config for `./test.sh` with this body.
    pub fn script(&self, body: &str) -> OracleConfig {
        self.program("test.sh", body);
        self.config(Convention::Script { path: "./test.sh".into(), args: vec![] })
    }
}

pub fn start(config: OracleConfig, original: &[u8]) -> Result<(RealOracle, Baseline), OracleRefusal> {
    Session::start(config, runner(), original, &Cancel::new())
}

pub fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}
