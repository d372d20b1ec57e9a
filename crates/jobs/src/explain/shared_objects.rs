//! Callers that pass one object twice.
//!
//! `void f(int *a, int *b) { free(a); free(b); }` is fine for most callers, and frees twice for one that passes the same pointer. Runs in which
//! each pointer has an object of its own come first: they are what most failures need, are told in fewer words, and their distances do not count
//! inputs that say who shares what. Only if none of them fails, runs in which pointers share objects are searched, and everything that follows (the
//! passing run, the ranking) is about those.

use super::FailureCase;
use nub_explain::{ExplainOptions, ExplainRefusal, Explanation, explain as closest_run};
use nub_unroll::Aliases;

/// The explanation, and the options that lead to it.
pub(super) fn explanation(
    case: &FailureCase,
    file: &str,
    options: &ExplainOptions,
) -> Result<(Explanation, ExplainOptions), ExplainRefusal> {
    let FailureCase { request, loaded, function, .. } = *case;
    let source = loaded.source(file);
    let found = closest_run(source, function, options);
    let is_done = match &found {
        Ok(Explanation::NoViolation { .. })
        | Err(ExplainRefusal::InputsPass | ExplainRefusal::UnknownInput { .. }) => request.no_aliases,
        _ => true,
    };
    if is_done || !loaded.program.can_see_aliases(function) {
        return found.map(|found| (found, options.clone()));
    }
    let mut shared = options.clone();
    shared.unroll.pointers.aliases = Aliases::SameType;
    match closest_run(source, function, &shared) {
        Ok(more) => Ok((more, shared)),
        Err(defect @ ExplainRefusal::Internal(_)) => Err(defect),
        // What is known of pointers with objects of their own remains true, and says so.
        Err(_) => found.map(|found| (found, options.clone())),
    }
}
