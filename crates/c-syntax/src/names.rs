//! Identifiers as numbers.

use crate::ast::Name;
use rustc_hash::FxHashMap;

/// The pool of identifiers: equal spellings, equal numbers. Numbers follow the order of first occurrence.
#[derive(Default)]
pub(crate) struct Names {
    numbers: FxHashMap<Box<str>, Name>,
    spellings: Vec<Box<str>>,
}

impl Names {
    pub(crate) fn intern(&mut self, spelling: &str) -> Name {
        if let Some(&name) = self.numbers.get(spelling) {
            return name;
        }
        let name = Name(self.spellings.len() as u32);
        self.numbers.insert(spelling.into(), name);
        self.spellings.push(spelling.into());
        name
    }

    pub(crate) fn find(&self, spelling: &str) -> Option<Name> {
        self.numbers.get(spelling).copied()
    }

    pub(crate) fn spelling(&self, name: Name) -> &str {
        &self.spellings[name.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.spellings.len()
    }
}
