//! The search against brute force: small random programs over a few input bits, all runs enumerated.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

use nub_bitvec::Value;
use nub_cnf::check::Rng;
use nub_cnf::{Aig, AigEdge, Cnf, Lit, Sink, Tseitin};
use nub_cover::search::bitset::BitSet;
use nub_cover::search::{
    AtomId, AtomStatus, Behaviour, CoverSearchConfig, CoveringSuite, Explorer, GapOrder, GoalState,
    MinimumProof, Need, Problem, ProgramInput, RunEvaluator, SuiteObjective, cover, is_covered, union,
};
use nub_sat::{SatLimits, built_in};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const N_BITS: usize = 5;

/// A random circuit with atoms, an assumption, checks, and possibly a bound.
struct Case {
    aig: Aig,
    atoms: Vec<AigEdge>,
    defined: AigEdge,
    over: Option<AigEdge>,
}

fn random_edge(rng: &mut Rng, edges: &[AigEdge]) -> AigEdge {
    let edge = rng.pick(edges);
    if rng.below(2) == 0 { edge } else { !edge }
}

fn random_case(rng: &mut Rng, n_atoms: usize) -> Case {
    let mut aig = Aig::new();
    let mut edges: Vec<AigEdge> = (0..N_BITS).map(|_| aig.input()).collect();
    for _ in 0..12 {
        let (a, b) = (random_edge(rng, &edges), random_edge(rng, &edges));
        let edge = if rng.below(3) == 0 { aig.xor(a, b) } else { aig.and(a, b) };
        if !edge.is_constant() {
            edges.push(edge);
        }
    }
    let over = (rng.below(2) == 0).then(|| {
        let (a, b) = (random_edge(rng, &edges), random_edge(rng, &edges));
        aig.and(a, b)
    });
    let either = [random_edge(rng, &edges), random_edge(rng, &edges), random_edge(rng, &edges)];
    let defined = aig.or_all(either);
    let mut atoms = Vec::new();
    for _ in 0..n_atoms {
        let (a, b) = (random_edge(rng, &edges), random_edge(rng, &edges));
        let mut atom = aig.and(a, b);
        if let Some(over) = over {
            atom = aig.or(atom, over);
        }
        atoms.push(atom);
    }
    atoms.sort();
    atoms.dedup();
    Case { aig, atoms, defined, over }
}

impl Case {
    fn problem(&self) -> Problem {
        let (mut cnf, mut tseitin) = (Cnf::new(), Tseitin::new());
        let mut lit = |edge: AigEdge, cnf: &mut Cnf| tseitin.lit(&self.aig, edge, cnf);
        let inputs = (0..N_BITS).map(|node| lit(input_edge(&self.aig, node as u32), &mut cnf)).collect();
        let atoms: Vec<Lit> = self.atoms.iter().map(|edge| lit(*edge, &mut cnf)).collect();
        let defined = lit(self.defined, &mut cnf);
        let over = self.over.map(|edge| lit(edge, &mut cnf));
        let assumed = cnf.new_var();
        let inputs = vec![ProgramInput {
            bits: inputs,
            is_signed: false,
            favourite: None,
            float: None,
            is_letter: false,
        }];
        Problem { cnf, atoms, assumed, defined, over, inputs, library: Vec::new() }
    }

    /// What each input does within the bound; invalid runs are omitted.
    fn runs(&self) -> Vec<Vec<bool>> {
        let all = (0..1u32 << N_BITS).filter_map(|bits| {
            let simulation = self.aig.simulate(|number| bits >> number & 1 == 1);
            let counts =
                simulation.value(self.defined) && !self.over.is_some_and(|over| simulation.value(over));
            counts.then(|| self.atoms.iter().map(|edge| simulation.value(*edge)).collect())
        });
        let mut runs: Vec<Vec<bool>> = all.collect();
        runs.sort();
        runs.dedup();
        runs
    }
}

impl RunEvaluator for Case {
    fn run(&self, inputs: Vec<Value>) -> Option<Behaviour> {
        let simulation = self.aig.simulate(|number| inputs[0].bit(number));
        let counts = simulation.value(self.defined) && !self.over.is_some_and(|over| simulation.value(over));
        let mut atoms = BitSet::new(self.atoms.len());
        let own = self.atoms.iter().enumerate().filter(|(_, edge)| simulation.value(**edge));
        own.for_each(|(atom, _)| atoms.insert(atom));
        counts.then_some(Behaviour { atoms, inputs })
    }
}

