//! Maps functions of a program that was read again. They are numbered in the order in which they are first named, which an edit may change.

use nub_c_ir::{FunctionId, Program};

/// Maps functions of one program to those of the same name in another.
pub(super) struct Names {
    new: Vec<FunctionId>,
}

impl Names {
    /// `None` if the programs do not have the same functions.
    pub fn new(old: &Program, new: &Program) -> Option<Names> {
        let find = |name: &str| new.function_by_name(name);
        let list: Option<Vec<FunctionId>> =
            old.functions.iter().map(|function| find(&function.name)).collect();
        list.filter(|_| old.functions.len() == new.functions.len()).map(|new| Names { new })
    }

    /// The function in the new program.
    pub fn of(&self, id: FunctionId) -> FunctionId {
        self.new[id.index()]
    }

    /// Facts about functions, in the order of the new program.
    pub fn carried(&self, facts: &[bool]) -> Vec<bool> {
        let mut found = vec![false; self.new.len()];
        for (fact, id) in facts.iter().zip(&self.new) {
            found[id.index()] = *fact;
        }
        found
    }
}
