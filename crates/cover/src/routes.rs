//! Finds the paths through a function, by repeatedly asking for a run that takes none of the known ones.
//!
//! The turns of a run are read from the terms. A clause then excludes its path, and the next run is requested, until there is none: as many questions
//! as paths, and one more. Where some path takes one turn and none takes the other, the other turn becomes a goal too: it is infeasible, or beyond
//! the bound, and the report says which.

use crate::encode::{Encoded, Obstacle, UndefinedBehaviour, encode};
use crate::goals::{EvaluationMode, Route, Turn, own_places};
use crate::search::{Explorer, Reply};
use nub_bitvec::{Assignment, Datum, TermId, Value, evaluate};
use nub_c_ir::Program;
use nub_cnf::Lit;
use nub_sat::{SatLimits, SatStop};
use nub_unroll::{EvaluationId, Unrolled};
use rustc_hash::FxHashSet;

/// The largest number of paths. Paths multiply: ten decisions one after the other have 1,024.
pub const MAX_ROUTES: usize = 512;

/// Why the paths were not found.
pub enum RouteError {
    /// There are more than [`MAX_ROUTES`].
    TooMany,
    /// The clauses could not be built.
    TooLarge(Obstacle),
}

/// The paths.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// In the order of the text: where they diverge, the first outcome comes first.
    pub list: Vec<Route>,
    /// Why there may be more paths, if there may.
    pub stop: Option<SatStop>,
}

/// All paths within the bounds, and the adjacent turns that no run takes.
pub fn find(program: &Program, unrolled: &mut Unrolled, limits: &SatLimits) -> Result<Routes, RouteError> {
    let encoded = encode(
        program,
        unrolled,
        [],
        &[],
        EvaluationMode::ShortCircuit,
        UndefinedBehaviour::Excluded,
        limits,
    )
    .map_err(RouteError::TooLarge)?;
    let places = own_places(program, unrolled);
    let tree = Tree { unrolled, encoded: &encoded, places: &places };
    let mut explorer = Explorer::new(&encoded.problem, limits.new_solver());
    let mut list: Vec<Route> = Vec::new();
    let stop = loop {
        match explorer.ask(&[], limits) {
            Reply::Run(_) if list.len() >= MAX_ROUTES => return Err(RouteError::TooMany),
            Reply::Run(run) => {
                let turns = tree.turns(&run.inputs);
                explorer.exclude(&tree.lits_against(&turns));
                list.push(Route { turns, inputs: Some(run.inputs) });
            }
            Reply::None => break None,
            Reply::Unknown(stop) => break Some(stop),
        }
    };
    if stop.is_none() {
        list.extend(tree.not_taken(&list));
    }
    list.sort_by(|a, b| a.turns.cmp(&b.turns));
    Ok(Routes { list, stop })
}

struct Tree<'t> {
    unrolled: &'t Unrolled,
    encoded: &'t Encoded,
    places: &'t [EvaluationId],
}

impl Tree<'_> {
    /// The turns of a run, by the evaluator.
    fn turns(&self, inputs: &[Value]) -> Vec<Turn> {
        let mut assignment = Assignment::new();
        for (input, value) in self.unrolled.inputs.iter().zip(inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        self.unrolled.add_library_results(&mut assignment);
        let (turns, guards): (Vec<Turn>, Vec<TermId>) =
            self.places.iter().flat_map(|place| self.possible(*place)).unzip();
        let values = evaluate(&self.unrolled.pool, &assignment, &guards);
        turns.into_iter().zip(values).filter(|(_, holds)| holds.is_true()).map(|(turn, _)| turn).collect()
    }

    /// The outcomes of a place, with their guards.
    fn possible(&self, place: EvaluationId) -> impl Iterator<Item = (Turn, TermId)> + use<'_> {
        let found = &self.unrolled.decisions[place.index()];
        let is_forced = found.outcomes.len() < 2;
        let turn = move |outcome| Turn { evaluation: place, decision: found.decision, outcome, is_forced };
        found.outcomes.iter().map(move |(outcome, guard)| (turn(*outcome), *guard))
    }

    /// A clause: a run takes other turns than these.
    fn lits_against(&self, turns: &[Turn]) -> Vec<Lit> {
        let mut clause = Vec::new();
        for facts in self.encoded.facts.iter().filter(|facts| self.places.contains(&facts.evaluation)) {
            for (outcome, lit) in &facts.outcomes {
                let is_taken =
                    turns.iter().any(|turn| turn.evaluation == facts.evaluation && turn.outcome == *outcome);
                clause.push(lit.negated_if(is_taken));
            }
        }
        clause
    }

    /// A prefix of the paths, followed by a turn that none of them takes after it.
    fn not_taken(&self, paths: &[Route]) -> Vec<Route> {
        let begins: FxHashSet<&[Turn]> =
            paths.iter().flat_map(|path| (0..=path.turns.len()).map(|n| &path.turns[..n])).collect();
        let mut all: Vec<Route> = Vec::new();
        for path in paths {
            for (index, taken) in path.turns.iter().enumerate() {
                let others =
                    self.possible(taken.evaluation).filter(|(other, _)| other.outcome != taken.outcome);
                let turns = others.map(|(other, _)| [&path.turns[..index], &[other]].concat());
                let new = turns.filter(|turns| !begins.contains(turns.as_slice()));
                all.extend(new.map(|turns| Route { turns, inputs: None }));
            }
        }
        all.sort_by(|a, b| a.turns.cmp(&b.turns));
        all.dedup();
        all
    }
}
