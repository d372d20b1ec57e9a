//! ddSMT's mutators, and the passes of nub that do what they do.
//!
//! A switch decides which passes run. A pass that does the work of several mutators runs only if all of them are enabled, so
//! `--no-X` always keeps X from being tried; every mutator that is not refused has a pass of its own, so
//! `--disable-all --X` always tries it. Passes that no mutator corresponds to run only if nothing is disabled.
//!
//! nub takes a step only if the script becomes smaller (bytes, then tokens, then lexical order); ddSMT takes any step that
//! keeps the failure. A mutator whose steps never make a script smaller would never do anything: it is refused by name.

use clap::ArgMatches;
use clap::parser::ValueSource;
use nub_edits::smtlib::mutators::Direction;
use nub_jobs::Failure;
use std::collections::BTreeMap;

/// The groups, in the order of ddSMT's help.
pub const THEORIES: &[&str] =
    &["core", "arithmetic", "bv", "boolean", "datatypes", "fp", "smtlib", "strings"];

/// A mutator.
pub struct DdsmtMutator {
    /// The group.
    pub theory: &'static str,
    /// As on the command line.
    pub name: &'static str,
    /// What it does.
    what: &'static str,
    /// What does it here.
    pub here: Here,
}

/// What a mutator is in nub.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Here {
    /// There are passes for it.
    Yes,
    /// There are none, and why.
    Refused(&'static str),
}

impl DdsmtMutator {
    /// For `--help-all`.
    pub fn help(&self) -> String {
        match self.here {
            Here::Yes => self.what.to_owned(),
            Here::Refused(why) => format!("{} (refused: {why})", self.what),
        }
    }
}

const fn here(theory: &'static str, name: &'static str, what: &'static str) -> DdsmtMutator {
    DdsmtMutator { theory, name, what, here: Here::Yes }
}

const fn refused(
    theory: &'static str,
    name: &'static str,
    what: &'static str,
    why: &'static str,
) -> DdsmtMutator {
    DdsmtMutator { theory, name, what, here: Here::Refused(why) }
}

const LONGER: &str = "its result is always longer, and nub takes no step that makes the script longer";

/// All mutators of ddSMT 2.0.6.
pub const MUTATORS: &[DdsmtMutator] = &[
    here("core", "binary-reduction", "cut sections of long lists"),
    here("core", "constants", "substitute by a constant"),
    here("core", "erase-node", "erase node"),
    here("core", "merge-children", "merge with child"),
    here("core", "substitute-children", "replace by a child"),
    here("core", "replace-by-variable", "substitute by existing variable"),
    refused("core", "sort-children", "sort children", "the script gets no smaller by it"),
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
pub struct Switches {
    /// By name; true if on.
    pub mutators: BTreeMap<&'static str, bool>,
    /// Theories that a switch named, with its value.
    pub theories: BTreeMap<&'static str, bool>,
    /// `--disable-all` was there.
    pub disables_all: bool,
    /// A direction was named.
    pub direction: Option<Direction>,
}

impl Switches {
    /// Reads the switches in the order in which they were given: a later one wins.
    ///
    /// # Errors
    /// The first mutator that was enabled by name and is refused.
    pub fn of(matches: &ArgMatches) -> Result<Switches, Failure> {
        let mut switches = Switches {
            mutators: MUTATORS.iter().map(|mutator| (mutator.name, true)).collect(),
            theories: BTreeMap::new(),
            disables_all: false,
            direction: None,
        };
        if matches.value_source("replace-by-variable-mode") == Some(ValueSource::CommandLine) {
            let mode = matches.get_one::<String>("replace-by-variable-mode").map(String::as_str);
            switches.direction = Some(if mode == Some("dec") { Direction::Dec } else { Direction::Inc });
        }
        for (name, value) in in_order(matches) {
            switches.set(name, value)?;
        }
        Ok(switches)
    }

    fn set(&mut self, name: &'static str, value: bool) -> Result<(), Failure> {
        if name == "disable-all" {
            self.disables_all = true;
            self.mutators.values_mut().for_each(|is_on| *is_on = false);
            return Ok(());
        }
        if THEORIES.contains(&name) {
            self.theories.insert(name, value);
            let members = MUTATORS.iter().filter(|mutator| mutator.theory == name);
            members.for_each(|mutator| _ = self.mutators.insert(mutator.name, value));
            return Ok(());
        }
        if let Some(DdsmtMutator { here: Here::Refused(why), .. }) =
            MUTATORS.iter().find(|mutator| mutator.name == name && value)
        {
            return Err(Failure::usage(format!("--{name} is not supported: {why}"))
                .with_hint("omit it; --help-all lists what nub has"));
        }
        self.mutators.insert(name, value);
        Ok(())
    }

    /// The mutators that are on and that nub has.
    pub fn enabled(&self) -> Vec<&'static str> {
        let is_on = |mutator: &&DdsmtMutator| self.mutators.get(mutator.name) == Some(&true);
        let all = MUTATORS.iter().filter(is_on).filter(|mutator| mutator.here == Here::Yes);
        all.map(|mutator| mutator.name).collect()
    }

    /// Whether nothing that nub has is off.
    pub fn is_all(&self) -> bool {
        self.enabled().len() == MUTATORS.iter().filter(|mutator| mutator.here == Here::Yes).count()
    }
}

