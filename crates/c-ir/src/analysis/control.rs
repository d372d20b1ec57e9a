//! Control dependence, after Ferrante, Ottenstein and Warren (1987): by post-dominators.

use crate::ir::{BasicBlock, Function};

/// For each block, the blocks whose branch decides whether it is executed; empty for a block that is always executed.
pub fn deciding(function: &Function) -> Vec<Vec<usize>> {
    let n = function.blocks.len();
    let successors = successors(function);
    let parent = post_dominators(&successors);
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); n];
    let is_branch = |block: usize| function.blocks[block].terminator.kind.successors().len() > 1;
    for (branch, targets) in successors.iter().enumerate().take(n).filter(|(block, _)| is_branch(*block)) {
        for target in targets {
            let mut at = *target;
            while at != parent[branch] && at < n {
                if found[at].last() != Some(&branch) {
                    found[at].push(branch);
                }
                at = parent[at];
            }
        }
    }
    found
}

/// Successors of each block; the number of blocks is the exit. O(blocks and edges).
fn successors(function: &Function) -> Vec<Vec<usize>> {
    let n = function.blocks.len();
    let targets = |block: &BasicBlock| {
        let mut targets: Vec<usize> =
            block.terminator.kind.successors().iter().map(|target| target.index()).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.is_empty() { vec![n] } else { targets }
    };
    let mut successors: Vec<Vec<usize>> = function.blocks.iter().map(targets).collect();
    successors.push(Vec::new());
    lead_out(&mut successors);
    successors
}

/// Gives each infinite loop an edge to the exit, so that every block reaches the exit. The block that a depth-first search leaves first is inside the
/// loop, so blocks that only lead to the loop get no such edge.
fn lead_out(successors: &mut [Vec<usize>]) {
    let exit = successors.len() - 1;
    let predecessors = reversed(successors);
    let mut comes_out = vec![false; successors.len()];
    let mark = |from: usize, comes_out: &mut Vec<bool>| {
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut comes_out[at], true) {
                todo.extend(&predecessors[at]);
            }
        }
    };
    mark(exit, &mut comes_out);
    // All blocks are reached from the first.
    for at in post_order(successors, 0) {
        if !comes_out[at] {
            successors[at].push(exit);
            mark(at, &mut comes_out);
        }
    }
}

fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|to| predecessors[*to].push(from));
    }
    predecessors
}

/// The nodes that can be reached from `start`, in post-order.
fn post_order(next: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_seen = vec![false; next.len()];
    is_seen[start] = true;
    let mut stack = vec![(start, 0)];
    while let Some((at, position)) = stack.pop() {
        match next[at].get(position) {
            Some(to) => {
                stack.push((at, position + 1));
                if !std::mem::replace(&mut is_seen[*to], true) {
                    stack.push((*to, 0));
                }
            }
            None => order.push(at),
        }
    }
    order
}

/// The immediate post-dominator of each block (Cooper, Harvey and Kennedy, 2001). All blocks reach the exit, which is the last number and
/// its own parent.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<usize> {
    let exit = successors.len() - 1;
    let (order, rank) = backwards(successors);
    let mut parent = vec![usize::MAX; successors.len()];
    parent[exit] = exit;
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for at in order.iter().copied().filter(|at| *at != exit) {
            let mut known = successors[at].iter().copied().filter(|next| parent[*next] != usize::MAX);
            let Some(first) = known.next() else { continue };
            let meet = known.fold(first, |a, b| common(&parent, &rank, a, b));
            if parent[at] != meet {
                parent[at] = meet;
                has_changed = true;
            }
        }
    }
    parent
}

/// The nearest block that is above both in the tree.
fn common(parent: &[usize], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] > rank[b] {
            a = parent[a];
        }
        while rank[b] > rank[a] {
            b = parent[b];
        }
    }
    a
}

/// Blocks from the exit backwards in reverse post-order, and the position of each.
fn backwards(successors: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let mut order = post_order(&reversed(successors), successors.len() - 1);
    order.reverse();
    let mut rank = vec![0; successors.len()];
    order.iter().enumerate().for_each(|(position, at)| rank[*at] = position);
    (order, rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_out(successors: &[Vec<usize>], from: usize) -> bool {
        post_order(successors, from).contains(&(successors.len() - 1))
    }

    /// By definition: `a` is post-dominated by `b` if no path from `a` to the exit avoids `b`.
    fn is_post_dominated(successors: &[Vec<usize>], a: usize, b: usize) -> bool {
        let mut without: Vec<Vec<usize>> = successors.to_vec();
        without[b] = Vec::new();
        a == b || !comes_out(&without, a)
    }

    #[test]
    fn parents_are_nearest_post_dominators() {
        let mut rng = nub_random::Rng::new(12_345);
        let mut random = |n: usize| rng.below(n);
        for _ in 0..300 {
            let n = 2 + random(7);
            // Each block is reached from the one before.
            let mut graph: Vec<Vec<usize>> =
                (0..n).map(|at| (0..random(3)).map(|_| random(n + 1)).chain([at + 1]).collect()).collect();
            let endless = random(n);
            graph[endless] = vec![random(endless + 1)];
            let mut graph: Vec<Vec<usize>> =
                graph.into_iter().take(endless + 1 + random(n - endless)).collect();
            let n = graph.len();
            graph.iter_mut().flatten().for_each(|to| *to = (*to).min(n));
            graph.push(Vec::new());
            lead_out(&mut graph);
            let reached = post_order(&graph, 0);
            let parent = post_dominators(&graph);
            for at in reached.into_iter().filter(|at| *at != n) {
                assert!(comes_out(&graph, at), "{graph:?} {at}");
                let up = parent[at];
                assert!(up != at && (up == n || is_post_dominated(&graph, at, up)), "{graph:?} {at}");
                for other in (0..n).filter(|other| *other != at && is_post_dominated(&graph, at, *other)) {
                    assert!(is_post_dominated(&graph, up, other), "{graph:?} {at} {other}");
                }
            }
        }
    }
}
