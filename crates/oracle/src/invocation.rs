//! Turns the command that the user wrote into the one that is run: `{}`, appended paths, `PATH` lookup, the
//! shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::{FileFeed, Invocation, ProgramPlace};

const SHELL: &str = "/bin/sh";
const HOLE: &[u8] = b"{}";

/// Why a command cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// The command is empty.
    #[error("the command is empty")]
    Empty,
    /// No program has this name.
    #[error("cannot find the program `{0}`")]
    NotFound(String),
    /// The file exists but is not executable.
    #[error("`{0}` is not an executable file")]
    NotExecutable(String),
}

/// A command whose program was found.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// Absolute path of the program.
    pub program: PathBuf,
    invocation: Invocation,
    /// Whether the path is added to the words: not with standard input, unless `{}` asks for it.
    appends_path: bool,
}

impl Prepared {
    pub fn new(
        invocation: &Invocation,
        place: &Lookup<'_>,
        feed: FileFeed,
    ) -> Result<Prepared, ProgramError> {
        let program = match invocation {
            Invocation::Words(words) => place.find(words.first().ok_or(ProgramError::Empty)?)?,
            Invocation::Shell(text) if text.is_empty() => return Err(ProgramError::Empty),
            Invocation::Shell(_) => PathBuf::from(SHELL),
        };
        let appends_path = feed == FileFeed::Path && !has_hole(invocation);
        Ok(Prepared { program, invocation: invocation.clone(), appends_path })
    }

    /// The arguments for a candidate at `file`.
    pub fn args(&self, file: &Path) -> Vec<OsString> {
        match &self.invocation {
            Invocation::Words(words) => filled(&words[1..], file, self.appends_path),
            Invocation::Shell(text) => vec!["-c".into(), shell_text(text, file, self.appends_path)],
        }
    }

    /// The command as the user gave it.
    pub fn invocation(&self) -> &Invocation {
        &self.invocation
    }

    /// Every word, as given: part of the memo's key.
    pub fn words(&self) -> &[OsString] {
        match &self.invocation {
            Invocation::Words(words) => words,
            Invocation::Shell(text) => std::slice::from_ref(text),
        }
    }
}

impl Invocation {
    /// A line to paste into a shell that runs this on a file, or with the file on standard input.
    #[must_use]
    pub fn shell_line(&self, file: &Path, feed: FileFeed) -> String {
        let appends_path = feed == FileFeed::Path && !has_hole(self);
        let mut line = match self {
            Invocation::Words(words) => {
                let words = filled(words, file, appends_path);
                words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(OsStr::new(" "))
            }
            Invocation::Shell(text) => shell_text(text, file, appends_path),
        };
        if feed == FileFeed::Stdin {
            line.push(" < ");
            line.push(shell_word(file.as_os_str()));
        }
        line.to_string_lossy().into_owned()
    }
}

/// The words with each `{}` replaced by the path, or with the path appended.
fn filled(words: &[OsString], file: &Path, appends_path: bool) -> Vec<OsString> {
    let path = appends_path.then(|| file.into());
    words.iter().map(|word| fill(word, file.as_os_str())).chain(path).collect()
}

/// The same for the string of a shell.
fn shell_text(text: &OsStr, file: &Path, appends_path: bool) -> OsString {
    let quoted = shell_word(file.as_os_str());
    let mut line = fill(text, &quoted);
    if appends_path {
        line.push(" ");
        line.push(&quoted);
    }
    line
}

/// Where programs are looked for.
pub(crate) struct Lookup<'a> {
    /// The value of `PATH`.
    pub search_path: &'a OsStr,
    /// The user's folder.
    pub folder: &'a Path,
    /// Whether they are on this machine at all.
    pub programs: ProgramPlace,
}

impl Lookup<'_> {
    /// The absolute path of a program. A word without a slash is looked up on `PATH`. A program on another machine keeps
    /// its name.
    pub fn find(&self, word: &OsStr) -> Result<PathBuf, ProgramError> {
        let shown = word.to_string_lossy().into_owned();
        if word.is_empty() {
            return Err(ProgramError::Empty);
        }
        if self.programs == ProgramPlace::Elsewhere {
            return Ok(PathBuf::from(word));
        }
        let places: Vec<PathBuf> = if word.as_bytes().contains(&b'/') {
            vec![self.folder.join(word)]
        } else {
            split_path(self.search_path).map(|dir| self.folder.join(dir).join(word)).collect()
        };
        if let Some(found) = places.iter().find(|path| is_executable(path)) {
            return Ok(found.clone());
        }
        let exists = places.iter().any(|path| path.exists());
        Err(if exists { ProgramError::NotExecutable(shown) } else { ProgramError::NotFound(shown) })
    }
}