/// The switches given, in order. Of a switch given twice the last place counts: it does again all that the first did.
fn in_order(matches: &ArgMatches) -> Vec<(&'static str, bool)> {
    let names = MUTATORS.iter().map(|mutator| mutator.name).chain(THEORIES.iter().copied());
    let both = names.flat_map(|name| [(name, name.to_owned(), true), (name, format!("no-{name}"), false)]);
    let all = both.chain([("disable-all", "disable_all".to_owned(), true)]);
    let mut found: Vec<(usize, &'static str, bool)> = Vec::new();
    for (name, id, value) in all {
        let is_given = matches.value_source(&id) == Some(ValueSource::CommandLine);
        let last = matches.indices_of(&id).and_then(Iterator::last).filter(|_| is_given);
        found.extend(last.map(|index| (index, name, value)));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, name, value)| (name, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_edits::smtlib::mutators::MUTATOR_NAMES;

    fn switches(args: &[&str]) -> Switches {
        let args = [&["ddsmt"], args, &["in", "out", "cmd"]].concat();
        let matches = super::super::options::command(false).try_get_matches_from(args).unwrap();
        Switches::of(&matches).unwrap()
    }

    #[test]
    fn the_table_is_that_of_the_passes() {
        let here = MUTATORS.iter().filter(|mutator| mutator.here == Here::Yes).map(|mutator| mutator.name);
        assert_eq!(here.collect::<Vec<_>>(), MUTATOR_NAMES);
        assert_eq!(MUTATORS.len(), 53);
        assert!(MUTATORS.iter().all(|mutator| THEORIES.contains(&mutator.theory)));
    }

    #[test]
    fn the_last_switch_wins() {
        assert!(switches(&[]).is_all());
        assert!(!switches(&["--no-bv"]).is_all());
        assert_eq!(switches(&["--disable-all"]).enabled(), Vec::<&str>::new());
        assert_eq!(switches(&["--disable-all", "--constants"]).enabled(), ["constants"]);
        assert_eq!(switches(&["--constants", "--disable-all"]).enabled(), Vec::<&str>::new());
        assert_eq!(switches(&["--disable-all", "--fp"]).enabled(), ["fp-short-sort"]);
        assert_eq!(switches(&["--disable-all", "--fp", "--no-fp", "--fp"]).enabled(), ["fp-short-sort"]);
        assert_eq!(switches(&["--disable-all", "--datatypes", "--no-dt-rm-identity"]).enabled().len(), 2);
    }
}
