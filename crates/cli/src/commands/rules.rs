//! `nub rules FILE`: are these rewriting rules well sorted, and do they keep the meaning?
//!
//! `nub reduce --rules FILE` uses the same checks ([`load`]).

pub mod prove;

use crate::commands::input::read_or_stdin;
use crate::exit::{Exit, Failure};
use crate::render::from_diagnostic;
use clap::Args;
use nub_edits::Pass;
use nub_edits::smtlib::View;
use nub_edits::smtlib::rules::{Guard, Instance, Rule, RulePass, read};
use prove::{Claim, Verdict, prove, prove_instance};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Greatest width and index of a proof.
pub const MAX_WIDTH: u32 = 8;
/// Help of the command.
pub const ABOUT: &str = "\
Check rewriting rules: syntax, sorts, and whether they keep the meaning.

Each rule is tried at every width and index up to --widths, and with up to three arguments for a rest. Where pattern and \
replacement are over Bool, bit-vectors and arrays, the built-in solver proves that they are equal whenever the condition \
holds, or finds values for which they are not. A proof speaks of the widths that were tried and of no others. \
docs/rules.md has the language.";
/// Examples of the command.
pub const EXAMPLES: &str = "\
Examples:
  nub rules my.rules                                    what is proved of each rule
  nub reduce bug.smt2 --strategy rules --rules my.rules -- z3     only these rules
  nub reduce bug.smt2 --rules my.rules -- z3            auto, with these rules as well

The exit code is 0 if every rule is proved, and 1 if one is not.";

/// Options of `nub rules`.
#[derive(Args, Clone, Debug)]
pub struct RulesArgs {
    /// The rules; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Greatest width and index that is tried
    #[arg(long, value_name = "N", default_value_t = MAX_WIDTH, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub widths: u32,
}

/// Runs the command.
pub fn run(args: &RulesArgs) -> Result<Exit, Failure> {
    let text = read_or_stdin(&args.file)?;
    let claims = claims(&args.file, &text, args.widths)?;
    let width = claims.iter().map(|(rule, _)| rule.name.len()).max().unwrap_or(0);
    for (rule, claim) in &claims {
        println!("{:width$}  {claim}", rule.name);
    }
    let n_proved = claims.iter().filter(|(_, claim)| claim.is_sound()).count();
    eprintln!("{n_proved} of {} rules proved to keep the meaning", claims.len());
    Ok(if n_proved == claims.len() { Exit::Done } else { Exit::NotReduced })
}

/// Reads and proves the rules of a text.
fn claims(path: &Path, text: &[u8], max_width: u32) -> Result<Vec<(Rule, Claim)>, Failure> {
    let at = |diagnostic| from_diagnostic(path, text, &diagnostic);
    let rules = read(text).map_err(at)?;
    rules.into_iter().map(|rule| prove(&rule, max_width).map(|claim| (rule, claim)).map_err(at)).collect()
}

/// Rules that are ready for use.
pub struct Loaded {
    /// A pass for each rule, in their order.
    pub passes: Vec<Box<dyn Pass<View>>>,
    /// What is known of the rules, a line each; true if it is worth a note.
    pub remarks: Vec<(String, bool)>,
}

/// Reads the rules for a reduction. With `sound_only` a rule that is not proved is refused, and a proved one is used only at
/// widths at which it is proved: those of the script are proved when they are met.
pub fn load(path: &Path, sound_only: bool) -> Result<Loaded, Failure> {
    let text = std::fs::read(path).map_err(|error| {
        Failure::usage(format!("cannot read {}: {error}", path.display()))
            .with_hint("--rules wants a file of rewriting rules; docs/rules.md has the language")
    })?;
    let claims = claims(path, &text, MAX_WIDTH)?;
    if let Some((rule, claim)) = claims.iter().find(|(_, claim)| sound_only && !claim.is_sound()) {
        return Err(Failure::usage(format!("rule `{}` is not used with --sound-only: {claim}", rule.name))
            .with_hint("omit --sound-only to let the oracle decide, or correct the rule"));
    }
    let remark = |(rule, claim): &(Rule, Claim)| (format!("rule {}: {claim}", rule.name), !claim.is_sound());
    let remarks = claims.iter().map(remark).collect();
    let guard = sound_only.then(proving_guard);
    let pass = |rule| Box::new(RulePass::new(rule, guard.clone())) as Box<dyn Pass<View>>;
    let passes = claims.into_iter().map(|(rule, _)| pass(rule)).collect();
    Ok(Loaded { passes, remarks })
}

/// Proves each instance once, when it is met.
fn proving_guard() -> Guard {
    let known: Mutex<BTreeMap<(String, Instance), bool>> = Mutex::default();
    Arc::new(move |rule: &Rule, instance: &Instance| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (rule.name.clone(), instance.clone());
        *known.entry(key).or_insert_with(|| prove_instance(rule, instance) == Verdict::Sound)
    })
}
