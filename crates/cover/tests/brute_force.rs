//! Sizes and feasibility on random small functions, compared with all 65,536 runs of each. Criteria and readings are implemented again here, from
//! their definitions, without any code of nub.
//!
//! `NUB_FULL=1` tests as many functions as a published comparison had.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;
#[path = "common/small.rs"]
mod small;

use nub_cover::CoverOptions;
use nub_cover::goals::{Criterion, CriterionReading, EvaluationMode, Mcdc};
use small::{Decision, Function, Vector};
use std::collections::BTreeSet;

fn n_functions(few: u64, full: u64) -> u64 {
    if std::env::var_os("NUB_FULL").is_some() { full } else { few }
}

/// What all runs do, each different one once.
fn behaviours(function: &Function) -> BTreeSet<BTreeSet<(usize, Vector)>> {
    let pairs = (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b)));
    pairs.map(|(a, b)| function.run(a, b).into_iter().collect()).collect()
}

/// A goal: any of these sets of events. An event is an evaluation with one of these vectors.
type Goal = Vec<Vec<Vec<(usize, Vector)>>>;

fn outcome_goals(id: usize, all: &[Vector]) -> Vec<Goal> {
    let having = |outcome: bool| all.iter().filter(move |vector| vector.outcome == outcome);
    [true, false]
        .map(|outcome| vec![vec![having(outcome).map(|vector| (id, vector.clone())).collect()]])
        .into()
}

fn condition_goals(id: usize, decision: &Decision, all: &[Vector]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for condition in 0..decision.n_conditions() {
        for value in [true, false] {
            let having = all.iter().filter(|vector| vector.values[condition] == Some(value));
            goals.push(vec![vec![having.map(|vector| (id, vector.clone())).collect()]]);
        }
    }
    goals
}

fn pair_goals(id: usize, decision: &Decision, all: &[Vector], reading: Mcdc) -> Vec<Goal> {
    let shows = |condition: usize, p: &Vector, q: &Vector| {
        let differ =
            p.values[condition] == Some(true) && q.values[condition] == Some(false) && p.outcome != q.outcome;
        let mut others = (0..decision.n_conditions()).filter(|other| *other != condition);
        differ
            && match reading {
                Mcdc::Strict => others.all(|other| p.values[other] == q.values[other]),
                Mcdc::UniqueCause => others.all(|other| {
                    let (p, q) = (p.values[other], q.values[other]);
                    p == q || p.is_none() || q.is_none()
                }),
                Mcdc::Masking => decides(decision, p, condition) && decides(decision, q, condition),
            }
    };
    let pairs = |condition: usize| -> Goal {
        let both = all.iter().flat_map(|p| all.iter().map(move |q| (p, q)));
        let shown = both.filter(|(p, q)| shows(condition, p, q));
        shown.map(|(p, q)| vec![vec![(id, p.clone())], vec![(id, q.clone())]]).collect()
    };
    (0..decision.n_conditions()).map(pairs).collect()
}

/// Whether, for some values of what was skipped, the other value of the condition gives another outcome.
fn decides(decision: &Decision, vector: &Vector, condition: usize) -> bool {
    let n = decision.n_conditions();
    (0..1_u32 << n).any(|bits| {
        let mut values: Vec<bool> = (0..n).map(|at| bits >> at & 1 == 1).collect();
        let fits =
            values.iter().zip(&vector.values).all(|(value, seen)| seen.is_none_or(|seen| seen == *value));
        let before = decision.value(&values);
        values[condition] = !values[condition];
        fits && before != decision.value(&values)
    })
}

fn goals(function: &Function, feasible: &[Vec<Vector>], criterion: Criterion, reading: Mcdc) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (id, decision) in function.decisions.iter().enumerate() {
        let all = &feasible[id];
        if matches!(criterion, Criterion::Decision | Criterion::ConditionDecision | Criterion::Mcdc) {
            goals.extend(outcome_goals(id, all));
        }
        if matches!(criterion, Criterion::Condition | Criterion::ConditionDecision | Criterion::Mcdc) {
            goals.extend(condition_goals(id, decision, all));
        }
        if matches!(criterion, Criterion::Mcdc | Criterion::McdcPairs) {
            goals.extend(pair_goals(id, decision, all, reading));
        }
    }
    goals
}

/// The fewest behaviours that reach all reachable goals, by adding one to all sets of one fewer; and the number of these goals.
fn smallest(runs: &BTreeSet<BTreeSet<(usize, Vector)>>, goals: &[Goal]) -> (usize, usize) {
    // If no run has some event of a way, the way does not exist.
    let feasible: Vec<&Goal> = goals
        .iter()
        .filter(|goal| goal.iter().any(|way| way.iter().all(|event| !event.is_empty())))
        .collect();
    let events: Vec<&Vec<(usize, Vector)>> = {
        let all = feasible.iter().flat_map(|goal| goal.iter().flatten()).filter(|event| !event.is_empty());
        all.collect::<BTreeSet<_>>().into_iter().collect()
    };
    assert!(events.len() <= 128, "{} events", events.len());
    let bit =
        |event: &Vec<(usize, Vector)>| events.iter().position(|other| *other == event).map(|at| 1_u128 << at);
    let done = |seen: u128| {
        feasible.iter().all(|goal| {
            goal.iter().any(|way| way.iter().all(|event| bit(event).is_some_and(|bit| seen & bit != 0)))
        })
    };
    let does = |run: &BTreeSet<(usize, Vector)>| {
        let has = |event: &&Vec<(usize, Vector)>| event.iter().any(|vector| run.contains(vector));
        events.iter().enumerate().filter(|(_, event)| has(event)).fold(0_u128, |all, (at, _)| all | 1 << at)
    };
    let single = largest(runs.iter().map(does).collect());
    let (mut sets, mut size) = (vec![0_u128], 0);
    while !sets.iter().any(|seen| done(*seen)) {
        let next = sets.iter().flat_map(|seen| single.iter().map(move |run| seen | run)).collect();
        (sets, size) = (largest(next), size + 1);
    }
    (size, feasible.len())
}

