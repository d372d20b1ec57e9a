//! The paths through one decision.

use nub_c_ir::{Decision, TreeNode};

/// How conditions are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluationMode {
    /// As in C: `&&` and `||` skip what cannot matter.
    #[default]
    ShortCircuit,
    /// All conditions of a decision that is reached have a value, as if the operators were `&` and `|`: the interpretation of [Weiler13].
    All,
}

/// One path through a decision.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Path {
    /// For each condition; `None` if it is skipped.
    pub values: Vec<Option<bool>>,
    /// The value of the whole.
    pub outcome: bool,
}

/// A decision has too many paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// The largest number of paths. A chain of n conditions has n + 1; `(a || b) && (c || d) && ...` multiplies.
pub const MAX_PATHS: usize = 2_048;

/// All paths through a decision, respecting constants, in a fixed order. Empty for `switch`.
pub fn paths(decision: &Decision, evaluation: EvaluationMode) -> Result<Vec<Path>, TooMany> {
    let all = match evaluation {
        _ if decision.tree.is_empty() => return Ok(Vec::new()),
        EvaluationMode::ShortCircuit => short_circuit(decision)?,
        EvaluationMode::All => full_vectors(decision)?,
    };
    let fits = |path: &Path| {
        let mut both = path.values.iter().zip(&decision.conditions);
        both.all(|(value, condition)| {
            value.is_none() || condition.constant.is_none() || *value == condition.constant
        })
    };
    Ok(all.into_iter().filter(fits).collect())
}

fn short_circuit(decision: &Decision) -> Result<Vec<Path>, TooMany> {
    let n = decision.conditions.len();
    // For each node of the tree.
    let mut found: Vec<Vec<Path>> = Vec::with_capacity(decision.tree.len());
    for node in &decision.tree {
        let paths = match *node {
            TreeNode::Condition(condition) => [true, false].map(|value| single(n, condition, value)).into(),
            TreeNode::Not(a) => {
                let negated = found[a as usize].iter().cloned();
                negated.map(|path| Path { outcome: !path.outcome, ..path }).collect()
            }
            TreeNode::And(a, b) => joined(&found[a as usize], &found[b as usize], true)?,
            TreeNode::Or(a, b) => joined(&found[a as usize], &found[b as usize], false)?,
        };
        found.push(paths);
    }
    Ok(found.pop().unwrap_or_default())
}

fn single(n: usize, condition: u32, value: bool) -> Path {
    let mut values = vec![None; n];
    values[condition as usize] = Some(value);
    Path { values, outcome: value }
}

/// The second operand is evaluated if the first is `goes_on`.
fn joined(first: &[Path], second: &[Path], goes_on: bool) -> Result<Vec<Path>, TooMany> {
    let mut all = Vec::new();
    for a in first {
        if a.outcome != goes_on {
            all.push(a.clone());
            continue;
        }
        for b in second {
            let values = a.values.iter().zip(&b.values).map(|(a, b)| a.or(*b)).collect();
            all.push(Path { values, outcome: b.outcome });
        }
        if all.len() > MAX_PATHS {
            return Err(TooMany);
        }
    }
    Ok(all)
}

fn full_vectors(decision: &Decision) -> Result<Vec<Path>, TooMany> {
    let n = decision.conditions.len();
    if n >= usize::BITS as usize || 1 << n > MAX_PATHS {
        return Err(TooMany);
    }
    let vector = |bits: usize| -> Vec<bool> { (0..n).map(|condition| bits >> condition & 1 == 0).collect() };
    let path = |values: Vec<bool>| Path {
        outcome: value_of(&decision.tree, &values),
        values: values.into_iter().map(Some).collect(),
    };
    Ok((0..1 << n).map(|bits| path(vector(bits))).collect())
}

