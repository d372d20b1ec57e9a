//! Runs that break a rule of C without any change.
//!
//! An edit can make every assertion hold by undefined behaviour: `a + 1` in the place of `a - 1` overflows for the largest `a`, and then no assertion
//! is reached. So a proof that an edit is right shows that no run breaks a rule of C either. Only a run that breaks one without the edit as well
//! refutes nothing: an edit need not repair what the assertion is not about.
//!
//! ```text
//! the edited run violates an assertion, or (it breaks a rule and the original run breaks none)      never true: the edit is right
//! ```
//!
//! Both runs are terms over the same inputs, so that those of the original are copied to the pool of the edited program. What the original reads and
//! the edited program does not read has no value there; a rule that depends on it excuses nothing.

use super::encoded_program::{EncodedProgram, ProgramQuestion, Search};
use super::search::Problem;
use super::site_tables::{Style, instrument};
use super::specialise::rebuilt;
use super::target::{Target, ends};
use super::{Refusal, RepairSettings};
use nub_bitvec::{Op, Pool, TermId, cone_beyond};
use nub_unroll::{InputPart, InputPlace, InputVariable, Patience, UnrollConfig, Unrolled};
use rustc_hash::FxHashMap;

/// The original program as terms.
pub(super) struct Undefined {
    unrolled: Unrolled,
    /// For each check, whether it is the first thing that a run violates.
    first: Vec<TermId>,
}

impl Undefined {
    /// `None` if no run breaks a rule, if that is the failure, or if no edits are tried. Also returns how many questions that took.
    pub fn of(problem: &Problem<'_>, settings: &RepairSettings) -> (Option<Undefined>, usize) {
        if problem.target == Target::Anything || settings.points_only {
            return (None, 0);
        }
        let Problem { program, start, config, .. } = problem;
        let cancel = settings.limits.cancel.clone();
        let config =
            &UnrollConfig { patience: Patience::until(move || cancel.is_cancelled()), ..config.clone() };
        let plain = instrument(program, *start, &[], &[], 0, Style::Plain);
        let question = ProgramQuestion { start: *start, config, target: &Target::Checks };
        // Without these terms nothing is excused, and fewer edits are right.
        let Ok(mut copy) = EncodedProgram::unencoded(&plain, &[], question, settings) else {
            return (None, 0);
        };
        let is_defined = |copy: &mut EncodedProgram<'_>| {
            copy.encode()?;
            Ok::<bool, Refusal>(matches!(copy.failing_unchanged(), Search::None))
        };
        if is_never(&copy.unrolled.pool, copy.violates_term) || matches!(is_defined(&mut copy), Ok(true)) {
            return (None, copy.n_questions);
        }
        let (mut unrolled, n_questions) = (copy.unrolled, copy.n_questions);
        let first = ends(&mut unrolled, &Target::Checks).first;
        (Some(Undefined { unrolled, first }), n_questions)
    }

    /// Whether a run of the original breaks a rule, as a term of an edited program. Rules whose terms cannot be copied are omitted.
    ///
    /// O(terms of the original).
    fn copied(&self, edited: &mut Unrolled) -> TermId {
        let Unrolled { pool, inputs, .. } = edited;
        let from = &self.unrolled.pool;
        let mut copier = Copier { from, new: FxHashMap::default() };
        let mut reads = inputs.iter().filter(|input| is_read(input));
        let mut reads_alike = true;
        for input in &self.unrolled.inputs {
            let found = if is_read(input) {
                let guard = copier.copy(pool, input.guard);
                // The n-th value that is read is the same as long as both programs read in the same runs.
                let next = reads.next().filter(|next| Some(next.guard) == guard && next.name == input.name);
                reads_alike &= next.is_some();
                next.filter(|_| reads_alike)
            } else {
                inputs.iter().find(|other| is_same(input, other))
            };
            if let Some(found) = found.filter(|found| pool.width(found.term) == from.width(input.term)) {
                copier.new.insert(input.term, Some(found.term));
            }
        }
        let mut any = pool.truth(false);
        for first in &self.first {
            if let Some(first) = copier.copy(pool, *first) {
                any = pool.mk(Op::Or, &[any, first]);
            }
        }
        any
    }
}

impl EncodedProgram<'_> {
    /// A run that breaks a rule of C does not fail if it breaks one in the original program too. Before [`EncodedProgram::encode`].
    pub fn excuse(&mut self, undefined: &Undefined) {
        let excused = undefined.copied(&mut self.unrolled);
        let assertions = ends(&mut self.unrolled, &Target::Assertions(None)).violates;
        let rules = ends(&mut self.unrolled, &Target::Checks).violates;
        let pool = &mut self.unrolled.pool;
        let is_new = pool.not(excused);
        let rules = pool.mk(Op::And, &[rules, is_new]);
        self.violates_term = pool.mk(Op::Or, &[assertions, rules]);
    }
}

fn is_never(pool: &Pool, term: TermId) -> bool {
    pool.value(term).is_some_and(|value| value.is_zero())
}

fn is_read(input: &InputVariable) -> bool {
    matches!(input.place, InputPlace::Read { .. })
}

/// Whether two inputs that exist at the start are the same. Each program numbers its objects itself, so parts that name one are never the same.
fn is_same(old: &InputVariable, new: &InputVariable) -> bool {
    let is_named = matches!(old.part, InputPart::Value | InputPart::NotNull);
    let is_start = !matches!(old.place, InputPlace::Uninitialised { .. });
    is_named && is_start && old.part == new.part && old.place == new.place
}

/// Copies terms from one pool to another.
struct Copier<'a> {
    from: &'a Pool,
    /// `None` for a term with a variable that the other pool does not have.
    new: FxHashMap<TermId, Option<TermId>>,
}

impl Copier<'_> {
    fn copy(&mut self, to: &mut Pool, root: TermId) -> Option<TermId> {
        for id in cone_beyond(self.from, &[root], |id| self.new.contains_key(&id)) {
            let term = self.from.term(id);
            let image = match (term.op(), self.from.value(id)) {
                (_, Some(value)) => Some(to.constant(value.clone())),
                (Op::Var, None) => None,
                _ => {
                    let args: Option<Vec<TermId>> = term.args().map(|arg| self.new[&arg]).collect();
                    args.map(|args| rebuilt(to, term, &args))
                }
            };
            self.new.insert(id, image);
        }
        self.new[&root]
    }
}
