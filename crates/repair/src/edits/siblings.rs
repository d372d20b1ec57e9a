//! Names that are declared together: members of one structure, constants of one enumeration. One of them may have been confused with another.

use nub_c_ir::{Program, TypeId};
use nub_c_syntax::TranslationUnit;

/// Names that are tried in place of one.
const MAX_OTHERS: usize = 8;

/// Names that may be confused with each other.
pub(super) struct Siblings<'a> {
    /// Members of a structure, with their types.
    members: Vec<Vec<(&'a str, TypeId)>>,
    /// Constants of an enumeration.
    constants: Vec<Vec<&'a str>>,
}

impl<'a> Siblings<'a> {
    /// From all declarations of a program and its text. O(declarations).
    pub fn new(unit: &'a TranslationUnit, program: &'a Program) -> Siblings<'a> {
        let constants = unit.enumerations().map(|found| {
            let list = found.enumerators.iter().flatten();
            list.map(|constant| unit.name(constant.name.name)).collect()
        });
        let members = program.types.records().map(|record| {
            let named = record.fields.iter().filter(|field| !field.name.is_empty());
            named.map(|field| (field.name.as_str(), field.ty)).collect()
        });
        Siblings { members: members.collect(), constants: constants.collect() }
    }

    /// Other members of the same type, of structures with a member of this name.
    pub fn members(&self, name: &str) -> Vec<&'a str> {
        let beside = |list: &Vec<(&'a str, TypeId)>| -> Vec<&'a str> {
            let ty = list.iter().find(|member| member.0 == name).map(|member| member.1);
            list.iter().filter(|member| Some(member.1) == ty).map(|member| member.0).collect()
        };
        others(self.members.iter().map(beside), name)
    }

    /// Other constants of the enumeration.
    pub fn constants(&self, name: &str) -> Vec<&'a str> {
        let is_own = |list: &&Vec<&str>| list.contains(&name);
        others(self.constants.iter().filter(is_own).cloned(), name)
    }
}

/// All names of some lists except one, each once.
fn others<'a>(lists: impl Iterator<Item = Vec<&'a str>>, name: &str) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for other in lists.flatten() {
        if other != name && !found.contains(&other) && found.len() < MAX_OTHERS {
            found.push(other);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_one_declaration() {
        let text = b"enum { RED, GREEN }; enum { UP, DOWN } way; struct point { int x, y; long z; } p; struct q { int x; int w; };";
        let (unit, _) = nub_c_syntax::parse(text);
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
        let siblings = Siblings::new(&unit, &program);
        assert_eq!(siblings.constants("RED"), ["GREEN"]);
        assert_eq!(siblings.members("y"), ["x"], "z has another type");
        assert_eq!(siblings.members("x"), ["y", "w"]);
        assert!(siblings.constants("x").is_empty() && siblings.members("RED").is_empty());
    }
}