/// The value of an expression over all its conditions.
pub fn value_of(tree: &[TreeNode], values: &[bool]) -> bool {
    let mut results: Vec<bool> = Vec::with_capacity(tree.len());
    for node in tree {
        results.push(match *node {
            TreeNode::Condition(condition) => values[condition as usize],
            TreeNode::Not(a) => !results[a as usize],
            TreeNode::And(a, b) => results[a as usize] && results[b as usize],
            TreeNode::Or(a, b) => results[a as usize] || results[b as usize],
        });
    }
    results.last().copied().unwrap_or(true)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use nub_c_ir::{Condition, DecisionKind, FileId, FunctionId, Position, StatementId};
    use nub_text::Span;

    /// A decision from an expression in postfix: letters are conditions in order, `&`, `|` and `!` operators.
    pub fn decision(postfix: &str) -> Decision {
        let position = Position { file: FileId(0), line: 1, column: 1 };
        let (mut tree, mut stack, mut n) = (Vec::new(), Vec::new(), 0);
        for symbol in postfix.chars() {
            let mut pop = || -> u32 { stack.pop().unwrap() };
            let node = match symbol {
                '&' | '|' => {
                    let (b, a) = (pop(), pop());
                    if symbol == '&' { TreeNode::And(a, b) } else { TreeNode::Or(a, b) }
                }
                '!' => TreeNode::Not(pop()),
                _ => {
                    n += 1;
                    TreeNode::Condition(n - 1)
                }
            };
            stack.push(tree.len() as u32);
            tree.push(node);
        }
        let condition = Condition { span: Span::default(), position, constant: None, comparison: None };
        Decision {
            function: FunctionId(0),
            kind: DecisionKind::If,
            span: Span::default(),
            position,
            statement: StatementId(0),
            conditions: vec![condition; n as usize],
            tree,
            enclosing: None,
        }
    }

    pub fn show(path: &Path) -> String {
        let letter = |value: &Option<bool>| value.map_or('-', |value| if value { 'T' } else { 'F' });
        let values: String = path.values.iter().map(letter).collect();
        format!("{values}={}", if path.outcome { 'T' } else { 'F' })
    }

    fn shown(postfix: &str) -> Vec<String> {
        paths(&decision(postfix), EvaluationMode::ShortCircuit).unwrap().iter().map(show).collect()
    }

    #[test]
    fn skipped_conditions_have_no_value() {
        assert_eq!(shown("a"), ["T=T", "F=F"]);
        assert_eq!(shown("ab|c|"), ["T--=T", "FT-=T", "FFT=T", "FFF=F"]);
        assert_eq!(shown("abc|&"), ["TT-=T", "TFT=T", "TFF=F", "F--=F"]);
        assert_eq!(shown("ab&!"), ["TT=F", "TF=T", "F-=T"]);
    }

    /// For every vector of values exactly one path agrees with it, and has its outcome.
    #[test]
    fn ways_partition_the_vectors() {
        for postfix in ["ab|cd|&", "ab&c!de|&|", "abcd&&&!", "ab|c&d|e&"] {
            let decision = decision(postfix);
            let ways = paths(&decision, EvaluationMode::ShortCircuit).unwrap();
            for vector in paths(&decision, EvaluationMode::All).unwrap() {
                let agrees =
                    |way: &&Path| way.values.iter().zip(&vector.values).all(|(a, b)| a.is_none() || a == b);
                let found: Vec<&Path> = ways.iter().filter(agrees).collect();
                assert_eq!(found.len(), 1);
                assert_eq!(found[0].outcome, vector.outcome);
            }
        }
    }

    #[test]
    fn constants_leave_one_way() {
        let mut constant = decision("ab|");
        constant.conditions[0].constant = Some(false);
        let ways = paths(&constant, EvaluationMode::ShortCircuit).unwrap();
        assert_eq!(ways.iter().map(show).collect::<Vec<_>>(), ["FT=T", "FF=F"]);
    }

    #[test]
    fn explosions_are_refused() {
        let wide: String = (0..14).map(|index| if index == 0 { "ab|" } else { "ab|&" }).collect();
        assert_eq!(paths(&decision(&wide), EvaluationMode::ShortCircuit), Err(TooMany));
        let chain: String = (0..70).map(|index| if index == 0 { "a" } else { "a|" }).collect();
        assert_eq!(paths(&decision(&chain), EvaluationMode::ShortCircuit).unwrap().len(), 71);
        assert_eq!(paths(&decision(&chain), EvaluationMode::All), Err(TooMany));
    }
}
