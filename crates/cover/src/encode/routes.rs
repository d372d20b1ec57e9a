//! Paths through the function as terms.

use super::events::any;
use crate::goals::{Route, RouteId, Turn, own_places};
use nub_bitvec::{Op, Pool, TermId};
use nub_c_ir::{DecisionOutcome, Program};
use nub_unroll::{EvaluationId, Unrolled};

/// Makes terms of routes.
pub struct RouteEncoder<'r> {
    routes: &'r [Route],
    /// All places and their outcomes with their guards.
    places: Vec<(EvaluationId, Vec<(DecisionOutcome, TermId)>)>,
    /// The run ends within the bounds.
    is_within: TermId,
    /// The run exceeds a bound.
    is_cut: TermId,
}

impl<'r> RouteEncoder<'r> {
    /// Collects the guards of all turns.
    pub fn new(program: &Program, unrolled: &mut Unrolled, routes: &'r [Route]) -> RouteEncoder<'r> {
        let outcomes = |place: EvaluationId| (place, unrolled.decisions[place.index()].outcomes.clone());
        let places = own_places(program, unrolled).into_iter().map(outcomes).collect();
        let overs: Vec<TermId> = unrolled.leaving().collect();
        let over = any(&mut unrolled.pool, &overs);
        let is_within = unrolled.pool.not(over);
        let cuts: Vec<TermId> = unrolled.over.iter().map(|over| over.guard).collect();
        let is_cut = any(&mut unrolled.pool, &cuts);
        RouteEncoder { routes, places, is_within, is_cut }
    }

    /// The run is cut, and takes these turns as far as it gets. O(turns of all places).
    pub fn later(&self, pool: &mut Pool, id: RouteId) -> TermId {
        let Some(route) = self.routes.get(id.index()) else { return pool.truth(false) };
        let mut term = self.is_cut;
        for (place, outcomes) in &self.places {
            let turn = route.turns.iter().find(|turn| turn.evaluation == *place);
            let is_other =
                |outcome: &DecisionOutcome| turn.map_or(route.is_complete(), |turn| turn.outcome != *outcome);
            for (_, guard) in outcomes.iter().filter(|(outcome, _)| is_other(outcome)) {
                let not_taken = pool.not(*guard);
                term = pool.mk(Op::And, &[term, not_taken]);
            }
        }
        term
    }

    /// The run takes these turns, and no others if the route is complete. O(turns of all places).
    pub fn term(&self, pool: &mut Pool, id: RouteId) -> TermId {
        let Some(route) = self.routes.get(id.index()) else { return pool.truth(false) };
        let mut term = if route.is_complete() { self.is_within } else { pool.truth(true) };
        for (place, outcomes) in &self.places {
            match route.turns.iter().find(|turn| turn.evaluation == *place) {
                Some(Turn { outcome, .. }) => {
                    let guard = outcomes.iter().find(|(other, _)| other == outcome).map(|(_, guard)| *guard);
                    let guard = guard.unwrap_or_else(|| pool.truth(false));
                    term = pool.mk(Op::And, &[term, guard]);
                }
                None if route.is_complete() => {
                    for (_, guard) in outcomes {
                        let not_taken = pool.not(*guard);
                        term = pool.mk(Op::And, &[term, not_taken]);
                    }
                }
                None => {}
            }
        }
        term
    }
}
