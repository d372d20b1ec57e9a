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
}

impl<'r> RouteEncoder<'r> {
    /// Collects the guards of all turns.
    pub fn new(program: &Program, unrolled: &mut Unrolled, routes: &'r [Route]) -> RouteEncoder<'r> {
        let outcomes = |place: EvaluationId| (place, unrolled.decisions[place.index()].outcomes.clone());
        let places = own_places(program, unrolled).into_iter().map(outcomes).collect();
        let overs: Vec<TermId> = unrolled.leaving().collect();
        let over = any(&mut unrolled.pool, &overs);
        let is_within = unrolled.pool.not(over);
        RouteEncoder { routes, places, is_within }
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
