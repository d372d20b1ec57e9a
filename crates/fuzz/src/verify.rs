//! Checks models, cores and proofs.

use crate::bench::{Bench, BenchError};
use crate::examine::UnitPlan;
use crate::judge::{CoreVerdict, ModelVerdict, ProofVerdict};
use crate::lane::SolverRun;
use crate::options::OptionSet;
use crate::{FuzzInput, Language, PrintedAnswer, SolverRole};
use nub_smtlib::{CommandKind, NodeId, Script};
use nub_solve::{
    ModelCheck, ProofCheck, SatLimits, check_btor_model, check_dimacs_model, check_dimacs_proof, check_model,
};

/// Whether the model that a solver printed satisfies the input, decided by our evaluator, not by a solver. `None` if
/// there is no model.
pub fn model_verdict(input: &FuzzInput, run: &SolverRun) -> Option<ModelVerdict> {
    let n_answers = run.observation.reading.answers.len();
    let last = n_answers.checked_sub(1)?;
    let (_, range) = run.observation.reading.models.iter().find(|(answer, _)| *answer == last)?;
    // If a solver stopped early, its model belongs to an earlier `check-sat`.
    if input.language == Language::SmtLib && n_questions(&input.text) != n_answers {
        return None;
    }
    let model = run.stdout.get(range.clone())?;
    let check = match input.language {
        Language::SmtLib => check_model(&input.text, model),
        Language::Btor => check_btor_model(&input.text, model),
        Language::Dimacs => check_dimacs_model(&input.text, model),
        // A witness is a trace of the system, not an assignment.
        Language::Btor2 => return None,
    };
    Some(match check {
        ModelCheck::Valid => ModelVerdict::Valid,
        ModelCheck::Invalid { .. } => ModelVerdict::Invalid,
        ModelCheck::Unsupported { .. } => ModelVerdict::Unsupported,
    })
}

/// The number of `check-sat` commands of a script.
pub(crate) fn n_questions(text: &[u8]) -> usize {
    let (script, _) = Script::parse(text);
    let asks = |kind| matches!(kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming);
    script.commands().filter(|(_, kind)| asks(*kind)).count()
}

/// Asks the built-in solver to prove every `unsat` and to check the proof before it says so.
pub const CHECK_PROOF: &str = "--check-proof";

/// Whether the proof that a solver wrote is valid, decided by our checker. `None` if it was not asked for one, or did not
/// answer `unsat`, or the proof is too long to be checked.
pub fn proof_verdict(
    bench: &Bench,
    input: &FuzzInput,
    role: SolverRole,
    options: &OptionSet,
    run: &SolverRun,
) -> Option<ProofVerdict> {
    let is_checked = options.args.iter().flatten().any(|word| word == CHECK_PROOF);
    if role == SolverRole::Reference && is_checked {
        let last = run.observation.reading.answers.last();
        return (last == Some(&PrintedAnswer::Unsat)).then_some(ProofVerdict::Valid);
    }
    let proof = run.proof.as_ref()?;
    if input.language != Language::Dimacs || run.observation.reading.answers != [PrintedAnswer::Unsat] {
        return None;
    }
    let limits = SatLimits { cancel: bench.cancel().clone(), ..SatLimits::none() };
    match check_dimacs_proof(&input.text, proof, &limits) {
        ProofCheck::Valid => Some(ProofVerdict::Valid),
        ProofCheck::Wrong(why) => Some(ProofVerdict::Wrong(why)),
        ProofCheck::Unsupported => None,
    }
}

