//! Which format the input has, and the search that fits it.

use crate::failure::Failure;
use crate::format::FileFormat;
use crate::handle::Job;
use crate::request::{
    DdsmtMutators, DdsmtScheme, ReduceJob, ScriptLayout, SearchOptions, StrategyName, VariableOrder,
};
use crate::rules::{UsedRules, load, read_rules};
use crate::vocabulary::Vocabulary;
use nub_btor::{BtorDialect, BtorFile};
use nub_edits::Pass;
use nub_edits::dag::Dag;
use nub_edits::smtlib::SmtView;
use nub_edits::smtlib::mutators::Direction;
use nub_oracle::Pattern;
use nub_reduce::btor::Btor;
use nub_reduce::dimacs::Dimacs;
use nub_reduce::plain::Plain;
use nub_reduce::search::{Search, With};
use nub_reduce::smt::SmtLib;
use nub_reduce::strategies::auto::{ResultLayout, auto_with};
use nub_reduce::strategies::dag::{Algorithm, Simplify, combine, run};
use nub_reduce::strategies::{
    MutatorSelection, Mutators, Recursion, Scheme, auto_btor, auto_dimacs, auto_plain, ddmin_clauses,
    ddmin_lines, ddsmt, mutate, rules, sound, stage,
};
use nub_reduce::{Engine, Keep, ReductionStop, SubjectFormat};
use nub_report::NoteEvent;
use nub_text::{Diagnostic, Severity};
use std::path::Path;

/// The requested or detected format; refuses strategies that do not fit it and, without `--any`, ill-formed input.
pub fn choose(request: &ReduceJob, input: &Path, original: &[u8]) -> Result<FileFormat, Failure> {
    let format = read_as(request, input, original)?;
    check_strategy(&request.search, format)?;
    Ok(format)
}

/// Only the format; refuses ill-formed input.
pub fn read_as(request: &ReduceJob, input: &Path, original: &[u8]) -> Result<FileFormat, Failure> {
    let format = request.search.format.unwrap_or_else(|| FileFormat::detect(input, original));
    if !request.search.any
        && let Some(first) = first_fault(format, original)
    {
        return Err(ill_formed(input, original, &first));
    }
    Ok(format)
}

/// The first fault that cannot be intended. In a BTOR file, wrong widths or a minus before an array may be the bug itself, and so
/// may a wrong DIMACS header: of these formats only files without lines or clauses are refused.
fn first_fault(format: FileFormat, original: &[u8]) -> Option<Diagnostic> {
    match format {
        FileFormat::Smt2 => nub_smtlib::Tree::first_fault(original),
        FileFormat::Btor | FileFormat::Btor2 => {
            let file = BtorFile::read(original, dialect(format));
            let is_error = |fault: &&nub_btor::BtorFault| fault.diagnostic.severity == Severity::Error;
            let known = file.lines().iter().any(|line| line.tag.is_some());
            file.faults().iter().find(is_error).filter(|_| !known).map(|fault| fault.diagnostic.clone())
        }
        FileFormat::Dimacs => {
            let file = nub_dimacs::DimacsFile::read(original.to_vec(), dimacs_kind(original));
            let fault = file.faults().iter().find(|fault| fault.kind.is_error() && file.clauses().is_empty());
            fault.map(|fault| fault.to_diagnostic())
        }
        FileFormat::Text | FileFormat::C => None,
    }
}

fn dialect(format: FileFormat) -> BtorDialect {
    if format == FileFormat::Btor2 { BtorDialect::Btor2 } else { BtorDialect::Btor }
}

fn dimacs_kind(original: &[u8]) -> nub_dimacs::DimacsKind {
    nub_dimacs::guess(original).unwrap_or(nub_dimacs::DimacsKind::Cnf)
}

/// Ill-formed input is most often a mistake; `--any` says that it is the bug.
fn ill_formed(input: &Path, original: &[u8], fault: &Diagnostic) -> Failure {
    let mut failure = Failure::from_diagnostic(input, original, fault);
    let any = "if the failure is about ill-formed input, add --any";
    failure.hint = Some(match failure.hint {
        Some(hint) => format!("{hint}; {any}"),
        None => any.to_owned(),
    });
    failure
}

