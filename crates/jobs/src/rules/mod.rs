//! Checks rewriting rules: whether they are well-sorted and preserve the meaning.

pub mod prove;

use crate::failure::Failure;
use crate::handle::Job;
use crate::input::{self, read_or_stdin};
use crate::request::RulesJob;
use crate::result::{JobResult, RuleClaim};
use nub_edits::Pass;
use nub_edits::smtlib::SmtView;
use nub_edits::smtlib::rules::{Guard, Instance, ParsedRule, RulePass, read};
use nub_report::{NoteEvent, NoteLevel};
use nub_sat::SatLimits;
use prove::{Claim, InstanceVerdict, prove, prove_instance};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum width and index of a proof.
pub const MAX_WIDTH: u32 = 8;

/// Checks the rules of a file.
pub(crate) fn check(job: &Job, request: &RulesJob) -> Result<JobResult, Failure> {
    let text = read_or_stdin(&request.file, &job.context)?;
    let claims = claims(&request.file, &text, request.widths, &job.limits(job.control.search().clone()))?;
    let claim = |(rule, claim): &(ParsedRule, Claim)| RuleClaim {
        rule: rule.name.clone(),
        claim: claim.to_string(),
        is_sound: claim.is_sound(),
    };
    Ok(JobResult::Rules(claims.iter().map(claim).collect()))
}

/// Reads and proves the rules of a text.
fn claims(
    path: &Path,
    text: &[u8],
    max_width: u32,
    limits: &SatLimits,
) -> Result<Vec<(ParsedRule, Claim)>, Failure> {
    let at = |diagnostic| Failure::from_diagnostic(path, text, &diagnostic);
    let rules = read(text).map_err(at)?;
    rules
        .into_iter()
        .map(|rule| prove(&rule, max_width, limits).map(|claim| (rule, claim)).map_err(at))
        .collect()
}

/// Rules that are ready for use.
pub struct LoadedRules {
    /// A pass for each rule, in their order.
    pub passes: Vec<Box<dyn Pass<SmtView>>>,
    /// Notes about the rules.
    pub remarks: Vec<NoteEvent>,
}

/// Which rules a reduction uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsedRules {
    /// All of them: the oracle decides.
    All,
    /// Only proved ones, and these only at proved widths: the widths of the script are proved on demand.
    Proved,
}

/// The text of the rules for a reduction.
///
/// # Errors
/// If the file cannot be read.
pub fn read_rules(path: &Path) -> Result<Vec<u8>, Failure> {
    input::read(path).map_err(|failure| {
        failure.with_hint("--rules needs a file of rewriting rules; docs/rules.md describes the language")
    })
}

/// The rules for a reduction.
///
/// # Errors
/// If the text is invalid, or an unproved rule is excluded by `used`.
pub fn load(path: &Path, text: &[u8], used: UsedRules) -> Result<LoadedRules, Failure> {
    let claims = claims(path, text, MAX_WIDTH, &SatLimits::none())?;
    if let Some((rule, claim)) =
        claims.iter().find(|(_, claim)| used == UsedRules::Proved && !claim.is_sound())
    {
        return Err(Failure::usage(format!("rule `{}` is not used with --sound-only: {claim}", rule.name))
            .with_hint("omit --sound-only to let the oracle decide, or correct the rule"));
    }
    let remark = |(rule, claim): &(ParsedRule, Claim)| NoteEvent {
        level: if claim.is_sound() { NoteLevel::Detail } else { NoteLevel::Note },
        message: format!("rule {}: {claim}", rule.name),
    };
    let remarks = claims.iter().map(remark).collect();
    let guard = (used == UsedRules::Proved).then(proving_guard);
    let pass = |rule| Box::new(RulePass::new(rule, guard.clone())) as Box<dyn Pass<SmtView>>;
    let passes = claims.into_iter().map(|(rule, _)| pass(rule)).collect();
    Ok(LoadedRules { passes, remarks })
}

/// Proves each instance once, on demand.
fn proving_guard() -> Guard {
    let known: Mutex<BTreeMap<(String, Instance), bool>> = Mutex::default();
    Arc::new(move |rule: &ParsedRule, instance: &Instance| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (rule.name.clone(), instance.clone());
        *known
            .entry(key)
            .or_insert_with(|| prove_instance(rule, instance, &SatLimits::none()) == InstanceVerdict::Sound)
    })
}
