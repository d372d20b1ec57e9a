//! Translations between BTOR, BTOR2 and SMT-LIB, and unrolling.

use crate::events::EventSink;
use crate::failure::Failure;
use crate::format::FileFormat;
use crate::handle::Job;
use crate::input::read_or_stdin;
use crate::request::ConvertJob;
use crate::result::JobResult;
use nub_btor::{BadStateStep, BtorDialect, BtorFile, BtorModel, ConversionRefusal, print, to_smtlib, unroll};
use nub_store::{RealFs, commit};
use nub_text::{LineIndex, Severity};
use std::path::Path;

/// Translates a file.
pub(crate) fn convert(job: &Job, request: &ConvertJob) -> Result<JobResult, Failure> {
    let text = read_or_stdin(&request.input, &job.context)?;
    let dialect = dialect_of(request, &text)?;
    let target = target_of(request, dialect)?;
    let file = BtorFile::read(&text, dialect);
    let model = model_of(&request.input, &file, &job.events)?;
    let refused = |refusal: ConversionRefusal| {
        Failure::from_diagnostic(&request.input, &text, &refusal.diagnostic(&file))
    };
    let model = match request.unroll {
        Some(k) => {
            let reach = if request.exactly { BadStateStep::Exactly } else { BadStateStep::UpTo };
            unroll(&model, k, reach).map_err(refused)?
        }
        None => model,
    };
    let printed = match target.dialect() {
        Some(dialect) => print(&nub_btor::convert(&model, dialect).map_err(refused)?, dialect),
        None => to_smtlib(&model).map_err(refused)?,
    };
    write(request.out.as_deref(), &printed, &job.events)?;
    Ok(JobResult::Converted)
}

fn dialect_of(request: &ConvertJob, text: &[u8]) -> Result<BtorDialect, Failure> {
    match request.from.map(FileFormat::dialect) {
        Some(Some(dialect)) => Ok(dialect),
        Some(None) => Err(Failure::usage("only BTOR and BTOR2 can be translated")
            .with_hint("specify the format with --from btor or --from btor2")),
        None => BtorDialect::guess(text).ok_or_else(|| {
            let name = request.input.display();
            Failure::usage(format!("{name} is neither BTOR nor BTOR2"))
                .with_hint("a line is `ID OPERATOR ...`; specify the format with --from btor or --from btor2")
        }),
    }
}

fn target_of(request: &ConvertJob, dialect: BtorDialect) -> Result<FileFormat, Failure> {
    let same = if dialect == BtorDialect::Btor { FileFormat::Btor } else { FileFormat::Btor2 };
    let named = request.to.or_else(|| request.out.as_deref().and_then(FileFormat::of_extension));
    let is_written = |target: &FileFormat| *target == FileFormat::Smt2 || target.dialect().is_some();
    let target = named.filter(is_written).or(request.renumber.then_some(same));
    let Some(target) = target else {
        return Err(Failure::usage("which format?")
            .with_hint("give --to btor, --to btor2 or --to smt2, or an OUT with that extension"));
    };
    if target != same && request.renumber {
        return Err(Failure::usage(format!("--renumber writes {} again", dialect.name()))
            .with_hint("omit it: a converted file has consecutive ids anyway"));
    }
    if target == same && !request.renumber && request.unroll.is_none() {
        return Err(Failure::usage(format!("{} is already {}", request.input.display(), dialect.name()))
            .with_hint("--renumber writes it again with ids from 1 without gaps"));
    }
    Ok(target)
}

/// The model of the file. Its first error is the failure; warnings are reported.
fn model_of(path: &Path, file: &BtorFile, events: &EventSink) -> Result<BtorModel, Failure> {
    let model = BtorModel::of(file).map_err(|faults| {
        let Some(first) = faults.first() else { return Failure::usage("the file cannot be read") };
        let mut failure = Failure::from_diagnostic(path, file.text(), &first.diagnostic);
        if faults.len() > 1 {
            failure.message.push_str(&format!(" (the first of {} errors)", file.n_faults()));
        }
        failure
    })?;
    if file.n_faults() > 0 {
        warn(path, file, events);
    }
    Ok(model)
}

/// The first warning of each kind.
fn warn(path: &Path, file: &BtorFile, events: &EventSink) {
    let lines = LineIndex::new(file.text());
    let mut told = Vec::new();
    for fault in file.faults() {
        let diagnostic = &fault.diagnostic;
        if diagnostic.severity != Severity::Warning || told.contains(&fault.kind) {
            continue;
        }
        told.push(fault.kind);
        let place = lines.place(diagnostic.span.start as usize);
        let message = &diagnostic.message;
        events.warn(format!("{}:{}:{}: {message}", path.display(), place.line, place.column));
    }
}

fn write(out: Option<&Path>, bytes: &[u8], events: &EventSink) -> Result<(), Failure> {
    match out.filter(|path| path.as_os_str() != "-") {
        Some(path) => {
            commit(&RealFs, path, bytes)?;
            events.file(path);
        }
        None => events.output(bytes),
    }
    Ok(())
}
