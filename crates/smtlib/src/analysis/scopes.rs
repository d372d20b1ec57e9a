//! Which name means what, here and now: declaring, and forgetting at the end of a scope.
//!
//! A name points to its newest declaration, a declaration to the one it hides. Leaving a scope walks back over the
//! declarations made in it; nothing is copied and nothing is searched. What is hidden lives at least as long as what
//! hides it, so that walking back never meets a name whose scope has ended.

use super::engine::Engine;
use super::symbols::SymbolId;
use super::tables::{NO_DECL, NodeRole};
use super::{Decl, DeclId};
use crate::NodeId;

/// The state of scopes, beside the current meaning of every name in `Symbols`.
#[derive(Default)]
pub(super) struct Scopes {
    /// By declaration: its name, and the declaration of the same name that it hides.
    names: Vec<SymbolId>,
    hidden: Vec<DeclId>,
    lifetimes: Vec<Lifetime>,
    /// Locals that are visible, innermost last.
    locals: Vec<DeclId>,
    /// Globals that are visible and go with a `pop`, newest last.
    globals: Vec<DeclId>,
    /// Globals that outlive every `pop`: made under `:global-declarations`.
    permanent: Vec<DeclId>,
    /// Number of globals at each `push`.
    levels: Vec<u32>,
    pub(super) global_declarations: GlobalDeclarations,
}

/// How long a declaration is visible, shortest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lifetime {
    /// A local: up to the end of a term or command.
    Term,
    /// Up to a `pop`.
    Level,
    /// Up to the end, or a `reset`.
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
    /// The first of the declarations from `id` back that lives as long as `lifetime`. Others are in the way where a
    /// `:named` term names itself after a variable around it, or a permanent name after one of a level. Constant on
    /// average: the declaration that is made now comes before what is skipped here.
    fn living(&self, mut id: DeclId, lifetime: Lifetime) -> DeclId {
        while id != NO_DECL && self.lifetimes[id.0 as usize] < lifetime {
            id = self.hidden[id.0 as usize];
        }
        id
    }
}

impl Engine<'_> {
    /// Makes a declaration visible. Its `scope` is taken as given; that of globals is cut when they are popped.
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

    /// The declaration that `id` hides.
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
        // A level costs four bytes and no solver opens more; the bound keeps `(push 4000000000)` harmless.
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

    /// `(reset-assertions)`. Whether the declarations of the first level go is read in two ways by solvers; they stay.
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

    /// Gives the name back its former meaning. A name that was declared again under other rules (a permanent over a
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
