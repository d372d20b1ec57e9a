//! Which answer to each `check-sat` is right, and which solver gave a different one.

use super::{FuzzCase, ModelVerdict, ProofVerdict, RunView};
use crate::answers::PrintedAnswer;
use crate::finding::{Authority, Finding, FindingKind};

/// Contradictions that only nub can have caused: a confirmed model of an input that was built to be
/// unsatisfiable.
pub(super) fn our_fault(case: &FuzzCase) -> Option<String> {
    (0..n_questions(case)).find_map(|question| {
        let built = by_construction(case, question)? == PrintedAnswer::Unsat;
        let witness = case.runs.iter().find(|run| has_valid_model(run, question))?;
        built.then(|| {
            let number = question + 1;
            format!(
                "question {number} is unsat by construction, and the model of {} satisfies it",
                witness.full_name()
            )
        })
    })
}

/// All wrong answers and contradictions; a run may occur once per question.
pub(super) fn wrong_answers(case: &FuzzCase) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    for question in 0..n_questions(case) {
        let claims: Vec<Claim> = claims(case, question);
        match truth(case, question, &claims) {
            Some((truth, by)) => blame(&claims, truth, by, &mut found),
            None => contradictions(&claims, &mut found),
        }
    }
    found
}

/// A definite answer of a run.
struct Claim<'a> {
    run_idx: usize,
    run: &'a RunView<'a>,
    said: PrintedAnswer,
}

fn claims<'a>(case: &'a FuzzCase, question: usize) -> Vec<Claim<'a>> {
    let claim = |(run_idx, run): (usize, &'a RunView<'a>)| {
        run.claim(question).map(|said| Claim { run_idx, run, said })
    };
    case.runs.iter().enumerate().filter_map(claim).collect()
}

fn n_questions(case: &FuzzCase) -> usize {
    case.runs
        .iter()
        .filter(|run| run.speaks())
        .map(|run| run.observation.reading.answers.len())
        .max()
        .unwrap_or(0)
}

/// The status of the whole input is that of its only question.
fn by_construction(case: &FuzzCase, question: usize) -> Option<PrintedAnswer> {
    case.status.filter(|status| question == 0 && n_questions(case) == 1 && status.is_definite())
}

fn has_valid_model(run: &RunView, question: usize) -> bool {
    let is_valid = run.model == Some(ModelVerdict::Valid) && run.is_last(question);
    is_valid && run.claim(question) == Some(PrintedAnswer::Sat)
}

/// The right answer and how it is known; `None` if it is not.
fn truth(case: &FuzzCase, question: usize, claims: &[Claim]) -> Option<(PrintedAnswer, Authority)> {
    if let Some(status) = by_construction(case, question) {
        return Some((status, Authority::Construction));
    }
    if claims.iter().any(|claim| has_valid_model(claim.run, question)) {
        return Some((PrintedAnswer::Sat, Authority::Model));
    }
    let claim = claims.iter().find(|claim| claim.run.is_reference)?;
    let is_proved = claim.run.proof == Some(ProofVerdict::Valid) && claim.run.is_last(question);
    Some(match claim.said {
        // The built-in solver answers so only after the evaluator has confirmed its model.
        PrintedAnswer::Sat => (PrintedAnswer::Sat, Authority::Model),
        said if is_proved => (said, Authority::Proof),
        said => (said, Authority::BuiltIn),
    })
}

fn blame(claims: &[Claim], truth: PrintedAnswer, by: Authority, found: &mut Vec<(usize, Finding)>) {
    for claim in claims.iter().filter(|claim| claim.said != truth) {
        found.push((claim.run_idx, finding(claim, FindingKind::WrongAnswer { said: claim.said, truth, by })));
    }
}

fn finding(claim: &Claim, kind: FindingKind) -> Finding {
    Finding { solver: claim.run.solver.to_owned(), kind, message: String::new(), stack: Vec::new() }
}

/// The right answer is unknown. A solver that contradicts itself is wrong in any case; two solvers that contradict each
/// other make one finding, of the solver that answers `unsat`: if that is wrong, the bug is worse.
fn contradictions(claims: &[Claim], found: &mut Vec<(usize, Finding)>) {
    let n_before = found.len();
    for claim in claims {
        if let Some(usual) = usual_answer(claims, claim.run.solver).filter(|usual| *usual != claim.said) {
            let kind = FindingKind::WrongAnswer { said: claim.said, truth: usual, by: Authority::Options };
            found.push((claim.run_idx, finding(claim, kind)));
        }
    }
    if found.len() > n_before {
        return;
    }
    let (Some(unsat), Some(sat)) =
        (first_that_says(claims, PrintedAnswer::Unsat), first_that_says(claims, PrintedAnswer::Sat))
    else {
        return;
    };
    let kind = FindingKind::Disagreement {
        said: unsat.said,
        other: sat.said,
        other_name: sat.run.solver.to_owned(),
    };
    found.push((unsat.run_idx, finding(unsat, kind)));
}

fn first_that_says<'a, 'b>(claims: &'b [Claim<'a>], answer: PrintedAnswer) -> Option<&'b Claim<'a>> {
    claims.iter().find(|claim| claim.said == answer)
}

/// A solver's answer under most of its option sets; among equals, under the fewest options.
fn usual_answer(claims: &[Claim], solver: &str) -> Option<PrintedAnswer> {
    let own = || claims.iter().filter(|claim| claim.run.solver == solver);
    let count = |answer| own().filter(|claim| claim.said == answer).count();
    match count(PrintedAnswer::Sat).cmp(&count(PrintedAnswer::Unsat)) {
        std::cmp::Ordering::Greater => Some(PrintedAnswer::Sat),
        std::cmp::Ordering::Less => Some(PrintedAnswer::Unsat),
        std::cmp::Ordering::Equal => {
            own().min_by_key(|claim| claim.run.options.len()).map(|claim| claim.said)
        }
    }
}
