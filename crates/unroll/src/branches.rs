//! How control leaves a block: branches, switches, and the evaluations of decisions.

use crate::evaluations::{ConditionEvaluation, DecisionEvaluation};
use crate::machine::{Machine, State, Step};
use crate::paths::{PathId, Step as PathStep};
use crate::shortcut::{Next, shortcuts};
use crate::terms;
use crate::unrolled::*;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{
    BlockId, CheckKind, ConditionTest, DecisionId, DecisionOutcome, ExprId, IntFormat, SourceOrigin,
    SwitchCase, Terminator, TerminatorKind,
};
use rustc_hash::FxHashMap;

impl Machine<'_> {
    pub(crate) fn terminator(
        &mut self,
        from: BlockId,
        terminator: &Terminator,
        mut state: State,
    ) -> Step<()> {
        let origin = terminator.origin;
        match &terminator.kind {
            TerminatorKind::Goto(to) => self.send(from, *to, state, origin),
            TerminatorKind::Branch { condition, then_block, else_block, test, .. } => {
                let value = self.eval(&state.cells, *condition)?;
                let operands = self.compared(*condition, *test);
                self.cut_past_memory(&mut state, origin);
                let condition = self.is_true(value);
                if let Some(test) = *test {
                    self.note_condition(test, condition, operands, &state);
                }
                self.branch(from, (*then_block, *else_block), condition, *test, state, origin);
            }
            TerminatorKind::Switch { value, cases, default, decision } => {
                let ty = self.function().exprs[value.index()].ty;
                let is_signed =
                    self.program.types.int_format(ty).is_some_and(|format: IntFormat| format.is_signed);
                let value = self.eval(&state.cells, *value)?;
                self.cut_past_memory(&mut state, origin);
                let tests: Vec<TermId> =
                    cases.iter().map(|case| self.case_test(value, case, is_signed)).collect();
                self.switch(from, (cases, *default), &tests, *decision, state, origin);
            }
            TerminatorKind::Return(value) => {
                if let Some(value) = value.filter(|value| self.is_scalar_expr(*value)) {
                    self.eval(&state.cells, value)?;
                    self.cut_past_memory(&mut state, origin);
                }
                if !state.is_dead {
                    self.return_value(*value, state, origin)?;
                }
            }
            TerminatorKind::Stop(kind) => {
                let (guard, context) = (self.guard(state.path), self.context());
                self.out.stops.push(ProgramStop { kind: *kind, guard, origin, context });
            }
            TerminatorKind::Cut => {
                let (guard, context) = (self.guard(state.path), self.context());
                self.out.over.push(Over { bounded: Bounded::Unmodelled, bound: 0, guard, origin, context });
            }
            TerminatorKind::Unreachable => {
                let never = self.pool.truth(false);
                self.check(&state, CheckKind::Unreachable, never, origin);
            }
        }
        Ok(())
    }

    fn is_scalar_expr(&self, id: nub_c_ir::ExprId) -> bool {
        self.program.types.is_scalar(self.function().exprs[id.index()].ty)
    }

    fn branch(
        &mut self,
        from: BlockId,
        (then_block, else_block): (BlockId, BlockId),
        condition: TermId,
        test: Option<ConditionTest>,
        state: State,
        origin: SourceOrigin,
    ) {
        if self.counts_both_sides(test) {
            let before = self.guard(state.path);
            let guard = terms::and(&mut self.pool, before, condition);
            let name = self.named_open(guard);
            self.record_guard(&state, What::Guard(test), name, origin);
            let fact = self.plain(condition);
            let (then_path, else_path) = self.open_sides(state.path, name, fact);
            return self.send_sides(from, (then_path, then_block), (else_path, else_block), state, origin);
        }
        let opposite = self.pool.not(condition);
        let mut then_path = self.extend(state.path, condition);
        let mut else_path = self.extend(state.path, opposite);
        if let (Some(path), Some(_)) = (then_path, else_path) {
            if let Some(test) = test {
                self.note_open(test.decision);
            }
            let name = self.named(self.guard(path));
            self.record_guard(&state, What::Guard(test), name, origin);
            let literal = self.literal(condition, name);
            if literal != condition {
                let fact = self.plain(condition);
                (then_path, else_path) = self.sides(state.path, literal, fact);
            }
        }
        self.send_sides(from, (then_path, then_block), (else_path, else_block), state, origin);
    }

    fn send_sides(
        &mut self,
        from: BlockId,
        then_side: (Option<PathId>, BlockId),
        else_side: (Option<PathId>, BlockId),
        state: State,
        origin: SourceOrigin,
    ) {
        for (path, to) in [then_side, else_side] {
            if let Some(path) = path {
                self.send(from, to, State { path, ..state.clone() }, origin);
            }
        }
    }

    /// Whether both sides of the branch are unrolled, even if no run takes one of them: the condition that was just evaluated is not made of
    /// constants only, and the simplification of terms must not decide what is counted. Loops still end where that is known.
    fn counts_both_sides(&self, test: Option<ConditionTest>) -> bool {
        let frame = self.frame();
        let is_loop = |test: ConditionTest| {
            frame.rounds.iter().any(|round| frame.plan.loops[round.number].decision == Some(test.decision))
        };
        self.names.is_some() && self.current.reads_open && !test.is_some_and(is_loop)
    }

    fn record_guard(&mut self, state: &State, what: What, term: TermId, origin: SourceOrigin) {
        let (guard, context) = (self.guard(state.path), self.context());
        let ty = self.program.functions[self.frame().function.index()].result;
        let (target, origin) = (AssignmentTarget::Nothing, Some(origin));
        self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
    }

    /// The evaluation of a decision in this iteration; created if it does not exist yet.
    fn evaluation(&mut self, decision: DecisionId, reach: TermId) -> &mut DecisionEvaluation {
        let n_evaluations = self.out.decisions.len();
        let context = self.context();
        let n_assignments = self.out.assignments.len();
        let frame = self.frames.last_mut();
        let new = EvaluationId(u32::try_from(n_evaluations).unwrap_or(u32::MAX));
        let id = frame.map_or(new, |frame| *frame.evaluations.entry(decision).or_insert(new));
        if id == new {
            let (conditions, outcomes) = (Vec::new(), Vec::new());
            self.out.decisions.push(DecisionEvaluation {
                decision,
                reach,
                conditions,
                outcomes,
                context,
                n_assignments,
            });
        }
        &mut self.out.decisions[id.index()]
    }

    /// The operands of the comparison that was just evaluated, if the condition compares numbers.
    fn compared(&self, condition: ExprId, test: Option<ConditionTest>) -> Option<[TermId; 2]> {
        let operands = self.function().compared(condition, self.program.comparison(test?)?)?;
        Some(operands.map(|operand| self.current.memo[&operand]))
    }

    fn note_condition(
        &mut self,
        test: ConditionTest,
        value: TermId,
        operands: Option<[TermId; 2]>,
        state: &State,
    ) {
        let evaluated = self.guard(state.path);
        let found = ConditionEvaluation { condition: test.condition, evaluated, value, operands };
        self.evaluation(test.decision, evaluated).conditions.push(found);
    }

    fn case_test(&mut self, value: TermId, case: &SwitchCase, is_signed: bool) -> TermId {
        let width = self.pool.width(value);
        let low = terms::constant(&mut self.pool, width, nub_c_ir::ints::truncate(case.low, width));
        if case.low == case.high {
            return terms::eq(&mut self.pool, value, low);
        }
        let high = terms::constant(&mut self.pool, width, nub_c_ir::ints::truncate(case.high, width));
        let op = if is_signed { Op::Sle } else { Op::Ule };
        let from = self.pool.mk(op, &[low, value]);
        let to = self.pool.mk(op, &[value, high]);
        terms::and(&mut self.pool, from, to)
    }

    /// Handles the cases one after the other, like a chain of `if`. Cases are disjoint, so guards need not say that earlier ones failed.
    fn switch(
        &mut self,
        from: BlockId,
        (cases, default): (&[SwitchCase], BlockId),
        tests: &[TermId],
        decision: DecisionId,
        state: State,
        origin: SourceOrigin,
    ) {
        let reach = self.guard(state.path);
        // A `switch` in a loop made by `goto` may be executed again in the same iteration of the loops around it.
        self.frame_mut().evaluations.remove(&decision);
        let is_open = self.counts_both_sides(None);
        let mut outcomes = Vec::new();
        let mut rest = Some(state.path);
        for (number, (case, &test)) in (0..).zip(cases.iter().zip(tests)) {
            let Some(path) = rest else { break };
            let guard = terms::and(&mut self.pool, reach, test);
            let name = if is_open { self.named_open(guard) } else { self.named(guard) };
            let literal = self.literal(test, name);
            let (opposite, fact) = (self.pool.not(literal), self.plain(test));
            if let Some(path) =
                self.paths.extend_as(&mut self.pool, path, PathStep { literal, fact, guard: name })
            {
                outcomes.push((DecisionOutcome::Case(number), name));
                self.record_guard(&state, What::Guard(None), name, origin);
                self.send(from, case.target, State { path, ..state.clone() }, origin);
            }
            let fact = self.pool.not(fact);
            rest = if is_open {
                self.forced(path, opposite, fact)
            } else {
                self.extend_by(path, opposite, fact)
            };
        }
        if let Some(path) = rest {
            outcomes.push((DecisionOutcome::Default, self.guard(path)));
            self.send(from, default, State { path, ..state }, origin);
        }
        self.evaluation(decision, reach).outcomes = outcomes;
    }

    /// Computes the outcomes of all decisions with conditions.
    pub(crate) fn finish_decisions(&mut self) {
        self.join_evaluations();
        let mut graphs: FxHashMap<DecisionId, Vec<(Next, Next)>> = FxHashMap::default();
        for evaluation in &mut self.out.decisions {
            if evaluation.conditions.is_empty() {
                continue;
            }
            let decision = &self.program.decisions[evaluation.decision.index()];
            let graph = graphs.entry(evaluation.decision).or_insert_with(|| shortcuts(decision));
            let falsity = self.pool.truth(false);
            let mut guards = [falsity, falsity];
            for found in &evaluation.conditions {
                let Some(&(when_true, when_false)) = graph.get(found.condition as usize) else { continue };
                let opposite = self.pool.not(found.value);
                for (next, literal) in [(when_true, found.value), (when_false, opposite)] {
                    if let Next::Outcome(outcome) = next {
                        let guard = terms::and(&mut self.pool, found.evaluated, literal);
                        let all = &mut guards[usize::from(outcome)];
                        *all = terms::or(&mut self.pool, *all, guard);
                    }
                }
            }
            let outcomes = [(DecisionOutcome::True, guards[1]), (DecisionOutcome::False, guards[0])];
            evaluation.outcomes = outcomes.into_iter().filter(|(_, guard)| *guard != falsity).collect();
        }
    }
}
