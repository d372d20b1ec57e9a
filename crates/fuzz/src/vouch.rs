//! Who vouches for an input that a solver rejects?
//!
//! Our generator does for what it makes. A mutant has what its file had: an operator of one solver, a command of another, an
//! option that a third does not know. A solver that rejects such a script is right, and if it is reported every file
//! of another solver's tests becomes a group. So a mutant counts only if the standard vouches for it.

use crate::{Input, Language, Origin};
use nub_edits::smtlib::{View, Violations};
use nub_smtlib::{CommandKind, NodeId, Sort, SortId};

/// Options that every solver must know, even if only to say that it does not support them (SMT-LIB 2.7, §4.1.7).
const OPTIONS: [&[u8]; 14] = [
    b":diagnostic-output-channel",
    b":global-declarations",
    b":interactive-mode",
    b":print-success",
    b":produce-assertions",
    b":produce-assignments",
    b":produce-models",
    b":produce-proofs",
    b":produce-unsat-assumptions",
    b":produce-unsat-cores",
    b":random-seed",
    b":regular-output-channel",
    b":reproducible-resource-limit",
    b":verbosity",
];

/// Whether no solver has a reason to reject an input.
pub(crate) fn is_vouched_for(input: &Input) -> bool {
    let is_script = input.language == Language::SmtLib;
    input.origin == Origin::Generated || !is_script || is_standard(&input.text)
}

/// Whether a script is well sorted and keeps to the standard in commands, options and operators. O(n).
fn is_standard(text: &[u8]) -> bool {
    let view = View::new(text);
    let analysis = view.analysis();
    let is_plain =
        |&(node, kind): &(NodeId, CommandKind)| kind.is_standard() && has_plain_option(&view, node, kind);
    view.bracket_errors().is_empty()
        && analysis.errors().is_empty()
        && analysis.unknown().is_empty()
        && Violations::of(&view) == Violations::default()
        && view.commands().iter().all(is_plain)
        && view
            .tree()
            .nodes()
            .filter_map(|node| analysis.sort_value(node))
            .all(|sort| is_plain_sort(&view, sort))
}

/// Whether the standard has a sort, or the script declares it.
fn is_plain_sort(view: &View, sort: SortId) -> bool {
    let sort = view.analysis().sorts().get(sort);
    !matches!(sort, Sort::FiniteField(_) | Sort::Seq(_) | Sort::Set(_) | Sort::Bag(_) | Sort::Tuple(_))
}

fn has_plain_option(view: &View, command: NodeId, kind: CommandKind) -> bool {
    let name = view.tree().child(command, 1);
    kind != CommandKind::SetOption || name.is_some_and(|name| OPTIONS.contains(&view.slice(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_vouched_for_by_the_standard() {
        let plain = "(set-option :produce-models true)(set-logic QF_BV)(declare-const x (_ BitVec 2))(assert (= x #b01))(check-sat)";
        let is_vouched_for = |text: &str, origin| {
            let input =
                Input { seed: 1, text: text.into(), language: Language::SmtLib, status: None, origin };
            super::is_vouched_for(&input)
        };
        assert!(is_vouched_for(plain, Origin::Derived));
        for odd in [
            "(set-option :trace true)",
            "(eval x)",
            "(assert (= x (bvite #b1 x x)))",
            "(assert (= x y))",
            "(assert x)",
            "(declare-const s (Set Int))",
            "(declare-const t (Table Int))",
            "(push)",
            "(assert",
        ] {
            let text = format!("{plain}{odd}");
            assert!(!is_vouched_for(&text, Origin::Derived), "{odd}");
            assert!(is_vouched_for(&text, Origin::Generated), "{odd}");
        }
    }
}
