//! The result of an analysis: tables by node and by declaration, with their queries.

use super::{Decl, DeclId};
use crate::ops::{OpId, SmtOp};
use crate::{NodeId, SortId, Sorts};
use nub_text::Diagnostic;

/// What a node is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum NodeRole {
    /// Brackets, command names, reserved words, and everything that we do not understand
    Structure,
    /// A term: it has a sort
    Term,
    /// A sort expression: it denotes a sort
    Sort,
    /// A symbol at the point of its declaration
    Name,
    /// The identifier in operator position of an application, including its parts except indices and sorts; also the
    /// parts of a constant such as `(_ bv5 8)` or `(as nil L)`
    Head,
    /// A keyword or its value, in `!`, `set-info`, `set-option` and the like
    Attribute,
    /// A pattern of `match` that is a list
    Pattern,
    /// An index of `(_ f i)`
    Index,
}

const ROLES: [NodeRole; 8] = [
    NodeRole::Structure,
    NodeRole::Term,
    NodeRole::Sort,
    NodeRole::Name,
    NodeRole::Head,
    NodeRole::Attribute,
    NodeRole::Pattern,
    NodeRole::Index,
];

/// The operator of an application, or the constant that an atom is.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The symbol itself, also within `(_ f 1)` and `(as f S)`.
    pub symbol: NodeId,
    /// The entry of the operator table, if it is built in.
    pub op: Option<&'static SmtOp>,
    /// The declaration, if the script declares it.
    pub decl: Option<DeclId>,
    /// The first index of `(_ f 1 2)`; the others are its siblings.
    pub first_index: Option<NodeId>,
}

/// A role and the position of a term's head symbol, in one byte: three bits for the role, five for the distance
/// from the term to the symbol plus one, or zero for "none". This keeps the tables at 11 bytes per node.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark(u8);

impl Mark {
    const ROLE_BITS: u32 = 3;
    const MAX_DISTANCE: u32 = 30;

    pub(super) fn new(role: NodeRole) -> Mark {
        Mark(role as u8)
    }

    fn role(self) -> NodeRole {
        ROLES[(self.0 & 7) as usize]
    }

    fn distance(self) -> Option<u32> {
        (self.0 >> Mark::ROLE_BITS).checked_sub(1).map(u32::from)
    }

    /// The mark with a head symbol at this distance. No real identifier has a distance that is too large; for one that has, there is no
    /// head.
    pub(super) fn with_distance(self, distance: u32) -> Mark {
        if distance > Mark::MAX_DISTANCE {
            return self;
        }
        Mark((self.0 & 7) | ((distance as u8 + 1) << Mark::ROLE_BITS))
    }
}

pub(super) const NO_DECL: DeclId = DeclId(u32::MAX);

/// The tables. Made by [`crate::Script::analyse`].
pub struct Analysis {
    pub(super) sorts: Sorts,
    pub(super) decls: Vec<Decl>,
    pub(super) marks: Vec<Mark>,
    /// Sorts of terms, and sorts that sort expressions denote; [`SortId::UNKNOWN`] for other nodes.
    pub(super) sort_of: Vec<SortId>,
    pub(super) decl_of: Vec<DeclId>,
    pub(super) op_of: Vec<OpId>,
    pub(super) uses: Vec<NodeId>,
    pub(super) uses_start: Vec<u32>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) unknown: Vec<NodeId>,
}

impl Analysis {
    pub(super) fn blank(n_nodes: usize) -> Analysis {
        Analysis {
            sorts: Sorts::default(),
            decls: Vec::new(),
            marks: vec![Mark::default(); n_nodes],
            sort_of: vec![SortId::UNKNOWN; n_nodes],
            decl_of: vec![NO_DECL; n_nodes],
            op_of: vec![OpId::NONE; n_nodes],
            uses: Vec::new(),
            uses_start: vec![0],
            errors: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// The pool of sorts.
    pub fn sorts(&self) -> &Sorts {
        &self.sorts
    }

    /// All declarations, in the order in which they take effect.
    pub fn decls(&self) -> &[Decl] {
        &self.decls
    }

    /// The numbers of all declarations.
    pub fn decl_ids(&self) -> impl DoubleEndedIterator<Item = DeclId> + ExactSizeIterator + use<> {
        (0..self.decls.len() as u32).map(DeclId)
    }

    /// One declaration.
    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.0 as usize]
    }

    /// The role of a node.
    pub fn role(&self, node: NodeId) -> NodeRole {
        self.marks[node.index()].role()
    }

    /// The sort of a term; `UNKNOWN` if we cannot tell. `None` if the node is not a term.
    pub fn sort_of(&self, node: NodeId) -> Option<SortId> {
        (self.role(node) == NodeRole::Term).then(|| self.sort_of[node.index()])
    }

    /// The sort that a sort expression denotes, abbreviations expanded. `None` if the node is not a sort.
    pub fn sort_value(&self, node: NodeId) -> Option<SortId> {
        (self.role(node) == NodeRole::Sort).then(|| self.sort_of[node.index()])
    }

    /// The declaration that a symbol refers to or introduces.
    pub fn decl_of(&self, node: NodeId) -> Option<DeclId> {
        let id = self.decl_of[node.index()];
        (id != NO_DECL).then_some(id)
    }

    /// The built-in operator that a symbol refers to.
    pub fn op_of(&self, node: NodeId) -> Option<&'static SmtOp> {
        self.op_of[node.index()].get()
    }

    /// The symbols that refer to a declaration, in order, without the one that introduces it.
    pub fn uses(&self, id: DeclId) -> &[NodeId] {
        let at = id.0 as usize;
        &self.uses[self.uses_start[at] as usize..self.uses_start[at + 1] as usize]
    }

    /// The operator of an application or the constant that an atom is; `None` for literals, binders, annotations
    /// and applications of a term.
    pub fn head(&self, term: NodeId) -> Option<Head> {
        let symbol = NodeId(term.0 + self.marks[term.index()].distance()?);
        let next = NodeId(symbol.0 + 1);
        let has_index = next.index() < self.marks.len() && self.role(next) == NodeRole::Index;
        Some(Head {
            symbol,
            op: self.op_of(symbol),
            decl: self.decl_of(symbol),
            first_index: has_index.then_some(next),
        })
    }

    /// The first node in which a declaration is no longer visible.
    pub fn scope_end(&self, id: DeclId) -> NodeId {
        self.decl(id).scope.1
    }

    /// What is certainly ill-sorted, in the order of the text.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    /// Symbols in terms and sorts that are neither built in nor declared, in the order of the text.
    pub fn unknown(&self) -> &[NodeId] {
        &self.unknown
    }
}
