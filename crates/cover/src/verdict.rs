//! Can an assertion, or a rule of C, be broken? A small bounded model checker over the same front end and the same terms.
//!
//! It is not a command. Collections of C programs say for each whether all its assertions hold; this answers the same question, so
//! that they can judge how we read C.

use nub_bitvec::{Op, TermId};
use nub_c_ir::{CheckKind, FunctionId, Program};
use nub_cnf::{Blaster, Cnf, Lit, Sink, TooLarge, Tseitin};
use nub_sat::{Answer, Limits, Stop, built_in};
use nub_text::Diagnostic;
use nub_unroll::{Config, Refusal, Unrolled, unroll};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The rules of C that count, beside the assertions.
    pub rules: Vec<CheckKind>,
    /// How to unroll. Its bound is where to begin.
    pub unroll: Config,
    /// The bound is doubled up to this while runs leave it.
    pub max_unwind: u32,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No run breaks anything.
    Holds,
    /// Some run does, in this line: the text of the assertion, or the rule.
    Fails(String, u32),
    /// Nothing is broken within the bound, and runs leave it.
    BeyondBound,
    /// The solver gave up.
    Unknown(Stop),
    /// The program does what is not supported.
    Refused(Vec<Diagnostic>),
}

/// Asks it for all runs of a function.
pub fn verdict(program: &Program, function: FunctionId, question: &Question, limits: &Limits) -> Verdict {
    let refusals = program.refusals(function);
    if !refusals.is_empty() {
        return Verdict::Refused(refusals);
    }
    let mut config = question.unroll.clone();
    loop {
        config.recursion = config.unwind.max(1);
        let found = match unroll(program, function, &config) {
            Ok(mut unrolled) => within(&mut unrolled, &question.rules, limits),
            Err(refusal) => return Verdict::Refused(Refusal::diagnostics(&refusal)),
        };
        match found {
            Ok(Verdict::BeyondBound) if config.unwind < question.max_unwind => {
                config.unwind = (2 * config.unwind).clamp(1, question.max_unwind);
            }
            Ok(verdict) => return verdict,
            Err(TooLarge) => return Verdict::BeyondBound,
        }
    }
}

/// What can be broken, in an order of execution: what it is, its line, and the term that it is.
fn violations(unrolled: &mut Unrolled, rules: &[CheckKind]) -> Vec<(String, u32, TermId)> {
    let mut all = Vec::new();
    for assert in &unrolled.asserts {
        all.push((
            assert.order,
            assert.text.clone(),
            assert.origin.position.line,
            assert.guard,
            assert.condition,
        ));
    }
    for check in unrolled.checks.iter().filter(|check| rules.contains(&check.kind)) {
        let text = crate::reasons::check_text(check.kind).to_owned();
        all.push((check.order, text, check.origin.position.line, check.guard, check.condition));
    }
    all.sort_by_key(|found| found.0);
    let pool = &mut unrolled.pool;
    let term = |(_, text, line, guard, condition)| {
        let fails = pool.not(condition);
        (text, line, pool.mk(Op::And, &[guard, fails]))
    };
    all.into_iter().map(term).collect()
}

/// At one bound: one question for all violations, one for the bound.
fn within(unrolled: &mut Unrolled, rules: &[CheckKind], limits: &Limits) -> Result<Verdict, TooLarge> {
    let violations = violations(unrolled, rules);
    let (assumes, pool) = (&unrolled.assumes, &mut unrolled.pool);
    let assumed: Vec<TermId> =
        assumes.iter().map(|assume| pool.mk(Op::Implies, &[assume.guard, assume.condition])).collect();
    let overs: Vec<TermId> = unrolled.over.iter().map(|over| over.guard).collect();
    let mut clauses = Clauses { cnf: Cnf::new(), blaster: Blaster::new(), tseitin: Tseitin::new() };
    for term in assumed {
        let lit = clauses.lit(unrolled, term)?;
        clauses.cnf.add(&[lit]);
    }
    let broken: Vec<Lit> =
        violations.iter().map(|(_, _, term)| clauses.lit(unrolled, *term)).collect::<Result<_, _>>()?;
    let left: Vec<Lit> = overs.iter().map(|term| clauses.lit(unrolled, *term)).collect::<Result<_, _>>()?;
    let [any_broken, any_left] = [&broken, &left].map(|lits| clauses.any(lits));
    let mut solver = built_in();
    (0..clauses.cnf.n_vars()).for_each(|_| _ = solver.new_var());
    clauses.cnf.clauses().for_each(|clause| solver.add(clause));
    Ok(match solver.solve(&[any_broken], limits) {
        Answer::Sat => match broken.iter().position(|lit| solver.value(*lit)) {
            Some(index) => Verdict::Fails(violations[index].0.clone(), violations[index].1),
            None => Verdict::Unknown(Stop::Cancelled),
        },
        Answer::Unknown(stop) => Verdict::Unknown(stop),
        Answer::Unsat => match solver.solve(&[any_left], limits) {
            Answer::Sat => Verdict::BeyondBound,
            Answer::Unsat => Verdict::Holds,
            Answer::Unknown(stop) => Verdict::Unknown(stop),
        },
    })
}

struct Clauses {
    cnf: Cnf,
    blaster: Blaster,
    tseitin: Tseitin,
}

impl Clauses {
    fn lit(&mut self, unrolled: &Unrolled, term: TermId) -> Result<Lit, TooLarge> {
        self.blaster.blast(&unrolled.pool, &[term])?;
        let edge = self.blaster.bits(&unrolled.pool, term)[0];
        Ok(self.tseitin.lit(self.blaster.aig(), edge, &mut self.cnf))
    }

    /// A literal that implies that one of these is true.
    fn any(&mut self, lits: &[Lit]) -> Lit {
        let any = self.cnf.new_var();
        let clause: Vec<Lit> = [!any].into_iter().chain(lits.iter().copied()).collect();
        self.cnf.add(&clause);
        any
    }
}
