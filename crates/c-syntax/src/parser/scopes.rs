//! Which identifiers are typedef names here.
//!
//! That is all a C parser has to know about declarations: `a * b;` declares `b` if `a` is a typedef name and
//! multiplies otherwise. Every ordinary declaration (object, function, enumeration constant) hides a typedef name of an
//! outer scope. Tags, members and labels live in name spaces of their own and are never entered.

use crate::ast::Name;

/// What a declaration makes of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameKind {
    /// The name of a type.
    Typedef,
    /// The name of an object, a function or an enumeration constant.
    Ordinary,
}

/// The current meaning of every name, and how to undo what inner scopes declared. Every operation is O(1), amortised.
pub(super) struct Scopes {
    is_typedef: Vec<bool>,
    /// `(name, what it was before)`
    log: Vec<(Name, bool)>,
    /// Length of the log at the start of each open scope, except file scope.
    open: Vec<usize>,
}

impl Scopes {
    pub(super) fn new(n_names: usize) -> Scopes {
        Scopes { is_typedef: vec![false; n_names], log: Vec::new(), open: Vec::new() }
    }

    pub(super) fn is_typedef(&self, name: u32) -> bool {
        self.is_typedef[name as usize]
    }

    /// Declares `name` in the innermost scope.
    pub(super) fn declare(&mut self, name: Name, kind: NameKind) {
        let is_typedef = kind == NameKind::Typedef;
        let now = &mut self.is_typedef[name.index()];
        if !self.open.is_empty() && *now != is_typedef {
            self.log.push((name, *now));
        }
        *now = is_typedef;
    }

    pub(super) fn open(&mut self) {
        self.open.push(self.log.len());
    }

    pub(super) fn close(&mut self) {
        let Some(length) = self.open.pop() else { return };
        for (name, before) in self.log.drain(length..).rev() {
            self.is_typedef[name.index()] = before;
        }
    }

    pub(super) fn back_to_file_scope(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_declarations_hide_and_are_undone() {
        let name = Name(0);
        let mut scopes = Scopes::new(1);
        scopes.declare(name, NameKind::Typedef);
        scopes.open();
        scopes.declare(name, NameKind::Ordinary);
        scopes.open();
        scopes.declare(name, NameKind::Typedef);
        scopes.declare(name, NameKind::Ordinary);
        assert!(!scopes.is_typedef(0));
        scopes.close();
        assert!(!scopes.is_typedef(0));
        scopes.close();
        assert!(scopes.is_typedef(0));
    }
}
