//! Checks models of other solvers, as printed by `get-model`, against a script, by our evaluator.
//!
//! The model is spliced into the script: each declaration of a constant or function is replaced by the model's definition.
//! The result is a script without variables, which the reader translates and the evaluator decides. The rewrite rules
//! are switched off, so that the check shares nothing with the solver except the reader and the meaning of the operators.
//!
//! The files: `active` (what is in effect at the last question), `definitions` (the model as a table), `splice` (the new
//! script), `tabulate` (functions that represent arrays).

mod active;
mod definitions;
mod splice;
mod tabulate;

use super::source::Source;
use super::terms::Terms;
use crate::{BvAnswer, BvSolver, SatLimits};
use active::Active;
use definitions::Definitions;
use nub_bitvec::{Assignment, Datum, Op, Pool, Rewriting, Sort, TermId, Value, cone, evaluate};
use nub_smtlib::{CommandKind, NodeId, Script};
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use splice::Spliced;

/// The result of checking a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelCheck {
    /// All assertions are true in it.
    Valid,
    /// This assertion, or assumption of the last question, is false in it.
    Invalid {
        /// Its span in the script; in a BTOR file, the line of the root.
        assertion: Span,
    },
    /// Undecided: the script or the model is malformed or not supported.
    Unsupported {
        /// Why.
        reason: String,
    },
}

/// Why the check is undecided.
type Refusal = String;

/// Checks a model, as printed by `get-model`, against all assertions and assumptions of the script's last question.
///
/// `model` may be the whole output of a solver: if it has several models, the last one counts. Supported are `(model …)` and `(…)`,
/// constants of bit-vectors in all notations, arrays as `store` over `(as const …)`, as `(_ as-array f)` or as `lambda`,
/// functions by cases, `let`, and elements of declared sorts. What the model does not mention is zero.
/// O(script + model), times the entries of functions for each of their uses.
pub fn check_model(script: &[u8], model: &[u8]) -> ModelCheck {
    match try_check(script, model) {
        Ok(check) => check,
        Err(reason) => ModelCheck::Unsupported { reason },
    }
}

fn try_check(script: &[u8], model: &[u8]) -> Result<ModelCheck, Refusal> {
    let script = parse(script, "the script")?;
    let active = Active::of(&script)?;
    let model = parse(model, "the model")?;
    let definitions = Definitions::of(&model);
    if definitions.is_malformed {
        return Err("a definition of the model is not well formed".to_owned());
    }
    let spliced = Spliced::new(&script, &active, &definitions)?;
    let holds = holds(&spliced)?;
    let wrong = active.formulas().zip(holds).find(|(_, holds)| !holds);
    Ok(match wrong {
        Some((formula, _)) => ModelCheck::Invalid { assertion: script.tree().span(formula) },
        None => ModelCheck::Valid,
    })
}

fn parse(text: &[u8], what: &str) -> Result<Script, Refusal> {
    let (script, diagnostics) = Script::parse(text);
    match diagnostics.first() {
        Some(first) => Err(format!("{what} cannot be read: {}", first.message)),
        None => Ok(script),
    }
}

