//! Reads the edited text again: does any run of it fail?

use super::candidates::Edit;
use super::names::Names;
use super::schema::edited;
use crate::encoded_program::{EncodedProgram, ProgramQuestion, Search};
use crate::runs::{End, Run};
use crate::search::Problem;
use crate::site_tables::{Style, instrument};
use crate::target::Target;
use crate::{Refusal, RepairSettings};
use nub_c_ir::Program;
use nub_c_ir::ProgramSource;
use nub_sat::certify::CertificationResult;
use nub_text::Severity;

/// What is known about a program with some edits.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// No run fails, up to the bounds of the loops.
    Repairs {
        /// No run is longer than the bounds.
        is_complete: bool,
        /// Assumptions about what C leaves open.
        premises: Vec<String>,
    },
    /// This run fails.
    Fails(Box<Run>),
    /// Unknown.
    Open,
}

/// A program with some edits, ready to run.
pub(crate) struct Edited<'p> {
    pub text: Vec<u8>,
    pub program: Program,
    pub(super) names: Names,
    /// The problem of the original program.
    original: &'p Problem<'p>,
}

impl<'p> Edited<'p> {
    /// Reads the text with edits; `None` if it is not valid C, or is refused.
    pub fn new(source: ProgramSource<'_>, original: &'p Problem<'p>, edits: &[&Edit]) -> Option<Edited<'p>> {
        let text = edited(source.text, edits);
        let (unit, mut wrong) = nub_c_syntax::parse(&text);
        let (mut program, more) = nub_c_ir::lower(&unit, &source.program.model);
        wrong.extend(more);
        let is_wrong = wrong.iter().any(|found| found.severity == Severity::Error);
        let has_same_objects =
            program.globals.len() == source.program.globals.len() && program.take_rooms_of(source.program);
        let names = Names::new(source.program, &program).filter(|_| !is_wrong && has_same_objects)?;
        let is_refused = !program.refusals(names.of(original.start)).is_empty();
        (!is_refused).then_some(Edited { text, program, names, original })
    }

    /// The same problem for this program.
    pub fn problem(&self) -> Problem<'_> {
        let Problem { start, config, target, is_program, handed_on, max_steps, is_long, .. } = self.original;
        let mut config = config.clone();
        config.loops = config.loops.iter().map(|((id, at), n)| ((self.names.of(*id), *at), *n)).collect();
        Problem {
            program: &self.program,
            start: self.names.of(*start),
            config,
            target: target.clone(),
            is_program: self.names.carried(is_program),
            handed_on: handed_on.clone(),
            max_steps: *max_steps,
            is_long: *is_long,
            undefined: None,
        }
    }

    /// Whether all these runs pass.
    pub fn passes<'r>(&self, mut runs: impl Iterator<Item = &'r Run>) -> bool {
        let problem = self.problem();
        let plain = instrument(&self.program, problem.start, &[], &[], 0, Style::Plain);
        let stage = problem.stage(&plain);
        runs.all(|run| stage.end_with(&run.inputs, &[]) == End::Passes)
    }

    /// Generates a proof that no run fails, and checks it.
    pub fn certified(&self, settings: &RepairSettings) -> Result<CertificationResult, Refusal> {
        self.with_copy(settings, |copy| Ok(copy.certified(&[])))
    }

    /// Whether any run fails. Also returns how many questions that took.
    pub fn prove(&self, settings: &RepairSettings) -> Result<(Outcome, usize), Refusal> {
        self.with_copy(settings, |copy| {
            let by_order = if copy.computes_floats { None } else { copy.failing_by_order() };
            let found = match by_order {
                Some(found) => found,
                None => {
                    copy.encode()?;
                    copy.failing_unchanged()
                }
            };
            let outcome = match found {
                Search::None => {
                    Outcome::Repairs { is_complete: !copy.is_bounded(), premises: copy.premises() }
                }
                Search::Found(run) if self.is_excused(&run) => Outcome::Open,
                Search::Found(run) => Outcome::Fails(Box::new(run)),
                Search::Unknown => Outcome::Open,
            };
            Ok((outcome, copy.n_questions))
        })
    }

    /// The edited program as terms. A run fails if it violates an assertion, and also if it breaks a rule of C: otherwise an edit that overflows
    /// where the assertion failed would be right.
    fn with_copy<T>(
        &self,
        settings: &RepairSettings,
        ask: impl FnOnce(&mut EncodedProgram<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let problem = self.problem();
        let Problem { start, config, .. } = &problem;
        let plain = instrument(&self.program, *start, &[], &[], 0, Style::Plain);
        let question = ProgramQuestion { start: *start, config, target: &Target::Anything };
        let mut copy = EncodedProgram::unencoded(&plain, &[], question, settings)?;
        if let Some(undefined) = &self.original.undefined {
            copy.excuse(undefined);
        }
        ask(&mut copy)
    }

    /// Whether the original program breaks a rule of C in this run. Then the edit is not refuted.
    fn is_excused(&self, run: &Run) -> bool {
        let Problem { program, start, undefined, .. } = self.original;
        undefined.is_some() && {
            let plain = instrument(program, *start, &[], &[], 0, Style::Plain);
            self.original.stage(&plain).undefined_at(&run.inputs).is_some()
        }
    }
}