/// Without those that are a subset of another one.
fn largest(sets: BTreeSet<u128>) -> Vec<u128> {
    let mut sets: Vec<u128> = sets.into_iter().collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.count_ones()));
    let mut kept: Vec<u128> = Vec::new();
    for set in sets {
        if kept.iter().all(|other| other & set != set) {
            kept.push(set);
        }
    }
    kept
}

/// The vectors that occur, by decision.
fn feasible(function: &Function, runs: &BTreeSet<BTreeSet<(usize, Vector)>>) -> Vec<Vec<Vector>> {
    let of = |id: usize| -> BTreeSet<&Vector> {
        runs.iter().flatten().filter(|(decision, _)| *decision == id).map(|(_, vector)| vector).collect()
    };
    (0..function.decisions.len()).map(|id| of(id).into_iter().cloned().collect()).collect()
}

#[test]
fn the_smallest_sets_of_tests_are_smallest() {
    let pairs = [Mcdc::UniqueCause, Mcdc::Masking, Mcdc::Strict].map(|mcdc| (Criterion::McdcPairs, mcdc));
    let others = [Criterion::Decision, Criterion::Condition, Criterion::ConditionDecision, Criterion::Mcdc];
    let all: Vec<(Criterion, Mcdc)> =
        others.map(|criterion| (criterion, Mcdc::UniqueCause)).into_iter().chain(pairs).collect();
    let (mut n_checked, mut n_large, mut n_infeasible, mut seed) = (0, 0, 0, 0);
    while n_checked < n_functions(12, 542) {
        seed += 1;
        let function = Function::random(seed, false);
        if function.decisions.is_empty() {
            continue;
        }
        n_checked += 1;
        let (text, runs) = (function.text(), behaviours(&function));
        let vectors = feasible(&function, &runs);
        for (criterion, mcdc) in &all {
            let goals = goals(&function, &vectors, *criterion, *mcdc);
            let (size, n_feasible) = smallest(&runs, &goals);
            let reading = CriterionReading {
                criterion: *criterion,
                mcdc: *mcdc,
                evaluation: EvaluationMode::ShortCircuit,
                ..CriterionReading::new(*criterion)
            };
            let options = CoverOptions { readings: vec![reading], ..CoverOptions::default() };
            let report = common::with_options(&text, &options).unwrap();
            let found = (report.tests.len(), report.summary.covered, report.summary.goals, report.is_minimal);
            assert_eq!(found, (size, n_feasible, goals.len(), true), "{criterion:?} {mcdc:?}\n{text}");
            n_large += usize::from(size > 3);
            n_infeasible += goals.len() - n_feasible;
        }
    }
    assert!(n_large > 3 && n_infeasible > 3, "{n_large} {n_infeasible}: nothing was tested");
}

#[test]
fn outcomes_in_loops_are_feasible_if_a_run_has_them() {
    let (mut n_checked, mut n_infeasible, mut seed) = (0, 0, 1_000);
    while n_checked < n_functions(4, 67) {
        seed += 1;
        let function = Function::random(seed, true);
        if !function.text().contains("while") {
            continue;
        }
        n_checked += 1;
        let (text, runs) = (function.text(), behaviours(&function));
        let vectors = feasible(&function, &runs);
        let options = CoverOptions {
            readings: vec![CriterionReading::new(Criterion::ConditionDecision)],
            ..CoverOptions::default()
        };
        let report = common::with_options(&text, &options).unwrap();
        for goal in
            report.goals.iter().filter(|goal| !goal.id.contains("case") && !goal.id.contains("default"))
        {
            let Some(is_feasible) = is_feasible(&function, &vectors, &text, &goal.id) else { continue };
            let expected = if is_feasible { "covered" } else { "infeasible" };
            assert_eq!(goal.state.word(), expected, "{}\n{text}", goal.id);
            n_infeasible += usize::from(!is_feasible);
        }
    }
    assert!(n_infeasible > 1, "nothing was tested");
}

/// Whether some run reaches the goal `f/d2/true` or `f/d2/c1/false`. The `switch` that ends a loop counts among the decisions of the text.
fn is_feasible(function: &Function, vectors: &[Vec<Vector>], text: &str, id: &str) -> Option<bool> {
    let parts: Vec<&str> = id.split('/').collect();
    let number: usize = parts[1][1..].parse().unwrap();
    let keywords = ["if (", "while (", "switch ("];
    let mut places: Vec<(usize, &str)> = keywords.iter().flat_map(|word| text.match_indices(*word)).collect();
    places.sort_unstable();
    let before = places[..number - 1].iter().filter(|(_, word)| *word != "switch (").count();
    assert!(before < function.decisions.len());
    let wanted = parts.last()? == &"true";
    Some(match parts.len() {
        3 => vectors[before].iter().any(|vector| vector.outcome == wanted),
        _ => {
            let condition: usize = parts[2][1..].parse().unwrap();
            vectors[before].iter().any(|vector| vector.values[condition - 1] == Some(wanted))
        }
    })
}