/// For every assertion of a script without variables, whether it is true.
fn holds(spliced: &Spliced) -> Result<Vec<bool>, Refusal> {
    let script = parse(&spliced.text, "the model in the script")?;
    let analysis = script.analyse();
    let source = Source::new(&script, &analysis);
    let message = |diagnostic: Diagnostic| diagnostic.message;
    source.check_sorts(None).map_err(message)?;
    let mut terms = Terms::with_pool(&source, Pool::with_rewriting(Rewriting::Off));
    let (mut assignment, mut roots) = (Assignment::new(), Vec::new());
    for (node, kind) in script.commands() {
        let argument = |at: usize| script.tree().child(node, at + 1);
        match (kind, argument(0)) {
            (CommandKind::DeclareConst | CommandKind::DeclareFun, Some(symbol)) => {
                terms.declare(symbol).map_err(message)?;
                set_element(spliced, &source, &terms, symbol, &mut assignment);
            }
            (CommandKind::DefineFun, Some(symbol)) => define(&mut terms, symbol, argument(3))?,
            (CommandKind::DefineConst, Some(symbol)) => define(&mut terms, symbol, argument(2))?,
            (CommandKind::Assert, Some(formula)) => roots.push(formula_of(&mut terms, formula)?),
            _ => {}
        }
    }
    if let Some(operation) = terms.floats.terms.first_wrong(&terms.pool, &assignment) {
        return Err(format!("internal error: {:?} of {} is wrong", operation.op, operation.format));
    }
    let holds: Vec<bool> = evaluate(&terms.pool, &assignment, &roots).iter().map(Datum::is_true).collect();
    let is_open = holds.contains(&false) && depends_on_open(&terms, &roots);
    if is_open { chosen_for(terms, &assignment, roots) } else { Ok(holds) }
}

/// Whether some roots depend on a result that the standard leaves unspecified. A model need not say which one was chosen.
fn depends_on_open(terms: &Terms<'_>, roots: &[TermId]) -> bool {
    let below = cone(&terms.pool, roots);
    terms.floats.terms.open_vars().any(|var| below.binary_search(&var).is_ok())
}

/// Whether some choice of the results that the standard leaves unspecified makes all roots true. If there is none, the first root
/// that no choice makes true together with the roots before it is false.
fn chosen_for(terms: Terms<'_>, assignment: &Assignment, roots: Vec<TermId>) -> Result<Vec<bool>, Refusal> {
    let open: FxHashSet<TermId> = terms.floats.terms.open_vars().collect();
    let mut pool = terms.pool;
    let mut solver = BvSolver::new(nub_sat::built_in());
    for var in cone(&pool, &roots) {
        let is_fixed = pool.op(var) == Op::Var && !open.contains(&var);
        if let (true, Sort::Bits(width)) = (is_fixed, pool.sort(var)) {
            let value = assignment.get(var).map_or(Value::zero(width), |value| value.bits().clone());
            let value = pool.constant(value);
            let is_value = pool.mk(Op::Eq, &[var, value]);
            solver.assert(is_value);
        }
    }
    let mut holds = Vec::with_capacity(roots.len());
    for root in roots {
        solver.assert(root);
        match solver.check(&mut pool, &[], &SatLimits::none()) {
            BvAnswer::Sat(_) => holds.push(true),
            BvAnswer::Unsat(_) => {
                holds.push(false);
                break;
            }
            BvAnswer::Unknown(reason) => return Err(reason.to_string()),
        }
    }
    Ok(holds)
}

fn define(terms: &mut Terms<'_>, symbol: NodeId, body: Option<NodeId>) -> Result<(), Refusal> {
    let body = body.ok_or("a definition has no body")?;
    terms.define(symbol, body).map_err(|diagnostic| diagnostic.message)
}

fn formula_of(terms: &mut Terms<'_>, formula: NodeId) -> Result<TermId, Refusal> {
    let term = terms.translate(formula).map_err(|diagnostic| diagnostic.message)?;
    match terms.pool.sort(term) {
        Sort::BIT => Ok(term),
        _ => Err("an assertion is not of sort Bool".to_owned()),
    }
}

/// Sets the number that represents an element of a declared sort.
fn set_element(
    spliced: &Spliced,
    source: &Source<'_>,
    terms: &Terms<'_>,
    symbol: NodeId,
    assignment: &mut Assignment,
) {
    let Some(&number) = spliced.elements.get(source.script.slice(symbol)) else { return };
    let var = source.analysis.decl_of(symbol).and_then(|decl| terms.meaning(decl));
    if let Some(var) = var.filter(|var| terms.pool.sort(*var).bits().is_some()) {
        let width = terms.pool.width(var);
        assignment.set(var, Datum::Bits(Value::from_u64(width, u64::from(number))));
    }
}

#[cfg(test)]
mod tests;
