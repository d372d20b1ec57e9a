//! Can an assertion, or a rule of C, be violated? A small bounded model checker over the same front end and the same terms.
//!
//! It is not a command. Collections of C programs state for each program whether all its assertions hold; this answers the same question, so they can
//! check how nub reads C.

use crate::reasons::check_text;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{CheckKind, FunctionId, Program, SourceOrigin};
use nub_cnf::{Cnf, Lit, LiteralUse, Sink, TermEncoder, TooLarge};
use nub_sat::{SatAnswer, SatLimits, SatStop};
use nub_text::Diagnostic;
use nub_unroll::{UnrollConfig, UnrollRefusal, Unrolled, unroll};

/// The question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The rules of C that are checked, in addition to the assertions.
    pub rules: Vec<CheckKind>,
    /// The rules that are switched off. Where a run violates one, C gives the program no meaning, and there is no verdict.
    pub switched_off: Vec<CheckKind>,
    /// How to unroll. Its bound is the first one.
    pub unroll: UnrollConfig,
    /// The bound is doubled up to this as long as runs exceed it.
    pub max_unwind: u32,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum CoverVerdict {
    /// No run violates anything.
    Holds,
    /// Some run does, in this line: the text of the assertion, or the rule.
    Fails(String, u32),
    /// Nothing is violated within the bound, and runs exceed it.
    BeyondBound,
    /// The solver gave up.
    Unknown(SatStop),
    /// The program uses something that is not supported.
    Refused(Vec<Diagnostic>),
}

/// Answers the question for all runs of a function.
pub fn verdict(
    program: &Program,
    function: FunctionId,
    question: &Question,
    limits: &SatLimits,
) -> CoverVerdict {
    let refusals = program.refusals(function);
    if !refusals.is_empty() {
        return CoverVerdict::Refused(refusals);
    }
    let mut config = question.unroll.clone();
    loop {
        config.recursion = config.unwind.max(1);
        let mut unrolled = match unroll(program, function, &config) {
            Ok(unrolled) => unrolled,
            Err(refusal) => return CoverVerdict::Refused(UnrollRefusal::diagnostics(&refusal)),
        };
        let can_be_raised = unrolled.over.iter().any(|over| over.bounded.can_be_raised());
        match within(&mut unrolled, question, limits) {
            Ok(CoverVerdict::BeyondBound) if can_be_raised && config.unwind < question.max_unwind => {
                config.unwind = (2 * config.unwind).clamp(1, question.max_unwind);
                let rounds = u64::from(config.unwind);
                config.pointers.elements = config.pointers.elements.max(rounds);
                config.pointers.characters = config.pointers.characters.max(rounds);
            }
            Ok(verdict) => return verdict,
            Err(TooLarge) => return CoverVerdict::BeyondBound,
        }
    }
}

/// Something that can be violated.
struct Violation {
    /// Its position in the order of execution.
    order: usize,
    /// The assertion or the rule.
    text: String,
    origin: SourceOrigin,
    /// It is violated.
    term: TermId,
    /// Whether a program that violates it has no verdict at all; otherwise only what follows the violation has no meaning.
    is_fatal: bool,
}

/// The assertions and rules that are checked, in an order of execution, and the rules that are not but leave a program without meaning.
fn violations(unrolled: &mut Unrolled, question: &Question) -> (Vec<Violation>, Vec<Violation>) {
    let (mut counted, mut meaningless) = (Vec::new(), Vec::new());
    let Unrolled { asserts, checks, pool, .. } = unrolled;
    let mut violation = |order, text, origin, guard, condition| {
        let fails = pool.not(condition);
        Violation { order, text, origin, term: pool.mk(Op::And, &[guard, fails]), is_fatal: true }
    };
    for found in asserts {
        counted.push(violation(found.order, found.text.clone(), found.origin, found.guard, found.condition));
    }
    for found in checks {
        // A rule that its kind does not name has its own text, and not every tool checks it.
        let is_named = found.text.is_empty();
        let text = if is_named { check_text(found.kind) } else { &found.text }.to_owned();
        let violation = violation(found.order, text, found.origin, found.guard, found.condition);
        if found.kind == CheckKind::ArrayLength {
            // An array without elements: other tools accept it.

            meaningless.push(Violation { is_fatal: false, ..violation })
        } else if is_named && question.rules.contains(&found.kind) {
            counted.push(violation)
        } else if !is_named || question.switched_off.contains(&found.kind) {
            meaningless.push(violation)
        }
    }
    counted.sort_by_key(|found| found.order);
    meaningless.sort_by_key(|found| found.order);
    // What follows the violation of a rule that is switched off means nothing.
    let mut earlier = meaningless.iter().peekable();
    let mut has_meaning = pool.truth(true);
    for found in &mut counted {
        while let Some(broken) = earlier.next_if(|broken| broken.order < found.order) {
            let holds = pool.not(broken.term);
            has_meaning = pool.mk(Op::And, &[has_meaning, holds]);
        }
        found.term = pool.mk(Op::And, &[found.term, has_meaning]);
    }
    (counted, meaningless)
}

