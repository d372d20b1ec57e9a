//! Removes a minus sign before an operand ("superfluous negations", [Vida08] §6).
//!
//! ```text
//! 5 and 1 -3 4        =>        5 and 1 3 4
//! ```

use super::BtorView;
use crate::{Edit, Pass};
use nub_text::Span;

/// See the module.
pub struct Negations;

impl Pass<BtorView> for Negations {
    fn name(&self) -> &'static str {
        "negations"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let operands = view.lines().flat_map(|line| view.operands(line));
        let negated = operands.filter(|operand| operand.negated);
        negated
            .map(|operand| Edit::cut(Span { start: operand.span.start, end: operand.span.start + 1 }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn one_minus_at_a_time() {
        let text = "1 var 1\n2 and 1 -1 -1\n3 root 1 2\n";
        assert_eq!(
            each(&Negations, text),
            [text.replace("1 -1 -1", "1 1 -1"), text.replace("1 -1 -1", "1 -1 1")]
        );
    }
}
