//! Consecutive ids from 1: the last step, after all others.
//!
//! ```text
//! 17 var 8                   1 var 8
//! 40 redor 1 -17     =>      2 redor 1 -1
//! 52 root 1 40               3 root 1 2
//! ```

use super::BtorView;
use crate::{Edit, Grouping, Pass};

/// See the module.
pub struct BtorRenumber;

impl Pass<BtorView> for BtorRenumber {
    fn name(&self) -> &'static str {
        "renumber"
    }

    fn grouping(&self) -> Grouping {
        Grouping::Single
    }

    /// All at once; if this loses the failure, the failure depends on the ids.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let mut splices = Vec::new();
        for line in view.lines() {
            let number = line.index() + 1;
            if view.line(line).id != number as u64 {
                splices.push((view.line(line).id_span, number.to_string().into_bytes()));
            }
            for operand in view.operands(line) {
                let Some(target) = operand.line else { continue };
                let minus = if operand.negated { "-" } else { "" };
                let text = format!("{minus}{}", target.index() + 1).into_bytes();
                if text != operand.span.slice(view.text()) {
                    splices.push((operand.span, text));
                }
            }
        }
        if splices.is_empty() { Vec::new() } else { Edit::try_of(splices).into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::each;

    #[test]
    fn ids_from_one() {
        let text = "17 var 8\n40 redor 1 -17\n52 root 1 40\n";
        assert_eq!(each(&BtorRenumber, text), ["1 var 8\n2 redor 1 -1\n3 root 1 2\n"]);
        assert!(each(&BtorRenumber, "1 var 1\n2 root 1 1\n").is_empty());
    }
}
