//! Decides which solver is wrong, on the reduced file, where every solver is fast.
//!
//! | what is certain | what the report says |
//! |---|---|
//! | a model of the small file was evaluated, or the built-in solver found one | the solver that answers `unsat` is wrong |
//! | the built-in solver has a proof of `unsat`, and it was checked | the solver that answers `sat` is wrong |
//! | the solver that answers `unsat` answers `sat` once the values of the other's model are put in | it contradicts itself |
//! | none of these | two solvers disagree |
//!
//! A majority of solvers is not evidence, and neither is an `unsat` of the built-in solver without its proof.

use crate::bench::Bench;
use crate::examine::{Trouble, UnitPlan, examine_alone};
use crate::finding::{Authority, Finding, FindingKind};
use crate::lane::{Lane, SolverRun, run_lane};
use crate::options::OptionSet;
use crate::verify::CHECK_PROOF;
use crate::{FuzzInput, Language, PrintedAnswer, SolverRole};
use nub_smtlib::{CommandKind, NodeId, Script};
use std::collections::BTreeMap;
use std::ops::Range;

/// The finding on a reduced file with what is certain about it. `None` if it could not be reproduced.
pub fn decide(
    plan: &UnitPlan,
    bench: &Bench,
    input: &FuzzInput,
    finding: &Finding,
    options: &OptionSet,
) -> Result<Option<Finding>, Trouble> {
    if !matches!(finding.kind, FindingKind::WrongAnswer { .. } | FindingKind::Disagreement { .. }) {
        return Ok(Some(finding.clone()));
    }
    let lanes = lanes(plan, finding, options);
    let (found, runs) = examine_alone(plan, &lanes, bench, input)?;
    let is_same = |(lane, other): &(usize, Finding)| {
        plan.solvers[lanes[*lane].solver].name == finding.solver
            && lanes[*lane].options == *options
            && said(&other.kind) == said(&finding.kind)
    };
    let Some((accused, mut again)) = found.into_iter().find(is_same) else { return Ok(None) };
    again.kind = match again.kind {
        FindingKind::WrongAnswer { said, truth, by: Authority::BuiltIn } => {
            let other_name = reference_name(plan);
            FindingKind::Disagreement { said, other: truth, other_name }
        }
        kind @ FindingKind::Disagreement { .. } => {
            let is_beaten = accepts_a_model(plan, bench, input, &lanes, &runs, accused)?;
            if is_beaten {
                FindingKind::WrongAnswer {
                    said: PrintedAnswer::Unsat,
                    truth: PrintedAnswer::Sat,
                    by: Authority::Witness,
                }
            } else {
                kind
            }
        }
        kind => kind,
    };
    Ok(Some(again))
}

/// What the solver to blame answered.
fn said(kind: &FindingKind) -> Option<PrintedAnswer> {
    match kind {
        FindingKind::WrongAnswer { said, .. } | FindingKind::Disagreement { said, .. } => Some(*said),
        _ => None,
    }
}

fn reference_name(plan: &UnitPlan) -> String {
    let reference = plan.solvers.iter().find(|solver| solver.role == SolverRole::Reference);
    reference.map_or(String::new(), |solver| solver.name.clone())
}

/// All solvers without options, and the accused also with its remaining options; the built-in solver proves its
/// answers.
fn lanes(plan: &UnitPlan, finding: &Finding, options: &OptionSet) -> Vec<Lane> {
    let mut lanes = Vec::new();
    for (number, solver) in plan.solvers.iter().enumerate() {
        let is_reference = solver.role == SolverRole::Reference;
        let proving = is_reference.then(|| vec![CHECK_PROOF.to_owned()]);
        lanes.push(Lane { solver: number, options: OptionSet { args: proving.into_iter().collect() } });
        if solver.name == finding.solver && !options.args.is_empty() {
            lanes.push(Lane { solver: number, options: options.clone() });
        }
    }
    lanes
}

