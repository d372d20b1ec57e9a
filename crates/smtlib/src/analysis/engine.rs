//! The state of one analysis, and the small steps that all its parts share.

use super::scopes::Scopes;
use super::symbols::{Symbol, SymbolId, Symbols, Word};
use super::tables::{Mark, NO_DECL, NodeRole};
use super::{Analysis, DeclId};
use crate::sorts::SortSubstitution;
use crate::{NodeId, NodeKind, Script, SmtSort, SortId, Tree};

/// What the script's logic implies.
#[derive(Clone, Copy)]
pub(super) struct Logic {
    /// The sort of a numeral.
    pub(super) numeral: SortId,
    /// True if functions are values: an application to too few arguments is a function.
    pub(super) higher_order: bool,
}

pub(super) struct Engine<'a> {
    pub(super) script: &'a Script,
    pub(super) tree: &'a Tree,
    pub(super) out: Analysis,
    pub(super) symbols: Symbols<'a>,
    pub(super) scopes: Scopes,
    pub(super) logic: Logic,
    /// Terms that have been entered but not left, outermost first.
    pub(super) frames: Vec<super::terms::Frame>,
    /// Datatypes that are being declared: a bare name among them denotes the sort applied to its parameters.
    pub(super) open_datatypes: std::ops::Range<u32>,
    pub(super) substitution: SortSubstitution,
    /// A buffer for the sorts of arguments, reused to save allocations.
    pub(super) args: Vec<SortId>,
}

impl<'a> Engine<'a> {
    pub(super) fn new(script: &'a Script) -> Engine<'a> {
        Engine {
            script,
            tree: script.tree(),
            out: Analysis::blank(script.tree().len()),
            symbols: Symbols::default(),
            scopes: Scopes::default(),
            logic: Logic { numeral: SortId::INT, higher_order: false },
            frames: Vec::new(),
            open_datatypes: 0..0,
            substitution: SortSubstitution::default(),
            args: Vec::new(),
        }
    }

    /// The name of a symbol, without bars: `|x|` is `x`.
    pub(super) fn name(&self, node: NodeId) -> &'a [u8] {
        let bytes = self.script.slice(node);
        if self.tree.kind(node) != NodeKind::Quoted {
            return bytes;
        }
        let inner = &bytes[1..];
        inner.strip_suffix(b"|").unwrap_or(inner)
    }

    pub(super) fn symbol(&mut self, node: NodeId) -> SymbolId {
        let name = self.name(node);
        self.symbols.intern(name)
    }

    /// What is known about the name of a symbol.
    pub(super) fn symbol_info(&mut self, node: NodeId) -> &Symbol {
        let id = self.symbol(node);
        self.symbols.get(id)
    }

    /// The reserved word that a node is, if any.
    pub(super) fn word(&mut self, node: NodeId) -> Word {
        if self.tree.is_symbol(node) { self.symbol_info(node).word } else { Word::Plain }
    }

    pub(super) fn mark(&mut self, node: NodeId, role: NodeRole) {
        self.out.marks[node.index()] = Mark::new(role);
    }

    /// Gives all nodes of a subtree the same role.
    pub(super) fn mark_all(&mut self, root: NodeId, role: NodeRole) {
        let range = root.index()..self.tree.after(root).index();
        self.out.marks[range].fill(Mark::new(role));
    }

    /// Marks a term and records that its operator is `symbol`.
    pub(super) fn mark_headed(&mut self, term: NodeId, symbol: NodeId) {
        self.out.marks[term.index()] = Mark::new(NodeRole::Term).with_distance(symbol.0 - term.0);
    }

    pub(super) fn set_sort(&mut self, node: NodeId, sort: SortId) {
        self.out.sort_of[node.index()] = sort;
    }

    pub(super) fn sort_at(&self, node: NodeId) -> SortId {
        self.out.sort_of[node.index()]
    }

    pub(super) fn intern(&mut self, sort: SmtSort) -> SortId {
        self.out.sorts.intern(sort)
    }

    /// An index or a count; `None` if it is not a numeral or is too large.
    pub(super) fn numeral(&self, node: NodeId) -> Option<u32> {
        if self.tree.kind(node) != NodeKind::Numeral {
            return None;
        }
        std::str::from_utf8(self.script.slice(node)).ok()?.parse().ok()
    }

    /// One past the last node.
    pub(super) fn end(&self) -> NodeId {
        NodeId(self.tree.len() as u32)
    }

    /// The sibling after `node` in a list that ends at `end`.
    pub(super) fn next_sibling(&self, node: NodeId, end: NodeId) -> Option<NodeId> {
        let next = self.tree.after(node);
        (next < end).then_some(next)
    }

    /// The children of a node, if there are exactly `N`.
    pub(super) fn exactly<const N: usize>(&self, list: NodeId) -> Option<[NodeId; N]> {
        let mut children = self.tree.children(list);
        let mut found = [list; N];
        for slot in &mut found {
            *slot = children.next()?;
        }
        children.next().is_none().then_some(found)
    }

    /// The first children of a node, if there are at least `N`.
    pub(super) fn at_least<const N: usize>(&self, list: NodeId) -> Option<[NodeId; N]> {
        let mut children = self.tree.children(list);
        let mut found = [list; N];
        for slot in &mut found {
            *slot = children.next()?;
        }
        Some(found)
    }

    /// Fills the table of uses and returns the result.
    pub(super) fn finish(mut self) -> Analysis {
        let n_decls = self.out.decls.len();
        let mut starts = vec![0u32; n_decls + 1];
        let is_use = |out: &Analysis, at: usize, id: DeclId| {
            id != NO_DECL && out.decls[id.0 as usize].name.index() != at
        };
        for (at, &id) in self.out.decl_of.iter().enumerate() {
            if is_use(&self.out, at, id) {
                starts[id.0 as usize + 1] += 1;
            }
        }
        for at in 0..n_decls {
            starts[at + 1] += starts[at];
        }
        let mut uses = vec![NodeId(0); starts[n_decls] as usize];
        let mut next = starts.clone();
        for (at, &id) in self.out.decl_of.iter().enumerate() {
            if is_use(&self.out, at, id) {
                let slot = &mut next[id.0 as usize];
                uses[*slot as usize] = NodeId(at as u32);
                *slot += 1;
            }
        }
        self.out.uses = uses;
        self.out.uses_start = starts;
        self.out
    }
}