/// The verdict at one bound: one question about violations in runs that have a meaning up to there, one about the others, one about the bound.
fn within(
    unrolled: &mut Unrolled,
    question: &Question,
    limits: &SatLimits,
) -> Result<CoverVerdict, TooLarge> {
    let (counted, meaningless) = violations(unrolled, question);
    let (assumes, pool) = (&unrolled.assumes, &mut unrolled.pool);
    let assumed: Vec<TermId> =
        assumes.iter().map(|assume| pool.mk(Op::Implies, &[assume.guard, assume.condition])).collect();
    let overs: Vec<TermId> = unrolled.over.iter().map(|over| over.guard).collect();
    let mut clauses = Clauses { cnf: Cnf::new(), encoder: TermEncoder::new() };
    for term in assumed {
        let lit = clauses.lit(unrolled, term)?;
        clauses.cnf.add(&[lit]);
    }
    let mut lits = |list: &[Violation]| -> Result<Vec<Lit>, TooLarge> {
        list.iter().map(|found| clauses.lit(unrolled, found.term)).collect()
    };
    let (broken, senseless) = (lits(&counted)?, lits(&meaningless)?);
    let left: Vec<Lit> = overs.iter().map(|term| clauses.lit(unrolled, *term)).collect::<Result<_, _>>()?;
    let [any_broken, any_left] = [&broken, &left].map(|lits| clauses.any(lits));
    let mut solver = limits.new_solver();
    (0..clauses.cnf.n_vars()).for_each(|_| _ = solver.new_var());
    clauses.cnf.clauses().for_each(|clause| solver.add(clause));
    match solver.solve(&[any_broken], limits) {
        SatAnswer::Sat => {
            let index = broken.iter().position(|lit| solver.value(*lit));
            let found = index.map(|index| &counted[index]);
            let fails =
                |found: &Violation| CoverVerdict::Fails(found.text.clone(), found.origin.position.line);
            return Ok(found.map_or(CoverVerdict::Unknown(SatStop::Cancelled), fails));
        }
        SatAnswer::Unknown(stop) => return Ok(CoverVerdict::Unknown(stop)),
        SatAnswer::Unsat => {}
    }
    for (found, lit) in meaningless.iter().zip(senseless) {
        if found.is_fatal && solver.solve(&[lit], limits) != SatAnswer::Unsat {
            let line = found.origin.position.line;
            let message =
                format!("a rule that is not checked may be violated in line {line}: {}", found.text);
            return Ok(CoverVerdict::Refused(vec![Diagnostic::error(found.origin.span, message)]));
        }
    }
    Ok(match solver.solve(&[any_left], limits) {
        SatAnswer::Sat => CoverVerdict::BeyondBound,
        SatAnswer::Unsat => CoverVerdict::Holds,
        SatAnswer::Unknown(stop) => CoverVerdict::Unknown(stop),
    })
}

struct Clauses {
    cnf: Cnf,
    encoder: TermEncoder,
}

impl Clauses {
    fn lit(&mut self, unrolled: &Unrolled, term: TermId) -> Result<Lit, TooLarge> {
        self.encoder.lit(&unrolled.pool, term, LiteralUse::Any, &mut self.cnf)
    }

    /// A literal that implies that one of these is true.
    fn any(&mut self, lits: &[Lit]) -> Lit {
        let any = self.cnf.new_var();
        let clause: Vec<Lit> = [!any].into_iter().chain(lits.iter().copied()).collect();
        self.cnf.add(&clause);
        any
    }
}