/// Refuses strategies that do not fit the format.
pub fn check_strategy(search: &SearchOptions, format: FileFormat) -> Result<(), Failure> {
    let strategies = search.strategies();
    if search.recursive && !strategies.contains(&StrategyName::Sound) {
        return Err(Failure::usage("--recursive is a variant of --strategy sound"));
    }
    let has_graphs = strategies.iter().any(|name| name.algorithm().is_some());
    if search.simplifies() && !has_graphs {
        return Err(Failure::usage("--simplify is a variant of the algorithms on graphs")
            .with_hint("add --strategy hdd*, or another graph algorithm"));
    }
    check_rules(search, &strategies)?;
    let is_smtlib = |name: &&StrategyName| {
        matches!(name, StrategyName::Ddsmt | StrategyName::Sound | StrategyName::Rules)
    };
    if let Some(name) = strategies.iter().find(is_smtlib)
        && format != FileFormat::Smt2
    {
        return Err(Failure::usage(format!("--strategy {} works only on SMT-LIB", name.word())));
    }
    let is_list = is_list(format);
    let fits_list = |name: &StrategyName| matches!(name, StrategyName::Auto | StrategyName::Ddmin);
    if is_list && !strategies.iter().all(fits_list) {
        return Err(Failure::usage("this strategy needs a graph: BTOR, BTOR2 or SMT-LIB")
            .with_hint("lists of lines and clauses have --strategy ddmin and auto"));
    }
    if search.rules.is_some() && format != FileFormat::Smt2 {
        return Err(Failure::usage("--rules works only on SMT-LIB"));
    }
    Ok(())
}

/// Checks that a file of rules is used, and that strategies that need rules have one.
fn check_rules(search: &SearchOptions, strategies: &[StrategyName]) -> Result<(), Failure> {
    let wants = strategies.contains(&StrategyName::Rules);
    let uses = wants || strategies.contains(&StrategyName::Auto);
    match (&search.rules, wants, uses) {
        (None, true, _) => Err(Failure::usage("--strategy rules needs a file of rules")
            .with_hint("add --rules FILE; docs/rules.md describes the language")),
        (Some(_), _, false) => Err(Failure::usage("none of these strategies uses --rules")
            .with_hint("strategies with rules are rules and auto, also within --combine")),
        _ => Ok(()),
    }
}

/// The requested algorithms on graphs, if nothing else is requested.
fn algorithms(search: &SearchOptions) -> Vec<Algorithm> {
    let all: Option<Vec<Algorithm>> = search.strategies().iter().map(|name| name.algorithm()).collect();
    all.unwrap_or_default()
}

/// A search, and notes about the rules that it uses.
pub struct Chosen {
    /// The search.
    pub search: Box<dyn Search>,
    /// Notes and details.
    pub remarks: Vec<NoteEvent>,
}

/// Lists have no graph.
pub fn is_list(format: FileFormat) -> bool {
    matches!(format, FileFormat::Dimacs | FileFormat::Text | FileFormat::C)
}

/// Whether the format has comments, for the one that says how to reproduce.
pub fn has_comments(format: FileFormat) -> bool {
    !matches!(format, FileFormat::Text | FileFormat::C)
}

/// How a script is printed.
pub fn layout(layout: ScriptLayout) -> nub_smtlib::PrintLayout {
    match layout {
        ScriptLayout::Lines => nub_smtlib::PrintLayout::Lines,
        ScriptLayout::Wrapped => nub_smtlib::PrintLayout::Wrapped,
        ScriptLayout::Pretty => nub_smtlib::PrintLayout::Pretty,
    }
}

/// The passes for the mutators of ddSMT.
fn mutators(chosen: &DdsmtMutators) -> Mutators {
    let direction = chosen.order.map(|order| match order {
        VariableOrder::Increasing => Direction::Inc,
        VariableOrder::Decreasing => Direction::Dec,
    });
    let scheme = match chosen.scheme {
        DdsmtScheme::Ddmin => Scheme::Ddmin,
        DdsmtScheme::Hierarchical => Scheme::Hierarchical,
        DdsmtScheme::Hybrid => Scheme::Hybrid,
    };
    let names: Vec<&str> = chosen.enabled.iter().map(String::as_str).collect();
    let selection =
        if chosen.is_all { MutatorSelection::All(&names) } else { MutatorSelection::Only(&names) };
    Mutators::new(selection, direction, scheme)
}

/// The search for a format; `keep` protects commands, lines or clauses.
pub fn search(
    job: &Job,
    request: &ReduceJob,
    format: FileFormat,
    original: &[u8],
    keep: Vec<Pattern>,
) -> Result<Chosen, Failure> {
    let Some(path) = &request.search.rules else {
        let search = with_algorithms(request, format, original, keep, algorithms(&request.search));
        return Ok(Chosen { search, remarks: Vec::new() });
    };
    let used = if request.search.sound_only { UsedRules::Proved } else { UsedRules::All };
    let text = job.control.while_reading(|| read_rules(path))?;
    let loaded = load(path, &text, used)?;
    let format = SmtLib::new(original, request.search.allowed_candidates()).keeping(kept(keep));
    Ok(Chosen { search: chained(request, format, loaded.passes), remarks: loaded.remarks })
}