/// Whether the core that a solver printed is unsatisfiable: the input without the other named assertions is given to the
/// built-in solver, or otherwise to any other. `None` if there is no core or no other solver.
pub fn core_verdict(
    plan: &UnitPlan,
    bench: &Bench,
    input: &FuzzInput,
    run: &SolverRun,
) -> Result<Option<CoreVerdict>, BenchError> {
    let reading = &run.observation.reading;
    let last = reading.answers.len().wrapping_sub(1);
    let Some((_, names)) = reading.cores.iter().find(|(answer, _)| *answer == last) else {
        return Ok(None);
    };
    if input.language != Language::SmtLib || reading.answers.last() != Some(&PrintedAnswer::Unsat) {
        return Ok(None);
    }
    let Some(script) = keep_named(&input.text, names) else { return Ok(None) };
    let judges = plan.solvers.iter().filter(|solver| solver.role == SolverRole::Reference);
    for judge in judges {
        let outcome = bench.run(judge, &OptionSet::default(), &script, Language::SmtLib)?;
        let reading = crate::answers::read_answers(&outcome.stdout.bytes, Language::SmtLib, outcome.end);
        // If the judge stopped early, it has answered only earlier `check-sat` commands.
        let is_whole = reading.answers.len() == run.observation.reading.answers.len();
        match reading.answers.last().filter(|_| is_whole) {
            Some(PrintedAnswer::Unsat) => return Ok(Some(CoreVerdict::Unsat)),
            Some(PrintedAnswer::Sat) => return Ok(Some(CoreVerdict::Sat)),
            _ => {}
        }
    }
    Ok(None)
}

/// The script without the named assertions that a core does not mention. `None` if that changes nothing.
fn keep_named(text: &[u8], core: &[String]) -> Option<Vec<u8>> {
    let (script, _) = Script::parse(text);
    let tree = script.tree();
    let mut kept = Vec::with_capacity(text.len());
    let mut from = 0;
    for (command, kind) in script.commands() {
        if kind != CommandKind::Assert {
            continue;
        }
        let Some(name) = name_of(&script, command) else { continue };
        if !core.iter().any(|member| same_symbol(member.as_bytes(), name)) {
            let span = tree.span(command);
            kept.extend_from_slice(&text[from..span.start as usize]);
            from = span.end as usize;
        }
    }
    kept.extend_from_slice(&text[from..]);
    (from > 0).then_some(kept)
}

/// The name that an assertion has: `(assert (! t :named a))`.
fn name_of(script: &Script, command: NodeId) -> Option<&[u8]> {
    let tree = script.tree();
    let annotated = tree.child(command, 1).filter(|&term| tree.is_list(term))?;
    let mut children = tree.children(annotated);
    if script.slice(children.next()?) != b"!" {
        return None;
    }
    while let Some(child) = children.next() {
        if script.slice(child) == b":named" {
            return children.next().map(|name| script.slice(name));
        }
    }
    None
}

/// `|a|` is `a`.
fn same_symbol(one: &[u8], other: &[u8]) -> bool {
    let bare = |symbol: &[u8]| match symbol {
        [b'|', inner @ .., b'|'] => inner.to_vec(),
        plain => plain.to_vec(),
    };
    bare(one) == bare(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a solver rejects the second half of a script, its model belongs to the first `check-sat` and says nothing about
    /// the last.
    #[test]
    fn a_model_counts_only_after_the_last_question() {
        let input = FuzzInput {
            seed: 0,
            text: b"(check-sat)(get-model)(declare-const x Int)(reset)(assert false)(check-sat)".to_vec(),
            language: Language::SmtLib,
            status: None,
            origin: crate::InputOrigin::Derived,
        };
        let verdict = |stdout: &[u8]| {
            let stdout = nub_process::CapturedOutput { bytes: stdout.to_vec(), total: stdout.len() as u64 };
            let (end, usage) = (nub_process::ProcessEnd::Exit(2), nub_process::Usage::default());
            let outcome = nub_process::ProcessOutcome { end, stdout, stderr: Default::default(), usage };
            let observation = crate::observe(&outcome, Language::SmtLib);
            model_verdict(&input, &SolverRun { observation, stdout: outcome.stdout.bytes, proof: None })
        };
        assert_eq!(verdict(b"sat\n(\n)\n"), None);
        assert_eq!(verdict(b"sat\n(\n)\nsat\n(\n)\n"), Some(ModelVerdict::Invalid));
    }

    #[test]
    fn only_assertions_outside_the_core_go() {
        let script = b"(assert (! p :named a))(assert q)(assert (! r :named |b|))(check-sat)";
        let kept = |core: &[&str]| {
            let core: Vec<String> = core.iter().map(|name| (*name).to_owned()).collect();
            keep_named(script, &core).map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(kept(&["b"]).as_deref(), Some("(assert q)(assert (! r :named |b|))(check-sat)"));
        assert_eq!(kept(&["|a|"]).as_deref(), Some("(assert (! p :named a))(assert q)(check-sat)"));
        assert_eq!(kept(&["a", "b"]), None);
    }
}
