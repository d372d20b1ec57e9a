//! The attribute `alias`: a declaration gives what this file defines a second name.
//!
//! ```c
//! static void dummy(void) {}
//! void at_exit(void) __attribute__((weak, alias("dummy")));
//! ```
//!
//! Both names are one function, or one object. Headers declare the second name before the attribute does, so the attributes of the file are read first.

use super::{Lower, Lowered, Refusal};
use crate::ids::TypeId;
use nub_c_syntax::TranslationUnit;
use nub_c_syntax::ast::{Attribute, Ident, Item, Name};
use rustc_hash::FxHashMap;

/// What each alias of the file is another name of.
pub(super) fn targets_of_aliases(unit: &TranslationUnit) -> FxHashMap<Name, String> {
    let declarations = unit.items.iter().filter_map(|item| match item {
        Item::Declaration(id) => Some(unit.decl(*id)),
        _ => None,
    });
    let mut found = FxHashMap::default();
    for declaration in declarations {
        let common = &unit.specifiers(declaration.specifiers).attributes;
        for declarator in &declaration.declarators {
            let mut attributes = common.iter().chain(&declarator.declarator.attributes);
            let target = attributes.find_map(|attribute| target(unit, attribute));
            let name = declarator.declarator.name;
            found.extend(name.zip(target).map(|(name, target)| (name.name, target)));
        }
    }
    with_last_targets(unit, &found)
}

/// What an alias names may be an alias itself: each gets what the last one names. A chain that leads to itself, which no compiler accepts, ends anywhere.
fn with_last_targets(unit: &TranslationUnit, aliases: &FxHashMap<Name, String>) -> FxHashMap<Name, String> {
    let by_text: FxHashMap<&str, &str> =
        aliases.iter().map(|(name, target)| (unit.name(*name), target.as_str())).collect();
    let mut found = FxHashMap::default();
    for (name, target) in aliases {
        let chain = std::iter::successors(Some(target.as_str()), |target| by_text.get(target).copied());
        let last = chain.take(aliases.len()).last().unwrap_or_default();
        found.insert(*name, last.to_owned());
    }
    found
}

/// The name in `alias("name")`.
fn target(unit: &TranslationUnit, attribute: &Attribute) -> Option<String> {
    let args = attribute.args.filter(|_| unit.name(attribute.name) == "alias")?;
    let text = String::from_utf8_lossy(unit.text(args)).into_owned();
    text.split('"').nth(1).map(str::to_owned)
}

impl Lower<'_> {
    /// What a file-scope name is called in the program: an alias is called what it is another name of.
    pub(super) fn linked_name(&self, name: Ident) -> String {
        let alias = self.aliases.get(&name.name).filter(|_| !self.shared.is_model);
        alias.map_or_else(|| self.spelling(name.name).to_owned(), Clone::clone)
    }

    /// An alias of another type than what it names: nothing says what an access through it does.
    pub(super) fn check_alias(&self, name: Ident, ty: TypeId, known: TypeId) -> Lowered<()> {
        match self.aliases.get(&name.name) {
            Some(target) if ty != known => {
                let message = format!("an alias of another type than `{target}` is not supported");
                Err(Refusal::unmodelled(name.span, message))
            }
            _ => Ok(()),
        }
    }

    /// Objects that have a second name: other files may use it, even for a `static` one.
    pub(super) fn expose_aliased(&mut self) {
        for target in self.aliases.values() {
            if let Some(global) = self.shared.globals_by_name.get(target) {
                self.shared.program.globals[global.index()].address_taken = true;
            }
        }
    }
}
