//! Loads a program: parses and type-checks it, and finds its functions by name.

use super::preprocess::{Preprocessed, text_of};
use crate::events::EventSink;
use crate::explain::values;
use crate::failure::{Failure, snippet};
use crate::handle::Job;
use crate::request::ProgramOptions;
use crate::sanitize::sanitize;
use crate::similar_names::{MAX_NAMES, did_you_mean, nearest_names};
use nub_c_ir::{Body, DataModel, FileId, FunctionId, Position, Program, SignedOverflow, lower};
use nub_c_syntax::{TranslationUnit, WrittenSource, near_functions, parse};
use nub_explain::extra_check;
use nub_report::FilePlace;
use nub_text::{Diagnostic, Severity, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// How many warnings are shown.
const MAX_WARNINGS: usize = 5;

/// Bytes of function bodies that are compiled to confirm tests. gcc takes about half a second for them under sanitizers.
const MAX_COMPILED: usize = 1 << 17;

/// A program with its preprocessed text.
pub struct LoadedProgram {
    /// The program.
    pub program: Program,
    /// The text that its source positions refer to.
    pub text: Vec<u8>,
    /// The user's text, if `text` was made from it without a compiler.
    pub original: Option<Vec<u8>>,
    /// The file name of text without line markers.
    name: String,
    unit: TranslationUnit,
}

impl LoadedProgram {
    /// Parses and type-checks the file. A syntax error is a failure; an unsupported construct is one only for the functions
    /// that use it.
    pub fn read(job: &Job, path: &Path, options: &ProgramOptions) -> Result<LoadedProgram, Failure> {
        LoadedProgram::of_text(job, path, options, text_of(path, options, &job.context)?)
    }

    /// Type-checks preprocessed text; `path` is its original file.
    pub fn of_text(
        job: &Job,
        path: &Path,
        options: &ProgramOptions,
        Preprocessed { text, original }: Preprocessed,
    ) -> Result<LoadedProgram, Failure> {
        let model = model_of(options, &job.events)?;
        let (unit, found) = parse(&text);
        let name = sanitize(path.as_os_str().as_encoded_bytes());
        let mut loaded = LoadedProgram { program: empty(&model), text, original, name, unit };
        loaded.check(&found, &job.events)?;
        let (program, found) = lower(&loaded.unit, &model);
        loaded.program = program;
        loaded.program.written = loaded.written().map(Arc::new);
        // Errors of single functions are stored in the functions.
        let warnings: Vec<Diagnostic> =
            found.into_iter().filter(|found| found.severity != Severity::Error).collect();
        loaded.check(&warnings, &job.events)?;
        Ok(loaded)
    }

    /// Files of the program that are none of the system's, without those that are known.
    fn own_headers<'p>(&'p self, known: &'p BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = &'p String> {
        let ids = (0..).map(FileId).take(self.program.files.len());
        let own = ids.filter(|file| !self.program.is_of_system(Position { file: *file, line: 0, column: 0 }));
        own.map(|file| &self.program.files[file.index()]).filter(|name| !known.contains_key(*name))
    }

    /// The user's files that contain its functions. If they cannot be read, preprocessed text is quoted.
    fn written(&self) -> Option<WrittenSource> {
        let mut files = BTreeMap::new();
        for function in self.program.functions.iter().filter(|function| !function.is_model) {
            let has_body = !matches!(function.body, Body::Missing);
            let name = self.program.files.get(function.position.file.index()).filter(|_| has_body);
            if let Some(name) = name.filter(|name| !files.contains_key(*name)) {
                let text = match &self.original {
                    Some(original) if name.is_empty() => Some(original.clone()),
                    _ => std::fs::read(name).ok(),
                };
                files.insert(name.clone(), text.unwrap_or_default());
            }
        }
        let headers: Vec<Vec<u8>> =
            self.own_headers(&files).filter_map(|name| std::fs::read(name).ok()).collect();
        (!files.is_empty()).then(|| WrittenSource::new(self.unit.source_map.clone(), files, &headers))
    }

    /// The program with definitions from other files appended; `None` if they do not fit.
    pub fn with_linked(&self, linked: &str) -> Option<LoadedProgram> {
        let text = [self.text.as_slice(), b"\n", linked.as_bytes()].concat();
        let (unit, found) = parse(&text);
        let is_error = |found: &Diagnostic| found.severity == Severity::Error;
        if found.iter().any(is_error) {
            return None;
        }
        let (program, found) = lower(&unit, &self.program.model);
        // Two declarations of one name that do not agree are a warning.
        if found.iter().any(|found| found.span.start as usize >= self.text.len()) {
            return None;
        }
        let mut loaded = LoadedProgram { program, text, original: None, name: self.name.clone(), unit };
        loaded.program.written = loaded.written().map(Arc::new);
        loaded.program.linked = Some(Arc::from(linked));
        for global in &mut loaded.program.globals {
            let is_elsewhere = global.span.start as usize >= self.text.len();
            global.is_of_partial_file = is_elsewhere && global.is_internal && global.owner.is_none();
        }
        Some(loaded)
    }

    /// Functions that other files can call, with bodies in the file itself, because headers may be included elsewhere
    /// too.
    pub fn external_functions(&self) -> Vec<String> {
        let is_external = |definition: &nub_c_syntax::ast::FunctionDefinition| {
            let specifiers = self.unit.specifiers(definition.specifiers);
            specifiers.storage != Some(nub_c_syntax::ast::Storage::Static) && !specifiers.is_inline
        };
        let own: BTreeSet<&str> =
            self.own_functions().into_iter().map(|id| self.program.function(id).name.as_str()).collect();
        let found = self.unit.functions().filter(|(_, definition)| is_external(definition));
        let names = found.filter_map(|(_, found)| Some(self.unit.name(found.declarator.name?.name)));
        names.filter(|name| own.contains(name)).map(str::to_owned).collect()
    }

    /// The text for the compiler, without the bodies of functions that are far away from the names in `tests`; as the user wrote it if it is
    /// small. `None` if it is not UTF-8.
    pub fn text_near(&self, tests: &str) -> Option<Cow<'_, str>> {
        if let Some(original) = &self.original {
            return std::str::from_utf8(original).ok().map(Cow::Borrowed);
        }
        match near_functions(&self.unit, tests.as_bytes(), MAX_COMPILED) {
            Some(text) => String::from_utf8(text).ok().map(Cow::Owned),
            None => std::str::from_utf8(&self.text).ok().map(Cow::Borrowed),
        }
    }

    /// Replaces the text and the program.
    pub fn replace(&mut self, text: Vec<u8>, program: Program) {
        self.unit = parse(&text).0;
        (self.text, self.program) = (text, program);
    }

    /// The source to quote from; `file` is the name of text without line markers.
    pub fn source<'l>(&'l self, file: &'l str) -> nub_explain::ProgramSource<'l> {
        nub_explain::ProgramSource { program: &self.program, text: &self.text, file }
    }

    /// Reports warnings; returns the first error.
    fn check(&self, found: &[Diagnostic], events: &EventSink) -> Result<(), Failure> {
        let errors: Vec<Diagnostic> =
            found.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
        if !errors.is_empty() {
            return Err(self.failure(&errors));
        }
        for warning in found.iter().take(MAX_WARNINGS) {
            let place = self.place(warning);
            events.warn(format!("{}:{}:{}: {}", place.path, place.line, place.column, warning.message));
        }
        Ok(())
    }

    /// The first diagnostic, with its place in the user's files and the number of further ones.
    pub fn failure(&self, found: &[Diagnostic]) -> Failure {
        let Some(first) = found.first() else { return Failure::usage("not supported") };
        let more = match found.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let mut failure = Failure::usage(format!("{}{more}", first.message));
        failure.hint.clone_from(&first.hint);
        let place = self.place(first);
        let start = (first.span.start as usize).min(self.text.len());
        failure.snippet = Some(snippet(&self.text, start, first.span.len(), place.line as usize));
        failure.place = Some(place);
        failure
    }

    /// The position of a diagnostic in the user's files.
    pub(crate) fn place(&self, found: &Diagnostic) -> FilePlace {
        let place = self.unit.source_map.place(found.span.start);
        let path = if place.file.is_empty() { self.name.clone() } else { sanitize(place.file.as_bytes()) };
        FilePlace { path, line: u64::from(place.line), column: u64::from(place.column) }
    }

    /// The function with this name, or the only function. A signature such as `f(int, int)` names `f`: C has no two functions of one name.
    pub fn function(&self, name: Option<&str>) -> Result<FunctionId, Failure> {
        let own: Vec<FunctionId> = self.own_functions();
        match name.map(|name| name.split('(').next().unwrap_or(name).trim()) {
            Some(name) => self.program.function_by_name(name).ok_or_else(|| self.unknown(name, &own)),
            None => match own.as_slice() {
                [only] => Ok(*only),
                [] => Err(Failure::usage(format!("{} has no function with a body", self.name))
                    .with_hint("name a C file that defines the function; headers usually only declare it")),
                _ => Err(Failure::usage("the file has several functions")
                    .with_hint(format!("choose one with -f NAME: {}", self.choices(&own)))),
            },
        }
    }

    /// Functions with a body; those of the file itself, not of its headers, if there are any.
    pub fn own_functions(&self) -> Vec<FunctionId> {
        let all = self.program.functions.iter().enumerate();
        let with_body =
            all.filter(|(_, function)| !matches!(function.body, Body::Missing) && !function.is_model);
        let (main, other): (Vec<_>, Vec<_>) =
            with_body.partition(|(_, function)| function.position.file == FileId(0));
        let chosen = if main.is_empty() { other } else { main };
        chosen.into_iter().map(|(index, _)| FunctionId(index as u32)).collect()
    }

    /// The functions of a file of a project: its own ones. A file without any may include some: those of a file other than a header, or of one that
    /// defines a function which other files can call, since only one file can include that. The functions of other headers belong to no file.
    pub fn unit_functions(&self) -> Vec<FunctionId> {
        let external = self.external_functions();
        let own = self.own_functions();
        let file = |id: &FunctionId| self.program.function(*id).position.file;
        let is_external = |id: &&FunctionId| external.contains(&self.program.function(**id).name);
        let once: BTreeSet<FileId> = own.iter().filter(is_external).map(file).collect();
        let is_header = |file: FileId| self.program.files[file.index()].ends_with(".h");
        own.into_iter().filter(|id| once.contains(&file(id)) || !is_header(file(id))).collect()
    }

    /// The lines of a function that is defined here, in the user's file.
    pub fn lines_of(&self, id: FunctionId) -> Option<RangeInclusive<u32>> {
        let name = self.program.function(id).span;
        let is_it = |span: Span| span.start <= name.start && name.end <= span.end;
        let (_, definition) = self.unit.functions().find(|(_, definition)| is_it(definition.span))?;
        let place = |at: u32| self.unit.source_map.place(at).line;
        Some(place(definition.span.start)..=place(definition.span.end))
    }

    fn unknown(&self, name: &str, own: &[FunctionId]) -> Failure {
        let failure = Failure::usage(format!("there is no function `{name}`"));
        if own.is_empty() {
            failure
        } else {
            failure
                .with_hint(did_you_mean(own.iter().map(|id| self.program.function(*id).name.as_str()), name))
        }
    }

    /// Functions to choose from, in a hint.
    fn choices(&self, own: &[FunctionId]) -> String {
        let names = own.iter().map(|id| self.program.function(*id).name.as_str());
        let more = if own.len() > MAX_NAMES { ", ..." } else { "" };
        nearest_names(names, "").join(", ") + more
    }
}

