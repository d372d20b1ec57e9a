//! Solves an equation for a variable: the other side replaces the variable, and the equation becomes true.
//!
//! ```text
//! 2 var 8
//! 5 eq 1 2 4                   5 one 1
//! 6 add 8 2 3        =>        6 add 8 4 3
//! ```
//!
//! Either change alone often loses the failure: a free variable may take a value without the failure, and replacing it by a constant
//! makes the text longer.

use super::{BtorView, LineRef};
use crate::{Edit, Pass};
use nub_btor::{LineId, Operand, Tag, WidthRule};

/// See the module.
pub struct Equalities;

impl Pass<BtorView> for Equalities {
    fn name(&self) -> &'static str {
        "equalities"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let is_equation = |line: &LineId| view.tag(*line).is_some_and(|tag| tag.rule() == WidthRule::Equal);
        view.lines().filter(is_equation).flat_map(|line| solve(view, line)).collect()
    }
}

/// One edit per side that is a variable.
fn solve(view: &BtorView, equation: LineId) -> Vec<Edit> {
    let sides: Vec<&Operand> = view.nodes_of(equation).collect();
    let [left, right] = sides[..] else { return Vec::new() };
    [(left, right), (right, left)].into_iter().filter_map(|(a, b)| substitute(view, equation, a, b)).collect()
}

fn substitute(view: &BtorView, equation: LineId, from: &Operand, to: &Operand) -> Option<Edit> {
    let (variable, by) = (from.line?, to.line?);
    let is_free =
        view.tag(variable)?.rule() == WidthRule::Leaf && view.assignments(variable).next().is_none();
    let uses: Vec<_> = view.uses(variable).iter().filter(|at| at.by != equation).collect();
    let fits = variable != by && uses.iter().all(|at| view.fits(at.by, &at.operand, by));
    if !is_free || uses.is_empty() || !fits {
        return None;
    }
    let flips = from.negated != to.negated;
    let redirected = uses.iter().map(|at| {
        let negated = at.operand.negated != flips;
        (at.operand.span, view.reference(LineRef { to: by, negated }))
    });
    let holds = view.to_leaf(equation, if view.tag(equation)? == Tag::Eq { Tag::One } else { Tag::Zero })?;
    let holds = holds.splices.into_iter().map(|splice| (splice.span, splice.text.into_vec()));
    Edit::try_of(redirected.chain(holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn a_variable_goes_with_its_equation() {
        let text = "1 var 8\n2 zero 8\n3 eq 1 1 -2\n4 redor 1 -1\n5 and 1 3 4\n6 root 1 5\n";
        assert_eq!(each(&Equalities, text), ["2 zero 8\n3 one 1\n4 redor 1 2\n5 and 1 3 4\n6 root 1 5\n"]);
    }

    #[test]
    fn what_is_used_too_early_stays() {
        assert!(each(&Equalities, "1 var 8\n2 not 8 1\n3 eq 1 1 2\n4 root 1 3\n").is_empty());
    }
}