/// Whether the accused, which answers `unsat`, answers `sat` to the input with the values of another solver's model. If the
/// input has a model with these values, it has a model: so one of its answers is wrong.
fn accepts_a_model(
    plan: &UnitPlan,
    bench: &Bench,
    input: &FuzzInput,
    lanes: &[Lane],
    runs: &[Option<SolverRun>],
    accused: usize,
) -> Result<bool, Trouble> {
    if input.language != Language::SmtLib {
        return Ok(false);
    }
    for (lane, run) in lanes.iter().zip(runs) {
        let answers = run.as_ref().map_or(&[][..], |run| &run.observation.reading.answers);
        if answers != [PrintedAnswer::Sat] {
            continue;
        }
        let Some(model) = model_of(plan, bench, input, lane)? else { continue };
        let Some(text) = with_values(&input.text, &model) else { continue };
        let narrowed = FuzzInput { text, ..input.clone() };
        let answer = answer_of(plan, bench, &narrowed, &lanes[accused])?;
        if answer == Some(PrintedAnswer::Sat) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The model that a solver prints if it is asked for one.
fn model_of(
    plan: &UnitPlan,
    bench: &Bench,
    input: &FuzzInput,
    lane: &Lane,
) -> Result<Option<Vec<u8>>, Trouble> {
    let mut text = b"(set-option :produce-models true)\n".to_vec();
    text.extend_from_slice(&input.text);
    text.extend_from_slice(b"\n(get-model)\n");
    let input = FuzzInput { text, ..input.clone() };
    let runs = run_lane(bench, &plan.solvers[lane.solver], lane, std::slice::from_ref(&input))?;
    let model = runs.runs.into_iter().flatten().next().and_then(|run| {
        let (_, range) = run.observation.reading.models.last()?.clone();
        run.stdout.get(range).map(<[u8]>::to_vec)
    });
    Ok(model)
}

/// The only answer of a solver, if it gave no error.
fn answer_of(
    plan: &UnitPlan,
    bench: &Bench,
    input: &FuzzInput,
    lane: &Lane,
) -> Result<Option<PrintedAnswer>, Trouble> {
    let runs = run_lane(bench, &plan.solvers[lane.solver], lane, std::slice::from_ref(input))?;
    let run = runs.runs.into_iter().flatten().next();
    Ok(run.and_then(|run| {
        match (&run.observation.reading.answers[..], &run.observation.reading.errors[..]) {
            ([answer], []) => Some(*answer),
            _ => None,
        }
    }))
}

/// The script with the definitions of a model in place of its declarations. `None` unless it has one `check-sat` at the
/// first level, where a declaration is valid for the whole script, and the model defines one of its symbols.
fn with_values(text: &[u8], model: &[u8]) -> Option<Vec<u8>> {
    let (script, _) = Script::parse(text);
    let tree = script.tree();
    let is_plain = |kind| !matches!(kind, CommandKind::Push | CommandKind::Pop | CommandKind::Reset);
    if !script.commands().all(|(_, kind)| is_plain(kind)) {
        return None;
    }
    let definitions = definitions(model);
    let mut kept = Vec::with_capacity(text.len() + model.len());
    let mut from = 0;
    for (command, kind) in script.commands() {
        let name = tree.child(command, 1).map(|name| script.slice(name));
        let definition = match kind {
            CommandKind::DeclareConst | CommandKind::DeclareFun => {
                name.and_then(|name| definitions.get(name))
            }
            _ => None,
        };
        let Some(definition) = definition else { continue };
        let span = tree.span(command);
        kept.extend_from_slice(&text[from..span.start as usize]);
        kept.extend_from_slice(&model[definition.clone()]);
        from = span.end as usize;
    }
    kept.extend_from_slice(&text[from..]);
    (from > 0).then_some(kept)
}

/// Where the definitions of a model are, by name.
fn definitions(model: &[u8]) -> BTreeMap<Vec<u8>, Range<usize>> {
    let (script, _) = Script::parse(model);
    let tree = script.tree();
    let is_definition = |node: &NodeId| {
        tree.is_list(*node) && tree.first_child(*node).is_some_and(|head| script.slice(head) == b"define-fun")
    };
    let nodes = tree.nodes().filter(is_definition).filter_map(|node| {
        let name = script.slice(tree.child(node, 1)?).to_vec();
        let span = tree.span(node);
        Some((name, span.start as usize..span.end as usize))
    });
    nodes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_the_place_of_declarations() {
        let script = b"(set-logic ALL)(declare-const x Int)(declare-fun f (Int) Int)(declare-const y Int)(assert (= x (f y)))(check-sat)";
        let model = b"(\n  (define-fun x () Int 3)\n  (define-fun f ((a Int)) Int 3)\n)";
        let text = String::from_utf8(with_values(script, model).unwrap()).unwrap();
        let expected = "(set-logic ALL)(define-fun x () Int 3)(define-fun f ((a Int)) Int 3)(declare-const y Int)(assert (= x (f y)))(check-sat)";
        assert_eq!(text, expected);
        assert_eq!(with_values(b"(declare-const x Int)(push 1)(check-sat)", model), None, "levels");
        assert_eq!(with_values(b"(declare-const z Int)(check-sat)", model), None, "nothing is defined");
    }
}
