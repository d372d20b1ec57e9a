//! Sorts, hash-consed: a sort is a number, equal sorts have equal numbers.

use crate::DeclId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A sort in a [`Sorts`] pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortId(pub u32);

impl SortId {
    /// The sort of a term whose sort cannot be inferred: an unknown operator, or ill-sorted arguments.
    pub const UNKNOWN: SortId = SortId(0);
    /// `Bool`
    pub const BOOL: SortId = SortId(1);
    /// `Int`
    pub const INT: SortId = SortId(2);
    /// `Real`
    pub const REAL: SortId = SortId(3);
    /// `String`
    pub const STRING: SortId = SortId(4);
    /// `RegLan`
    pub const REGLAN: SortId = SortId(5);
    /// `RoundingMode`
    pub const ROUNDING_MODE: SortId = SortId(6);
}

/// The structure of a sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SmtSort {
    /// Not known; compatible with everything.
    Unknown,
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `String`
    String,
    /// `RegLan`
    RegLan,
    /// `RoundingMode`
    RoundingMode,
    /// `(_ BitVec n)`
    BitVec(u32),
    /// `(_ FloatingPoint eb sb)`
    Float(u32, u32),
    /// `(_ FiniteField p)`, the prime as written
    FiniteField(Box<[u8]>),
    /// `(Array I E)`
    Array(SortId, SortId),
    /// `(Seq E)`
    Seq(SortId),
    /// `(Set E)`
    Set(SortId),
    /// `(Bag E)`
    Bag(SortId),
    /// `(Tuple S…)` (cvc5), `UnitTuple` when empty
    Tuple(Box<[SortId]>),
    /// `(-> S… T)`: arguments, then the result
    Fun(Box<[SortId]>),
    /// A declared sort or datatype, applied to arguments
    User(DeclId, Box<[SortId]>),
    /// A sort parameter of `par`, `define-sort` or `declare-sort-parameter`
    Param(DeclId),
    /// A sort with an unknown name, as written
    Other(Box<[u8]>),
}

impl SmtSort {
    /// One of the sorts it consists of; `None` after the last.
    pub fn part(&self, index: usize) -> Option<SortId> {
        match self {
            SmtSort::Array(key, element) => [*key, *element].get(index).copied(),
            SmtSort::Seq(element) | SmtSort::Set(element) | SmtSort::Bag(element) => {
                (index == 0).then_some(*element)
            }
            SmtSort::Tuple(parts) | SmtSort::Fun(parts) | SmtSort::User(_, parts) => {
                parts.get(index).copied()
            }
            _ => None,
        }
    }

