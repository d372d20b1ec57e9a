//! Which two paths through a decision show that a condition matters: the variants of MC/DC.

use super::paths::Path;
use nub_c_ir::{Decision, TreeNode};
use nub_report::cover::Mcdc;

/// The pairs of paths that show a condition, first the path in which it is true, by their positions in the list. O(paths²).
pub fn pairs(decision: &Decision, paths: &[Path], condition: u32, reading: Mcdc) -> Vec<[usize; 2]> {
    let index = condition as usize;
    let with =
        |value: bool| paths.iter().enumerate().filter(move |(_, path)| path.values[index] == Some(value));
    let decides = |path: &Path| reading != Mcdc::Masking || is_decisive(decision, path, condition);
    let mut found = Vec::new();
    for (p, a) in with(true).filter(|(_, path)| decides(path)) {
        for (q, b) in with(false).filter(|(_, path)| decides(path)) {
            if a.outcome != b.outcome && agree(a, b, index, reading) {
                found.push([p, q]);
            }
        }
    }
    found
}

fn agree(a: &Path, b: &Path, index: usize, reading: Mcdc) -> bool {
    let mut others = a.values.iter().zip(&b.values).enumerate().filter(|(other, _)| *other != index);
    match reading {
        Mcdc::UniqueCause => others.all(|(_, (a, b))| a == b || a.is_none() || b.is_none()),
        Mcdc::Strict => others.all(|(_, (a, b))| a == b),
        Mcdc::Masking => true,
    }
}

/// Whether the outcome depends on the condition, for some values of what is skipped. Each condition is one leaf, so the parts of the expression
/// beside the path from the leaf to the root are independent: each must be able to let it through.
fn is_decisive(decision: &Decision, path: &Path, condition: u32) -> bool {
    // For each node: can it be true, can it be false, does it depend on the condition.
    let mut nodes: Vec<(bool, bool, bool)> = Vec::with_capacity(decision.tree.len());
    for node in &decision.tree {
        let made = match *node {
            TreeNode::Condition(leaf) if leaf == condition => (true, true, true),
            TreeNode::Condition(leaf) => match path.values[leaf as usize] {
                Some(value) => (value, !value, false),
                None => (true, true, false),
            },
            TreeNode::Not(a) => {
                let (can_be_true, can_be_false, depends) = nodes[a as usize];
                (can_be_false, can_be_true, depends)
            }
            TreeNode::And(a, b) => {
                let (a, b) = (nodes[a as usize], nodes[b as usize]);
                (a.0 && b.0, a.1 || b.1, (a.2 && b.0) || (b.2 && a.0))
            }
            TreeNode::Or(a, b) => {
                let (a, b) = (nodes[a as usize], nodes[b as usize]);
                (a.0 || b.0, a.1 && b.1, (a.2 && b.1) || (b.2 && a.1))
            }
        };
        nodes.push(made);
    }
    nodes.last().is_some_and(|root| root.2)
}

#[cfg(test)]
mod tests {
    use super::super::paths::tests::{decision, show};
    use super::super::paths::{EvaluationMode, paths, value_of};
    use super::*;

    fn shown(postfix: &str, condition: u32, reading: Mcdc) -> Vec<String> {
        let decision = decision(postfix);
        let paths = paths(&decision, EvaluationMode::ShortCircuit).unwrap();
        let text = |[p, q]: [usize; 2]| format!("{} {}", show(&paths[p]), show(&paths[q]));
        pairs(&decision, &paths, condition, reading).into_iter().map(text).collect()
    }

    #[test]
    fn pairs_of_a_chain() {
        assert_eq!(shown("a", 0, Mcdc::UniqueCause), ["T=T F=F"]);
        assert_eq!(shown("ab|", 0, Mcdc::UniqueCause), ["T-=T FF=F"]);
        assert_eq!(shown("ab|", 1, Mcdc::UniqueCause), ["FT=T FF=F"]);
        assert_eq!(shown("ab|", 0, Mcdc::Strict), Vec::<String>::new());
        assert_eq!(shown("ab|", 1, Mcdc::Strict), ["FT=T FF=F"]);
    }

    /// Where gcc and clang differ: in `(a && b) || (c && d)` the first part may be false for different reasons.
    #[test]
    fn masking_allows_more() {
        let unique = shown("ab&cd&|", 2, Mcdc::UniqueCause);
        assert_eq!(unique, ["TFTT=T TFF-=F", "F-TT=T F-F-=F"]);
        let masking = shown("ab&cd&|", 2, Mcdc::Masking);
        assert_eq!(masking, ["TFTT=T TFF-=F", "TFTT=T F-F-=F", "F-TT=T TFF-=F", "F-TT=T F-F-=F"]);
    }

    /// On all vectors of four conditions: decisive means that flipping changes the outcome for some completion.
    #[test]
    fn decisive_is_the_boolean_difference() {
        for postfix in ["ab&cd&|", "ab|c&d|", "ab|cd|&", "abc!|&d&", "ab&!c|d&"] {
            let decision = decision(postfix);
            for path in paths(&decision, EvaluationMode::ShortCircuit).unwrap() {
                for condition in 0..4u32 {
                    if path.values[condition as usize].is_none() {
                        continue;
                    }
                    let fits = |vector: &Vec<bool>| {
                        let mut both = path.values.iter().zip(vector);
                        both.all(|(way, value)| way.is_none_or(|way| way == *value))
                    };
                    let flips = |mut vector: Vec<bool>| {
                        let before = value_of(&decision.tree, &vector);
                        vector[condition as usize] = !vector[condition as usize];
                        before != value_of(&decision.tree, &vector)
                    };
                    let vectors =
                        (0..16).map(|bits| (0..4).map(|bit| bits >> bit & 1 == 1).collect::<Vec<bool>>());
                    let expected = vectors.filter(fits).any(flips);
                    assert_eq!(
                        is_decisive(&decision, &path, condition),
                        expected,
                        "{postfix} {} {condition}",
                        show(&path)
                    );
                }
            }
        }
    }
}
