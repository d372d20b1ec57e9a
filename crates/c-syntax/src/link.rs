//! Functions of other translation units as text for one.
//!
//! A call of a function that another file defines needs its body. [`Linker::link`] writes a text with the definitions that a unit lacks: the
//! functions, and the types, prototypes, static functions and objects that they use. The text is appended to that of the unit, so that everything
//! that reads C reads it as well.
//!
//! It has the same meaning as compiling and linking both files. What both units declare with the same tokens is shared. A static name of the other
//! unit that is already used is renamed. Where two units mean different things by the name of a type, a constant or an object, the function is not
//! linked. An object that another unit defines stays `extern` unless it is constant.
//!
//! Functions are taken nearest first, up to [`LinkLimits`], each with everything that it needs, or not at all.

mod closure;
mod exports;

pub use exports::UnitExports;

use crate::link::closure::{Closure, Selected};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Limits on what is linked to one unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkLimits {
    /// Functions, static ones included.
    pub functions: usize,
    /// Bytes of their definitions.
    pub bytes: usize,
}

/// Definitions of other units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkedText {
    /// The text, with line markers.
    pub text: String,
    /// The functions that got a body: those that the unit calls, and those that these call.
    pub functions: Vec<String>,
    /// Numbers of the units that they come from.
    pub units: BTreeSet<usize>,
}

/// Links functions to one unit.
pub struct Linker<'u> {
    unit: &'u UnitExports,
    limits: LinkLimits,
    /// What the text so far declares, beside the unit.
    emitted: Vec<Selected<'u>>,
    /// New names of static functions and objects, by unit and name.
    renamed: BTreeMap<(usize, String), String>,
    n_functions: usize,
    n_bytes: usize,
}

impl<'u> Linker<'u> {
    /// A linker for the calls of this unit.
    pub fn new(unit: &'u UnitExports, limits: LinkLimits) -> Linker<'u> {
        Linker { unit, limits, emitted: Vec::new(), renamed: BTreeMap::new(), n_functions: 0, n_bytes: 0 }
    }

    /// Links functions by their names. `definer` returns the unit that defines a function, and its number; it is also called for what these functions
    /// call. Cost: the definitions that are linked, times the names that units declare.
    pub fn link(
        mut self,
        wanted: &[String],
        definer: impl Fn(&str) -> Option<(usize, &'u UnitExports)>,
    ) -> LinkedText {
        let mut found = LinkedText::default();
        let mut is_asked: BTreeSet<String> = wanted.iter().cloned().collect();
        let mut todo: VecDeque<String> = wanted.iter().cloned().collect();
        while let Some(name) = todo.pop_front() {
            if self.unit.definition(&name).is_some() {
                continue;
            }
            let Some((number, exports)) = definer(&name) else { continue };
            let Some(closure) = self.closure(number, exports, &name) else { continue };
            let called = closure.external_functions(exports);
            self.take(closure, &mut found.text);
            found.functions.push(name);
            found.units.insert(number);
            todo.extend(called.into_iter().filter(|called| is_asked.insert(called.clone())));
        }
        found
    }

    /// Everything that a function needs and that is not declared yet; `None` if it does not fit.
    fn closure(&self, number: usize, exports: &'u UnitExports, name: &str) -> Option<Closure<'u>> {
        let closure = Closure::of(self, number, exports, name)?;
        let fits = self.n_functions + closure.n_functions() <= self.limits.functions
            && self.n_bytes + closure.n_bytes() <= self.limits.bytes;
        fits.then_some(closure)
    }

    fn take(&mut self, closure: Closure<'u>, text: &mut String) {
        self.n_functions += closure.n_functions();
        self.n_bytes += closure.n_bytes();
        self.renamed.extend(closure.renamed.clone());
        for selected in closure.in_order() {
            selected.write(text, &self.renamed);
            self.emitted.push(selected);
        }
    }
}

#[cfg(test)]
mod tests;