    /// The sorts it consists of.
    pub fn parts(&self) -> impl Iterator<Item = SortId> + '_ {
        (0..).map_while(|index| self.part(index))
    }

    /// The same kind of sort with other parts.
    fn with_parts(&self, parts: &[SortId]) -> SmtSort {
        match self {
            SmtSort::Array(..) => SmtSort::Array(parts[0], parts[1]),
            SmtSort::Seq(_) => SmtSort::Seq(parts[0]),
            SmtSort::Set(_) => SmtSort::Set(parts[0]),
            SmtSort::Bag(_) => SmtSort::Bag(parts[0]),
            SmtSort::Tuple(_) => SmtSort::Tuple(parts.into()),
            SmtSort::Fun(_) => SmtSort::Fun(parts.into()),
            SmtSort::User(decl, _) => SmtSort::User(*decl, parts.into()),
            atom => atom.clone(),
        }
    }

    /// True if both have the same constructor and the same number of parts.
    fn same_shape(&self, other: &SmtSort) -> bool {
        match (self, other) {
            (SmtSort::User(a, x), SmtSort::User(b, y)) => a == b && x.len() == y.len(),
            (SmtSort::Tuple(x), SmtSort::Tuple(y)) | (SmtSort::Fun(x), SmtSort::Fun(y)) => x.len() == y.len(),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// What a sort contains, including itself. Computed when it is created, so that queries need not walk the sort.
#[derive(Clone, Copy, Default)]
struct Contains(u8);

impl Contains {
    /// An unknown sort.
    const UNKNOWN: u8 = 1;
    /// A sort parameter.
    const PARAM: u8 = 2;
    /// A function or set sort: z3 accepts arrays for these.
    const ARROW: u8 = 4;
    /// An array sort.
    const ARRAY: u8 = 8;

    fn of(sort: &SmtSort) -> u8 {
        match sort {
            SmtSort::Unknown | SmtSort::Other(_) => Contains::UNKNOWN,
            SmtSort::Param(_) => Contains::PARAM,
            SmtSort::Fun(_) | SmtSort::Set(_) => Contains::ARROW,
            SmtSort::Array(..) => Contains::ARRAY,
            _ => 0,
        }
    }

    fn any(self, bits: u8) -> bool {
        self.0 & bits != 0
    }
}

/// Limit on the steps of all substitutions in one pool: nested abbreviations can require quadratically
/// many sorts. Beyond it the result is `UNKNOWN`.
const MAX_SUBSTITUTION_STEPS: usize = 1 << 20;

/// The pool of sorts of one analysis. Parts of a sort have smaller numbers than the sort.
pub struct Sorts {
    all: Vec<SmtSort>,
    contains: Vec<Contains>,
    ids: FxHashMap<SmtSort, SortId>,
    n_steps: usize,
}

/// Values of sort parameters.
#[derive(Default)]
pub struct SortSubstitution {
    /// From each parameter to its value, and from every sort already processed to its image.
    images: FxHashMap<SortId, SortId>,
    compared: FxHashSet<(SortId, SortId)>,
}

impl SortSubstitution {
    /// Forgets all values.
    pub fn clear(&mut self) {
        self.images.clear();
        self.compared.clear();
    }

    /// Gives a parameter a value.
    pub fn bind(&mut self, param: SortId, value: SortId) {
        self.images.insert(param, value);
    }
}

impl Default for Sorts {
    fn default() -> Sorts {
        let mut sorts =
            Sorts { all: Vec::new(), contains: Vec::new(), ids: FxHashMap::default(), n_steps: 0 };
        // The order must match the constants of `SortId`.
        for sort in [
            SmtSort::Unknown,
            SmtSort::Bool,
            SmtSort::Int,
            SmtSort::Real,
            SmtSort::String,
            SmtSort::RegLan,
            SmtSort::RoundingMode,
        ] {
            sorts.intern(sort);
        }
        sorts
    }
}

impl Sorts {
    /// The number of a sort, the same for equal sorts.
    pub fn intern(&mut self, sort: SmtSort) -> SortId {
        if let Some(&id) = self.ids.get(&sort) {
            return id;
        }
        let id = SortId(self.all.len() as u32);
        let parts = sort.parts().fold(0, |bits, part| bits | self.contains[part.0 as usize].0);
        self.contains.push(Contains(Contains::of(&sort) | parts));
        self.all.push(sort.clone());
        self.ids.insert(sort, id);
        id
    }

    /// The structure of a sort.
    pub fn get(&self, id: SortId) -> &SmtSort {
        &self.all[id.0 as usize]
    }

    /// Number of sorts in the pool.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Always false: the pool starts with the built-in sorts.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// True if every part of the sort is known and none is a parameter: terms of it can be generated.
    pub fn is_ground(&self, id: SortId) -> bool {
        !self.contains[id.0 as usize].any(Contains::UNKNOWN | Contains::PARAM)
    }

    /// True if it contains a sort parameter.
    pub fn has_params(&self, id: SortId) -> bool {
        self.contains[id.0 as usize].any(Contains::PARAM)
    }

    /// False if a term of the one sort can certainly not be used where the other is expected. As lenient as
    /// solvers are: z3 converts between `Int` and `Real` both ways and accepts arrays for functions and sets.
    #[inline]
    pub fn compatible(&self, a: SortId, b: SortId) -> bool {
        a == b || self.compatible_unequal(a, b)
    }

    fn compatible_unequal(&self, a: SortId, b: SortId) -> bool {
        let numeric = |id| matches!(id, SortId::INT | SortId::REAL);
        let (in_a, in_b) = (self.contains[a.0 as usize], self.contains[b.0 as usize]);
        in_a.any(Contains::UNKNOWN | Contains::PARAM)
            || in_b.any(Contains::UNKNOWN | Contains::PARAM)
            || (numeric(a) && numeric(b))
            || self.exchangeable(a, b)
    }

    /// True if one sort contains a function or set where the other may have an array.
    fn exchangeable(&self, a: SortId, b: SortId) -> bool {
        let (in_a, in_b) = (self.contains[a.0 as usize], self.contains[b.0 as usize]);
        let either = Contains::ARRAY | Contains::ARROW;
        (in_a.any(Contains::ARROW) && in_b.any(either)) || (in_b.any(Contains::ARROW) && in_a.any(either))
    }

    /// Finds values for the parameters of `pattern` that make it `actual`, in addition to those already found. False
    /// if there are none.
    pub fn unify(&self, pattern: SortId, actual: SortId, found: &mut SortSubstitution) -> bool {
        let mut open = vec![(pattern, actual)];
        while let Some((pattern, actual)) = open.pop() {
            if !self.has_params(pattern) {
                if !self.compatible(pattern, actual) {
                    return false;
                }
                continue;
            }
            if !found.compared.insert((pattern, actual)) {
                continue;
            }
            let (left, right) = (self.get(pattern), self.get(actual));
            if let SmtSort::Param(_) = left {
                let value = *found.images.entry(pattern).or_insert(actual);
                if !self.compatible(value, actual) {
                    return false;
                }
                if !self.is_ground(value) || (value, actual) == (SortId::INT, SortId::REAL) {
                    found.images.insert(pattern, actual);
                }
            } else if left.same_shape(right) {
                open.extend(left.parts().zip(right.parts()));
            } else if self.is_ground(actual) && !self.exchangeable(pattern, actual) {
                return false;
            }
        }
        true
    }

    /// The sort with parameters replaced by their values; parameters without a value stay.
    pub fn substitute(&mut self, root: SortId, values: &mut SortSubstitution) -> SortId {
        let mut open = vec![root];
        let mut parts = Vec::new();
        while let Some(&id) = open.last() {
            if !self.has_params(id) || values.images.contains_key(&id) {
                open.pop();
                continue;
            }
            self.n_steps += 1;
            if self.n_steps > MAX_SUBSTITUTION_STEPS {
                return SortId::UNKNOWN;
            }
            let n_open = open.len();
            parts.clear();
            for part in self.all[id.0 as usize].parts() {
                match values.images.get(&part) {
                    Some(&image) => parts.push(image),
                    None if self.has_params(part) => open.push(part),
                    None => parts.push(part),
                }
            }
            if open.len() == n_open {
                let sort = self.get(id).with_parts(&parts);
                let image = self.intern(sort);
                values.images.insert(id, image);
            }
        }
        values.images.get(&root).copied().unwrap_or(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(sorts: &mut Sorts, n: u32) -> SortId {
        sorts.intern(SmtSort::Param(DeclId(n)))
    }

    #[test]
    fn unify_then_substitute() {
        let mut sorts = Sorts::default();
        let (x, y) = (param(&mut sorts, 0), param(&mut sorts, 1));
        let pattern = sorts.intern(SmtSort::Array(x, y));
        let actual = sorts.intern(SmtSort::Array(SortId::INT, SortId::BOOL));
        let mut found = SortSubstitution::default();
        assert!(sorts.unify(pattern, actual, &mut found));
        let swapped = sorts.intern(SmtSort::Array(y, x));
        let expected = sorts.intern(SmtSort::Array(SortId::BOOL, SortId::INT));
        assert_eq!(sorts.substitute(swapped, &mut found), expected);
    }

    #[test]
    fn unify_fails_on_two_values() {
        let mut sorts = Sorts::default();
        let x = param(&mut sorts, 0);
        let pattern = sorts.intern(SmtSort::Array(x, x));
        let actual = sorts.intern(SmtSort::Array(SortId::STRING, SortId::BOOL));
        assert!(!sorts.unify(pattern, actual, &mut SortSubstitution::default()));
        let sequence = sorts.intern(SmtSort::Seq(SortId::STRING));
        assert!(!sorts.unify(pattern, sequence, &mut SortSubstitution::default()));
    }

    #[test]
    fn compatible_as_solvers_are() {
        let mut sorts = Sorts::default();
        let byte = sorts.intern(SmtSort::BitVec(8));
        let set = sorts.intern(SmtSort::Set(byte));
        let array = sorts.intern(SmtSort::Array(byte, SortId::BOOL));
        assert!(sorts.compatible(SortId::INT, SortId::REAL));
        assert!(sorts.compatible(set, array) && sorts.compatible(byte, SortId::UNKNOWN));
        assert!(!sorts.compatible(byte, SortId::INT) && !sorts.compatible(array, byte));
    }
}
