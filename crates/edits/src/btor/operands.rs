//! Redirects one operand to an earlier node of the same sort, the earliest first. The old operand may become useless.
//!
//! ```text
//! 5 udiv 8 3 4        =>        5 udiv 8 3 3
//! ```

use super::{BtorView, LineRef};
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_btor::{LineId, Operand, Sort};
use rustc_hash::FxHashMap;

/// Limit on the earlier nodes offered per operand: the first ones of the file, and the operand's siblings.
const MAX_OFFERS: usize = 3;

/// Which operands to redirect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// References to leaves and to nodes that are also used elsewhere. Redirecting any other reference removes everything that only this
    /// reference needs; if that is required, the edit cannot succeed.
    Shared,
    /// Every reference.
    All,
}

impl Pass<BtorView> for Operands {
    fn name(&self) -> &'static str {
        "operands"
    }

    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let mut first: FxHashMap<Sort, Vec<LineId>> = FxHashMap::default();
        let mut edits = Vec::new();
        for line in view.lines() {
            if edits.len() > MAX_EDITS {
                break;
            }
            edits.extend(self.of_line(view, line, &first));
            if let Some(sort) = view.sort(line).filter(|_| view.is_node(line)) {
                let list = first.entry(sort).or_default();
                if list.len() < MAX_OFFERS {
                    list.push(line);
                }
            }
        }
        edits
    }
}

impl Operands {
    fn of_line<'v>(
        self,
        view: &'v BtorView,
        line: LineId,
        first: &'v FxHashMap<Sort, Vec<LineId>>,
    ) -> impl Iterator<Item = Edit> + 'v {
        view.nodes_of(line).filter(move |operand| self.wants(view, operand)).flat_map(move |operand| {
            let old = operand.line;
            let sort = old.and_then(|old| view.sort(old));
            let fits = move |to: &LineId| Some(*to) < old && view.fits(line, operand, *to);
            let early = sort.and_then(|sort| first.get(&sort)).into_iter().flatten().copied();
            let siblings = view.nodes_of(line).filter_map(|other| other.line);
            let mut offers: Vec<LineId> = early.chain(siblings).filter(fits).collect();
            offers.sort_unstable();
            offers.dedup();
            let reference = |to| view.reference(LineRef { to, negated: operand.negated });
            offers.into_iter().map(move |to| Edit::replace(operand.span, reference(to)))
        })
    }

    fn wants(self, view: &BtorView, operand: &Operand) -> bool {
        let is_shared = |to: LineId| view.uses(to).len() > 1 || view.nodes_of(to).next().is_none();
        self == Operands::All || operand.line.is_some_and(is_shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::{each, read};

    #[test]
    fn earlier_nodes_of_the_same_sort() {
        let text =
            "1 var 8\n2 var 4\n3 var 8\n4 udiv 8 1 -3\n5 redor 1 4\n6 redor 1 2\n7 and 1 5 6\n8 root 1 7\n";
        let found = each(&Operands::All, text);
        assert!(found[0].contains("udiv 8 1 -1\n") && !found[0].contains("3 var"), "{}", found[0]);
        assert!(found.iter().all(|text| read(text).file().faults().is_empty()));
    }
}