fn split_path(search_path: &OsStr) -> impl Iterator<Item = &Path> {
    search_path.as_bytes().split(|byte| *byte == b':').map(|dir| Path::new(OsStr::from_bytes(dir)))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

fn has_hole(invocation: &Invocation) -> bool {
    let holds = |text: &OsString| text.as_bytes().windows(HOLE.len()).any(|window| window == HOLE);
    match invocation {
        Invocation::Words(words) => words.iter().skip(1).any(holds),
        Invocation::Shell(text) => holds(text),
    }
}

/// Replaces every `{}`.
fn fill(word: &OsStr, path: &OsStr) -> OsString {
    let bytes = word.as_bytes();
    let mut filled = Vec::with_capacity(bytes.len() + path.len());
    let mut idx = 0;
    while idx < bytes.len() {
        if bytes[idx..].starts_with(HOLE) {
            filled.extend_from_slice(path.as_bytes());
            idx += HOLE.len();
        } else {
            filled.push(bytes[idx]);
            idx += 1;
        }
    }
    OsString::from_vec(filled)
}

/// Quotes a word for a POSIX shell, if it needs it.
#[must_use]
pub fn shell_word(word: &OsStr) -> OsString {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(byte);
    let bytes = word.as_bytes();
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return word.to_owned();
    }
    let mut quoted = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => quoted.extend_from_slice(b"'\\''"),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    OsString::from_vec(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(invocation: impl Into<Invocation>, feed: FileFeed) -> Prepared {
        let place = Lookup {
            search_path: OsStr::new("/usr/bin:/bin"),
            folder: Path::new("/"),
            programs: ProgramPlace::Here,
        };
        Prepared::new(&invocation.into(), &place, feed).unwrap()
    }

    #[test]
    fn holes_and_appending() {
        let file = Path::new("/t/a.smt2");
        assert_eq!(prepared(["sh", "-x"], FileFeed::Path).args(file), ["-x", "/t/a.smt2"]);
        assert_eq!(prepared(["sh", "--f={}", "-x", "{}{}"], FileFeed::Path).args(file).len(), 3);
        assert_eq!(prepared(["sh", "--f={}"], FileFeed::Path).args(file), ["--f=/t/a.smt2"]);
        assert_eq!(prepared(["sh", "-x"], FileFeed::Stdin).args(file), ["-x"]);
    }

    #[test]
    fn shell_gets_a_quoted_path() {
        let file = Path::new("/t/it's.smt2");
        let shell = |text: &str, feed| prepared(Invocation::Shell(text.into()), feed).args(file);
        assert_eq!(shell("cat {} | wc", FileFeed::Path), ["-c", r"cat '/t/it'\''s.smt2' | wc"]);
        assert_eq!(shell("cat", FileFeed::Path), ["-c", r"cat '/t/it'\''s.smt2'"]);
        assert_eq!(shell("wc", FileFeed::Stdin), ["-c", "wc"]);
    }

    #[test]
    fn programs_are_found_or_named() {
        let place = Lookup {
            search_path: OsStr::new("/usr/bin:/bin"),
            folder: Path::new("/"),
            programs: ProgramPlace::Here,
        };
        assert!(place.find(OsStr::new("sh")).unwrap().ends_with("sh"));
        assert!(place.find(OsStr::new("bin/sh")).unwrap().is_absolute());
        assert_eq!(place.find(OsStr::new("no-such-x")), Err(ProgramError::NotFound("no-such-x".into())));
        assert_eq!(
            place.find(OsStr::new("/etc/passwd")),
            Err(ProgramError::NotExecutable("/etc/passwd".into()))
        );
        assert_eq!(
            Prepared::new(&Invocation::Words(vec![]), &place, FileFeed::Path).err(),
            Some(ProgramError::Empty)
        );
    }

    #[test]
    fn shell_lines_can_be_pasted() {
        let line = |invocation: &Invocation, file: &str, feed| invocation.shell_line(Path::new(file), feed);
        let words = Invocation::from(["z3", "a b"]);
        assert_eq!(line(&words, "x y.smt2", FileFeed::Path), "z3 'a b' 'x y.smt2'");
        assert_eq!(line(&words, "x.smt2", FileFeed::Stdin), "z3 'a b' < x.smt2");
        assert_eq!(line(&["sh", "-c", "cat {}"].into(), "x.smt2", FileFeed::Path), "sh -c 'cat x.smt2'");
        assert_eq!(
            line(&Invocation::Shell("cat {} | wc".into()), "it's", FileFeed::Path),
            r"cat 'it'\''s' | wc"
        );
    }
}