fn kept(keep: Vec<Pattern>) -> Keep {
    let mut kept = Keep::nothing();
    keep.into_iter().for_each(|pattern| kept.add(move |text| pattern.is_in(text)));
    kept
}

fn with_algorithms(
    request: &ReduceJob,
    format: FileFormat,
    original: &[u8],
    keep: Vec<Pattern>,
    algorithms: Vec<Algorithm>,
) -> Box<dyn Search> {
    let candidates = request.search.allowed_candidates();
    let keep = kept(keep);
    let is_mixed = algorithms.is_empty() && request.search.combine.len() > 1;
    match format {
        FileFormat::Btor | FileFormat::Btor2 => {
            let format = Btor::new(original, dialect(format), candidates).keeping(keep);
            match algorithms[..] {
                [] if is_mixed => mixed(&request.search, format, auto_btor),
                [] => Box::new(With { format, strategy: auto_btor }),
                _ => on_graph(&request.search, format, algorithms),
            }
        }
        FileFormat::Dimacs => {
            let format = Dimacs::new(original, dimacs_kind(original), candidates).keeping(keep);
            match algorithms[..] {
                [] if is_mixed => in_turn(&request.search, format, ddmin_clauses, auto_dimacs),
                [] => Box::new(With { format, strategy: auto_dimacs }),
                _ => Box::new(With { format, strategy: ddmin_clauses }),
            }
        }
        FileFormat::Text | FileFormat::C => {
            let format = Plain::new().keeping(keep);
            match algorithms[..] {
                [] if is_mixed => in_turn(&request.search, format, ddmin_lines, auto_plain),
                [] => Box::new(With { format, strategy: auto_plain }),
                _ => Box::new(With { format, strategy: ddmin_lines }),
            }
        }
        FileFormat::Smt2 => {
            let format = SmtLib::new(original, candidates).keeping(keep);
            match algorithms[..] {
                [] => chained(request, format, Vec::new()),
                _ => on_graph(&request.search, format, algorithms),
            }
        }
    }
}

/// Runs one algorithm once, or several while they succeed.
fn on_graph<F>(search: &SearchOptions, format: F, algorithms: Vec<Algorithm>) -> Box<dyn Search>
where
    F: SubjectFormat + 'static,
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
    search: &SearchOptions,
    format: F,
    auto: impl Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop> + Sync + 'static,
) -> Box<dyn Search>
where
    F: SubjectFormat + 'static,
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
fn in_turn<F: SubjectFormat + 'static>(
    search: &SearchOptions,
    format: F,
    ddmin: impl Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop> + Sync + 'static,
    auto: impl Fn(&mut Engine<'_, F>) -> Result<(), ReductionStop> + Sync + 'static,
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

fn simplify(search: &SearchOptions) -> Simplify {
    if search.simplifies() { Simplify::On } else { Simplify::Off }
}

/// Any strategies on SMT-LIB, in turn; `nub ddsmt` has its own.
fn chained(request: &ReduceJob, format: SmtLib, passes: Vec<Box<dyn Pass<SmtView>>>) -> Box<dyn Search> {
    if let Some(chosen) = &request.search.mutators {
        let mutators = mutators(chosen);
        return Box::new(With {
            format,
            strategy: move |engine: &mut Engine<'_, SmtLib>| mutate(engine, &mutators),
        });
    }
    let layout = if request.output.pretty { ResultLayout::Pretty } else { ResultLayout::Compact };
    let recursion = if request.search.recursive {
        Recursion::Recursive { max_states: request.search.max_states as usize }
    } else {
        Recursion::Iterative
    };
    let (names, simplify) = (request.search.strategies(), simplify(&request.search));
    let strategy = move |engine: &mut Engine<'_, SmtLib>| {
        names.iter().try_for_each(|name| {
            stage(engine, name.allowed_candidates(), |engine| match (name, name.algorithm()) {
                (_, Some(algorithm)) => combine(engine, &[algorithm], simplify),
                (StrategyName::Ddsmt, _) => ddsmt(engine),
                (StrategyName::Sound, _) => sound(engine, recursion),
                (StrategyName::Rules, _) => rules(engine, &passes),
                _ => auto_with(engine, layout, &passes),
            })
        })
    };
    Box::new(With { format, strategy })
}
