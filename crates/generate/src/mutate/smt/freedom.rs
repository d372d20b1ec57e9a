//! Which terms may replace a term: any term of its sort, or only what solvers accept at this place.

use super::seed::SmtSeed;
use nub_smtlib::ops::{OperatorSignature, SortRule};
use nub_smtlib::{NodeId, NodeKind, SmtOp, SortId};

/// Which terms may replace a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Freedom {
    /// Any term of its sort.
    Term,
    /// Only a literal: solvers require one here.
    Literal,
    /// No other term.
    Fixed,
}

impl SmtSeed {
    /// Which terms may replace the term at a place, given the operators around it. Constant time.
    pub(super) fn freedom(&self, node: NodeId) -> Freedom {
        if self.has_named(node) {
            return Freedom::Fixed;
        }
        let tree = self.script.tree();
        let sort = self.sort(node);
        // A numeral among reals may represent a real, but other terms of sort Int may not be used there.
        let is_converted =
            sort == SortId::INT && tree.kind(node) == NodeKind::Numeral && self.sorts.contains(&SortId::REAL);
        let mut freedom = if is_converted { Freedom::Literal } else { Freedom::Term };
        let mut above = tree.parent(node);
        // A literal has at most four nested brackets: `((_ to_fp 8 24) RNE (- (/ 1 3)))`.
        for distance in 0..4 {
            let Some(parent) = above else { break };
            if let Some(op) = self.analysis.head(parent).and_then(|head| head.op) {
                let asked = asks_literal(op, sort);
                freedom = match (asked, distance) {
                    (Freedom::Term, _) => freedom,
                    (asked, 0) => asked,
                    _ => Freedom::Fixed,
                };
            }
            above = tree.parent(parent);
        }
        freedom
    }
}

/// What an operator requires of its arguments beyond their sorts.
fn asks_literal(op: &SmtOp, sort: SortId) -> Freedom {
    let is_number = matches!(sort, SortId::INT | SortId::REAL);
    match (op.signature, op.name) {
        (OperatorSignature::Rule(SortRule::ConstArray), _) => Freedom::Literal,
        (OperatorSignature::Rule(SortRule::ToFp), _) if is_number => Freedom::Literal,
        (_, "re.range") => Freedom::Fixed,
        // Repetitions and powers, as written in older files.
        (_, "re.loop" | "re.^" | "^") if is_number => Freedom::Fixed,
        _ => Freedom::Term,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_where_solvers_ask_for_them() {
        let text = "(declare-const x Real)(declare-const r RegLan)(assert (= ((as const (Array Int Real)) (- 2.5)) ((as const (Array Int Real)) 7.5)))(assert (< x 3))(assert (= r (re.range \"a\" \"b\")))(assert (= x 4.5))";
        let seed = SmtSeed::read(text.as_bytes()).unwrap();
        let freedom = |text: &[u8]| {
            seed.freedom(seed.places.iter().copied().find(|&node| seed.slice(node) == text).unwrap())
        };
        assert_eq!(freedom(b"7.5"), Freedom::Literal, "the value of a constant array");
        assert_eq!(freedom(b"2.5"), Freedom::Fixed, "part of a literal that must be one");
        assert_eq!(freedom(b"3"), Freedom::Literal, "an integer that stands for a real");
        assert_eq!(freedom(b"\"a\""), Freedom::Fixed);
        assert_eq!(freedom(b"4.5"), Freedom::Term);
    }
}
