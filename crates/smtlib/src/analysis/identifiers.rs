//! Resolves symbols and identifiers: `f`, `(_ f 1)`, `(as f S)`, and literals that look like symbols.

use super::engine::Engine;
use super::symbols::Word;
use super::tables::{NO_DECL, NodeRole};
use super::terms::Step;
use super::{DeclId, DeclKind};
use crate::ops::{self, OpId, OperatorSignature, Pat, SortRule};
use crate::{NodeId, SmtSort, SortId};

impl Engine<'_> {
    /// Records what a symbol among functions refers to: a declaration of the script takes precedence over a built-in operator.
    pub(super) fn resolve(&mut self, node: NodeId) {
        let decl = self.symbol_info(node).term;
        self.resolve_to(node, decl);
    }

    /// The same after `_`, where built-in operators with indices cannot be shadowed: `(_ is C)`.
    fn resolve_indexed(&mut self, node: NodeId) {
        let decl = if self.is_function_value(node) { self.symbol_info(node).term } else { NO_DECL };
        self.resolve_to(node, decl);
    }

    fn resolve_to(&mut self, node: NodeId, decl: DeclId) {
        self.mark(node, NodeRole::Head);
        let op = self.symbol_info(node).op;
        if decl != NO_DECL {
            self.out.decl_of[node.index()] = decl;
        } else if op != OpId::NONE {
            self.out.op_of[node.index()] = op;
        } else if let Some(constructor) = self.tester(node) {
            self.out.decl_of[node.index()] = constructor;
            self.out.op_of[node.index()] = ops::by_name(b"is").unwrap_or(OpId::NONE);
        } else if !is_field_name(self.name(node)) {
            self.out.unknown.push(node);
        }
    }

    /// The constructor that the old tester `is-C` tests for.
    fn tester(&self, node: NodeId) -> Option<DeclId> {
        let name = self.name(node).strip_prefix(b"is-")?;
        let decl = self.symbols.get(self.symbols.find(name)?).term;
        let is_constructor = decl != NO_DECL && self.out.decl(decl).kind == DeclKind::Constructor;
        is_constructor.then_some(decl)
    }

    /// A symbol that is a term.
    #[inline]
    pub(super) fn constant(&mut self, node: NodeId) {
        let info = self.symbol_info(node);
        let (decl, op) = (info.term, info.op);
        let sort = if decl != NO_DECL {
            self.out.decl_of[node.index()] = decl;
            self.value_of_decl(node, decl)
        } else if op != OpId::NONE {
            self.out.op_of[node.index()] = op;
            self.value_of_op(op)
        } else if let Some(sort) = self.odd_literal(node) {
            self.mark(node, NodeRole::Term);
            return self.set_sort(node, sort);
        } else {
            self.resolve(node);
            SortId::UNKNOWN
        };
        self.mark_headed(node, node);
        self.set_sort(node, sort);
    }

    /// Literals that are not in the standard: `#f3m7` and `1/3` of cvc5, `-1` and `2.` of z3.
    fn odd_literal(&mut self, node: NodeId) -> Option<SortId> {
        let bytes = self.script.slice(node);
        if let Some(field) = field_of_literal(bytes) {
            return Some(self.intern(SmtSort::FiniteField(field.into())));
        }
        let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
        let point = memchr::memchr2(b'.', b'/', digits).unwrap_or(digits.len());
        let (whole, fraction) = digits.split_at(point);
        let is_number = !whole.is_empty()
            && whole.iter().chain(&fraction[fraction.len().min(1)..]).all(u8::is_ascii_digit);
        is_number.then_some(if fraction.is_empty() { self.logic.numeral } else { SortId::REAL })
    }

    /// The sort of a declared symbol without arguments: a function is a value of function sort.
    fn value_of_decl(&mut self, node: NodeId, mut id: DeclId) -> SortId {
        if !self.out.decl(id).params.is_empty() {
            // z3 allows functions of different arity to share a name.
            let constant = self.overloads(id).find(|&id| self.out.decl(id).params.is_empty());
            if let Some(constant) = constant {
                self.out.decl_of[node.index()] = constant;
                id = constant;
            }
        }
        let decl = &self.out.decls[id.0 as usize];
        if decl.arity > 0 && self.out.sorts.has_params(decl.result) {
            return SortId::UNKNOWN;
        }
        if decl.params.is_empty() {
            return decl.result;
        }
        let parts: Vec<SortId> = decl.params.iter().copied().chain([decl.result]).collect();
        self.arrow(&parts)
    }

    fn value_of_op(&mut self, op: OpId) -> SortId {
        match op.get().map(|op| op.signature) {
            Some(OperatorSignature::Fixed([], Pat::Slot(ops::Slot::Is(sort)))) => sort,
            Some(OperatorSignature::Rule(SortRule::Tuple)) => self.intern(SmtSort::Tuple(Box::default())),
            _ => SortId::UNKNOWN,
        }
    }

    /// Declarations of the same name that some solver would consider as overloads, newest first.
    pub(super) fn overloads(&self, id: DeclId) -> impl Iterator<Item = DeclId> + '_ {
        const MAX_OVERLOADS: usize = 32;
        std::iter::successors(Some(id), |&id| self.hidden_by(id)).take(MAX_OVERLOADS)
    }

    /// `(_ f 1)` or `(as f S)` in operator position: marks its parts and returns the symbol. `None` if it is a term.
    pub(super) fn identifier(&mut self, list: NodeId) -> Option<NodeId> {
        let [first, second] = self.at_least(list)?;
        match self.word(first) {
            Word::Underscore if self.tree.is_symbol(second) && !self.is_function_value(second) => {
                self.mark(first, NodeRole::Head);
                self.resolve_indexed(second);
                self.mark_indices(list, second);
                Some(second)
            }
            Word::As => {
                let [_, name, sort] = self.exactly(list)?;
                let symbol = match self.tree.is_list(name) {
                    true => self.inner_identifier(name)?,
                    false if self.tree.is_symbol(name) => name,
                    false => return None,
                };
                self.mark(first, NodeRole::Head);
                if symbol == name {
                    self.resolve(name);
                }
                self.sort(sort);
                Some(symbol)
            }
            _ => None,
        }
    }

    /// The `(_ f 1)` in `(as (_ f 1) S)`.
    fn inner_identifier(&mut self, list: NodeId) -> Option<NodeId> {
        let [first, second] = self.at_least(list)?;
        if self.word(first) != Word::Underscore || !self.tree.is_symbol(second) {
            return None;
        }
        self.mark(list, NodeRole::Head);
        self.mark(first, NodeRole::Head);
        self.resolve_indexed(second);
        self.mark_indices(list, second);
        Some(second)
    }

    /// True if the script declares the symbol: `(_ f x)` is then an application (cvc5).
    fn is_function_value(&mut self, symbol: NodeId) -> bool {
        let info = self.symbol_info(symbol);
        info.term != NO_DECL && info.op.get().is_none_or(|op| op.indices.1 == 0)
    }

    /// True for operators whose first index is a function.
    fn names_function(&self, name: NodeId) -> bool {
        let signature = self.out.op_of[name.index()].get().map(|op| op.signature);
        let rules = [SortRule::Is, SortRule::Update, SortRule::AsArray, SortRule::MapArray];
        matches!(signature, Some(OperatorSignature::Rule(rule)) if rules.contains(&rule))
    }

    /// Marks what follows the name in `(_ f …)`. Symbols may name functions: `(_ is C)`, `(_ map f)`.
    fn mark_indices(&mut self, list: NodeId, name: NodeId) {
        let (start, end) = (self.tree.after(name), self.tree.after(list));
        let names_function = start < end && self.names_function(name);
        for node in (start.0..end.0).map(NodeId) {
            self.mark(node, NodeRole::Index);
            if !self.tree.is_symbol(node) {
                continue;
            }
            let info = self.symbol_info(node);
            // This index must be a function, so a sort of the same name is not meant.
            let is_function = names_function && node == start;
            let decl = if info.term != NO_DECL || is_function { info.term } else { info.sort };
            let is_unknown = is_function && decl == NO_DECL && info.op == OpId::NONE;
            self.out.decl_of[node.index()] = decl;
            if is_unknown {
                self.out.unknown.push(node);
            }
        }
    }

    /// `(_ …)` as a term: a constant with indices, or cvc5's application of a function value.
    pub(super) fn enter_indexed(&mut self, node: NodeId) {
        let Some([first, name]) = self.at_least(node) else { return };
        self.mark(first, NodeRole::Head);
        if !self.tree.is_symbol(name) || self.is_function_value(name) {
            return self.push(node, name, Step::Args);
        }
        let literal = self.literal_width(node, name);
        if let Some(sort) = literal {
            self.mark(name, NodeRole::Head);
            self.mark_indices(node, name);
            return self.set_sort(node, sort);
        }
        self.resolve_indexed(name);
        self.mark_indices(node, name);
        self.mark_headed(node, name);
        let sort = self.indexed_constant(node, name);
        self.set_sort(node, sort);
    }

    /// `(_ bv5 8)`
    fn literal_width(&mut self, node: NodeId, name: NodeId) -> Option<SortId> {
        let digits = self.name(name).strip_prefix(b"bv")?;
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let width = self.next_sibling(name, self.tree.after(node)).and_then(|index| self.numeral(index));
        Some(width.map_or(SortId::UNKNOWN, |width| self.intern(SmtSort::BitVec(width))))
    }

    /// `(as f S)` as a term: its sort is the one given.
    pub(super) fn ascribed(&mut self, node: NodeId) {
        let symbol = self.identifier(node);
        let Some([_, term, sort]) = self.exactly(node) else { return };
        match symbol {
            Some(symbol) => self.mark_headed(node, symbol),
            None if self.tree.is_list(term) => {
                // `(as t S)` where `t` is a list.
                self.sort(sort);
                self.push(node, term, Step::Sequence);
                self.frames.last_mut().expect("just pushed").end = sort;
            }
            None => return,
        }
        self.set_sort(node, self.sort_at(sort));
    }
}

/// The name of a literal in `(as ff3 F)`.
fn is_field_name(bytes: &[u8]) -> bool {
    let Some(digits) = bytes.strip_prefix(b"ff") else { return false };
    let digits = digits.strip_prefix(b"-").unwrap_or(digits);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The prime of a literal `#f3m7`.
fn field_of_literal(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"#f")?;
    let at = memchr::memchr(b'm', rest)?;
    Some(&rest[at + 1..]).filter(|prime| !prime.is_empty() && prime.iter().all(u8::is_ascii_digit))
}
