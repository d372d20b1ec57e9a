//! ddSMT's mutators, and the corresponding passes of nub.
//!
//! A switch decides which passes run. A pass that does the work of several mutators runs only if all of them are enabled, so
//! `--no-X` always keeps X from being tried; every mutator that is not refused has a pass of its own, so
//! `--disable-all --X` always tries it. Passes that no mutator corresponds to run only if nothing is disabled.
//!
//! nub accepts a step only if the script becomes smaller (bytes, then tokens, then lexical order); ddSMT accepts any step
//! that preserves the failure. A mutator that never makes a script smaller would have no effect: it is refused by name.

use crate::failure::Failure;
use crate::request::{DdsmtMutators, DdsmtScheme, VariableOrder};
use std::collections::BTreeMap;

/// The groups, in the order of ddSMT's help.
pub const DDSMT_THEORIES: &[&str] =
    &["core", "arithmetic", "bv", "boolean", "datatypes", "fp", "smtlib", "strings"];

/// A mutator.
pub struct DdsmtMutator {
    /// The group.
    pub theory: &'static str,
    /// As on the command line.
    pub name: &'static str,
    /// What it does.
    what: &'static str,
    /// Whether nub supports it.
    pub here: DdsmtSupport,
}

/// Whether nub supports a mutator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DdsmtSupport {
    /// There are passes for it.
    Yes,
    /// It is refused, for this reason.
    Refused(&'static str),
}

impl DdsmtMutator {
    /// For `--help-all`.
    pub fn help(&self) -> String {
        match self.here {
            DdsmtSupport::Yes => self.what.to_owned(),
            DdsmtSupport::Refused(why) => format!("{} (refused: {why})", self.what),
        }
    }
}

const fn here(theory: &'static str, name: &'static str, what: &'static str) -> DdsmtMutator {
    DdsmtMutator { theory, name, what, here: DdsmtSupport::Yes }
}

const fn refused(
    theory: &'static str,
    name: &'static str,
    what: &'static str,
    why: &'static str,
) -> DdsmtMutator {
    DdsmtMutator { theory, name, what, here: DdsmtSupport::Refused(why) }
}

const LONGER: &str = "its result is always longer, and nub never makes the script longer";

/// All mutators of ddSMT 2.0.6.
pub const DDSMT_MUTATORS: &[DdsmtMutator] = &[
    here("core", "binary-reduction", "cut sections of long lists"),
    here("core", "constants", "substitute by a constant"),
    here("core", "erase-node", "erase node"),
    here("core", "merge-children", "merge with child"),
    here("core", "substitute-children", "replace by a child"),
    here("core", "replace-by-variable", "substitute by existing variable"),
    refused("core", "sort-children", "sort children", "it does not make the script smaller"),
    here("arithmetic", "arith-negate-relations", "push negation into arithmetic relation"),
    here("arithmetic", "arith-constants", "simplify arithmetic constant"),
    refused("arithmetic", "arith-split-nary-relations", "split arithmetic n-ary relation", LONGER),
    here("arithmetic", "arith-strengthen-relations", "strengthen arithmetic relation"),
    here("bv", "bv-norm-constants", "normalize bit-vector const, where that is shorter"),
    here("bv", "bv-zero-concat", "replace concat by zero_extend, where that is shorter"),
    here("bv", "bv-double-negation", "eliminate double bit-vector negation"),
    here("bv", "bv-elim-bvcomp", "eliminate bvcomp by equality"),
    here("bv", "bv-eval-extend", "evaluate bit-vector extend"),
    here("bv", "bv-extract-constants", "evaluate bit-vector extract on constant"),
    here("bv", "bv-extract-zeroextend", "simplify bit-vector extract on zero_extend"),
    refused(
        "bv",
        "bv-merge-reduced-bw",
        "merge previous bit-width reductions",
        "nub narrows the whole script at once and leaves no definitions to merge",
    ),
    here("bv", "bv-ite-to-bvcomp", "eliminate ite with bv1 / bv0 cases"),
    here("bv", "bv-reflexive-nand", "replace bvnand by bvnot"),
    here("bv", "bv-simp-constants", "simplify bit-vector constant"),
    refused("bv", "bv-to-bool", "transform bit-vector to boolean", LONGER),
    here("bv", "bv-zeroextend-pred", "eliminate zero_extend under a predicate"),
    here("bv", "bv-reduce-bitwidth", "reduce bit-width of variables, through the whole script"),
    here("bv", "bv-merge-extend", "merge nested zero_extend/sign_extend"),
    here("boolean", "bool-de-morgan", "push negation inside"),
    here("boolean", "bool-double-negations", "eliminate double negation"),
    here("boolean", "bool-false-eq", "replace equality with false by negation"),
    here("boolean", "bool-implications", "eliminate implication with a negated premise"),
    here("boolean", "bool-negate-quants", "push negation inside of quantifier"),
    refused("boolean", "bool-xor-binary", "eliminate binary xor", LONGER),
    here("boolean", "bool-xor-constants", "remove constants from xor"),
    here("datatypes", "dt-rm-constructor", "remove datatype constructor"),
    here("datatypes", "dt-rm-datatype", "remove datatype"),
    here("datatypes", "dt-rm-identity", "remove datatype identity"),
    here("fp", "fp-short-sort", "replace long FP sort name with short name"),
    here("smtlib", "check-sat-assuming", "substitute check-sat-assuming by check-sat"),
    here("smtlib", "eliminate-variables", "eliminate variable from equality"),
    here("smtlib", "inline-functions", "inline defined function"),
    here("smtlib", "introduce-fresh-variables", "introduce fresh variable"),
    here("smtlib", "let-elimination", "eliminate let binder"),
    here("smtlib", "let-substitution", "substitute variable into let body"),
    here("smtlib", "remove-annotation", "remove annotation"),
    here("smtlib", "remove-recursive-function", "remove recursive function"),
    here("smtlib", "simplify-logic", "simplify logic"),
    here("smtlib", "simplify-quoted-symbols", "simplify quoted symbol"),
    here("smtlib", "simplify-symbol-names", "simplify symbol name"),
    here("strings", "seq-nth-unit", "remove nth of unit seq"),
    refused("strings", "str-contains-to-concat", "eliminate str.contains by ++", LONGER),
    here("strings", "str-index-not-found", "eliminate str.indexof"),
    here("strings", "str-replace-all", "eliminate str.replace_all"),
    here("strings", "str-constants", "simplify string constant"),
];