/// A case that is evaluated on two threads, of which the other one is slower by some time per hundred runs.
struct OnTwoThreads<'c> {
    case: &'c Case,
    delay: Duration,
    n_runs_beside: &'c AtomicUsize,
    is_beside: bool,
}

impl RunEvaluator for OnTwoThreads<'_> {
    fn run(&self, inputs: Vec<Value>) -> Option<Behaviour> {
        if self.is_beside {
            let n_runs = self.n_runs_beside.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(if n_runs.is_multiple_of(100) { self.delay } else { Duration::ZERO });
        }
        self.case.run(inputs)
    }

    fn another(&self) -> Option<Box<dyn RunEvaluator + Send + '_>> {
        Some(Box::new(OnTwoThreads { is_beside: true, ..*self }))
    }
}

fn input_edge(aig: &Aig, number: u32) -> AigEdge {
    // Inputs were created first, so their nodes come in order after the constant.
    let node = (0..aig.len()).find(|node| aig.input_number(*node) == Some(number)).unwrap();
    // An edge is made from a node by taking its conjunction with truth.
    let mut copy = Aig::new();
    let mut last = AigEdge::TRUE;
    for _ in 0..node {
        last = copy.input();
    }
    assert_eq!(last.node(), node);
    last
}

fn random_goals(rng: &mut Rng, n_atoms: usize) -> Vec<SuiteObjective> {
    let atom = |rng: &mut Rng| AtomId(rng.below(n_atoms) as u32);
    let n_goals = 1 + rng.below(7);
    let goal = |rng: &mut Rng| match rng.below(3) {
        0 => SuiteObjective::Atom(atom(rng)),
        _ => SuiteObjective::Pairs((0..1 + rng.below(3)).map(|_| [atom(rng), atom(rng)]).collect()),
    };
    (0..n_goals).map(|_| goal(rng)).collect()
}

fn reaches(goal: &SuiteObjective, chosen: &[&Vec<bool>]) -> bool {
    let seen = |atom: &AtomId| chosen.iter().any(|run| run[atom.index()]);
    match goal {
        SuiteObjective::Atom(atom) => seen(atom),
        SuiteObjective::Pairs(pairs) => pairs.iter().any(|[p, q]| seen(p) && seen(q)),
    }
}

/// The smallest number of runs that reach all reachable goals, by trying all subsets of increasing size.
fn brute_force(runs: &[Vec<bool>], goals: &[SuiteObjective]) -> usize {
    let all: Vec<&Vec<bool>> = runs.iter().collect();
    let goals: Vec<&SuiteObjective> = goals.iter().filter(|goal| reaches(goal, &all)).collect();
    let mut level: Vec<Vec<usize>> = vec![vec![]];
    for size in 0.. {
        let is_complete = |set: &Vec<usize>| {
            let chosen: Vec<&Vec<bool>> = set.iter().map(|index| &runs[*index]).collect();
            goals.iter().all(|goal| reaches(goal, &chosen))
        };
        if level.iter().any(is_complete) {
            return size;
        }
        level = level
            .iter()
            .flat_map(|set| (set.last().map_or(0, |last| last + 1)..runs.len()).map(move |next| (set, next)))
            .map(|(set, next)| [set.as_slice(), &[next]].concat())
            .collect();
    }
    unreachable!("all runs together reach all goals")
}

/// A random problem and its minimal suite.
struct Solved {
    goals: Vec<SuiteObjective>,
    suite: CoveringSuite,
    /// All runs.
    runs: Vec<Vec<bool>>,
}

/// Solves a random problem, and checks the suite against brute force.
fn solve_random(rng: &mut Rng, config: &CoverSearchConfig) -> Solved {
    let n_atoms = 3 + rng.below(10);
    let case = random_case(rng, n_atoms);
    let problem = case.problem();
    let goals = random_goals(rng, problem.n_atoms());
    let explorer = Explorer::new(&problem, built_in());
    // Every second one may evaluate runs instead of asking for them.
    let mut explorer = if config.seed.is_multiple_of(2) { explorer } else { explorer.with_evaluation(&case) };
    let suite = cover(&mut explorer, &goals, config);
    let runs = case.runs();
    assert!(suite.is_minimal() && suite.stop.is_none(), "{}: {suite:?}", config.seed);
    assert_eq!(suite.tests.len(), brute_force(&runs, &goals), "{}: {suite:?}", config.seed);
    check_tests(&case, &suite.tests, &goals, &suite.goals);
    check_statuses(&runs, &explorer);
    Solved { goals, suite, runs }
}

