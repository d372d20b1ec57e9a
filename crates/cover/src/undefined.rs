//! Undefined behaviour as goals: each check of the source that can be the first to fail, with inputs that make it fail; for the others the proof that
//! they cannot fail, or why there is none.

use crate::encode::Encoded;
use crate::favourites::favourites;
use crate::reasons::check_text;
use crate::report::{CheckState, Undefined};
use crate::search::{AtomId, Behaviour, Explorer, RunTrials, polish_by_trying};
use nub_bitvec::{Datum, Evaluator, Op, TermId, Value, evaluate};
use nub_c_ir::interp::RunOutcome;
use nub_c_ir::{CheckKind, InterpreterLimits, Position, Program};
use nub_cnf::Lit;
use nub_harness::{is_set, test_input};
use nub_sat::SatLimits;
use nub_unroll::{Unrolled, interpreter_inputs};

/// Values that are tried for all inputs at once.
const MAX_ALIKE: usize = 16;

/// Conflicts for one check.
const CONFLICTS: u64 = 50_000;

/// A check of the source, with all its dynamic occurrences.
pub struct StaticCheck {
    /// The rule.
    pub kind: CheckKind,
    /// Its position.
    pub position: Position,
    /// It is reached and fails, and none before it fails.
    pub term: TermId,
    /// The same as a literal.
    pub broken: Lit,
}

/// For each place, the term that one of its checks is the first to fail. After a check that is not a rule of C the run continues.
pub fn first_failures(program: &Program, unrolled: &mut Unrolled) -> Vec<(CheckKind, Position, TermId)> {
    let mut found: Vec<(CheckKind, Position, TermId)> = Vec::new();
    let positions: Vec<Position> =
        unrolled.checks.iter().map(|check| unrolled.position_of(program, check)).collect();
    let pool = &mut unrolled.pool;
    let mut all_hold = pool.truth(true);
    for (check, position) in unrolled.checks.iter().zip(positions) {
        let fails = pool.not(check.condition);
        let broken = pool.mk(Op::And, &[check.guard, fails]);
        let first = pool.mk(Op::And, &[all_hold, broken]);
        if check.kind.is_rule() {
            let holds = pool.not(broken);
            all_hold = pool.mk(Op::And, &[all_hold, holds]);
        }
        let kind = check.kind;
        match found.iter_mut().find(|(other, at, _)| *other == kind && *at == position) {
            Some((_, _, term)) => *term = pool.mk(Op::Or, &[*term, first]),
            None => found.push((kind, position, first)),
        }
    }
    found
}

/// The result for each, in the order of the text. One question per place, and one for the bound of the loops.
pub fn places(
    program: &Program,
    unrolled: &Unrolled,
    encoded: &Encoded,
    explorer: &mut Explorer<'_>,
    limits: &SatLimits,
) -> Vec<(Undefined, (CheckKind, Position))> {
    if encoded.checks.is_empty() {
        return Vec::new();
    }
    let limits = limits.with_conflicts(CONFLICTS);
    // A place where no run within the bound fails may fail in a longer run, if there are longer ones.
    let is_whole =
        encoded.problem.over.is_none_or(|over| explorer.is_impossible(over, &limits) == Some(true));
    let name = &program.function(unrolled.function).name;
    let mut checks: Vec<&StaticCheck> = encoded.checks.iter().collect();
    checks.sort_by_key(|check| (check.position.line, check.position.column));
    let mut found = Vec::with_capacity(checks.len());
    for (index, check) in checks.into_iter().enumerate() {
        let run = explorer.run_with(check.broken, &limits);
        let run = run.map(|run| readable(program, unrolled, encoded, (run, check.term), &limits));
        let state = match run {
            Some(_) => CheckState::Reached,
            None => match explorer.is_impossible(check.broken, &limits) {
                Some(true) if is_whole => CheckState::Infeasible,
                Some(_) => CheckState::BeyondBound,
                None => CheckState::Open,
            },
        };
        let mut place = Undefined {
            id: format!("{name}/u{}/{}", index + 1, slug(check.kind)),
            state,
            rule: check_text(check.kind).to_owned(),
            line: check.position.line,
            column: check.position.column,
            inputs: Vec::new(),
            is_defined: !check.kind.is_rule(),
            is_replayed: false,
            premises: Vec::new(),
        };
        if let Some(run) = run {
            show(program, unrolled, (&run, check.kind), &mut place);
        }
        found.push((place, (check.kind, check.position)));
    }
    found
}

