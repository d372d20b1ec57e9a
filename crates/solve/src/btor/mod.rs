//! BTOR and BTOR2: a formula, or the steps of a transition system up to a bound.
//!
//! For a BTOR file without `next`, the question is whether all roots can be true. For a BTOR2 file, it is whether one of its `bad`
//! lines can hold, in step 0 or, if it has states with an initial or a next value, in some step up to the bound. Constraints hold in
//! all steps up to that one, but need not hold later. So the steps are not put into one formula.

mod check_model;
mod show;
mod steps;

pub use check_model::check_btor_model;

use crate::reading::{MAX_READ_WIDTH, too_wide};
use crate::{BvAnswer, BvSolver, Models, OutputSink, Proofs, SolveConfig, SolveVerdict};
use nub_bitvec::{Op, Pool, TermId};
use nub_btor::{BtorDialect, BtorFile, BtorModel, Sort, Tag};
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use show::Names;
use steps::Steps;

/// Solves a file and prints the answer, with the model if requested: for a formula in the format of Boolector, for a
/// transition system as a BTOR2 witness.
pub fn run(
    text: &[u8],
    dialect: BtorDialect,
    bound: Option<u32>,
    config: &SolveConfig,
    out: OutputSink<'_>,
) -> Result<SolveVerdict, Diagnostic> {
    let file = BtorFile::read(text, dialect);
    let model = BtorModel::of(&file).map_err(|faults| first_of(&faults))?;
    check_widths(&file)?;
    check_properties(&file, &model)?;
    match (dialect, model.is_combinational(), bound) {
        (BtorDialect::Btor, true, _) => formula(&file, &model, config, out),
        // Without initial and next values all steps are the same.
        (BtorDialect::Btor2, true, _) => bounded(&file, &model, 0, config, out),
        (_, false, Some(bound)) => bounded(&file, &model, bound, config, out),
        (_, false, None) => Err(sequential(&file, &model)),
    }
}

fn first_of(faults: &[nub_btor::BtorFault]) -> Diagnostic {
    let unreadable = || Diagnostic::error(Span::default(), "the file cannot be read");
    faults.first().map_or_else(unreadable, |fault| fault.diagnostic.clone())
}

fn check_widths(file: &BtorFile) -> Result<(), Diagnostic> {
    let is_too_wide = |sort: Sort| match sort {
        Sort::Bits(width) => width > MAX_READ_WIDTH,
        Sort::Array { index, element } => index.max(element) > MAX_READ_WIDTH,
    };
    match file.lines().iter().find(|line| line.sort.is_some_and(is_too_wide)) {
        Some(line) => Err(too_wide(line.tag_span)),
        None => Ok(()),
    }
}

fn check_properties(file: &BtorFile, model: &BtorModel) -> Result<(), Diagnostic> {
    for property in model.properties() {
        if matches!(property.tag, Tag::Fair | Tag::Justice) {
            let span = property.origin.map_or(Span::default(), |line| file.line(line).tag_span);
            let message = format!("`{}` is about infinite runs", property.tag.op().btor2);
            return Err(Diagnostic::error(span, message)
                .with_hint("remove the line; finite runs can only show `bad` states"));
        }
    }
    let asks = model.properties().iter().any(|property| matches!(property.tag, Tag::Bad | Tag::Root));
    if !asks && !model.is_combinational() {
        let message = "the transition system has no `bad` line, so there is nothing to check";
        return Err(Diagnostic::error(Span::default(), message));
    }
    Ok(())
}

fn sequential(file: &BtorFile, model: &BtorModel) -> Diagnostic {
    let line = model.states().iter().find_map(|state| state.origin);
    let span = line.map_or(Span::default(), |line| file.line(line).tag_span);
    Diagnostic::error(span, "this is a transition system")
        .with_hint("use --bound K to check its steps 0 to K")
}

/// A bit that is set if any bit of the vector is set.
fn truth(pool: &mut Pool, term: TermId) -> TermId {
    if pool.width(term) == 1 { term } else { pool.mk(Op::Redor, &[term]) }
}

/// The terms of all properties of a kind in the current step, as truth values.
fn of_tag(pool: &mut Pool, steps: &Steps<'_>, tag: Tag) -> Vec<TermId> {
    let mut terms = Vec::new();
    for property in steps.model().properties().iter().filter(|property| property.tag == tag) {
        let term = steps.term(pool, property.refs[0]);
        terms.push(truth(pool, term));
    }
    terms
}

