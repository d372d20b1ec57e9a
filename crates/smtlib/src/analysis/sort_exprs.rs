//! Sort expressions to sorts. Sorts bind no names, so one backward scan over the subtree sees the parts before the whole.

use super::engine::Engine;
use super::symbols::{SortName, Word};
use super::tables::{NO_DECL, NodeRole};
use super::{DeclId, DeclKind};
use crate::{NodeId, SmtSort, SortId};

impl Engine<'_> {
    /// The sort that an expression denotes.
    pub(super) fn sort(&mut self, root: NodeId) -> SortId {
        for node in self.tree.subtree(root).rev() {
            let parent = self.tree.parent(node).filter(|_| node != root);
            match parent {
                Some(list) if node.0 == list.0 + 1 => self.mark(node, NodeRole::Head),
                Some(list) if self.word(NodeId(list.0 + 1)) == Word::Underscore => {
                    let is_name = self.tree.is_symbol(node) && node.0 == list.0 + 2;
                    self.mark(node, if is_name { NodeRole::Head } else { NodeRole::Index });
                }
                _ => {
                    let value = self.sort_node(node);
                    self.mark(node, NodeRole::Sort);
                    self.set_sort(node, value);
                }
            }
        }
        self.sort_at(root)
    }

    fn sort_node(&mut self, node: NodeId) -> SortId {
        if self.tree.is_symbol(node) {
            return self.applied_sort(node, node, &[]);
        }
        let Some(head) = self.tree.first_child(node) else { return SortId::UNKNOWN };
        if !self.tree.is_symbol(head) {
            return SortId::UNKNOWN;
        }
        if self.word(head) == Word::Underscore {
            return self.indexed_sort(node);
        }
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        args.extend(self.tree.children(node).skip(1).map(|arg| self.sort_at(arg)));
        let sort = self.applied_sort(node, head, &args);
        self.args = args;
        sort
    }

    /// `(_ BitVec 8)` and similar.
    fn indexed_sort(&mut self, node: NodeId) -> SortId {
        let Some([_, name]) = self.at_least(node) else { return SortId::UNKNOWN };
        if !self.tree.is_symbol(name) {
            return SortId::UNKNOWN;
        }
        let first = self.next_sibling(name, self.tree.after(node));
        let second = first.and_then(|first| self.next_sibling(first, self.tree.after(node)));
        let width = first.and_then(|index| self.numeral(index));
        match (self.symbol_info(name).sort_name, width) {
            (SortName::BitVec, Some(width)) => self.intern(SmtSort::BitVec(width)),
            (SortName::FloatingPoint, Some(exponent)) => match second.and_then(|index| self.numeral(index)) {
                Some(significand) => self.intern(SmtSort::Float(exponent, significand)),
                None => SortId::UNKNOWN,
            },
            (SortName::FiniteField, _) => match first {
                Some(prime) => self.intern(SmtSort::FiniteField(self.script.slice(prime).into())),
                None => SortId::UNKNOWN,
            },
            // The width is missing or too large.
            (SortName::BitVec | SortName::FloatingPoint, _) => SortId::UNKNOWN,
            _ => self.other_sort(node, name),
        }
    }

    /// The sort with this name applied to these arguments.
    fn applied_sort(&mut self, node: NodeId, name: NodeId, args: &[SortId]) -> SortId {
        let info = self.symbol_info(name);
        let (decl, builtin) = (info.sort, info.sort_name);
        if decl != NO_DECL {
            self.out.decl_of[name.index()] = decl;
            return self.user_sort(node, decl, args);
        }
        match (builtin, args) {
            (SortName::Fixed(sort), []) => sort,
            (SortName::Float(exponent, significand), []) => {
                self.intern(SmtSort::Float(exponent, significand))
            }
            (SortName::Array, &[index, element]) => self.intern(SmtSort::Array(index, element)),
            (SortName::Seq, &[element]) => self.intern(SmtSort::Seq(element)),
            (SortName::Set, &[element]) => self.intern(SmtSort::Set(element)),
            (SortName::Bag, &[element]) => self.intern(SmtSort::Bag(element)),
            (SortName::RegEx, _) => SortId::REGLAN,
            (SortName::Tuple, _) => self.intern(SmtSort::Tuple(args.into())),
            (SortName::Arrow, [_, _, ..]) => self.arrow(args),
            (SortName::Relation, _) => {
                let tuple = self.intern(SmtSort::Tuple(args.into()));
                self.intern(SmtSort::Set(tuple))
            }
            (SortName::Table, _) => {
                let tuple = self.intern(SmtSort::Tuple(args.into()));
                self.intern(SmtSort::Bag(tuple))
            }
            (SortName::None, _) => self.other_sort(node, name),
            _ => self.named_sort(node),
        }
    }

    /// `(-> A (-> B C))` is `(-> A B C)`: arrows associate to the right.
    pub(super) fn arrow(&mut self, parts: &[SortId]) -> SortId {
        let Some((&last, front)) = parts.split_last() else { return SortId::UNKNOWN };
        if front.is_empty() {
            return last;
        }
        // Flattening nested arrows of unbounded depth would take quadratic memory.
        const MAX_FLAT: usize = 64;
        let sort = match self.out.sorts.get(last) {
            SmtSort::Fun(rest) if rest.len() < MAX_FLAT => {
                SmtSort::Fun(front.iter().chain(rest).copied().collect())
            }
            _ => SmtSort::Fun(parts.into()),
        };
        self.intern(sort)
    }

    fn other_sort(&mut self, node: NodeId, name: NodeId) -> SortId {
        self.out.unknown.push(name);
        self.named_sort(node)
    }

    /// A sort of which we only know the text. Long texts give an unknown sort: if nested, they would take
    /// quadratic memory.
    fn named_sort(&mut self, node: NodeId) -> SortId {
        const MAX_NAME: usize = 256;
        match self.script.slice(node) {
            bytes if bytes.len() <= MAX_NAME => self.intern(SmtSort::Other(bytes.into())),
            _ => SortId::UNKNOWN,
        }
    }

    fn user_sort(&mut self, node: NodeId, id: DeclId, args: &[SortId]) -> SortId {
        let decl = &self.out.decls[id.0 as usize];
        if args.is_empty() && self.open_datatypes.contains(&id.0) {
            let params = decl.params.clone();
            return self.intern(SmtSort::User(id, params));
        }
        if args.len() != decl.arity as usize {
            let (wanted, got) = (decl.arity, args.len());
            self.error_sort_arity(node, wanted, got);
            return SortId::UNKNOWN;
        }
        match decl.kind {
            DeclKind::SortParam => self.intern(SmtSort::Param(id)),
            DeclKind::SortMacro => {
                self.substitution.clear();
                for (&param, &value) in decl.params.iter().zip(args) {
                    self.substitution.bind(param, value);
                }
                let body = decl.result;
                self.out.sorts.substitute(body, &mut self.substitution)
            }
            _ => self.intern(SmtSort::User(id, args.into())),
        }
    }
}
