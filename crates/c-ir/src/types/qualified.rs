//! Versions of a type with `volatile` or `_Atomic`: further ids of the same type.

use super::{Type, Types};
use crate::ids::TypeId;

impl Types {
    /// The type with `volatile` in front. Of an array the elements have it; functions and `void` do not.
    pub fn volatile(&mut self, id: TypeId) -> TypeId {
        // From the elements outwards: arrays of arrays.
        let (mut lengths, mut inner) = (Vec::new(), id);
        while let Type::Array(element, length) = *self.get(inner) {
            lengths.push(length);
            inner = element;
        }
        let mut ty = self.volatile_scalar(inner);
        for length in lengths.into_iter().rev() {
            ty = self.intern(Type::Array(ty, length));
        }
        ty
    }

    fn volatile_scalar(&mut self, id: TypeId) -> TypeId {
        if self.is_volatile(id) || matches!(self.get(id), Type::Void | Type::Function(_)) {
            return id;
        }
        if let Some(found) = self.volatiles.get(&id) {
            return *found;
        }
        let made = self.version_of(id);
        self.volatiles.insert(id, made);
        made
    }

    /// A second id of a type.
    fn version_of(&mut self, id: TypeId) -> TypeId {
        let made = TypeId::next(self.types.len());
        self.types.push(self.get(id).clone());
        self.plain.insert(made, self.unqualified(id));
        made
    }

    /// Whether it is a volatile version.
    pub fn is_volatile(&self, id: TypeId) -> bool {
        self.plain.contains_key(&id) && self.atomics.get(&self.unqualified(id)) != Some(&id)
    }

    /// The type with `_Atomic` in front. Only numbers, pointers and structures have it; and what is volatile stays only that.
    pub fn atomic(&mut self, id: TypeId) -> TypeId {
        let is_object =
            matches!(self.get(id), Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Record(_));
        if !is_object || self.plain.contains_key(&id) {
            return id;
        }
        if let Some(found) = self.atomics.get(&id) {
            return *found;
        }
        let made = self.version_of(id);
        self.atomics.insert(id, made);
        made
    }

    /// Whether it is an atomic version.
    pub fn is_atomic(&self, id: TypeId) -> bool {
        self.atomics.get(&self.unqualified(id)) == Some(&id)
    }

    /// The type of a value that is read from an object of this type.
    pub fn unqualified(&self, id: TypeId) -> TypeId {
        self.plain.get(&id).copied().unwrap_or(id)
    }
}