/// All roots of a BTOR file.
fn formula(
    file: &BtorFile,
    model: &BtorModel,
    config: &SolveConfig,
    out: OutputSink<'_>,
) -> Result<SolveVerdict, Diagnostic> {
    let mut pool = Pool::with_rewriting(config.rewriting);
    let mut steps = Steps::new(model);
    steps.advance(&mut pool)?;
    let mut solver = BvSolver::new(config.solver());
    of_tag(&mut pool, &steps, Tag::Root).into_iter().for_each(|root| solver.assert(root));
    let verdict = match solver.check(&mut pool, &[], &config.limits) {
        BvAnswer::Sat(found) => {
            out(b"sat\n");
            if config.models == Models::Always {
                out(&show::assignment(&Names::of(file, model), steps.free(0), &found, &pool));
            }
            return Ok(SolveVerdict::Sat);
        }
        BvAnswer::Unsat(_) => {
            name_lits(config, &solver, &pool, &steps, &Names::of(file, model));
            SolveVerdict::Unsat
        }
        BvAnswer::Unknown(reason) => SolveVerdict::Unknown(reason),
    };
    out(format!("{}\n", verdict.word()).as_bytes());
    Ok(verdict)
}

/// The bad states in the current step. The roots of a BTOR file with states together are one bad state.
fn bads(pool: &mut Pool, steps: &Steps<'_>) -> Vec<TermId> {
    let mut bads = of_tag(pool, steps, Tag::Bad);
    let roots = of_tag(pool, steps, Tag::Root);
    if let Some(all) = roots.into_iter().reduce(|all, root| pool.mk(Op::And, &[all, root])) {
        bads.push(all);
    }
    bads
}

/// Is a bad state reached in a step up to the bound? Tries one step after the other.
fn bounded(
    file: &BtorFile,
    model: &BtorModel,
    bound: u32,
    config: &SolveConfig,
    out: OutputSink<'_>,
) -> Result<SolveVerdict, Diagnostic> {
    let mut pool = Pool::with_rewriting(config.rewriting);
    let mut steps = Steps::new(model);
    let mut solver = BvSolver::new(config.solver());
    for _ in 0..=bound {
        steps.advance(&mut pool)?;
        let constraints = of_tag(&mut pool, &steps, Tag::Constraint);
        constraints.into_iter().for_each(|constraint| solver.assert(constraint));
        let bads = bads(&mut pool, &steps);
        // If there are only constraints, the question is whether they can hold.
        let any = bads.iter().copied().reduce(|any, bad| pool.mk(Op::Or, &[any, bad]));
        let any = any.unwrap_or_else(|| pool.truth(true));
        match solver.check(&mut pool, &[any], &config.limits) {
            BvAnswer::Sat(found) => {
                out(b"sat\n");
                if config.models == Models::Always {
                    out(&show::witness(&steps, &bads, &found, &pool));
                }
                return Ok(SolveVerdict::Sat);
            }
            // It follows from the assertions and helps in later steps. A proof could not justify it.
            BvAnswer::Unsat(_) if matches!(config.proofs, Proofs::None) => {
                let none = pool.not(any);
                solver.assert(none);
            }
            BvAnswer::Unsat(_) => {}
            BvAnswer::Unknown(reason) => {
                out(b"unknown\n");
                return Ok(SolveVerdict::Unknown(reason));
            }
        }
    }
    name_lits(config, &solver, &pool, &steps, &Names::of(file, model));
    out(b"unsat\n");
    Ok(SolveVerdict::Unsat)
}

/// Records in the certificate which variable, step and bit each literal represents.
fn name_lits(config: &SolveConfig, solver: &BvSolver, pool: &Pool, steps: &Steps<'_>, names: &Names) {
    let mut by_term = FxHashMap::default();
    for step in 0..steps.n_steps() {
        let suffix = if steps.n_steps() > 1 { format!("@{step}") } else { String::new() };
        for &(id, term) in steps.free(step) {
            by_term.insert(term, format!("{}{suffix}", String::from_utf8_lossy(names.get(id))));
        }
    }
    config.name_lits(solver, pool, |term| by_term.get(&term).cloned());
}
