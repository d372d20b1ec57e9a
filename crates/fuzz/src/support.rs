//! What a solver is known to support.
//!
//! No solver supports all of SMT-LIB, and that is not a bug: a script with integers is valid, but Bitwuzla reports an error.
//! Messages differ between solvers, so they do not distinguish a missing theory from a bug. But a solver that accepts every
//! feature of a script in other scripts has no reason to reject this one. So a refusal counts only if each feature of the
//! script was accepted by the same solver before: each command, logic, option and sort, and each operator with the kinds of
//! its arguments.

use crate::{FuzzedSolver, Language};
use nub_smtlib::{Analysis, NodeId, Script, SmtSort, SortId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Features by solver. Shared by all workers of a campaign.
#[derive(Clone, Default, Debug)]
pub struct Support {
    seen: Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>,
}

impl Support {
    /// Records that a solver accepted a script without an error.
    pub fn add(&self, solver: &FuzzedSolver, text: &[u8]) {
        let features = features(text);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.entry(solver.name.clone()).or_default().extend(features);
    }

    /// Whether the solver has accepted every feature of this input. Only scripts have features.
    pub fn covers(&self, solver: &FuzzedSolver, text: &[u8], language: Language) -> bool {
        if language != Language::SmtLib {
            return true;
        }
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seen) = seen.get(&solver.name) else { return false };
        features(text).is_subset(seen)
    }
}

/// The features of a script.
fn features(text: &[u8]) -> BTreeSet<String> {
    let (script, _) = Script::parse(text);
    let analysis = script.analyse();
    let tree = script.tree();
    let text_of = |node: NodeId| String::from_utf8_lossy(script.slice(node)).into_owned();
    let mut found = BTreeSet::new();
    for (command, _) in script.commands() {
        let mut words = tree.children(command).take(2).filter(|&word| !tree.is_list(word));
        let Some(head) = words.next() else { continue };
        let name = text_of(head);
        // `(set-logic L)`, `(set-option :o …)`, `(get-info :i)`; names of other commands are the script's own.
        let has_argument = name.starts_with("set-") || name.starts_with("get-");
        let argument = words.next().filter(|_| has_argument);
        found.insert(argument.map_or(name.clone(), |word| format!("{name} {}", text_of(word))));
    }
    for node in tree.nodes() {
        if let Some(sort) = analysis.sort_value(node) {
            found.insert(format!("sort {}", kind(&analysis, sort)));
        }
        if let Some(op) = analysis.op_of(node) {
            found.insert(format!("{} {}", op.name, arguments(&script, &analysis, node)));
        } else if matches!(script.slice(node), b"forall" | b"exists" | b"let" | b"match" | b"lambda") {
            found.insert(text_of(node));
        }
    }
    found
}

/// The kinds of an operator's arguments, each once and in order.
fn arguments(script: &Script, analysis: &Analysis, head: NodeId) -> String {
    let tree = script.tree();
    let application = tree.parent(head).and_then(|parent| {
        if tree.first_child(parent) == Some(head) {
            Some(parent)
        } else {
            tree.parent(parent).filter(|&above| tree.first_child(above) == Some(parent))
        }
    });
    let Some(application) = application else { return String::new() };
    let sorts = tree.children(application).skip(1).filter_map(|argument| analysis.sort_of(argument));
    let kinds: BTreeSet<&'static str> = sorts.map(|sort| kind(analysis, sort)).collect();
    kinds.into_iter().collect::<Vec<_>>().join(" ")
}

/// A sort without its parameters: solvers support a theory or do not.
fn kind(analysis: &Analysis, sort: SortId) -> &'static str {
    match analysis.sorts().get(sort) {
        SmtSort::Bool => "Bool",
        SmtSort::Int => "Int",
        SmtSort::Real => "Real",
        SmtSort::String => "String",
        SmtSort::BitVec(_) => "BitVec",
        SmtSort::Float(..) => "FloatingPoint",
        SmtSort::RegLan => "RegLan",
        SmtSort::RoundingMode => "RoundingMode",
        SmtSort::Array(..) => "Array",
        SmtSort::User(..) => "declared",
        SmtSort::Fun(_) => "function",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_what_a_script_is_made_of() {
        let text = "(set-option :produce-models true)(set-logic QF_LIA)(declare-const x Int)(assert (< x 1))(check-sat)(get-model)";
        let expected = [
            "< Int",
            "assert",
            "check-sat",
            "declare-const",
            "get-model",
            "set-logic QF_LIA",
            "set-option :produce-models",
            "sort Int",
        ];
        assert_eq!(features(text.as_bytes()).into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_solver_without_integers_is_not_blamed() {
        let solver = FuzzedSolver {
            name: "s".into(),
            command: vec!["s".into()],
            feed: crate::Feed::File,
            folder: None,
            role: crate::SolverRole::Tested,
            table: crate::Table::default(),
            version: String::new(),
        };
        let support = Support::default();
        let covers = |text: &str| support.covers(&solver, text.as_bytes(), Language::SmtLib);
        assert!(!covers("(check-sat)"), "nothing is known");
        support.add(&solver, b"(set-logic ALL)(declare-const p Bool)(assert (= p true))(check-sat)");
        assert!(covers("(set-logic ALL)(declare-const q Bool)(assert (= (= q true) true))(check-sat)"));
        assert!(!covers("(set-logic ALL)(declare-const x Int)(check-sat)"));
        assert!(!covers("(set-logic ALL)(declare-datatype a ((b)))(check-sat)"));
        support.add(&solver, b"(set-logic ALL)(declare-const y Int)(check-sat)");
        assert!(covers("(set-logic ALL)(declare-const x Int)(check-sat)"));
        assert!(!covers("(set-logic ALL)(declare-const x Int)(assert (= x x))(check-sat)"), "= of integers");
    }
}
