//! Declarations that are refused: `double _Complex rate;` in a header does not matter to functions that do not use it.
//!
//! The name is poisoned. A function that uses it is refused for the reason that the declaration was, at the place of the declaration.

use super::scope::{Entity, PoisonId};
use super::{Lower, Refusal};
use nub_c_syntax::ast::Ident;

impl Lower<'_> {
    /// Keeps a reason.
    pub(super) fn poison(&mut self, refusal: &Refusal) -> PoisonId {
        self.poisons.push(refusal.clone());
        PoisonId(self.poisons.len() - 1)
    }

    /// The reason that was kept.
    pub(super) fn poisoned(&self, poison: PoisonId) -> Refusal {
        self.poisons[poison.0].clone()
    }

    /// Poisons the name of a refused declaration; `before` is what the name meant until then. If functions may have used that meaning, no
    /// function of the file can be trusted.
    pub(super) fn poison_name(&mut self, name: Ident, before: Option<Entity>, refusal: &Refusal) {
        let is_used = matches!(before, Some(Entity::Global(_) | Entity::Function(_)));
        if is_used && self.scopes.is_file_scope() {
            self.shared.program.unsupported.extend(refusal.0.as_deref().cloned());
        }
        let poison = self.poison(refusal);
        self.scopes.declare(name.name, Entity::Poisoned(poison));
    }
}
