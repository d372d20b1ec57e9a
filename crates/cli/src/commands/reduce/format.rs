//! Which format the input has, and the search that fits it.

use super::args::{FormatName, ReduceArgs, SearchArgs, StrategyName};
use crate::commands::rules::load;
use crate::exit::Failure;
use crate::render::from_diagnostic;
use nub_btor::{Dialect, File};
use nub_edits::Pass;
use nub_edits::dag::Dag;
use nub_edits::smtlib::View;
use nub_oracle::Pattern;
use nub_reduce::btor::Btor;
use nub_reduce::dimacs::Dimacs;
use nub_reduce::plain::Plain;
use nub_reduce::search::{Search, With};
use nub_reduce::smt::SmtLib;
use nub_reduce::strategies::auto::{Layout, auto_with};
use nub_reduce::strategies::dag::{Algorithm, Simplify, combine, run};
use nub_reduce::strategies::{
    Recursion, auto_btor, auto_dimacs, auto_plain, ddmin_clauses, ddmin_lines, ddsmt, mutate, rules, sound,
};
use nub_reduce::{Engine, Format, Keep, Stop};
use nub_text::{Diagnostic, Severity};
use std::path::Path;

/// The format as asked for, or as the content looks; refuses what the strategy does not fit and, unless `--any` says
/// that this is the bug, ill-formed input.
pub fn choose(args: &ReduceArgs, input: &Path, original: &[u8]) -> Result<FormatName, Failure> {
    let format = match args.search.format {
        FormatName::Auto => guess(input, original),
        format => format,
    };
    check_strategy(&args.search, format)?;
    if !args.search.any
        && let Some(first) = first_fault(format, original)
    {
        return Err(ill_formed(input, original, &first));
    }
    Ok(format)
}

/// By content; a name that ends in `.smt2` decides for what looks like nothing.
fn guess(path: &Path, original: &[u8]) -> FormatName {
    let is_smtlib = path.extension().is_some_and(|extension| extension == "smt2");
    let first = original.iter().find(|byte| !byte.is_ascii_whitespace());
    match Dialect::guess(original) {
        _ if first == Some(&b'(') => FormatName::Smtlib,
        Some(Dialect::Btor) => FormatName::Btor,
        Some(Dialect::Btor2) => FormatName::Btor2,
        None if nub_dimacs::guess(original).is_some() => FormatName::Dimacs,
        None if is_smtlib || is_commented_list(original) => FormatName::Smtlib,
        None => FormatName::Text,
    }
}

/// A bracket comes first, after lines that are comments in SMT-LIB.
fn is_commented_list(original: &[u8]) -> bool {
    let mut lines = original.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b";")).is_some_and(|line| line.starts_with(b"("))
}

/// What no program can have meant. A BTOR file with wrong widths or a minus before an array may be the very bug, and so may a wrong
/// header of DIMACS: there only what has no lines and no clauses is refused.
fn first_fault(format: FormatName, original: &[u8]) -> Option<Diagnostic> {
    match format {
        FormatName::Smtlib => nub_smtlib::Tree::parse(original).1.into_iter().next(),
        FormatName::Btor | FormatName::Btor2 => {
            let file = File::read(original, dialect(format));
            let is_error = |fault: &&nub_btor::Fault| fault.diagnostic.severity == Severity::Error;
            let known = file.lines().iter().any(|line| line.tag.is_some());
            file.faults().iter().find(is_error).filter(|_| !known).map(|fault| fault.diagnostic.clone())
        }
        FormatName::Dimacs => {
            let file = nub_dimacs::File::read(original.to_vec(), dimacs_kind(original));
            let fault = file.faults().iter().find(|fault| fault.kind.is_error() && file.clauses().is_empty());
            fault.map(|fault| fault.to_diagnostic())
        }
        FormatName::Text | FormatName::Auto => None,
    }
}

fn dialect(format: FormatName) -> Dialect {
    if format == FormatName::Btor2 { Dialect::Btor2 } else { Dialect::Btor }
}

fn dimacs_kind(original: &[u8]) -> nub_dimacs::Kind {
    nub_dimacs::guess(original).unwrap_or(nub_dimacs::Kind::Cnf)
}

/// Ill-formed input is most often a mistake; `--any` says that it is the bug.
fn ill_formed(input: &Path, original: &[u8], fault: &Diagnostic) -> Failure {
    let mut failure = from_diagnostic(input, original, fault);
    let any = "if the failure is about ill-formed input, add --any";
    failure.hint = Some(match failure.hint {
        Some(hint) => format!("{hint}; {any}"),
        None => any.to_owned(),
    });
    failure
}

