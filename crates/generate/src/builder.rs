//! The state of one generation, and its steps in order. Each step has its own file.

use crate::config::{ConfigError, GenerateConfig};
use crate::dag::{FormulaDag, FormulaNode, no_ref};
use crate::error::Mistake;
use crate::kinds::{NodeSignature, OperatorKind, possible_kinds};
use crate::pools::{Candidates, Home};
use nub_btor::{BtorNodeId, Ref, Sort, Tag};
use nub_random::Rng;
use std::collections::VecDeque;

/// Generates formulas. It reuses its memory from one formula to the next.
#[derive(Clone, Debug)]
pub struct Generator {
    pub(crate) config: GenerateConfig,
    /// All kinds that the options allow.
    pub(crate) kinds: Vec<OperatorKind>,
    /// Kinds that must be used before any other.
    pub(crate) wanted: VecDeque<OperatorKind>,
    pub(crate) dag: FormulaDag,
    pub(crate) candidates: Candidates,
    /// By node: 0 for leaves, otherwise one more than its deepest child.
    pub(crate) depths: Vec<u32>,
    pub(crate) max_depth: u32,
    /// The bits that remain to be merged.
    pub(crate) open: Vec<Ref>,
    pub(crate) rng: Rng,
}

impl Generator {
    /// A generator for these options.
    pub fn new(config: GenerateConfig) -> Result<Generator, ConfigError> {
        config.check()?;
        let kinds = possible_kinds(&config);
        Ok(Generator {
            config,
            kinds,
            wanted: VecDeque::new(),
            dag: FormulaDag::default(),
            candidates: Candidates::default(),
            depths: Vec::new(),
            max_depth: 0,
            open: Vec::new(),
            rng: Rng::new(0),
        })
    }

    /// Its options.
    pub fn config(&self) -> &GenerateConfig {
        &self.config
    }

    /// The formula of a seed. Linear in the number of nodes. An error is always a bug in the generator.
    pub fn formula(&mut self, seed: u64) -> Result<&FormulaDag, Mistake> {
        self.reset(seed);
        if self.config.cnfonly {
            self.one_bit_variables();
        } else {
            self.leaves();
            self.grow();
            self.next_states();
            self.read_layer();
            self.reduction_layer();
        }
        self.collect_open();
        self.set_constraints();
        let root = self.merge()?;
        self.dag.root = Some(root);
        Ok(&self.dag)
    }

    fn reset(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.dag.clear();
        self.candidates.reset(self.config.widest());
        self.depths.clear();
        self.max_depth = 0;
        self.open.clear();
        self.wanted.clear();
    }

    /// Appends a node that can be chosen from now on.
    pub(crate) fn add(&mut self, node: FormulaNode) -> BtorNodeId {
        let id = self.add_hidden(node);
        self.candidates.show(id, node.sort);
        id
    }

    /// Appends a node that cannot be chosen yet.
    pub(crate) fn add_hidden(&mut self, node: FormulaNode) -> BtorNodeId {
        let id = self.dag.push(node);
        let depth = node.edges().iter().map(|edge| self.depths[edge.node().index()] + 1).max().unwrap_or(0);
        self.depths.push(depth);
        self.max_depth = self.max_depth.max(depth);
        for (at, edge) in node.edges().iter().enumerate() {
            self.candidates.take(edge.node());
            // A node that uses the same child twice counts as one parent.
            if node.edges()[..at].iter().all(|other| other.node() != edge.node()) {
                self.candidates.add_parent(edge.node());
            }
        }
        let home = if node.is_extension() { Home::Extension } else { Home::Plain };
        self.candidates.add_hidden(node.sort, home);
        id
    }

    /// Appends a leaf.
    pub(crate) fn add_leaf(&mut self, tag: Tag, sort: Sort) -> BtorNodeId {
        self.add(FormulaNode { tag, sort, children: [no_ref(); 3], params: [0; 2] })
    }

    /// A node of this kind over these children.
    pub(crate) fn node(&self, tag: Tag, signature: &NodeSignature, children: [Ref; 3]) -> FormulaNode {
        FormulaNode { tag, sort: signature.sort, children, params: signature.params }
    }

    /// An edge to a node. Edges to bit-vectors are occasionally negated.
    pub(crate) fn edge(&mut self, id: BtorNodeId) -> Ref {
        let negate = !self.dag.node(id).sort.is_array() && self.rng.percent(self.config.negated);
        Ref::from(id) ^ negate
    }

    /// The width of a new variable or element.
    pub(crate) fn random_width(&mut self) -> u32 {
        self.rng.between(self.config.minwidth, self.config.maxwidth)
    }
}
