//! The strategies of ddSMT 2 on nub's passes: which mutators are tried, and how their edits are combined.
//!
//! *ddmin*: commands first, each pass to its fixpoint; then every other pass once, its edits in groups that are halved; rounds
//! until one changes nothing. *hierarchical*: one edit at a time, passes in order, to a fixpoint. *hybrid*: `auto`, with the
//! passes that only ddSMT has at the end of each round. All of them accept a step only if the script becomes smaller, so they
//! terminate and no script is accepted twice.

use super::auto::{ResultLayout, auto_with};
use super::rounds::to_fixpoint;
use super::schemes::Singly;
use crate::smt::SmtLib;
use crate::{Engine, ReductionStop};
use nub_edits::Pass;
use nub_edits::smtlib::mutators::{Direction, Passes, passes};
use nub_edits::smtlib::{SmtView, tidy::SmtTidy};
use std::collections::BTreeSet;

/// How edits are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// In groups, pass after pass.
    Ddmin,
    /// One by one.
    Hierarchical,
    /// As `auto` does.
    Hybrid,
}

/// The enabled mutators, by name.
#[derive(Clone, Copy, Debug)]
pub enum MutatorSelection<'a> {
    /// These are all: nothing was disabled.
    All(&'a [&'a str]),
    /// Only these; others were disabled.
    Only(&'a [&'a str]),
}

/// Which mutators, and how.
pub struct Mutators {
    scheme: Scheme,
    passes: Passes,
    /// The passes of `auto` that may run; `None` if nothing is disabled.
    allowed: Option<BTreeSet<&'static str>>,
}

impl std::fmt::Debug for Mutators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.passes.iter().map(|pass| pass.name()).collect();
        f.debug_struct("Mutators")
            .field("scheme", &self.scheme)
            .field("passes", &names)
            .finish_non_exhaustive()
    }
}

/// Passes of `auto` that do the work of several mutators: they run only if all of these are enabled.
const SHARED: &[(&str, &[&str])] = &[
    ("literals", &["arith-constants", "bv-simp-constants", "str-constants", "bv-norm-constants"]),
    ("datatypes", &["dt-rm-constructor", "dt-rm-datatype", "erase-node"]),
    ("logic", &["simplify-logic", "simplify-quoted-symbols"]),
    (
        "rewrites",
        &[
            "arith-negate-relations",
            "arith-strengthen-relations",
            "bool-de-morgan",
            "bool-double-negations",
            "bool-false-eq",
            "bool-implications",
            "bool-xor-binary",
            "fp-short-sort",
        ],
    ),
];

/// Passes that cut or replace whole commands: the first stage of `ddmin`.
const COMMANDS: [&str; 8] =
    ["scopes", "asserts", "commands", "push-pop", "pop", "unused", "erase", "assuming"];

impl Mutators {
    /// The selected mutators. With a direction, constants are replaced only in that direction; without one, and if
    /// nothing is disabled, as `auto` does.
    pub fn new(selection: MutatorSelection, direction: Option<Direction>, scheme: Scheme) -> Mutators {
        let (MutatorSelection::All(enabled) | MutatorSelection::Only(enabled)) = selection;
        let of = |name: &&str| passes(name, direction.unwrap_or_default());
        let passes: Passes = enabled.iter().flat_map(of).collect();
        let is_free = matches!(selection, MutatorSelection::All(_)) && direction.is_none();
        let allowed = (!is_free).then(|| {
            let mut allowed: BTreeSet<&'static str> = passes.iter().map(|pass| pass.name()).collect();
            let has_all = |needed: &[&str]| needed.iter().all(|name| enabled.contains(name));
            allowed.extend(SHARED.iter().filter(|(_, needed)| has_all(needed)).map(|(name, _)| *name));
            allowed
        });
        Mutators { scheme, passes, allowed }
    }
}

/// Reduces with these mutators.
pub fn mutate(engine: &mut Engine<'_, SmtLib>, mutators: &Mutators) -> Result<(), ReductionStop> {
    let allowed = mutators.allowed.clone();
    let is_free = allowed.is_none();
    engine.allow(allowed);
    let result = match mutators.scheme {
        Scheme::Ddmin => ddmin(engine, &mutators.passes),
        Scheme::Hierarchical => hierarchical(engine, &mutators.passes),
        Scheme::Hybrid => auto_with(engine, ResultLayout::Pretty, &mutators.passes),
    };
    engine.allow(None);
    // ddSMT prints every changed script in its own layout; layout is not the task of a mutator.
    if result.is_ok() && (is_free || engine.noted(|engine| engine.stats().accepted > 0)) {
        engine.pass(&SmtTidy)?;
    }
    result
}