pub fn check_strategy(search: &SearchArgs, format: FormatName) -> Result<(), Failure> {
    let strategies = search.strategies();
    if search.recursive && !strategies.contains(&StrategyName::Sound) && !search.is_comparison() {
        return Err(Failure::usage("--recursive is a variant of --strategy sound"));
    }
    let has_graphs = strategies.iter().any(|name| name.algorithm().is_some());
    if search.simplifies() && !has_graphs && !search.is_comparison() {
        return Err(Failure::usage("--simplify is a variant of the algorithms on graphs")
            .with_hint("add --strategy hdd*, or another one of them"));
    }
    check_rules(search, &strategies)?;
    let is_smtlib = |name: &&StrategyName| {
        matches!(name, StrategyName::Ddsmt | StrategyName::Sound | StrategyName::Rules)
    };
    if let Some(name) = strategies.iter().find(is_smtlib)
        && format != FormatName::Smtlib
    {
        return Err(Failure::usage(format!("--strategy {} works on SMT-LIB alone", name.word())));
    }
    let is_list = matches!(format, FormatName::Dimacs | FormatName::Text);
    let fits_list = |name: &StrategyName| matches!(name, StrategyName::Auto | StrategyName::Ddmin);
    if is_list && !strategies.iter().all(fits_list) {
        return Err(Failure::usage("this strategy needs a graph: BTOR, BTOR2 or SMT-LIB")
            .with_hint("lists of lines and clauses have --strategy ddmin and auto"));
    }
    if search.rules.is_some() && format != FormatName::Smtlib {
        return Err(Failure::usage("--rules works on SMT-LIB alone"));
    }
    Ok(())
}

/// A file of rules is used, and what wants rules has a file.
fn check_rules(search: &SearchArgs, strategies: &[StrategyName]) -> Result<(), Failure> {
    let wants = strategies.contains(&StrategyName::Rules);
    let uses = wants || strategies.contains(&StrategyName::Auto);
    match (&search.rules, wants, uses) {
        (None, true, _) => Err(Failure::usage("--strategy rules needs a file of rules")
            .with_hint("add --rules FILE; docs/rules.md has the language")),
        (Some(_), _, false) => Err(Failure::usage("none of these strategies uses --rules")
            .with_hint("strategies with rules are rules and auto, also within --combine")),
        _ => Ok(()),
    }
}

/// The algorithms on graphs that are asked for, if nothing else is.
fn algorithms(search: &SearchArgs) -> Vec<Algorithm> {
    let all: Option<Vec<Algorithm>> = search.strategies().iter().map(|name| name.algorithm()).collect();
    all.unwrap_or_default()
}

/// What is to be said of the rules that were read, and whether it is worth a note.
pub type Remarks = Vec<(String, bool)>;

/// The search for a format; `keep` protects commands, lines or clauses.
pub fn search(
    args: &ReduceArgs,
    format: FormatName,
    original: &[u8],
    keep: Vec<Pattern>,
) -> Result<(Box<dyn Search>, Remarks), Failure> {
    let Some(path) = &args.search.rules else {
        return Ok((with_algorithms(args, format, original, keep, algorithms(&args.search)), Remarks::new()));
    };
    let loaded = load(path, args.search.sound_only)?;
    let format = SmtLib::new(original, args.search.allows_anything()).keeping(kept(keep));
    Ok((chained(args, format, loaded.passes), loaded.remarks))
}

fn kept(keep: Vec<Pattern>) -> Keep {
    let mut kept = Keep::nothing();
    keep.into_iter().for_each(|pattern| kept.add(move |text| pattern.is_in(text)));
    kept
}

