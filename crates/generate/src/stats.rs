//! Statistics of generated formulas: node types, widths, depth, sharing.

use crate::dag::FormulaDag;
use nub_btor::{BtorDialect, Tag};
use std::collections::BTreeMap;
use std::fmt;

/// Counts over any number of formulas.
#[derive(Clone, Default, Debug)]
pub struct FormulaStats {
    /// Number of formulas.
    pub n_files: u64,
    /// Number of nodes, without the root.
    pub n_nodes: u64,
    /// Number of references from nodes to their children.
    pub n_edges: u64,
    /// Number of references that negate.
    pub n_negated: u64,
    /// Number of nodes with more than one parent.
    pub n_shared: u64,
    /// The sum of the depths of all formulas.
    pub sum_depth: u64,
    /// The depth of the deepest one.
    pub max_depth: u64,
    /// Variables of CNF layers.
    pub n_cnf_vars: u64,
    /// Clauses of CNF layers.
    pub n_clauses: u64,
    /// How often each operator occurs.
    pub tags: BTreeMap<Tag, u64>,
    /// How many bit-vectors have this width.
    pub widths: BTreeMap<u32, u64>,
    /// How many nodes are arrays.
    pub n_arrays: u64,
}

impl FormulaStats {
    /// Counts a formula.
    pub fn add(&mut self, dag: &FormulaDag) {
        let mut n_parents = vec![0u32; dag.len()];
        let mut depths = Vec::with_capacity(dag.len());
        for node in &dag.nodes {
            for edge in node.edges() {
                n_parents[edge.node().index()] += 1;
                self.n_negated += u64::from(edge.negated());
            }
            self.n_edges += node.arity() as u64;
            let below = node.edges().iter().map(|edge| depths[edge.node().index()] + 1);
            depths.push(below.max().unwrap_or(0u64));
            *self.tags.entry(node.tag).or_default() += 1;
            match node.sort.bits() {
                Some(width) => *self.widths.entry(width).or_default() += 1,
                None => self.n_arrays += 1,
            }
        }
        let depth = depths.iter().copied().max().unwrap_or(0);
        self.n_files += 1;
        self.n_nodes += dag.len() as u64;
        self.n_shared += n_parents.iter().filter(|&&count| count > 1).count() as u64;
        self.sum_depth += depth;
        self.max_depth = self.max_depth.max(depth);
        self.n_cnf_vars += u64::from(dag.n_cnf_vars);
        self.n_clauses += u64::from(dag.n_clauses);
    }
}

/// A share in percent with one decimal place; computed with integers, as everywhere.
fn percent(part: u64, whole: u64) -> String {
    let tenths = (1_000 * part + whole / 2).checked_div(whole).unwrap_or(0);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A mean with one decimal place.
fn mean(sum: u64, n: u64) -> String {
    let tenths = (10 * sum + n / 2).checked_div(n).unwrap_or(0);
    format!("{}.{}", tenths / 10, tenths % 10)
}

impl fmt::Display for FormulaStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.n_files;
        writeln!(f, "files           {n}")?;
        writeln!(f, "nodes           {} per file", mean(self.n_nodes, n))?;
        writeln!(f, "depth           {} per file, {} at most", mean(self.sum_depth, n), self.max_depth)?;
        writeln!(f, "shared nodes    {}", percent(self.n_shared, self.n_nodes))?;
        writeln!(f, "negated edges   {}", percent(self.n_negated, self.n_edges))?;
        writeln!(f, "array nodes     {}", percent(self.n_arrays, self.n_nodes))?;
        if self.n_clauses > 0 {
            writeln!(f, "cnf variables   {} per file", mean(self.n_cnf_vars, n))?;
            writeln!(f, "cnf clauses     {} per file", mean(self.n_clauses, n))?;
        }
        writeln!(f, "widths")?;
        for (width, count) in &self.widths {
            writeln!(f, "  {width:<13} {}", percent(*count, self.n_nodes))?;
        }
        writeln!(f, "operators")?;
        for (tag, count) in &self.tags {
            let name = tag.name(BtorDialect::Btor).or(tag.name(BtorDialect::Btor2)).unwrap_or_default();
            writeln!(f, "  {name:<13} {}", percent(*count, self.n_nodes))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_btor::{Ref, Sort};

    #[test]
    fn counts_of_a_small_graph() {
        let mut dag = FormulaDag::default();
        let x = dag.push_leaf(Tag::Var, Sort::Bits(4));
        let sum = dag.push_op(Tag::Add, Sort::Bits(4), &[x.into(), Ref::from(x).complement()]);
        let test = dag.push_op(Tag::Eq, Sort::BIT, &[sum.into(), x.into()]);
        dag.root = Some(test.into());
        let mut stats = FormulaStats::default();
        stats.add(&dag);
        stats.add(&dag);
        assert_eq!((stats.n_files, stats.n_nodes, stats.n_edges), (2, 6, 8));
        assert_eq!((stats.n_shared, stats.n_negated, stats.max_depth), (2, 2, 2));
        let text = stats.to_string();
        assert!(
            text.contains("nodes           3.0 per file") && text.contains("  add           33.3 %"),
            "{text}"
        );
    }
}
