//! `nub convert`: between BTOR, BTOR2 and SMT-LIB, and unrolling.

use crate::commands::input::read_or_stdin;
use crate::exit::{Exit, Failure};
use crate::render::from_diagnostic;
use crate::terminal::{ColorChoice, Paint, Style};
use clap::{Args, ValueEnum};
use nub_btor::{Dialect, File, Model, Reach, Refusal, print, to_smtlib, unroll};
use nub_store::{RealFs, commit};
use nub_text::{LineIndex, Severity};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A format that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Source {
    /// The format of 2008
    Btor,
    /// The format of 2018
    Btor2,
}

/// A format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Target {
    /// The format of 2008
    Btor,
    /// The format of 2018
    Btor2,
    /// SMT-LIB 2, logic QF_BV or QF_ABV
    Smt2,
}

impl Target {
    fn dialect(self) -> Option<Dialect> {
        match self {
            Target::Btor => Some(Dialect::Btor),
            Target::Btor2 => Some(Dialect::Btor2),
            Target::Smt2 => None,
        }
    }

    fn of_extension(path: &Path) -> Option<Target> {
        match path.extension()?.to_str()? {
            "btor" => Some(Target::Btor),
            "btor2" => Some(Target::Btor2),
            "smt2" => Some(Target::Smt2),
            _ => None,
        }
    }
}

/// Options of `nub convert`.
#[derive(Args, Clone, Debug)]
pub struct ConvertArgs {
    /// A BTOR or BTOR2 file; `-` is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to write; without it, or with `-`, standard output
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// The format to write; without it the extension of OUT decides
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Target>,
    /// The format of IN; without it the operators decide
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<Source>,
    /// Write steps 0 to K of a transition system as one formula: is a bad state reached?
    #[arg(long, value_name = "K")]
    pub unroll: Option<u32>,
    /// With --unroll: reached in step K, not in one before
    #[arg(long, requires = "unroll")]
    pub exactly: bool,
    /// Write the same format again, with ids from 1 without gaps and without comments
    #[arg(long)]
    pub renumber: bool,
}

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let text = read_or_stdin(&args.input)?;
    let dialect = dialect_of(args, &text)?;
    let target = target_of(args, dialect)?;
    let file = File::read(&text, dialect);
    let model = model_of(&args.input, &file)?;
    let refused = |refusal: Refusal| from_diagnostic(&args.input, &text, &refusal.diagnostic(&file));
    let model = match args.unroll {
        Some(k) => {
            let reach = if args.exactly { Reach::Exactly } else { Reach::UpTo };
            unroll(&model, k, reach).map_err(refused)?
        }
        None => model,
    };
    let printed = match target.dialect() {
        Some(dialect) => print(&nub_btor::convert(&model, dialect).map_err(refused)?, dialect),
        None => to_smtlib(&model).map_err(refused)?,
    };
    write(args.out.as_deref(), &printed)?;
    Ok(Exit::Done)
}

fn dialect_of(args: &ConvertArgs, text: &[u8]) -> Result<Dialect, Failure> {
    match args.from {
        Some(Source::Btor) => Ok(Dialect::Btor),
        Some(Source::Btor2) => Ok(Dialect::Btor2),
        None => Dialect::guess(text).ok_or_else(|| {
            let name = args.input.display();
            Failure::usage(format!("{name} is neither BTOR nor BTOR2"))
                .with_hint("a line is `ID OPERATOR ...`; --from btor or --from btor2 says which it is")
        }),
    }
}

fn target_of(args: &ConvertArgs, dialect: Dialect) -> Result<Target, Failure> {
    let same = if dialect == Dialect::Btor { Target::Btor } else { Target::Btor2 };
    let named = args.to.or_else(|| args.out.as_deref().and_then(Target::of_extension));
    let target = named.or(args.renumber.then_some(same));
    let Some(target) = target else {
        return Err(Failure::usage("which format?")
            .with_hint("--to btor, --to btor2 or --to smt2, or an OUT that ends so"));
    };
    if target != same && args.renumber {
        return Err(Failure::usage(format!("--renumber writes {} again", dialect.name()))
            .with_hint("without it the file is converted, and its ids have no gaps either"));
    }
    if target == same && !args.renumber && args.unroll.is_none() {
        return Err(Failure::usage(format!("{} is {} already", args.input.display(), dialect.name()))
            .with_hint("--renumber writes it again with ids from 1 without gaps"));
    }
    Ok(target)
}

/// What the file means. Its first error is the failure; warnings are told.
fn model_of(path: &Path, file: &File) -> Result<Model, Failure> {
    let model = Model::of(file).map_err(|faults| {
        let Some(first) = faults.first() else { return Failure::usage("the file cannot be read") };
        let mut failure = from_diagnostic(path, file.text(), &first.diagnostic);
        if faults.len() > 1 {
            failure.message.push_str(&format!(" (the first of {} errors)", file.n_faults()));
        }
        failure
    })?;
    if file.n_faults() > 0 {
        warn(path, file);
    }
    Ok(model)
}

/// The first warning of each kind.
fn warn(path: &Path, file: &File) {
    let paint = Paint::for_stderr(ColorChoice::Auto);
    let lines = LineIndex::new(file.text());
    let mut told = Vec::new();
    for fault in file.faults() {
        let diagnostic = &fault.diagnostic;
        if diagnostic.severity != Severity::Warning || told.contains(&fault.kind) {
            continue;
        }
        told.push(fault.kind);
        let place = lines.place(diagnostic.span.start as usize);
        let word = paint.on(Style::Note, "warning:");
        let message = &diagnostic.message;
        eprintln!("{word} {}:{}:{}: {message}", path.display(), place.line, place.column);
    }
}

fn write(out: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match out.filter(|path| path.as_os_str() != "-") {
        Some(path) => commit(&RealFs, path, bytes).map_err(Failure::from),
        // A broken pipe ends quietly.
        None => {
            let _ = std::io::stdout().lock().write_all(bytes);
            Ok(())
        }
    }
}