/// The requested data model, adjusted by compiler options.
fn model_of(options: &ProgramOptions, events: &EventSink) -> Result<DataModel, Failure> {
    let signed_overflow = if options.wrapv { SignedOverflow::Wraps } else { SignedOverflow::Undefined };
    let kinds = values::all("--check", &options.checks, values::kind)?;
    let extra_checks = kinds.into_iter().filter_map(extra_check).collect();
    let model = DataModel { signed_overflow, extra_checks, ..data_model(options.model(), events)? };
    let last = options.compiler_options.iter().rev().find_map(|option| match option.as_str() {
        "-funsigned-char" | "-fno-signed-char" => Some(false),
        "-fsigned-char" | "-fno-unsigned-char" => Some(true),
        _ => None,
    });
    Ok(DataModel { char_is_signed: last.unwrap_or(model.char_is_signed), ..model })
}

fn data_model(name: &str, events: &EventSink) -> Result<DataModel, Failure> {
    if let Some(model) = DataModel::by_name(name) {
        return Ok(model);
    }
    let text = std::fs::read_to_string(name).map_err(|error| {
        let message = format!("there is no data model `{name}`, nor a file of that name: {error}");
        Failure::usage(message).with_hint(
            "lp64, ilp32, int16, lp64be, ilp32be, or a file with lines such as `int_bitlength: 16`",
        )
    })?;
    let (model, found) = DataModel::parse(&text);
    if let Some(error) = found.iter().find(|found| found.severity == Severity::Error) {
        return Err(Failure::from_diagnostic(Path::new(name), text.as_bytes(), error));
    }
    for warning in model.oddities().iter().chain(&found) {
        events.warn(format!("{name}: {}", warning.message));
    }
    Ok(model)
}

fn empty(model: &DataModel) -> Program {
    lower(&parse(b"").0, model).0
}