/// The run that fails a check, with readable values as in tests; found by trying, since a solver would have to compute with floats again.
fn readable(
    program: &Program,
    unrolled: &Unrolled,
    encoded: &Encoded,
    (run, broken): (Behaviour, TermId),
    limits: &SatLimits,
) -> Behaviour {
    let mut roots = vec![broken];
    roots.extend(unrolled.assumes.iter().flat_map(|assumed| [assumed.guard, assumed.condition]));
    let n_assumed = roots.len();
    roots.extend(unrolled.over.iter().map(|over| over.guard));
    let evaluator = Evaluator::new(&unrolled.pool, &roots);
    let atoms = run.atoms.clone();
    let breaks = |inputs: Vec<Value>, _: &[AtomId]| {
        let values = evaluator.run(&unrolled.assignment(&inputs));
        let is_assumed = |pair: &[Datum]| !pair[0].is_true() || pair[1].is_true();
        let is_it = values[0].is_true()
            && values[1..n_assumed].chunks(2).all(is_assumed)
            && !values[n_assumed..].iter().any(Datum::is_true);
        is_it.then(|| Behaviour { atoms: atoms.clone(), inputs })
    };
    let favourites = favourites(program, unrolled.function);
    let inputs = &encoded.problem.inputs;
    // Solvers prefer infinities and numbers with many digits. All zeros, all ones and so on may do as well.
    let pleasant: Vec<Vec<Value>> =
        inputs.iter().map(|input| input.pleasant(&favourites).collect()).collect();
    let n_alike = pleasant.iter().map(Vec::len).min().unwrap_or(0).min(MAX_ALIKE);
    let alike = |number: usize| breaks(pleasant.iter().map(|values| values[number].clone()).collect(), &[]);
    let run = (0..n_alike).find_map(alike).unwrap_or(run);
    // An input may have a simpler value once the others are simple.
    let trials = RunTrials { try_run: &breaks, may_have: None };
    let polish = |run: Behaviour| {
        let found = polish_by_trying(trials, inputs, vec![run.clone()], &[], &favourites, limits);
        found.into_iter().next().unwrap_or(run)
    };
    polish(polish(run))
}

/// The inputs of a run, and what the evaluator and the interpreter say about it. The evaluator decides about all runs: without its confirmation there
/// is no result.
fn show(program: &Program, unrolled: &Unrolled, (run, kind): (&Behaviour, CheckKind), place: &mut Undefined) {
    let assignment = unrolled.assignment(&run.inputs);
    let fails = unrolled.checks.iter().filter(|check| check.kind == kind).any(|check| {
        let values = evaluate(&unrolled.pool, &assignment, &[check.guard, check.condition]);
        values[0].is_true() && !values[1].is_true()
    });
    if !fails {
        place.state = CheckState::Open;
        return;
    }
    // What belongs to a call that is not made says nothing about the run.
    let given = unrolled.inputs.iter().zip(&run.inputs);
    let given = given.filter(|(input, _)| is_set(unrolled, &run.inputs, &input.place));
    let inputs = given.map(|(input, value)| test_input(program, input.name.clone(), input.ty, value));
    place.inputs = inputs.collect();
    place.is_replayed = interpreter_inputs(program, unrolled, &assignment).is_some_and(|inputs| {
        let ignored = CheckKind::EXTRA.into_iter().filter(|other| *other != kind).collect();
        let limits = InterpreterLimits { ignored, ..InterpreterLimits::default() };
        let run = nub_c_ir::run(program, unrolled.function, &inputs, &limits);
        matches!(run.outcome, RunOutcome::Undefined(found, _) if found == kind)
    });
}

/// The name of a rule in an id.
fn slug(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Overflow => "overflow",
        CheckKind::ShiftAmount => "shift-amount",
        CheckKind::ShiftBase => "shift-base",
        CheckKind::DivisionByZero => "division",
        CheckKind::Bounds => "bounds",
        CheckKind::ArrayLength => "array-length",
        CheckKind::Null => "null",
        CheckKind::Pointer => "pointer",
        CheckKind::Uninitialised => "uninitialised",
        CheckKind::FloatConversion => "float-conversion",
        CheckKind::Overlap => "overlap",
        CheckKind::Free => "free",
        CheckKind::Unreachable => "missing-return",
        CheckKind::Nan => "nan",
        CheckKind::Infinity => "inf",
        CheckKind::Precision => "precision",
    }
}
