//! Pointers: an object and an offset.

use super::memory::{Memory, ObjectId};
use crate::ids::FunctionId;
use crate::ir::CompareOp;

/// A pointer value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pointer {
    /// The null pointer.
    Null,
    /// This many bytes from the start of an object. May lie outside of it.
    Object(ObjectId, i128),
    /// A function.
    Function(FunctionId),
    /// Made from an integer, and in no object.
    Address(u128),
}

/// Functions have addresses below all objects, this far apart.
const FUNCTION_STEP: u128 = 16;

impl Memory {
    /// The address as a number.
    pub(super) fn address(&self, pointer: Pointer) -> u128 {
        match pointer {
            Pointer::Null => 0,
            Pointer::Object(object, offset) => self.object_address(object).wrapping_add(offset as u128),
            Pointer::Function(function) => (u128::from(function.0) + 1) * FUNCTION_STEP,
            Pointer::Address(address) => address,
        }
    }

    /// The pointer with an address.
    pub(super) fn pointer_at(&self, address: u128, n_functions: usize) -> Pointer {
        if address == 0 {
            return Pointer::Null;
        }
        if address.is_multiple_of(FUNCTION_STEP) && address / FUNCTION_STEP <= n_functions as u128 {
            return Pointer::Function(FunctionId((address / FUNCTION_STEP) as u32 - 1));
        }
        match self.object_at(address) {
            Some((object, offset)) => Pointer::Object(object, offset),
            None => Pointer::Address(address),
        }
    }

    /// The pointer moved by `bytes`.
    pub(super) fn moved(&self, pointer: Pointer, bytes: i128) -> Pointer {
        match pointer {
            _ if bytes == 0 => pointer,
            Pointer::Object(object, offset) => Pointer::Object(object, offset.wrapping_add(bytes)),
            other => Pointer::Address(self.address(other).wrapping_add(bytes as u128)),
        }
    }

    /// Bytes from `right` to `left`.
    pub(super) fn distance(&self, left: Pointer, right: Pointer) -> i128 {
        match (left, right) {
            (Pointer::Object(a, left), Pointer::Object(b, right)) if a == b => left.wrapping_sub(right),
            _ => self.address(left).wrapping_sub(self.address(right)) as i128,
        }
    }

    pub(super) fn compare(&self, op: CompareOp, left: Pointer, right: Pointer) -> bool {
        let is_equal = match (left, right) {
            (Pointer::Object(a, left), Pointer::Object(b, right)) => a == b && left == right,
            _ => self.address(left) == self.address(right),
        };
        match op {
            CompareOp::Eq => is_equal,
            CompareOp::Ne => !is_equal,
            CompareOp::ULt | CompareOp::SLt => self.is_below(left, right),
            CompareOp::ULe | CompareOp::SLe => is_equal || self.is_below(left, right),
        }
    }

    fn is_below(&self, left: Pointer, right: Pointer) -> bool {
        match (left, right) {
            (Pointer::Object(a, left), Pointer::Object(b, right)) if a == b => left < right,
            _ => self.address(left) < self.address(right),
        }
    }
}