fn with_algorithms(
    args: &ReduceArgs,
    format: FormatName,
    original: &[u8],
    keep: Vec<Pattern>,
    algorithms: Vec<Algorithm>,
) -> Box<dyn Search> {
    let any = args.search.allows_anything();
    let keep = kept(keep);
    let is_mixed = algorithms.is_empty() && args.search.combine.len() > 1;
    match format {
        FormatName::Btor | FormatName::Btor2 => {
            let format = Btor::new(original, dialect(format), any).keeping(keep);
            match algorithms[..] {
                [] if is_mixed => mixed(&args.search, format, auto_btor),
                [] => Box::new(With { format, strategy: auto_btor }),
                _ => on_graph(&args.search, format, algorithms),
            }
        }
        FormatName::Dimacs => {
            let format = Dimacs::new(original, dimacs_kind(original), any).keeping(keep);
            match algorithms[..] {
                [] if is_mixed => in_turn(&args.search, format, ddmin_clauses, auto_dimacs),
                [] => Box::new(With { format, strategy: auto_dimacs }),
                _ => Box::new(With { format, strategy: ddmin_clauses }),
            }
        }
        FormatName::Text => {
            let format = Plain::new().keeping(keep);
            match algorithms[..] {
                [] if is_mixed => in_turn(&args.search, format, ddmin_lines, auto_plain),
                [] => Box::new(With { format, strategy: auto_plain }),
                _ => Box::new(With { format, strategy: ddmin_lines }),
            }
        }
        FormatName::Smtlib | FormatName::Auto => {
            let format = SmtLib::new(original, any).keeping(keep);
            match algorithms[..] {
                [] => chained(args, format, Vec::new()),
                _ => on_graph(&args.search, format, algorithms),
            }
        }
    }
}

/// One algorithm once, or several while they pay.
fn on_graph<F>(search: &SearchArgs, format: F, algorithms: Vec<Algorithm>) -> Box<dyn Search>
where
    F: Format + 'static,
    F::View: Dag,
{
    let simplify = simplify(search);
    match (&search.combine[..], &algorithms[..]) {
        ([], &[algorithm]) => {
            let strategy = move |engine: &mut Engine<'_, F>| run(engine, algorithm, simplify);
            Box::new(With { format, strategy })
        }
        _ => {
            let strategy = move |engine: &mut Engine<'_, F>| combine(engine, &algorithms, simplify);
            Box::new(With { format, strategy })
        }
    }
}

/// Algorithms on graphs and `auto`, in turn.
fn mixed<F>(
    search: &SearchArgs,
    format: F,
    auto: impl Fn(&mut Engine<'_, F>) -> Result<(), Stop> + Sync + 'static,
) -> Box<dyn Search>
where
    F: Format + 'static,
    F::View: Dag,
{
    let (names, simplify) = (search.strategies(), simplify(search));
    let strategy = move |engine: &mut Engine<'_, F>| {
        names.iter().try_for_each(|name| match name.algorithm() {
            Some(algorithm) => combine(engine, &[algorithm], simplify),
            None => auto(engine),
        })
    };
    Box::new(With { format, strategy })
}

/// `ddmin` on a list and `auto`, in turn.
fn in_turn<F: Format + 'static>(
    search: &SearchArgs,
    format: F,
    ddmin: impl Fn(&mut Engine<'_, F>) -> Result<(), Stop> + Sync + 'static,
    auto: impl Fn(&mut Engine<'_, F>) -> Result<(), Stop> + Sync + 'static,
) -> Box<dyn Search> {
    let names = search.strategies();
    let strategy = move |engine: &mut Engine<'_, F>| {
        names.iter().try_for_each(|name| match name {
            StrategyName::Auto => auto(engine),
            _ => ddmin(engine),
        })
    };
    Box::new(With { format, strategy })
}

fn simplify(search: &SearchArgs) -> Simplify {
    if search.simplifies() { Simplify::On } else { Simplify::Off }
}

/// Any strategies on SMT-LIB, in turn; `nub ddsmt` has its own.
fn chained(args: &ReduceArgs, format: SmtLib, passes: Vec<Box<dyn Pass<View>>>) -> Box<dyn Search> {
    if let Some(mutators) = args.search.mutators.clone() {
        return Box::new(With {
            format,
            strategy: move |engine: &mut Engine<'_, SmtLib>| mutate(engine, &mutators),
        });
    }
    let layout = if args.output.pretty { Layout::Pretty } else { Layout::Compact };
    let recursion = match args.search.recursive {
        true => Recursion::Recursive { max_states: args.search.max_states as usize },
        false => Recursion::Iterative,
    };
    let (names, simplify) = (args.search.strategies(), simplify(&args.search));
    let strategy = move |engine: &mut Engine<'_, SmtLib>| {
        names.iter().try_for_each(|name| match (name, name.algorithm()) {
            (_, Some(algorithm)) => combine(engine, &[algorithm], simplify),
            (StrategyName::Ddsmt, _) => ddsmt(engine),
            (StrategyName::Sound, _) => sound(engine, recursion),
            (StrategyName::Rules, _) => rules(engine, &passes),
            _ => auto_with(engine, layout, &passes),
        })
    };
    Box::new(With { format, strategy })
}
