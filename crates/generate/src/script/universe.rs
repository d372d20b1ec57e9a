//! The sorts of one script, with their texts.

use nub_smtlib::{DeclId, SmtSort, SortId, Sorts};

/// The kind of a sort; choices are made within one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Bool,
    Int,
    Real,
    Text,
    RegLan,
    Mode,
    Bits,
    Float,
    Array,
    Data,
    Opaque,
}

/// How many kinds there are.
pub(super) const N_KINDS: usize = Kind::Opaque as usize + 1;

/// A declared sort without literals, or a datatype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Declared {
    pub id: DeclId,
    pub kind: Kind,
}

/// The sorts that may occur. Uses the pool of `nub_smtlib`, so that sorts have the same numbers as in the operator table.
pub(super) struct Universe {
    sorts: Sorts,
    /// By sort; `None` if the script has no such sort.
    entries: Vec<Option<Entry>>,
    by_kind: [Vec<SortId>; N_KINDS],
    /// Sorts that a variable of a signature may have: all except `RegLan`, which solvers do not accept there.
    first_class: Vec<SortId>,
    /// Names and kinds of declared sorts.
    declared: Vec<(String, Kind)>,
}

struct Entry {
    text: String,
    kind: Kind,
    /// The nesting depth of arrays.
    nesting: u32,
}

impl Universe {
    /// Contains only `Bool`.
    pub(super) fn new() -> Universe {
        let mut universe = Universe {
            sorts: Sorts::default(),
            entries: Vec::new(),
            by_kind: Default::default(),
            first_class: Vec::new(),
            declared: Vec::new(),
        };
        universe.add(SmtSort::Bool);
        universe
    }

    /// Adds a sort whose parts have already been added. Returns its number.
    pub(super) fn add(&mut self, sort: SmtSort) -> SortId {
        let (kind, text, nesting) = self.describe(&sort);
        let id = self.sorts.intern(sort);
        let at = id.0 as usize;
        if self.entries.len() <= at {
            self.entries.resize_with(at + 1, || None);
        }
        if self.entries[at].is_none() {
            self.entries[at] = Some(Entry { text, kind, nesting });
            self.by_kind[kind as usize].push(id);
            if kind != Kind::RegLan {
                self.first_class.push(id);
            }
        }
        id
    }

    /// A sort that a command declares.
    pub(super) fn declare(&mut self, name: &str, kind: Kind) -> Declared {
        let id = DeclId(self.declared.len() as u32);
        self.declared.push((name.to_owned(), kind));
        Declared { id, kind }
    }

    fn describe(&self, sort: &SmtSort) -> (Kind, String, u32) {
        let simple = |kind, text: &str| (kind, text.to_owned(), 0);
        match sort {
            SmtSort::Bool => simple(Kind::Bool, "Bool"),
            SmtSort::Int => simple(Kind::Int, "Int"),
            SmtSort::Real => simple(Kind::Real, "Real"),
            SmtSort::String => simple(Kind::Text, "String"),
            SmtSort::RegLan => simple(Kind::RegLan, "RegLan"),
            SmtSort::RoundingMode => simple(Kind::Mode, "RoundingMode"),
            SmtSort::BitVec(width) => (Kind::Bits, format!("(_ BitVec {width})"), 0),
            SmtSort::Float(5, 11) => simple(Kind::Float, "Float16"),
            SmtSort::Float(exponent, significand) => {
                (Kind::Float, format!("(_ FloatingPoint {exponent} {significand})"), 0)
            }
            SmtSort::Array(index, element) => {
                let text = format!("(Array {} {})", self.text(*index), self.text(*element));
                (Kind::Array, text, 1 + self.nesting(*index).max(self.nesting(*element)))
            }
            SmtSort::User(id, args) => {
                let (name, kind) = &self.declared[id.0 as usize];
                if args.is_empty() {
                    return (*kind, name.clone(), 0);
                }
                let args: Vec<&str> = args.iter().map(|arg| self.text(*arg)).collect();
                (*kind, format!("({name} {})", args.join(" ")), 0)
            }
            _ => simple(Kind::Opaque, "Bool"),
        }
    }

    fn nesting(&self, sort: SortId) -> u32 {
        self.entry(sort).map_or(0, |entry| entry.nesting)
    }

    fn entry(&self, sort: SortId) -> Option<&Entry> {
        self.entries.get(sort.0 as usize).and_then(Option::as_ref)
    }

    /// Whether a script has the sort.
    pub(super) fn has(&self, sort: SortId) -> bool {
        self.entry(sort).is_some()
    }

    /// The sort as text.
    pub(super) fn text(&self, sort: SortId) -> &str {
        self.entry(sort).map_or("Bool", |entry| &entry.text)
    }

    /// Its kind.
    pub(super) fn kind(&self, sort: SortId) -> Kind {
        self.entry(sort).map_or(Kind::Opaque, |entry| entry.kind)
    }

    /// Its structure.
    pub(super) fn get(&self, sort: SortId) -> &SmtSort {
        self.sorts.get(sort)
    }

    /// All sorts of a kind.
    pub(super) fn of(&self, kind: Kind) -> &[SortId] {
        &self.by_kind[kind as usize]
    }

    /// All sorts that may be used anywhere.
    pub(super) fn first_class(&self) -> &[SortId] {
        &self.first_class
    }

    /// The width of a bit-vector sort, otherwise 0.
    pub(super) fn width(&self, sort: SortId) -> u32 {
        if let SmtSort::BitVec(width) = self.get(sort) { *width } else { 0 }
    }

    /// Index and element of an array sort.
    pub(super) fn array(&self, sort: SortId) -> Option<(SortId, SortId)> {
        if let SmtSort::Array(index, element) = self.get(sort) { Some((*index, *element)) } else { None }
    }

    /// Exponent and significand of a floating-point sort.
    pub(super) fn float(&self, sort: SortId) -> Option<(u32, u32)> {
        if let SmtSort::Float(exponent, significand) = self.get(sort) {
            Some((*exponent, *significand))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_are_there_once_and_have_texts() {
        let mut universe = Universe::new();
        let bits = universe.add(SmtSort::BitVec(8));
        assert_eq!(universe.add(SmtSort::BitVec(8)), bits);
        let array = universe.add(SmtSort::Array(bits, SortId::BOOL));
        let nested = universe.add(SmtSort::Array(bits, array));
        assert_eq!(universe.text(nested), "(Array (_ BitVec 8) (Array (_ BitVec 8) Bool))");
        let list = universe.declare("List", Kind::Data);
        let list = universe.add(SmtSort::User(list.id, [bits].into()));
        assert_eq!(universe.text(list), "(List (_ BitVec 8))");
        assert_eq!(universe.of(Kind::Array), [array, nested]);
        assert!(universe.has(SortId::BOOL) && !universe.has(SortId::REAL));
        universe.add(SmtSort::RegLan);
        assert!(!universe.first_class().contains(&SortId::REGLAN));
    }
}
