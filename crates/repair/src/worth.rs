//! What decides the order of lines.
//!
//! There are two kinds of evidence. *Point repair* says that some function of what a statement reads is right at each counterexample. A
//! *small edit* says that one short change of the text is right for all runs.
//!
//! 1. A statement that another operator, number or negation makes right comes first: there are few such edits at each place, so one that is right
//!    is rarely right by chance.
//! 2. Other edits (another name, another order, an offset, an operand dropped, one more condition) are many at each place. Their score depends on
//!    the specification. If it is weak, nearly every statement has point repairs, and an edit that leaves nearly all passing runs unchanged is
//!    better evidence. If it is complete, point repairs with the operands that a statement reads are rare and better evidence; an edit then comes
//!    just below one for every counterexample.
//! 3. For floating-point arithmetic, proofs may be infeasible. Next come edits of kinds that are few at each place, with which all known runs pass.
//! 4. For all others the score is the share of counterexamples with a point repair, without damage.
//!
//! Among edits of one kind, those that alter least come first: the outputs of passing runs, and what the statement itself does in them. An edit that
//! removes an outcome, or disables its statement, does not count (`outcomes`, `edits::vacuous`).

use super::edits::EditKind;
use super::search::Searched;
use super::try_site::Found;

/// An edit that changes the output of a larger share of the passing runs is not small, whatever its text: it comes after all small ones.
pub(super) const MAX_DAMAGE: f64 = 0.25;
/// An edit that changes the output of a larger share, that is, of most passing runs, does not count.
const MOST: f64 = 0.5;
/// Larger than any share.
const EDITED: f64 = 40.0;
/// Larger than any difference between kinds and shares.
const LARGE: f64 = 20.0;
/// A changed value counts half as much as a changed output.
const ALTERED_WEIGHT: f64 = 0.5;
/// The score of an edit that no known run contradicts, reduced for kinds that are less plausible: more than all point repairs, and less than a proof.
const LIKELY: f64 = 3.0;
const KINDS: f64 = 20.0;
/// The score of an edit under a complete specification, in addition to a share of point repairs.
const NEARLY_ALL: f64 = 0.9;

/// What passing runs show about the specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Specification {
    /// No repair that it allows changes what it sees of a passing run.
    Complete,
    /// Some do.
    Weak,
}

impl Specification {
    /// From all repairs and edits that were found.
    pub fn of(searched: &Searched<'_>) -> Specification {
        let has_damage = |found: &Found| found.own.iter().any(|repair| repair.damage > 0.0);
        let is_weak = searched.candidates.iter().any(|candidate| has_damage(&candidate.found))
            || searched.edits.iter().any(|edit| edit.is_proved() && edit.damage > 0.0);
        if is_weak { Specification::Weak } else { Specification::Complete }
    }
}

/// What is known about an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Certainty {
    /// The program is right with it.
    Proved,
    /// No known run fails with it, and it is unknown whether any does.
    Likely,
}

/// An edit that makes the program right, or may.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Right {
    pub certainty: Certainty,
    pub kind: EditKind,
    /// Share of passing runs whose output changes.
    pub damage: f64,
    /// Whether that is more than [`MAX_DAMAGE`], or some outcome is lost.
    pub is_large: bool,
    /// Share of passing runs in which the statement has another value.
    pub altered: f64,
    /// Whether it gives both outcomes to a decision that has the same outcome in all known runs.
    pub wakes: bool,
}

/// The score of a statement, from the score of point repair alone, and an edit.
pub(super) fn worth(points: f64, edit: Option<Right>, specification: Specification) -> f64 {
    let Some(Right { certainty, kind, damage, is_large, altered, wakes }) =
        edit.filter(|edit| edit.damage <= MOST)
    else {
        return points;
    };
    if certainty == Certainty::Likely {
        return LIKELY - f64::from(kind as u8) / KINDS - damage;
    }
    let large = if is_large { LARGE } else { 0.0 };
    match specification {
        // A decision that does nothing is a fault in itself, and the program is right with an edit that fixes it.
        Specification::Complete if wakes => EDITED - large - damage,
        Specification::Complete if !kind.is_rare() => points.max(NEARLY_ALL * (1.0 - altered / 10.0)),
        _ => EDITED - large - f64::from(kind as u8) - damage - ALTERED_WEIGHT * altered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(kind: EditKind, altered: f64) -> Option<Right> {
        let certainty = Certainty::Proved;
        Some(Right { certainty, kind, damage: 0.0, is_large: false, altered, wakes: false })
    }

    #[test]
    fn names_count_as_much_as_the_specification_leaves_open() {
        let name = right(EditKind::Name, 0.0);
        let of = worth;
        assert!(of(0.6, name, Specification::Weak) > of(1.0, None, Specification::Weak));
        assert!(of(0.6, name, Specification::Complete) < of(1.0, None, Specification::Complete));
        assert!(of(0.6, name, Specification::Complete) > of(0.8, None, Specification::Complete));
        for specification in [Specification::Weak, Specification::Complete] {
            assert!(of(0.0, right(EditKind::Operator, 1.0), specification) > of(1.0, name, specification));
            assert!(of(0.6, name, specification) > of(0.6, right(EditKind::Name, 0.5), specification));
        }
    }

    #[test]
    fn an_edit_without_proof_comes_between() {
        let likely = |kind| right(kind, 0.0).map(|right| Right { certainty: Certainty::Likely, ..right });
        let of = |edit| worth(1.0, edit, Specification::Complete);
        assert!(of(likely(EditKind::Tolerance)) > of(None));
        assert!(of(likely(EditKind::Operator)) > of(likely(EditKind::Tolerance)));
        assert!(of(likely(EditKind::Operator)) < of(right(EditKind::Tolerance, 1.0)));
    }

    #[test]
    fn a_decision_that_is_mended_comes_first() {
        let waking = right(EditKind::Name, 0.3).map(|right| Right { wakes: true, ..right });
        let operator = right(EditKind::Operator, 0.0);
        let of = |edit| worth(0.0, edit, Specification::Complete);
        assert!(of(waking) > of(operator));
        assert!(worth(0.0, waking, Specification::Weak) < worth(0.0, operator, Specification::Weak));
    }

    #[test]
    fn an_edit_that_alters_much_comes_after_all_that_do_not() {
        let of = |kind, damage, is_large| {
            let certainty = Certainty::Proved;
            let right = Right { certainty, kind, damage, is_large, altered: 1.0, wakes: false };
            worth(1.0, Some(right), Specification::Weak)
        };
        assert!(of(EditKind::Operator, 0.3, true) < of(EditKind::Condition, MAX_DAMAGE, false));
        assert!(of(EditKind::Condition, MOST, true) > worth(1.0, None, Specification::Weak));
        assert_eq!(of(EditKind::Operator, 0.6, true), 1.0, "point repair alone counts");
    }
}