/// Which mutators are on.
#[derive(Clone, Debug)]
pub struct DdsmtSwitches {
    /// By name; true if on.
    pub mutators: BTreeMap<&'static str, bool>,
    /// Theories that a switch named, with its value.
    pub theories: BTreeMap<&'static str, bool>,
    /// `--disable-all` was given.
    pub disables_all: bool,
    /// The order of variables, if one was named.
    pub order: Option<VariableOrder>,
}

impl Default for DdsmtSwitches {
    /// All are on.
    fn default() -> DdsmtSwitches {
        DdsmtSwitches {
            mutators: DDSMT_MUTATORS.iter().map(|mutator| (mutator.name, true)).collect(),
            theories: BTreeMap::new(),
            disables_all: false,
            order: None,
        }
    }
}

impl DdsmtSwitches {
    /// Turns everything off.
    pub fn disable_all(&mut self) {
        self.disables_all = true;
        self.mutators.values_mut().for_each(|is_on| *is_on = false);
    }

    /// Turns a mutator or a theory on.
    ///
    /// # Errors
    /// If the mutator is refused.
    pub fn enable(&mut self, name: &'static str) -> Result<(), Failure> {
        let is_named = |mutator: &&DdsmtMutator| mutator.name == name;
        if let Some(DdsmtMutator { here: DdsmtSupport::Refused(why), .. }) =
            DDSMT_MUTATORS.iter().find(is_named)
        {
            return Err(Failure::usage(format!("--{name} is not supported: {why}"))
                .with_hint("omit it; --help-all lists what nub has"));
        }
        self.set(name, true);
        Ok(())
    }

    /// Turns a mutator or a theory off.
    pub fn disable(&mut self, name: &'static str) {
        self.set(name, false);
    }

    fn set(&mut self, name: &'static str, value: bool) {
        if !DDSMT_THEORIES.contains(&name) {
            self.mutators.insert(name, value);
            return;
        }
        self.theories.insert(name, value);
        let members = DDSMT_MUTATORS.iter().filter(|mutator| mutator.theory == name);
        members.for_each(|mutator| _ = self.mutators.insert(mutator.name, value));
    }

    /// The enabled mutators that nub supports.
    pub fn enabled(&self) -> Vec<&'static str> {
        let is_on = |mutator: &&DdsmtMutator| self.mutators.get(mutator.name) == Some(&true);
        let all = DDSMT_MUTATORS.iter().filter(is_on).filter(|mutator| mutator.here == DdsmtSupport::Yes);
        all.map(|mutator| mutator.name).collect()
    }

    /// Whether all supported mutators are on.
    pub fn is_all(&self) -> bool {
        self.enabled().len()
            == DDSMT_MUTATORS.iter().filter(|mutator| mutator.here == DdsmtSupport::Yes).count()
    }

    /// The mutators as part of a reduction request.
    pub fn request(&self, scheme: DdsmtScheme) -> DdsmtMutators {
        DdsmtMutators {
            enabled: self.enabled().into_iter().map(str::to_owned).collect(),
            is_all: self.is_all(),
            order: self.order,
            scheme,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_edits::smtlib::mutators::MUTATOR_NAMES;

    #[test]
    fn the_table_is_that_of_the_passes() {
        let here = DDSMT_MUTATORS.iter().filter(|mutator| mutator.here == DdsmtSupport::Yes);
        assert_eq!(here.map(|mutator| mutator.name).collect::<Vec<_>>(), MUTATOR_NAMES);
        assert_eq!(DDSMT_MUTATORS.len(), 53);
        assert!(DDSMT_MUTATORS.iter().all(|mutator| DDSMT_THEORIES.contains(&mutator.theory)));
    }
}
