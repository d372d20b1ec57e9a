//! The fraction of a program that a reader who starts from a report need not inspect.

use super::{FileLine, Pdg};
pub use nub_report::explain::{AgainstRun, Score};
use std::collections::BTreeSet;

/// The score of a report against the lines that the failing run executes; `None` if there are no faulty lines, or nothing is executed.
pub fn score_against_run(
    pdg: &Pdg,
    report: &[FileLine],
    faulty: &[FileLine],
    executed: &[FileLine],
) -> Option<AgainstRun> {
    let found = score(pdg, report, faulty)?;
    let executed: BTreeSet<usize> = executed.iter().filter_map(|line| pdg.node(line)).collect();
    let n_executed = executed.len();
    // The score is the fraction of lines that need not be searched; the rest is compared with the lines of the run.
    let against = |score: f64| match n_executed {
        0 => 0.0,
        n => (1.0 - (1.0 - score) * found.n_nodes as f64 / n as f64).max(0.0),
    };
    (n_executed > 0).then(|| AgainstRun {
        forward: against(found.forward),
        either: against(found.either),
        n_executed,
    })
}

/// Scores a report; `None` if no faulty line is a node of the graph.
pub fn score(pdg: &Pdg, report: &[FileLine], faulty: &[FileLine]) -> Option<Score> {
    let nodes =
        |lines: &[FileLine]| lines.iter().filter_map(|line| pdg.node(line)).collect::<BTreeSet<usize>>();
    let (report, faulty) = (nodes(report), nodes(faulty));
    if faulty.is_empty() {
        return None;
    }
    let forward = neighbours(pdg, pdg.edges.iter().copied());
    let both = pdg.edges.iter().flat_map(|(from, to)| [(*from, *to), (*to, *from)]);
    let either = neighbours(pdg, both);
    Some(Score {
        forward: value(&forward, &report, &faulty),
        either: value(&either, &report, &faulty),
        is_hit: !report.is_disjoint(&faulty),
        n_reported: report.len(),
        n_faulty: faulty.len(),
        n_nodes: pdg.nodes.len(),
        n_edges: pdg.edges.len(),
    })
}

fn neighbours(pdg: &Pdg, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); pdg.nodes.len()];
    edges.for_each(|(from, to)| lists[from].push(to));
    lists
}

/// Breadth-first, layer by layer. O(nodes + edges).
fn value(next: &[Vec<usize>], report: &BTreeSet<usize>, faulty: &BTreeSet<usize>) -> f64 {
    let mut is_seen = vec![false; next.len()];
    let mut layer: Vec<usize> = report.iter().copied().collect();
    layer.iter().for_each(|at| is_seen[*at] = true);
    let mut n_seen = layer.len();
    while !layer.is_empty() {
        if layer.iter().any(|at| faulty.contains(at)) {
            return 1.0 - n_seen as f64 / next.len() as f64;
        }
        let mut below = Vec::new();
        for to in layer.iter().flat_map(|at| &next[*at]) {
            if !std::mem::replace(&mut is_seen[*to], true) {
                below.push(*to);
            }
        }
        n_seen += below.len();
        layer = below;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u32) -> FileLine {
        FileLine { file: String::new(), line: number }
    }

    /// A chain of ten lines.
    fn chain() -> Pdg {
        Pdg { nodes: (0..10).map(line).collect(), edges: (0..9).map(|at| (at, at + 1)).collect() }
    }

    #[test]
    fn a_hit_alone_is_best() {
        let found = score(&chain(), &[line(4)], &[line(4)]).unwrap();
        assert_eq!((found.forward, found.either, found.is_hit), (0.9, 0.9, true));
    }

    #[test]
    fn steps_cost() {
        let found = score(&chain(), &[line(4)], &[line(6)]).unwrap();
        assert_eq!((found.forward, found.is_hit), (0.7, false));
        assert!((found.either - 0.5).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_met_is_worth_nothing() {
        assert_eq!(score(&chain(), &[line(4)], &[line(3)]).unwrap().forward, 0.0);
        assert_eq!(score(&chain(), &[], &[line(3)]).unwrap().either, 0.0);
        let all: Vec<FileLine> = (0..10).map(line).collect();
        assert_eq!(score(&chain(), &all, &[line(3)]).unwrap().forward, 0.0);
        assert_eq!(score(&chain(), &all, &[line(99)]), None);
    }
}
