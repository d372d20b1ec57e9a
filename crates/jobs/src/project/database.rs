//! `compile_commands.json`: how the build compiles each file. CMake and bear write it.

use crate::c_program::absolute;
use crate::failure::Failure;
use crate::input::read;
use crate::request::ProgramOptions;
use crate::words::{SplitError, split};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the file.
const DATABASE: &str = "compile_commands.json";
/// Programs that start the compiler that follows.
const LAUNCHERS: [&str; 3] = ["ccache", "distcc", "sccache"];
/// Options that affect the meaning of the program and have a path, in the same word or the next.
const WITH_PATH: [&str; 8] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot="];
/// Other such options whose value may be in the next word.
const WITH_VALUE: [&str; 2] = ["-D", "-U"];
/// Prefixes of other such options.
const KEPT: [&str; 8] = ["-std=", "-ansi", "-m", "-f", "-pthread", "-nostdinc", "-undef", "--target="];
/// Prefixes of those among them that affect only code generation.
const DROPPED: [&str; 7] =
    ["-flto", "-fprofile", "-fcoverage", "-fsanitize", "-fdiagnostics", "-MD", "-fplugin"];
/// Options whose next word is neither an option nor a file to compile.
const SKIPPED_PAIRS: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-x"];

/// One entry of the database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// A file with the command that compiles it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// The file, absolute.
    pub file: PathBuf,
    /// How it is read.
    pub program: ProgramOptions,
}

/// The C files of a database, each once, by name. If a file is compiled twice, the first command counts.
pub fn read_database(build: &Path, asked: &ProgramOptions) -> Result<Vec<CompileCommand>, Failure> {
    let path = if build.is_dir() { build.join(DATABASE) } else { build.to_owned() };
    if !path.exists() {
        let message = format!("{} does not exist", path.display());
        let hint = "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes it, and so does `bear -- make`";
        return Err(Failure::usage(message).with_hint(hint));
    }
    let entries: Vec<Entry> = serde_json::from_slice(&read(&path)?).map_err(|error| {
        Failure::usage(format!("{} is not a compilation database: {error}", path.display()))
    })?;
    let mut found = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.file.extension().is_some_and(|ext| ext == "c")) {
        let file = clean(&entry.directory.join(&entry.file));
        if let std::collections::btree_map::Entry::Vacant(place) = found.entry(file.clone()) {
            let words =
                words_of(entry).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
            place.insert(CompileCommand { program: options(&words, &entry.directory, asked), file });
        }
    }
    if found.is_empty() {
        return Err(Failure::usage(format!("{} names no C file", path.display())));
    }
    Ok(found.into_values().collect())
}

/// The C files that a command in the current folder compiles, each once, by name.
pub fn read_command(words: &[String], asked: &ProgramOptions) -> Result<Vec<CompileCommand>, Failure> {
    let folder = absolute(Path::new("."));
    let program = options(words, &folder, asked);
    let mut files: Vec<PathBuf> = source_files(words).iter().map(|file| clean(&folder.join(file))).collect();
    files.sort();
    files.dedup();
    if let Some(missing) = files.iter().find(|file| !file.exists()) {
        return Err(Failure::usage(format!("{} does not exist", missing.display())));
    }
    if files.is_empty() {
        let message = format!("`{}` names no C file", words.join(" "));
        return Err(Failure::usage(message).with_hint("such as: nub cover -- cc -Iinclude -c file.c"));
    }
    Ok(files.into_iter().map(|file| CompileCommand { file, program: program.clone() }).collect())
}

/// The words that are C files, not values of options.
fn source_files(words: &[String]) -> Vec<&str> {
    let takes_next =
        |word: &str| SKIPPED_PAIRS.contains(&word) || WITH_PATH.contains(&word) || WITH_VALUE.contains(&word);
    let (mut found, mut rest) = (Vec::new(), words.iter().map(String::as_str));
    while let Some(word) = rest.next() {
        if takes_next(word) {
            rest.next();
        } else if !word.starts_with('-') && word.ends_with(".c") {
            found.push(word);
        }
    }
    found
}

fn words_of(entry: &Entry) -> Result<Vec<String>, SplitError> {
    if !entry.arguments.is_empty() {
        return Ok(entry.arguments.clone());
    }
    let words = split(&entry.command)?;
    Ok(words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect())
}

/// The path without `.` and `..`, resolved by names alone.
fn clean(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.components().collect())
}