fn ddmin(engine: &mut Engine<'_, SmtLib>, passes: &[Box<dyn Pass<SmtView>>]) -> Result<(), ReductionStop> {
    let (commands, others): (Vec<_>, Vec<_>) = passes
        .iter()
        .map(AsRef::as_ref)
        .partition(|pass: &&dyn Pass<SmtView>| COMMANDS.contains(&pass.name()));
    loop {
        let mut changed = false;
        for &pass in &commands {
            while engine.pass(pass)? {
                changed = true;
            }
        }
        for &pass in &others {
            changed |= engine.pass(pass)?;
        }
        if !changed {
            return Ok(());
        }
    }
}

fn hierarchical(
    engine: &mut Engine<'_, SmtLib>,
    passes: &[Box<dyn Pass<SmtView>>],
) -> Result<(), ReductionStop> {
    to_fixpoint(engine, |engine| {
        let mut changed = false;
        for pass in passes {
            changed |= engine.pass(&Singly(pass.as_ref()))?;
        }
        Ok(changed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllowedCandidates, Quiet, ReduceConfig};
    use nub_oracle::FnOracle;
    use nub_process::Cancel;

    fn reduce(text: &str, mutators: &Mutators, fails: impl Fn(&str) -> bool + Sync) -> String {
        let oracle = FnOracle::new(|bytes: &[u8]| fails(&String::from_utf8_lossy(bytes)));
        let format = SmtLib::new(text.as_bytes(), AllowedCandidates::Any);
        let work = |engine: &mut Engine<'_, SmtLib>| mutate(engine, mutators);
        let (result, bytes, _) = Engine::run(
            &format,
            &oracle,
            text.into(),
            ReduceConfig::default(),
            &Cancel::new(),
            &mut Quiet,
            work,
        );
        assert_eq!(result, Ok(()));
        // The last newline is layout; a session adds it again.
        String::from_utf8(bytes).unwrap().trim_end().to_owned() + "\n"
    }

    #[test]
    fn each_mutator_alone() {
        let text = "(declare-const a Bool)\n(declare-const b Bool)\n(assert (and (not (not a)) (or b true)))\n(check-sat)\n";
        let alone = |name: &'static str, scheme| {
            reduce(text, &Mutators::new(MutatorSelection::Only(&[name]), None, scheme), |text| {
                text.contains("(assert ")
            })
        };
        for scheme in [Scheme::Ddmin, Scheme::Hierarchical, Scheme::Hybrid] {
            assert_eq!(
                alone("bool-double-negations", scheme),
                text.replace("(not (not a))", "a"),
                "{scheme:?}"
            );
            assert_eq!(alone("str-constants", scheme), text, "{scheme:?}");
            // Declarations are removed with their last use, in the same ask.
            assert_eq!(alone("constants", scheme), "(assert true)\n(check-sat)\n", "{scheme:?}");
        }
        assert_eq!(
            reduce(text, &Mutators::new(MutatorSelection::Only(&[]), None, Scheme::Hybrid), |_| true),
            text
        );
    }

    #[test]
    fn a_shared_pass_wants_all_its_mutators() {
        let text = "(assert (= (str.len \"abcdef\") 1234))\n";
        let keeps = |text: &str| text.contains("(assert (= (str.len \"");
        let numbers = Mutators::new(MutatorSelection::Only(&["arith-constants"]), None, Scheme::Hybrid);
        assert_eq!(reduce(text, &numbers, keeps), "(assert (= (str.len \"abcdef\") 0))\n");
        let strings = Mutators::new(MutatorSelection::Only(&["str-constants"]), None, Scheme::Hybrid);
        assert_eq!(reduce(text, &strings, keeps), "(assert (= (str.len \"\") 1234))\n");
    }

    #[test]
    fn directions() {
        let text = "(declare-const a Int)\n(declare-const b Int)\n(assert (< a b))\n(assert (< b a))\n";
        let fails = |text: &str| text.matches("(assert (< ").count() == 2 && !text.contains('0');
        let towards = |direction| {
            let mutators = Mutators::new(
                MutatorSelection::Only(&["replace-by-variable"]),
                Some(direction),
                Scheme::Hybrid,
            );
            reduce(text, &mutators, fails)
        };
        assert_eq!(towards(Direction::Inc), "(declare-const b Int)\n(assert (< b b))\n(assert (< b b))\n");
        assert_eq!(towards(Direction::Dec), "(declare-const a Int)\n(assert (< a a))\n(assert (< a a))\n");
    }
}
