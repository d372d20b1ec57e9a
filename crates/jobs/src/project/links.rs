//! Links functions from other files of a project into a program.
//!
//! The text of the bodies is appended to the text of the file ([`nub_c_syntax::link`]) and to its test programs. So a test program needs no
//! object file of another file, and static variables of other files are reset for each test.

use super::unit::Unit;
use crate::c_program::LoadedProgram;
use crate::request::ProgramOptions;
use nub_c_ir::{Body, FunctionId};
use nub_c_syntax::link::{LinkLimits, LinkedText, Linker, UnitExports};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// With more or longer bodies an answer becomes less likely.
const LIMITS: LinkLimits = LinkLimits { functions: 24, bytes: 24 << 10 };

/// Which file defines which function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ProjectLinks {
    units: Vec<DefiningUnit>,
    /// The unit that defines each function. A name that several units define is not listed: which one is used depends on
    /// the linker command.
    functions: BTreeMap<String, usize>,
}

/// A file whose functions others call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DefiningUnit {
    /// Its name in reports.
    pub name: String,
    /// Its preprocessed text.
    text: PathBuf,
    /// The hash of this text.
    pub hash: String,
    program: ProgramOptions,
}

impl ProjectLinks {
    /// Of all files of a project.
    pub fn new(units: &[Unit]) -> ProjectLinks {
        let mut definers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, unit) in units.iter().enumerate() {
            for name in unit.defines.iter().filter(|name| *name != "main") {
                definers.entry(name.clone()).or_default().push(number);
            }
        }
        let only = |(name, numbers): (String, Vec<usize>)| match numbers.as_slice() {
            [only] => Some((name, *only)),
            _ => None,
        };
        let units = units.iter().map(|unit| DefiningUnit {
            name: unit.name.clone(),
            text: unit.text.clone(),
            hash: unit.hash.clone(),
            program: unit.program.clone(),
        });
        ProjectLinks { units: units.collect(), functions: definers.into_iter().filter_map(only).collect() }
    }

    /// The functions that a file calls and another one defines, with that one.
    pub fn of_unit<'l>(&'l self, unit: &'l Unit) -> impl Iterator<Item = (&'l str, &'l DefiningUnit)> {
        let elsewhere =
            unit.lacks.iter().filter_map(|name| Some((name.as_str(), *self.functions.get(name)?)));
        elsewhere.map(|(name, number)| (name, &self.units[number]))
    }

    /// Changes the paths of all texts.
    pub fn texts_mut(&mut self, change: impl FnMut(&mut PathBuf)) {
        self.units.iter_mut().map(|unit| &mut unit.text).for_each(change);
    }

    /// Whether these files still have the text that they had.
    pub fn are_current(&self, files: &[(String, String)]) -> bool {
        let is_current = |(name, hash): &(String, String)| {
            self.units.iter().any(|unit| unit.name == *name && unit.hash == *hash)
        };
        files.iter().all(is_current)
    }
}

/// The files of a project, each parsed on demand.
pub struct LinkSource {
    links: ProjectLinks,
    exports: Vec<OnceCell<Option<UnitExports>>>,
}

/// A program with bodies of other files.
pub struct LinkedProgram {
    /// The program.
    pub loaded: LoadedProgram,
    /// The functions whose bodies are in other files.
    pub functions: Vec<String>,
}

/// The result of linking.
#[derive(Default)]
pub struct LinkAttempt {
    /// Absent if there is nothing to link, or if the files are incompatible.
    pub program: Option<LinkedProgram>,
    /// The files that the result depends on, with the hashes of their texts.
    pub files: Vec<(String, String)>,
}

impl LinkSource {
    /// The files that the links name.
    pub fn new(links: ProjectLinks) -> LinkSource {
        let exports = links.units.iter().map(|_| OnceCell::new()).collect();
        LinkSource { links, exports }
    }

    /// The program with the bodies that a function needs.
    pub fn link(
        &self,
        loaded: &LoadedProgram,
        own: &UnitExports,
        options: &ProgramOptions,
        function: FunctionId,
    ) -> LinkAttempt {
        let wanted = self.wanted(loaded, options, function);
        let LinkedText { text, functions, mut units } = Linker::new(own, LIMITS).link(&wanted, |name| {
            let number = *self.links.functions.get(name)?;
            Some((number, self.exports(number, options)?))
        });
        units.extend(wanted.iter().filter_map(|name| self.links.functions.get(name)));
        let files = units.iter().map(|number| &self.links.units[*number]);
        let files = files.map(|unit| (unit.name.clone(), unit.hash.clone())).collect();
        let linked = if functions.is_empty() { None } else { loaded.with_linked(&text) };
        LinkAttempt { program: linked.map(|loaded| LinkedProgram { loaded, functions }), files }
    }

    /// Functions without a body that a function may call and that another file defines.
    fn wanted(&self, loaded: &LoadedProgram, options: &ProgramOptions, function: FunctionId) -> Vec<String> {
        let program = &loaded.program;
        let reached = program.reachable(function).into_iter().map(|id| program.function(id));
        let missing = reached.filter(|function| matches!(function.body, Body::Missing));
        let is_elsewhere = |name: &&String| {
            let definer = self.links.functions.get(*name).map(|number| &self.links.units[*number]);
            definer.is_some_and(|unit| is_same_language(&unit.program, options))
        };
        missing.map(|function| &function.name).filter(is_elsewhere).cloned().collect()
    }

    fn exports(&self, number: usize, options: &ProgramOptions) -> Option<&UnitExports> {
        let unit = &self.links.units[number];
        if !is_same_language(&unit.program, options) {
            return None;
        }
        let read = || UnitExports::new(&std::fs::read(&unit.text).ok()?);
        self.exports[number].get_or_init(read).as_ref()
    }
}

/// Whether both options have the same data model and language options.
fn is_same_language(a: &ProgramOptions, b: &ProgramOptions) -> bool {
    let meaning = |options: &ProgramOptions| -> Vec<String> {
        let mut found = options.compiler_options.clone();
        found.retain(|option| option.starts_with("-f") || option.starts_with("-m"));
        found.sort();
        found
    };
    a.model() == b.model() && a.wrapv == b.wrapv && meaning(a) == meaning(b)
}
