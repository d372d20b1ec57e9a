//! `nub rules FILE`: checks whether rewriting rules are well-sorted and preserve the meaning.

use crate::exit::Exit;
use crate::front::{self, CommandDisplay};
use crate::reporter::Form;
use crate::sat_solver::SatSolverArgs;
use crate::signals::FirstSignal;
use crate::values::TalkArgs;
use clap::Args;
use nub_jobs::{Failure, JobRequest, JobResult, RulesJob};
use std::path::PathBuf;

/// Help of the command.
pub const ABOUT: &str = "\
Check rewriting rules: syntax, sorts, and whether they preserve the meaning.

Each rule is tried at every width and index up to --widths, and with up to three arguments for a rest. Where pattern and \
replacement are over Bool, bit-vectors and arrays, the built-in solver proves that they are equal whenever the condition \
holds, or finds values for which they are not. A proof covers only the widths that were tried. \
docs/rules.md describes the language.";
/// Examples of the command.
pub const EXAMPLES: &str = "\
Examples:
  nub rules my.rules                                    whether each rule is proved
  nub reduce bug.smt2 --strategy rules --rules my.rules -- z3     only these rules
  nub reduce bug.smt2 --rules my.rules -- z3            auto, with these rules as well

The exit code is 0 if every rule is proved, and 1 if one is not.";

/// Options of `nub rules`.
#[derive(Args, Clone, Debug)]
pub struct RulesArgs {
    /// The rules; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Largest width and index to try
    #[arg(long, value_name = "N", default_value_t = RulesJob::default().widths, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub widths: u32,
    #[command(flatten)]
    pub sat: SatSolverArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// Runs the command.
pub fn run(args: &RulesArgs) -> Result<Exit, Failure> {
    let manner = args.talk.manner(Form::Text);
    let request = JobRequest::Rules(RulesJob {
        file: args.file.clone(),
        widths: args.widths,
        sat_solver: args.sat.sat_solver.clone(),
    });
    let stage = CommandDisplay::document(manner, FirstSignal::Ends);
    Ok(front::run(request, stage, |result, reporter| {
        let code = result.exit_code();
        if let JobResult::Rules(claims) = result {
            let width = claims.iter().map(|claim| claim.rule.len()).max().unwrap_or(0);
            for claim in &claims {
                reporter.text(&format!("{:width$}  {}", claim.rule, claim.claim));
            }
            let n_proved = claims.iter().filter(|claim| claim.is_sound).count();
            reporter.talk_line(&format!(
                "{n_proved} of {} rules proved to preserve the meaning, up to the limits in their lines",
                claims.len()
            ));
        }
        Ok(Exit::Code(code))
    }))
}
