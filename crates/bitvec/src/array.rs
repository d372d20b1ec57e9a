//! Values of arrays.

use crate::Value;
use std::collections::BTreeMap;
use std::collections::btree_map;
use std::fmt;

/// An array value: a default element, and finitely many indices with a different element.
#[derive(Clone)]
pub struct ArrayValue {
    index_width: u32,
    default: Value,
    /// Elements that differ from the default.
    exceptions: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The same element everywhere.
    pub fn constant(index_width: u32, element: Value) -> ArrayValue {
        ArrayValue { index_width, default: element, exceptions: BTreeMap::new() }
    }

    /// Width of an index.
    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    /// The element of all indices that are not exceptions.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// Indices whose element is not the default, ascending, with their elements.
    pub fn exceptions(&self) -> btree_map::Iter<'_, Value, Value> {
        self.exceptions.iter()
    }

    /// The element at an index.
    pub fn read(&self, index: &Value) -> &Value {
        assert_eq!(index.width(), self.index_width, "an index of another width");
        self.exceptions.get(index).unwrap_or(&self.default)
    }

    /// Changes the element at an index.
    pub fn write(&mut self, index: Value, element: Value) {
        assert_eq!(index.width(), self.index_width, "an index of another width");
        assert_eq!(element.width(), self.default.width(), "an element of another width");
        if element == self.default {
            self.exceptions.remove(&index);
        } else {
            self.exceptions.insert(index, element);
        }
    }
}

/// True if the elements at all indices are equal. The defaults may differ if one of the arrays has an exception at every index.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        if self.index_width != other.index_width || self.default.width() != other.default.width() {
            return false;
        }
        if self.default == other.default {
            return self.exceptions == other.exceptions;
        }
        // An index that is an exception in neither array has different elements. So every index must be an exception in at least one.
        let n_both = self.exceptions.keys().filter(|index| other.exceptions.contains_key(index)).count();
        let n_any = self.exceptions.len() + other.exceptions.len() - n_both;
        let all_named = self.index_width < usize::BITS && n_any >> self.index_width != 0;
        all_named
            && self.exceptions.iter().all(|(index, element)| other.read(index) == element)
            && other.exceptions.iter().all(|(index, element)| self.read(index) == element)
    }
}

impl Eq for ArrayValue {}

/// As in SMT-LIB: nested `store`s into a constant array.
impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sort = crate::Sort::Array { index: self.index_width, element: self.default.width() };
        self.exceptions.iter().try_for_each(|_| f.write_str("(store "))?;
        write!(f, "((as const {}) {})", sort.in_smtlib(), self.default)?;
        self.exceptions.iter().try_for_each(|(index, element)| write!(f, " {index} {element})"))
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(width: u32, number: u64) -> Value {
        Value::from_u64(width, number)
    }

    /// Equality against comparison of all elements, for all arrays from two bits to one bit, in all representations.
    #[test]
    fn equality_is_extensional() {
        let mut arrays = Vec::new();
        for default in 0..2 {
            for content in 0..16_u64 {
                let mut array = ArrayValue::constant(2, bits(1, default));
                (0..4).for_each(|index| array.write(bits(2, index), bits(1, content >> index & 1)));
                arrays.push(array);
            }
        }
        let same =
            |a: &ArrayValue, b: &ArrayValue| (0..4).all(|i| a.read(&bits(2, i)) == b.read(&bits(2, i)));
        for a in &arrays {
            for b in &arrays {
                assert_eq!(a == b, same(a, b), "{a} {b}");
            }
        }
        assert!(
            arrays.iter().any(|array| array.exceptions().count() == 4),
            "no index is left to the default"
        );
    }

    #[test]
    fn arrays_are_shown_as_stores() {
        let mut array = ArrayValue::constant(2, bits(1, 0));
        array.write(bits(2, 3), bits(1, 1));
        let shown = "(store ((as const (Array (_ BitVec 2) (_ BitVec 1))) #b0) #b11 #b1)";
        assert_eq!(array.to_string(), shown);
    }
}
