//! Translates the user's options into a source of inputs.

use crate::failure::{Failure, FailureKind};
use crate::format::FileFormat;
use crate::request::{GenerateJob, GeneratedInputs, InputOptions};
use crate::vocabulary::Vocabulary;
use nub_fuzz::{FuzzSource, FuzzedSolver, Language, SolverRole};
use nub_generate::{Files, FormulaMutator, MutateConfig, Scripts, Theories};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of files of a corpus; the rest is ignored with a note.
const MAX_SEED_FILES: usize = 20_000;
/// Maximum size of a corpus file that is mutated.
const MAX_SEED_BYTES: u64 = 1 << 20;

/// A source, the languages that it may produce, and what identifies it.
pub struct FuzzInputs {
    /// Where inputs come from.
    pub source: FuzzSource,
    /// What solvers must read.
    pub languages: Vec<Language>,
    /// Changes whenever the same seed would yield other inputs.
    pub identity: String,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The requested inputs; by default, the first language that all solvers read.
pub fn inputs(request: &InputOptions, solvers: &[FuzzedSolver]) -> Result<FuzzInputs, Failure> {
    let mut sources = Vec::new();
    let mut inputs = FuzzInputs {
        source: FuzzSource::Mix(Vec::new()),
        languages: Vec::new(),
        identity: String::new(),
        notes: Vec::new(),
    };
    for spec in &request.generate {
        let (source, language) = generated(spec)?;
        inputs.add(language, &spec.spec);
        sources.push(source);
    }
    if !request.mutate.is_empty() {
        sources.push(mutants(&request.mutate, &mut inputs)?);
    }
    if sources.is_empty() {
        let language = common_language(solvers)?;
        inputs.add(language, language.name());
        sources.push(FuzzSource::Swarm(language, Theories::all()));
    }
    inputs.source = match sources.len() {
        1 => sources.remove(0),
        _ => FuzzSource::Mix(sources),
    };
    Ok(inputs)
}

impl FuzzInputs {
    fn add(&mut self, language: Language, identity: &str) {
        if !self.languages.contains(&language) {
            self.languages.push(language);
        }
        self.identity.push_str(identity);
        self.identity.push('\n');
    }
}

fn common_language(solvers: &[FuzzedSolver]) -> Result<Language, Failure> {
    let tested: Vec<&FuzzedSolver> =
        solvers.iter().filter(|solver| solver.role == SolverRole::Tested).collect();
    let all_read = |language: &Language| tested.iter().all(|solver| solver.reads(*language));
    Language::ALL.into_iter().find(all_read).ok_or_else(|| {
        Failure::usage("the solvers have no input format in common")
            .with_hint("run one campaign for each format, or say which with --generate")
    })
}

/// The language of a format.
fn language_of(format: FileFormat) -> Option<Language> {
    match format {
        FileFormat::Smt2 => Some(Language::SmtLib),
        FileFormat::Btor => Some(Language::Btor),
        FileFormat::Btor2 => Some(Language::Btor2),
        FileFormat::Dimacs => Some(Language::Dimacs),
        FileFormat::Text | FileFormat::C => None,
    }
}

fn generated(inputs: &GeneratedInputs) -> Result<(FuzzSource, Language), Failure> {
    let spec = inputs.spec.as_str();
    if let Some(options) = &inputs.options {
        return from_options(spec, options);
    }
    let (name, theories) = spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest)));
    let language = FileFormat::by_word(name).and_then(language_of).ok_or_else(|| {
        Failure::usage(format!("--generate {spec}: there is no format {name}"))
            .with_hint("smt2, btor, btor2, dimacs, smt2:bv,arrays, or options of `nub generate`")
    })?;
    let theories = match theories {
        Some(names) if language == Language::SmtLib => names
            .parse::<Theories>()
            .map_err(|error| Failure::usage(format!("--generate {spec}: {error}")))?,
        Some(_) => return Err(Failure::usage(format!("--generate {spec}: only SMT-LIB has theories"))),
        None => Theories::all(),
    };
    Ok((FuzzSource::Swarm(language, theories), language))
}

/// The options of a generator.
fn from_options(spec: &str, options: &GenerateJob) -> Result<(FuzzSource, Language), Failure> {
    let bad = |error: nub_generate::ConfigError| Failure::usage(format!("--generate '{spec}': {error}"));
    if let Some(config) = options.script_config()? {
        let scripts = Scripts::new(config).map_err(bad)?;
        return Ok((FuzzSource::Scripts(Arc::new(scripts)), Language::SmtLib));
    }
    let format = options.format()?;
    let files = Files::new(options.config()?, format).map_err(bad)?;
    let language = language_of(options.to)
        .ok_or_else(|| Failure::new(FailureKind::Internal, "a format without a language"))?;
    Ok((FuzzSource::Files(Box::new(files), format), language))
}

fn mutants(folders: &[PathBuf], inputs: &mut FuzzInputs) -> Result<FuzzSource, Failure> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(folder, &mut paths)?;
    }
    paths.sort();
    if paths.len() > MAX_SEED_FILES {
        inputs.notes.push(format!("of {} files the first {MAX_SEED_FILES} are used", paths.len()));
        paths.truncate(MAX_SEED_FILES);
    }
    let mut hasher = blake3::Hasher::new();
    let mut files = Vec::new();
    for path in &paths {
        let is_small = path.metadata().is_ok_and(|info| info.len() <= MAX_SEED_BYTES);
        let Some(text) = is_small.then(|| std::fs::read(path).ok()).flatten() else { continue };
        hasher.update(&text).update(&[0]);
        files.push(text);
    }
    let n_files = files.len();
    let (mutator, skipped) = FormulaMutator::new(files, MutateConfig::default());
    if mutator.is_empty() {
        let reason =
            skipped.first().map_or("there are no files".to_owned(), |skipped| skipped.reason.to_string());
        return Err(Failure::usage(format!("--mutate: nothing can be mutated: {reason}"))
            .with_hint("files of SMT-LIB, BTOR, BTOR2 or DIMACS, at most 1 MB each"));
    }
    inputs.notes.push(format!("{} of {n_files} files can be mutated", n_files - skipped.len()));
    for format in mutator.formats() {
        let language = Language::by_name(format.name())
            .ok_or_else(|| Failure::new(FailureKind::Internal, "a format without a language"))?;
        inputs.add(language, "mutants");
    }
    inputs.identity.push_str(&hasher.finalize().to_hex());
    Ok(FuzzSource::Mutants(Arc::new(mutator)))
}

/// All files below a folder, without hidden ones; links are not followed.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let cannot = |path: &Path, error: std::io::Error| {
        Failure::usage(format!("--mutate: cannot read {}: {error}", path.display()))
    };
    let mut todo = vec![folder.to_owned()];
    while let Some(path) = todo.pop() {
        let kind = path.symlink_metadata().map_err(|error| cannot(&path, error))?;
        if kind.is_file() {
            paths.push(path);
            continue;
        }
        let entries = path.read_dir().map_err(|error| cannot(&path, error))?;
        for entry in entries.flatten() {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let is_plain = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
            if !is_hidden && is_plain {
                todo.push(entry.path());
            }
        }
    }
    Ok(())
}
