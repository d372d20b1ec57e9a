//! The two layers that turn everything into single bits (section 2.3, figure 2.2): a `read` above each array that is not
//! used, then a reduction above each word that is not used.

use crate::builder::Generator;
use crate::dag::{FormulaNode, no_ref};
use crate::kinds::REDUCTIONS;
use nub_btor::{BtorNodeId, Ref, Sort, Tag};

impl Generator {
    /// A `read` for each array without a parent; its address is an existing node, or a new variable.
    pub(crate) fn read_layer(&mut self) {
        for idx in 0..self.dag.len() {
            let array = BtorNodeId::new(idx);
            let sort = self.dag.node(array).sort;
            let Sort::Array { index, element } = sort else { continue };
            if !self.candidates.is_parentless(array) {
                continue;
            }
            let address = self.child_or_variable(Sort::Bits(index));
            let address = self.edge(address);
            self.add_operator(Tag::Read, Sort::Bits(element), &[array.into(), address]);
        }
    }

    /// A reduction for each word without a parent.
    pub(crate) fn reduction_layer(&mut self) {
        for idx in 0..self.dag.len() {
            let word = BtorNodeId::new(idx);
            if self.candidates.is_parentless(word) && self.dag.node(word).sort != Sort::BIT {
                let tag = self.rng.pick(REDUCTIONS);
                let word = self.edge(word);
                self.add_operator(tag, Sort::BIT, &[word]);
            }
        }
    }

    /// Collects the bits without a parent. Nothing else is without a parent now, and there is at least one.
    pub(crate) fn collect_open(&mut self) {
        for idx in 0..self.dag.len() {
            let bit = BtorNodeId::new(idx);
            if self.candidates.is_parentless(bit) {
                debug_assert_eq!(self.dag.node(bit).sort, Sort::BIT);
                self.open.push(bit.into());
            }
        }
        if self.open.is_empty() {
            let bit = self.child_or_variable(Sort::BIT);
            self.open.push(bit.into());
        }
    }

    pub(crate) fn add_operator(&mut self, tag: Tag, sort: Sort, edges: &[Ref]) -> BtorNodeId {
        let mut children = [no_ref(); 3];
        children[..edges.len()].copy_from_slice(edges);
        self.add(FormulaNode { tag, sort, children, params: [0; 2] })
    }
}