/// The options of the program in the words of a command.
fn options(words: &[String], folder: &Path, asked: &ProgramOptions) -> ProgramOptions {
    let is_launcher = |word: &&String| {
        Path::new(word).file_name().is_some_and(|name| LAUNCHERS.iter().any(|launcher| name == *launcher))
    };
    let mut rest = words.iter().skip_while(is_launcher);
    let compiler = rest.next().map(PathBuf::from);
    let mut kept = Vec::new();
    while let Some(word) = rest.next() {
        if SKIPPED_PAIRS.contains(&word.as_str()) {
            rest.next();
        } else if let Some(name) = WITH_PATH.iter().find(|name| word.starts_with(**name)) {
            let value = match &word[name.len()..] {
                "" => rest.next().cloned().unwrap_or_default(),
                value => value.to_owned(),
            };
            kept.extend(with_path(name, &value, folder));
        } else if let Some(name) = WITH_VALUE.iter().find(|name| word.starts_with(**name)) {
            let value = match &word[name.len()..] {
                "" => rest.next().cloned().unwrap_or_default(),
                value => value.to_owned(),
            };
            kept.push(format!("{name}{value}"));
        } else if let Some(parts) = word.strip_prefix("-Wp,") {
            kept.extend(of_preprocessor(parts));
        } else if KEPT.iter().any(|prefix| word.starts_with(prefix))
            && !DROPPED.iter().any(|prefix| word.starts_with(prefix))
        {
            kept.push(word.clone());
        }
    }
    let has = |option: &str| kept.iter().any(|word| word == option);
    ProgramOptions {
        cc: asked.cc.clone().or(compiler),
        wrapv: asked.wrapv || has("-fwrapv"),
        compiler_options: kept,
        ..asked.clone()
    }
}

/// What `-Wp,` passes to the preprocessor, without the file for dependencies, whose folder need not exist: `-Wp,-MD,console/.resize.o.d`.
fn of_preprocessor(parts: &str) -> Vec<String> {
    let mut rest = parts.split(',');
    let mut kept = Vec::new();
    while let Some(part) = rest.next() {
        match part {
            "-MD" | "-MMD" | "-MF" | "-MT" | "-MQ" => drop(rest.next()),
            _ if part.starts_with("-M") => {}
            _ => kept.push(format!("-Wp,{part}")),
        }
    }
    kept
}

/// The option with its path relative to the folder of the command.
fn with_path(name: &str, value: &str, folder: &Path) -> Vec<String> {
    let path = folder.join(value);
    // A file that is included by option is searched for in the folder first, then in the header folders.
    let is_kept = matches!(name, "-include" | "-imacros") && !path.exists();
    let value = if is_kept { value.to_owned() } else { path.to_string_lossy().into_owned() };
    if name.ends_with('=') { vec![format!("{name}{value}")] } else { vec![name.to_owned(), value] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> ProgramOptions {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        options(&words, Path::new("/b/src"), &ProgramOptions::default())
    }

    #[test]
    fn files_are_no_values_of_options() {
        let words = "ccache cc -include pre.c -D x.c -o out.c -DN=2 -c a.c lib/b.c b.o -lm".split(' ');
        let words: Vec<String> = words.map(str::to_owned).collect();
        assert_eq!(source_files(&words), ["a.c", "lib/b.c"]);
    }

    #[test]
    fn only_what_decides_the_program_is_kept() {
        let found = words(
            "ccache gcc -O2 -g -Wall -DA=1 -D B -I../include -isystem sys -include config.h -std=c99 -funsigned-char -flto -MD -MF f.d -o f.o -c f.c",
        );
        let expected = [
            "-DA=1",
            "-DB",
            "-I",
            "/b/src/../include",
            "-isystem",
            "/b/src/sys",
            "-include",
            "config.h",
            "-std=c99",
            "-funsigned-char",
        ];
        assert_eq!(found.compiler_options, expected);
        assert_eq!(found.cc, Some("gcc".into()));
        assert!(!found.wrapv && found.data_model.is_none());
    }

    #[test]
    fn options_for_the_preprocessor_write_no_dependencies() {
        let found = words("gcc -Wp,-MD,console/.resize.o.d -Wp,-D_FORTIFY_SOURCE=2,-MMD,a.d,-UX -c f.c");
        assert_eq!(found.compiler_options, ["-Wp,-D_FORTIFY_SOURCE=2", "-Wp,-UX"]);
    }

    #[test]
    fn the_machine_follows_from_options() {
        let found = words("cc -m32 -fwrapv -c f.c");
        assert_eq!(
            (found.compiler_options, found.wrapv),
            (vec!["-m32".to_owned(), "-fwrapv".to_owned()], true)
        );
    }

    #[test]
    fn a_database_is_read_in_both_forms() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"[
            {"directory": "/d", "file": "b.c", "command": "cc -DX=\"a b\" -c b.c"},
            {"directory": "/d", "file": "a.c", "arguments": ["cc", "-DY", "-c", "a.c"]},
            {"directory": "/d", "file": "a.c", "arguments": ["cc", "-DZ", "-c", "a.c"]},
            {"directory": "/d", "file": "x.cpp", "arguments": ["c++", "-c", "x.cpp"]}]"#;
        nub_store::commit(&nub_store::RealFs, &folder.path().join(DATABASE), text.as_bytes()).unwrap();
        let found = read_database(folder.path(), &ProgramOptions::default()).unwrap();
        let names: Vec<_> = found.iter().map(|command| command.file.to_string_lossy()).collect();
        assert_eq!(names, ["/d/a.c", "/d/b.c"]);
        assert_eq!(found[0].program.compiler_options, ["-DY"]);
        assert_eq!(found[1].program.compiler_options, ["-DX=a b"]);
        let missing = read_database(&folder.path().join("no"), &ProgramOptions::default()).unwrap_err();
        assert!(missing.hint.unwrap().contains("bear"));
    }
}
