//! The meaning of each name at the current position: declaring names, and removing them at the end of a scope.
//!
//! A name points to its newest declaration, and a declaration to the one it shadows. Leaving a scope walks back over the
//! declarations made in it, without copying or searching. A shadowed declaration lives at least as long as the one that
//! shadows it, so walking back never meets a name whose scope has ended.

use super::engine::Engine;
use super::symbols::SymbolId;
use super::tables::{NO_DECL, NodeRole};
use super::{Decl, DeclId};
use crate::NodeId;

/// The state of scopes, in addition to the current meaning of every name in `Symbols`.
#[derive(Default)]
pub(super) struct Scopes {
    /// By declaration: its name, and the declaration of the same name that it shadows.
    names: Vec<SymbolId>,
    hidden: Vec<DeclId>,
    lifetimes: Vec<Lifetime>,
    /// Visible locals, innermost last.
    locals: Vec<DeclId>,
    /// Visible globals that a `pop` removes, newest last.
    globals: Vec<DeclId>,
    /// Globals that no `pop` removes: declared under `:global-declarations`.
    permanent: Vec<DeclId>,
    /// Number of globals at each `push`.
    levels: Vec<u32>,
    pub(super) global_declarations: GlobalDeclarations,
}

/// How long a declaration is visible, shortest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lifetime {
    /// A local: until the end of a term or command.
    Term,
    /// Until a `pop`.
    Level,
    /// Until the end of the script, or a `reset`.
    Script,
}

/// The option `:global-declarations`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum GlobalDeclarations {
    #[default]
    Off,
    On,
}

impl Scopes {
    /// The first declaration, from `id` backwards, that lives at least as long as `lifetime`. Shorter-lived ones are skipped: they occur if a
    /// `:named` term has the name of a variable around it, or a permanent name is also declared within a level. Constant on
    /// average: the new declaration points past those skipped here, so they are not visited again.
    fn living(&self, mut id: DeclId, lifetime: Lifetime) -> DeclId {
        while id != NO_DECL && self.lifetimes[id.0 as usize] < lifetime {
            id = self.hidden[id.0 as usize];
        }
        id
    }
}

impl Engine<'_> {
    /// Makes a declaration visible. Its `scope` is taken as given; that of a global is shortened by the `pop` that removes it.
    pub(super) fn declare(&mut self, decl: Decl) -> DeclId {
        let id = DeclId(self.out.decls.len() as u32);
        let name = self.symbol(decl.name);
        let local = decl.is_local() || decl.kind == super::DeclKind::SortParam && decl.binder != decl.owner;
        let lifetime = match (local, self.scopes.global_declarations) {
            (true, _) => Lifetime::Term,
            (false, GlobalDeclarations::Off) if !self.scopes.levels.is_empty() => Lifetime::Level,
            (false, _) => Lifetime::Script,
        };
        let symbol = self.symbols.get_mut(name);
        let slot = if decl.is_sort() { &mut symbol.sort } else { &mut symbol.term };
        self.scopes.hidden.push(self.scopes.living(*slot, lifetime));
        *slot = id;
        self.scopes.names.push(name);
        self.scopes.lifetimes.push(lifetime);
        match (local, self.scopes.global_declarations) {
            (true, _) => self.scopes.locals.push(id),
            (false, GlobalDeclarations::Off) => self.scopes.globals.push(id),
            (false, GlobalDeclarations::On) => self.scopes.permanent.push(id),
        }
        self.mark(decl.name, NodeRole::Name);
        self.out.decl_of[decl.name.index()] = id;
        self.out.decls.push(decl);
        id
    }

    /// Makes `n` locals visible again that were declared one after the other.
    pub(super) fn declare_again(&mut self, first: usize, n: usize) {
        for at in first..first + n {
            let symbol = self.symbols.get_mut(self.scopes.names[at]);
            self.scopes.hidden[at] = std::mem::replace(&mut symbol.term, DeclId(at as u32));
            self.scopes.locals.push(DeclId(at as u32));
        }
    }

    /// The declaration that `id` shadows.
    pub(super) fn hidden_by(&self, id: DeclId) -> Option<DeclId> {
        let hidden = self.scopes.hidden[id.0 as usize];
        (hidden != NO_DECL).then_some(hidden)
    }

    /// A point to return to with [`Engine::forget_locals`].
    pub(super) fn n_locals(&self) -> u32 {
        self.scopes.locals.len() as u32
    }

    pub(super) fn forget_locals(&mut self, n_left: u32) {
        while self.scopes.locals.len() > n_left as usize {
            let id = self.scopes.locals.pop().expect("longer than n_left");
            self.hide(id);
        }
    }

    pub(super) fn push_levels(&mut self, n: u32) {
        let n_globals = self.scopes.globals.len() as u32;
        // A level costs four bytes, and no real script opens this many; the limit keeps `(push 4000000000)` harmless.
        const MAX_LEVELS: usize = 1 << 16;
        let n = (n as usize).min(MAX_LEVELS.saturating_sub(self.scopes.levels.len()));
        self.scopes.levels.extend(std::iter::repeat_n(n_globals, n));
    }

    pub(super) fn pop_levels(&mut self, n: u32, at: NodeId) {
        for _ in 0..n {
            let Some(n_globals) = self.scopes.levels.pop() else { return };
            self.forget_globals(n_globals, at);
        }
    }

    /// `(reset-assertions)`. Solvers disagree whether it removes the declarations of the first level; we keep them.
    pub(super) fn reset_levels(&mut self, at: NodeId) {
        self.pop_levels(u32::MAX, at);
    }

    /// `(reset)`
    pub(super) fn reset_all(&mut self, at: NodeId) {
        self.scopes.levels.clear();
        let globals = std::mem::take(&mut self.scopes.globals);
        let permanent = std::mem::take(&mut self.scopes.permanent);
        for id in globals.into_iter().chain(permanent) {
            self.out.decls[id.0 as usize].scope.1 = at;
            let symbol = self.symbols.get_mut(self.scopes.names[id.0 as usize]);
            (symbol.term, symbol.sort) = (NO_DECL, NO_DECL);
        }
        self.scopes.global_declarations = GlobalDeclarations::Off;
    }

    fn forget_globals(&mut self, n_left: u32, at: NodeId) {
        while self.scopes.globals.len() > n_left as usize {
            let id = self.scopes.globals.pop().expect("longer than n_left");
            self.out.decls[id.0 as usize].scope.1 = at;
            self.hide(id);
        }
    }

    /// Restores the previous meaning of a name. A name that was redeclared with another lifetime (a permanent one over a
    /// popped one) keeps the newer meaning.
    fn hide(&mut self, id: DeclId) {
        let at = id.0 as usize;
        let symbol = self.symbols.get_mut(self.scopes.names[at]);
        let slot = if self.out.decls[at].is_sort() { &mut symbol.sort } else { &mut symbol.term };
        if *slot == id {
            *slot = self.scopes.hidden[at];
        }
    }
}
