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
use crate::{BvAnswer, BvSolver, Reason, SatLimits};
use active::Active;
use definitions::Definitions;
use nub_bitvec::float::FloatOperation;
use nub_bitvec::{Assignment, Datum, Op, Pool, Rewriting, Sort, TermId, Value, cone, evaluate};
use nub_smtlib::{CommandKind, NodeId, Script};
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use splice::Spliced;
use std::fmt;

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
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// A text cannot be parsed: which one, and the first error.
    Unreadable(&'static str, String),
    /// The script is not supported: why.
    Script(&'static str),
    /// The script has a command with this name, which is not supported.
    Command(String),
    /// The model is malformed or not supported: why.
    Model(&'static str),
    /// The script with the model in it is not supported.
    Spliced(Diagnostic),
    /// No choice for unspecified results was found, for this reason.
    Choice(Reason),
    /// The terms of this operation have another value than the evaluator gives it: a defect of this program.
    WrongFloat(FloatOperation),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unreadable(what, message) => write!(f, "{what} cannot be read: {message}"),
            Refusal::Script(message) | Refusal::Model(message) => f.write_str(message),
            Refusal::Command(name) => write!(f, "command `{name}` is not supported"),
            Refusal::Spliced(diagnostic) => f.write_str(&diagnostic.message),
            Refusal::Choice(reason) => write!(f, "{reason}"),
            Refusal::WrongFloat(operation) => {
                write!(f, "internal error: {:?} of {} is wrong", operation.op, operation.format)
            }
        }
    }
}

/// Checks a model, as printed by `get-model`, against all assertions and assumptions of the script's last question.
///
/// `model` may be the whole output of a solver: if it has several models, the last one counts. Supported are `(model …)` and `(…)`,
/// constants of bit-vectors in all notations, arrays as `store` over `(as const …)`, as `(_ as-array f)` or as `lambda`,
/// functions by cases, `let`, and elements of declared sorts. What the model does not mention is zero.
/// O(script + model), times the entries of functions for each of their uses.
pub fn check_model(script: &[u8], model: &[u8]) -> ModelCheck {
    match try_check(script, model) {
        Ok(check) => check,
        Err(refusal) => ModelCheck::Unsupported { reason: refusal.to_string() },
    }
}

fn try_check(script: &[u8], model: &[u8]) -> Result<ModelCheck, Refusal> {
    let script = parse(script, "the script")?;
    let active = Active::of(&script)?;
    let model = parse(model, "the model")?;
    let definitions = Definitions::of(&model);
    if definitions.is_malformed {
        return Err(Refusal::Model("a definition of the model is not well formed"));
    }
    let spliced = Spliced::new(&script, &active, &definitions)?;
    let holds = holds(&spliced)?;
    let wrong = active.formulas().zip(holds).find(|(_, holds)| !holds);
    Ok(match wrong {
        Some((formula, _)) => ModelCheck::Invalid { assertion: script.tree().span(formula) },
        None => ModelCheck::Valid,
    })
}

fn parse(text: &[u8], what: &'static str) -> Result<Script, Refusal> {
    let (script, diagnostics) = Script::parse(text);
    match diagnostics.first() {
        Some(first) => Err(Refusal::Unreadable(what, first.message.clone())),
        None => Ok(script),
    }
}

/// For every assertion of a script without variables, whether it is true.
fn holds(spliced: &Spliced) -> Result<Vec<bool>, Refusal> {
    let script = parse(&spliced.text, "the model in the script")?;
    let analysis = script.analyse();
    let source = Source::new(&script, &analysis);
    source.check_sorts(None).map_err(Refusal::Spliced)?;
    let mut terms = Terms::with_pool(&source, Pool::with_rewriting(Rewriting::Off));
    let (mut assignment, mut roots) = (Assignment::new(), Vec::new());
    for (node, kind) in script.commands() {
        let argument = |at: usize| script.tree().child(node, at + 1);
        match (kind, argument(0)) {
            (CommandKind::DeclareConst | CommandKind::DeclareFun, Some(symbol)) => {
                terms.declare(symbol).map_err(Refusal::Spliced)?;
                set_element(spliced, &source, &terms, symbol, &mut assignment);
            }
            (CommandKind::DefineFun, Some(symbol)) => define(&mut terms, symbol, argument(3))?,
            (CommandKind::DefineConst, Some(symbol)) => define(&mut terms, symbol, argument(2))?,
            (CommandKind::Assert, Some(formula)) => roots.push(formula_of(&mut terms, formula)?),
            _ => {}
        }
    }
    if let Some(operation) = terms.floats.terms.first_wrong(&terms.pool, &assignment) {
        return Err(Refusal::WrongFloat(operation));
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
            BvAnswer::Unknown(reason) => return Err(Refusal::Choice(reason)),
        }
    }
    Ok(holds)
}

fn define(terms: &mut Terms<'_>, symbol: NodeId, body: Option<NodeId>) -> Result<(), Refusal> {
    let body = body.ok_or(Refusal::Model("a definition has no body"))?;
    terms.define(symbol, body).map_err(Refusal::Spliced)
}

fn formula_of(terms: &mut Terms<'_>, formula: NodeId) -> Result<TermId, Refusal> {
    let term = terms.translate(formula).map_err(Refusal::Spliced)?;
    match terms.pool.sort(term) {
        Sort::BIT => Ok(term),
        _ => Err(Refusal::Script("an assertion is not of sort Bool")),
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
