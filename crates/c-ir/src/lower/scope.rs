//! What names mean, by scope.

use crate::ids::*;
use nub_c_syntax::ast::Name;
use rustc_hash::FxHashMap;

/// What an identifier stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entity {
    Local(LocalId),
    /// An array of variable length: the local with the pointer to it.
    VariableArray(LocalId),
    Global(GlobalId),
    Function(FunctionId),
    /// An enumeration constant: bits and type.
    Enumerator(u128, TypeId),
    /// A type name, and whether what it declares is `const`.
    Typedef {
        ty: TypeId,
        is_const: bool,
    },
    /// Its declaration was refused: functions that use it are refused for the same reason.
    Poisoned(PoisonId),
}

/// A reason in the list of refused declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PoisonId(pub(super) usize);

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(TypeId),
    /// Its definition was refused.
    Poisoned(PoisonId),
}

#[derive(Default)]
struct Scope {
    names: FxHashMap<Name, Entity>,
    tags: FxHashMap<Name, Tag>,
    /// In the order of their declarations.
    locals: Vec<LocalId>,
    /// Its place in [`Scopes::has_label`].
    id: ScopeId,
}

/// A scope, open or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ScopeId(usize);

/// A stack of scopes; the first is that of the file.
pub(super) struct Scopes {
    stack: Vec<Scope>,
    /// For each [`ScopeId`], whether a jump may lead into it, past declarations.
    has_label: Vec<bool>,
}

impl Scopes {
    pub(super) fn new() -> Scopes {
        Scopes { stack: vec![Scope::default()], has_label: vec![false] }
    }

    pub(super) fn enter(&mut self) {
        self.stack.push(Scope { id: ScopeId(self.has_label.len()), ..Scope::default() });
        self.has_label.push(false);
    }

    /// Leaves the innermost scope; the file's own stays.
    pub(super) fn leave(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Leaves scopes until there are `depth`: after a refusal in the middle of them.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.stack.truncate(depth.max(1));
    }

    pub(super) fn is_file_scope(&self) -> bool {
        self.stack.len() == 1
    }

    pub(super) fn find(&self, name: Name) -> Option<Entity> {
        self.stack.iter().rev().find_map(|scope| scope.names.get(&name).copied())
    }

    /// In the innermost scope only.
    pub(super) fn find_here(&self, name: Name) -> Option<Entity> {
        self.stack.last().and_then(|scope| scope.names.get(&name).copied())
    }

    pub(super) fn declare(&mut self, name: Name, entity: Entity) {
        if let Some(scope) = self.stack.last_mut() {
            if let Entity::Local(local) = entity {
                scope.locals.push(local);
            }
            scope.names.insert(name, entity);
        }
    }

    /// A label is here: jumps may lead into all scopes but the first `depth`.
    pub(super) fn note_label(&mut self, depth: usize) {
        self.stack.iter().skip(depth).for_each(|scope| self.has_label[scope.id.0] = true);
    }

    /// Whether a jump may lead into this scope, as far as is known.
    pub(super) fn has_label(&self, scope: ScopeId) -> bool {
        self.has_label[scope.0]
    }

    /// The scopes that are open.
    pub(super) fn open(&self) -> Vec<ScopeId> {
        self.stack.iter().map(|scope| scope.id).collect()
    }

    /// The variables declared so far in all scopes but the first `depth`, each with its scope, the last first.
    pub(super) fn scoped_locals(&self, depth: usize) -> Vec<(ScopeId, LocalId)> {
        let scopes = self.stack.iter().skip(depth);
        let mut locals: Vec<(ScopeId, LocalId)> =
            scopes.flat_map(|scope| scope.locals.iter().map(|local| (scope.id, *local))).collect();
        locals.reverse();
        locals
    }

    /// The same, without those of scopes that jumps may lead into.
    pub(super) fn locals_beyond(&self, depth: usize) -> Vec<LocalId> {
        let locals = self.scoped_locals(depth).into_iter();
        locals.filter(|(scope, _)| !self.has_label(*scope)).map(|(_, local)| local).collect()
    }

    /// At file scope, as an implicit declaration of a function is seen by all later ones.
    pub(super) fn declare_in_file(&mut self, name: Name, entity: Entity) {
        self.stack[0].names.insert(name, entity);
    }

    pub(super) fn find_tag(&self, name: Name) -> Option<Tag> {
        self.stack.iter().rev().find_map(|scope| scope.tags.get(&name).copied())
    }

    pub(super) fn find_tag_here(&self, name: Name) -> Option<Tag> {
        self.stack.last().and_then(|scope| scope.tags.get(&name).copied())
    }

    pub(super) fn declare_tag(&mut self, name: Name, tag: Tag) {
        if let Some(scope) = self.stack.last_mut() {
            scope.tags.insert(name, tag);
        }
    }
}
