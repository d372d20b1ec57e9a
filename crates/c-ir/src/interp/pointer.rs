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
    /// Null or a function, moved: nothing is there, although it may be the address of something.
    Displaced(u128),
}

/// Functions have addresses below all objects, this far apart.
const FUNCTION_STEP: u128 = 16;
/// The leading bits of all addresses, if addresses are wide enough: no number of a program is then likely to be an address. They differ from the
/// leading bits that terms use elsewhere, so that a result that depends on an address is noticed.
const FIRST_BITS: u128 = 0x4e55;

/// Functions lie above this address.
pub(super) fn functions_at(pointer_bits: u32) -> u128 {
    if pointer_bits >= 32 { FIRST_BITS << (pointer_bits - 16).min(96) } else { 0 }
}

/// Objects lie above this address, and functions below.
pub(super) fn objects_at(pointer_bits: u32, n_functions: usize) -> u128 {
    functions_at(pointer_bits) + (n_functions as u128 + 2) * FUNCTION_STEP
}

impl Memory {
    /// The address as a number.
    pub(super) fn address(&self, pointer: Pointer) -> u128 {
        match pointer {
            Pointer::Null => 0,
            Pointer::Object(object, offset) => self.object_address(object).wrapping_add(offset as u128),
            Pointer::Function(function) => self.functions_at + (u128::from(function.0) + 1) * FUNCTION_STEP,
            Pointer::Address(address) | Pointer::Displaced(address) => address,
        }
    }

    /// The pointer with an address.
    pub(super) fn pointer_at(&self, address: u128, n_functions: usize) -> Pointer {
        if address == 0 {
            return Pointer::Null;
        }
        let distance = address.checked_sub(self.functions_at).filter(|distance| *distance > 0);
        let step = distance.filter(|distance| distance.is_multiple_of(FUNCTION_STEP));
        if let Some(number) = step.map(|distance| distance / FUNCTION_STEP)
            && number <= n_functions as u128
        {
            return Pointer::Function(FunctionId(number as u32 - 1));
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
            Pointer::Address(address) => Pointer::Address(address.wrapping_add(bytes as u128)),
            Pointer::Null | Pointer::Function(_) | Pointer::Displaced(_) => {
                Pointer::Displaced(self.address(pointer).wrapping_add(bytes as u128))
            }
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
