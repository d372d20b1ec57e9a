//! Whether a script conforms to the SMT-LIB standard, so that no solver has a reason to reject it.

mod session;

use nub_edits::smtlib::{SmtView, Violations};
use nub_smtlib::{CommandKind, NodeId, SmtSort, SortId};

pub use session::{Checked, is_set_up_in_order, questions_out_of_place};

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

/// Whether a script is well-sorted, uses only standard commands, options, operators and sorts, and sets options and logic in
/// order. O(n).
#[must_use]
pub fn keeps_to_standard(text: &[u8]) -> bool {
    let view = SmtView::new(text);
    let has_plain = |&(node, kind): &(NodeId, CommandKind)| has_plain_option(&view, node, kind);
    is_set_up_in_order(&view)
        && has_plain_meaning(&view, Violations::default())
        && view.commands().iter().all(has_plain)
}

/// Whether the standard defines the meaning of a script: it is well-sorted, and its commands, operators and sorts are
/// standard. Solver-specific options, a missing logic and `(push)` do not change the meaning. O(n).
#[must_use]
pub fn has_standard_meaning(text: &[u8]) -> bool {
    has_plain_meaning(&SmtView::new(text), Violations { numbers: true, ..Violations::default() })
}

fn has_plain_meaning(view: &SmtView, allowed: Violations) -> bool {
    let analysis = view.analysis();
    view.bracket_errors().is_empty()
        && analysis.errors().is_empty()
        && analysis.unknown().is_empty()
        && Violations::of(view).is_within(allowed)
        && view.commands().iter().all(|(_, kind)| kind.is_standard())
        && view
            .tree()
            .nodes()
            .filter_map(|node| analysis.sort_value(node))
            .all(|sort| is_plain_sort(view, sort))
}

/// Whether a sort is standard or declared by the script.
fn is_plain_sort(view: &SmtView, sort: SortId) -> bool {
    let sort = view.analysis().sorts().get(sort);
    !matches!(
        sort,
        SmtSort::FiniteField(_) | SmtSort::Seq(_) | SmtSort::Set(_) | SmtSort::Bag(_) | SmtSort::Tuple(_)
    )
}

fn has_plain_option(view: &SmtView, command: NodeId, kind: CommandKind) -> bool {
    let name = view.tree().child(command, 1);
    kind != CommandKind::SetOption || name.is_some_and(|name| OPTIONS.contains(&view.slice(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_told_from_the_standard() {
        let plain = "(set-option :produce-models true)(set-logic QF_BV)(declare-const x (_ BitVec 2))(assert (= x #b01))(check-sat)";
        assert!(keeps_to_standard(plain.as_bytes()));
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
            assert!(!keeps_to_standard(format!("{plain}{odd}").as_bytes()), "{odd}");
        }
    }
}
