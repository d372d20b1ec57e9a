//! Data dependence inside one function: which uses a definition reaches.

use super::access::{Access, Variable};
use super::{Draft, Node};
use nub_c_ir::Function;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a block does with a variable.
#[derive(Default)]
struct InBlock {
    /// Uses before the block overwrites it completely.
    uses: Vec<Node>,
    /// Whether the block overwrites it completely.
    is_written: bool,
}

/// The accesses of one function, prepared for walks.
pub(super) struct Flow<'f> {
    function: &'f Function,
    accesses: &'f [Vec<Access>],
    blocks: FxHashMap<(usize, Variable), InBlock>,
    /// Variables that some block uses before it writes them.
    exposed: FxHashSet<Variable>,
}

impl<'f> Flow<'f> {
    pub fn new(function: &'f Function, accesses: &'f [Vec<Access>]) -> Flow<'f> {
        let mut blocks: FxHashMap<(usize, Variable), InBlock> = FxHashMap::default();
        let mut exposed = FxHashSet::default();
        for (block, list) in accesses.iter().enumerate() {
            for access in list {
                for variable in &access.uses {
                    let here = blocks.entry((block, *variable)).or_default();
                    if !here.is_written && here.uses.last() != Some(&access.node) {
                        here.uses.push(access.node);
                        exposed.insert(*variable);
                    }
                }
                for found in access.defines.iter().filter(|found| found.is_whole) {
                    blocks.entry((block, found.variable)).or_default().is_written = true;
                }
            }
        }
        Flow { function, accesses, blocks, exposed }
    }

    /// Adds an edge from each definition to the uses that it reaches. Cost: definitions times blocks.
    pub fn edges(&self, draft: &mut Draft) {
        for (block, list) in self.accesses.iter().enumerate() {
            for (at, access) in list.iter().enumerate() {
                for found in &access.defines {
                    let uses = self.after(block, at, found.variable);
                    uses.into_iter().for_each(|to| draft.edge(access.node, to));
                }
            }
        }
    }

    /// Uses of a variable that its value after an access reaches.
    pub fn after(&self, block: usize, at: usize, variable: Variable) -> Vec<Node> {
        let mut uses = Vec::new();
        for access in &self.accesses[block][at + 1..] {
            if access.uses.contains(&variable) {
                uses.push(access.node);
            }
            if access.defines.iter().any(|found| found.variable == variable && found.is_whole) {
                return uses;
            }
        }
        if self.exposed.contains(&variable) {
            self.from(self.targets(block), variable, &mut uses);
        }
        uses
    }

    /// Uses of a variable that its value at the start of the function reaches.
    pub fn at_start(&self, variable: Variable) -> Vec<Node> {
        let mut uses = Vec::new();
        if self.exposed.contains(&variable) {
            self.from(vec![0], variable, &mut uses);
        }
        uses
    }

    fn targets(&self, block: usize) -> Vec<usize> {
        let targets = self.function.blocks[block].terminator.kind.successors();
        targets.iter().map(|target| target.index()).collect()
    }

    fn from(&self, mut todo: Vec<usize>, variable: Variable, uses: &mut Vec<Node>) {
        let mut is_seen = vec![false; self.accesses.len()];
        while let Some(block) = todo.pop() {
            if std::mem::replace(&mut is_seen[block], true) {
                continue;
            }
            let here = self.blocks.get(&(block, variable));
            uses.extend(here.map_or(&[][..], |here| here.uses.as_slice()));
            if !here.is_some_and(|here| here.is_written) {
                todo.extend(self.targets(block));
            }
        }
    }
}

/// The lines that may write each variable that functions share.
pub(super) fn shared_definitions(accesses: &[Vec<Access>]) -> BTreeMap<Variable, Vec<Node>> {
    let mut found: BTreeMap<Variable, Vec<Node>> = BTreeMap::new();
    for access in accesses.iter().flatten() {
        for definition in access.defines.iter().filter(|definition| definition.variable.is_shared()) {
            let list = found.entry(definition.variable).or_default();
            if list.last() != Some(&access.node) {
                list.push(access.node);
            }
        }
    }
    found
}