#[test]
fn minima_are_those_of_brute_force() {
    let mut rng = Rng::new(11);
    let (mut n_gaps, mut n_multiple) = (0, 0);
    for seed in 0..400 {
        let config = CoverSearchConfig { seed, ..CoverSearchConfig::default() };
        let Solved { suite, .. } = solve_random(&mut rng, &config);
        n_gaps += usize::from(matches!(suite.proof, MinimumProof::Copies { .. }));
        n_multiple += usize::from(suite.tests.len() > 2);
    }
    // The cases are not trivial: some need more than the clique, many need several tests.
    assert!(n_gaps > 20 && n_multiple > 20, "{n_gaps} {n_multiple}");
}

/// The weights are valid for every run, and do not change how many tests are found. 400 problems with `NUB_FULL=1`.
#[test]
fn weights_are_bounds_and_change_no_minimum() {
    let mut rng = Rng::new(12);
    let (mut n_weighed, mut n_sharp) = (0, 0);
    let n_problems = if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 400 } else { 120 };
    for seed in 0..n_problems {
        let config = CoverSearchConfig { seed, gap: GapOrder::BoundsFirst, ..CoverSearchConfig::default() };
        let Solved { goals, suite, runs } = solve_random(&mut rng, &config);
        let Some(weighting) = &suite.weighting else { continue };
        n_weighed += 1;
        n_sharp += usize::from(matches!(suite.proof, MinimumProof::Weights { .. }));
        assert!(weighting.lower() <= suite.tests.len(), "{seed}: {weighting:?}");
        for run in &runs {
            let is_met = |need: &Need| need.atoms.iter().any(|atom| run[atom.index()]);
            let weight: u64 =
                weighting.needs.iter().filter(|(need, _)| is_met(need)).map(|(_, weight)| weight).sum();
            assert!(weight <= weighting.most, "{seed}: {weighting:?} {run:?}");
        }
        for (need, _) in &weighting.needs {
            // Runs without any atom of the need do not reach its goal.
            let without: Vec<&Vec<bool>> =
                runs.iter().filter(|run| !need.atoms.iter().any(|atom| run[atom.index()])).collect();
            assert!(!reaches(&goals[need.goal], &without), "{seed}: {need:?}");
        }
    }
    assert!(n_weighed > 5 && n_sharp > 5, "{n_weighed} {n_sharp}: nothing was tested");
}

/// Each run meets two corners of one of two triangles: fractions of runs add up to three, but four runs are necessary.
fn two_triangles() -> Case {
    let mut aig = Aig::new();
    let bits: Vec<AigEdge> = (0..N_BITS).map(|_| aig.input()).collect();
    let is_run = |aig: &mut Aig, number: usize| {
        let bit = |at: usize| if number >> at & 1 == 1 { bits[at] } else { !bits[at] };
        (0..N_BITS).fold(AigEdge::TRUE, |all, at| aig.and(all, bit(at)))
    };
    let runs: Vec<AigEdge> = (0..6).map(|number| is_run(&mut aig, number)).collect();
    let corner = |at: usize| [runs[at], runs[at / 3 * 3 + (at + 1) % 3]];
    let atoms = (0..6).map(|at| aig.or_all(corner(at))).collect();
    let defined = aig.or_all(runs.iter().copied());
    Case { aig, atoms, defined, over: None }
}

/// The second thread of the search takes part, and the tests do not depend on how fast it is.
#[test]
fn a_slow_thread_does_not_change_the_tests() {
    let n_runs_beside = AtomicUsize::new(0);
    let case = two_triangles();
    let problem = case.problem();
    let goals: Vec<SuiteObjective> = problem.atom_ids().map(SuiteObjective::Atom).collect();
    for seed in 0..2 {
        let solve = |delay: Duration| {
            let config =
                CoverSearchConfig { seed, gap: GapOrder::BoundsFirst, ..CoverSearchConfig::default() };
            let on_two = OnTwoThreads { case: &case, delay, n_runs_beside: &n_runs_beside, is_beside: false };
            let mut explorer = Explorer::new(&problem, built_in()).with_evaluation(&on_two);
            cover(&mut explorer, &goals, &config)
        };
        let [fast, slow] = [Duration::ZERO, Duration::from_micros(20)].map(solve);
        assert!(fast.is_minimal() && fast.tests.len() == 4, "{fast:?}");
        assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{seed}");
    }
    assert!(n_runs_beside.into_inner() > 0, "the second thread was never asked");
}

