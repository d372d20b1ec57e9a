//! What counts as a failure: which assertions, or which checks.

use nub_bitvec::{Op, TermId};
use nub_c_ir::interp::RunOutcome;
use nub_c_ir::{CheckKind, SourceOrigin, StopKind};
use nub_unroll::Unrolled;

/// What counts as a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// An assertion; if a line is given, one on that line.
    Assertions(Option<u32>),
    /// A condition without which behaviour is undefined: used if no assertion fails.
    Checks,
    /// Both: what a repair of undefined behaviour must not do. A change that violates an assertion is not a repair.
    Anything,
}

impl Target {
    fn is_assertion(&self, origin: &SourceOrigin) -> bool {
        match self {
            Target::Assertions(line) => line.is_none_or(|line| line == origin.position.line),
            Target::Checks => false,
            Target::Anything => true,
        }
    }

    /// Whether conditions without which behaviour is undefined count.
    fn has_checks(&self) -> bool {
        !matches!(self, Target::Assertions(_))
    }

    /// Whether a run of the interpreter with this outcome failed.
    pub fn fails(&self, outcome: &RunOutcome) -> bool {
        match outcome {
            RunOutcome::AssertionFailed(site, _) => self.is_assertion(&site.origin),
            RunOutcome::Stopped(StopKind::AssertFailed) => *self != Target::Checks,
            RunOutcome::Undefined(..) => self.has_checks(),
            _ => false,
        }
    }

    /// Checks that the interpreter ignores where a program has tables: they may read uninitialised variables as keys.
    pub fn ignored(&self) -> Vec<CheckKind> {
        match self {
            Target::Assertions(_) => vec![CheckKind::Uninitialised],
            Target::Checks | Target::Anything => Vec::new(),
        }
    }
}

/// Whether a run with this outcome passed.
pub(super) fn passed(outcome: &RunOutcome) -> bool {
    matches!(outcome, RunOutcome::Returned | RunOutcome::Stopped(StopKind::Abort | StopKind::Exit))
}

/// How runs end, as terms.
pub(super) struct Ends {
    /// All assertions, checks and assumptions hold, and no bound is reached.
    pub passes: TermId,
    /// The first violation is one that counts.
    pub violates: TermId,
    /// The same for each assertion and check that counts: the first violation is this one.
    pub first: Vec<TermId>,
}

/// O(n log n) for n assertions, checks and assumptions.
pub(super) fn ends(unrolled: &mut Unrolled, target: &Target) -> Ends {
    let mut list: Vec<(usize, TermId, TermId, bool)> = Vec::new();
    for found in &unrolled.asserts {
        list.push((found.order, found.guard, found.condition, target.is_assertion(&found.origin)));
    }
    for found in &unrolled.checks {
        list.push((found.order, found.guard, found.condition, target.has_checks()));
    }
    list.extend(unrolled.assumes.iter().map(|found| (found.order, found.guard, found.condition, false)));
    list.sort_unstable_by_key(|entry| entry.0);
    let pool = &mut unrolled.pool;
    let (mut holds, mut violates, mut each) = (pool.truth(true), pool.truth(false), Vec::new());
    for (_, guard, condition, counts) in list {
        let fine = pool.mk(Op::Implies, &[guard, condition]);
        if counts {
            let broken = pool.not(fine);
            let first = pool.mk(Op::And, &[holds, broken]);
            violates = pool.mk(Op::Or, &[violates, first]);
            each.push(first);
        }
        holds = pool.mk(Op::And, &[holds, fine]);
    }
    let mut passes = holds;
    for over in &unrolled.over {
        let ends = pool.not(over.guard);
        passes = pool.mk(Op::And, &[passes, ends]);
    }
    Ends { passes, violates, first: each }
}