/// Each test does what is claimed, by the circuit itself, and exactly the goals that are reported as reached are reached.
fn check_tests(case: &Case, tests: &[Behaviour], goals: &[SuiteObjective], states: &[GoalState]) {
    for test in tests {
        let simulation = case.aig.simulate(|number| test.inputs[0].bit(number));
        assert!(simulation.value(case.defined) && !case.over.is_some_and(|over| simulation.value(over)));
        for (index, edge) in case.atoms.iter().enumerate() {
            assert_eq!(simulation.value(*edge), test.atoms.contains(index));
        }
    }
    let all = union(case.atoms.len(), tests);
    for (goal, state) in goals.iter().zip(states) {
        assert_eq!(is_covered(goal, &all), matches!(state, GoalState::Covered(_)), "{goal:?} {state:?}");
    }
}

fn check_statuses(runs: &[Vec<bool>], explorer: &Explorer<'_>) {
    for atom in explorer.problem().atom_ids() {
        let occurs = runs.iter().any(|run| run[atom.index()]);
        match explorer.known().status(atom) {
            AtomStatus::Open => {}
            AtomStatus::Feasible => assert!(occurs),
            AtomStatus::Infeasible | AtomStatus::BeyondBound => assert!(!occurs),
        }
    }
}

/// A bound is not a proof: an atom that only a longer run has is not called infeasible.
#[test]
fn beyond_the_bound_is_not_infeasible() {
    let mut cnf = Cnf::new();
    let [assumed, defined, over, x] = [(); 4].map(|()| cnf.new_var());
    let late = cnf.new_var();
    // `late` happens after the bound only; `never` contradicts itself.
    cnf.add(&[!late, over]);
    cnf.add(&[late, !over]);
    let never = cnf.new_var();
    cnf.add(&[!never]);
    let inputs = vec![ProgramInput {
        bits: vec![x],
        is_signed: false,
        favourite: None,
        float: None,
        is_letter: false,
    }];
    let problem = Problem {
        cnf,
        atoms: vec![late, never, x],
        assumed,
        defined,
        over: Some(over),
        inputs,
        library: Vec::new(),
    };
    let mut explorer = Explorer::new(&problem, built_in());
    let goals = [0, 1, 2].map(|atom| SuiteObjective::Atom(AtomId(atom)));
    let suite = cover(&mut explorer, &goals, &CoverSearchConfig::default());
    assert_eq!(suite.goals, [GoalState::BeyondBound, GoalState::Infeasible, GoalState::Covered(vec![0])]);
}

/// What only undefined behaviour reaches is reported as such.
#[test]
fn only_through_undefined_behaviour() {
    let mut cnf = Cnf::new();
    let [assumed, defined, x] = [(); 3].map(|()| cnf.new_var());
    cnf.add(&[!defined, !x]);
    let inputs = vec![ProgramInput {
        bits: vec![x],
        is_signed: false,
        favourite: None,
        float: None,
        is_letter: false,
    }];
    let problem =
        Problem { cnf, atoms: vec![x, !x], assumed, defined, over: None, inputs, library: Vec::new() };
    let mut explorer = Explorer::new(&problem, built_in());
    let goals = [0, 1].map(|atom| SuiteObjective::Atom(AtomId(atom)));
    let suite = cover(&mut explorer, &goals, &CoverSearchConfig::default());
    assert_eq!(suite.goals, [GoalState::Undefined, GoalState::Covered(vec![0])]);
}

/// Stopped immediately: nothing is claimed.
#[test]
fn a_cancelled_search_claims_nothing() {
    let mut rng = Rng::new(5);
    let case = random_case(&mut rng, 8);
    let problem = case.problem();
    let mut explorer = Explorer::new(&problem, built_in());
    let limits = SatLimits::none();
    limits.cancel.cancel();
    let goals: Vec<SuiteObjective> = problem.atom_ids().map(SuiteObjective::Atom).collect();
    let suite = cover(&mut explorer, &goals, &CoverSearchConfig { limits, ..CoverSearchConfig::default() });
    assert!(suite.tests.is_empty() && suite.stop.is_some());
    assert!(suite.goals.iter().all(|state| *state == GoalState::Open));
}
