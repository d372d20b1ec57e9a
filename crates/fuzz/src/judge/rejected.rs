//! Judges errors: the solver's fault, ours, or nobody's.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::{FuzzCase, RunView, Standing, standing};
use crate::answers::PrintedAnswers;
use crate::finding::{Finding, FindingKind};

/// What an error message means for the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ErrorClass {
    /// A query that does not fit the previous answer, such as `get-model` after `unsat`, or a status of the file that differs
    /// from the solver's answer. The answers remain valid.
    NotAvailable,
    /// Something the solver does not claim to support: a logic, a theory, a command, an option.
    NotSupported,
    /// The solver says that the input is wrong.
    Rejected,
}

const NOT_AVAILABLE: &[&str] = &[
    r"(?i)(model|unsat core|unsat assumptions|proof|values?) (is|are) not available",
    r"(?i)cannot (get|generate|produce|obtain)\b.{0,40}\b(model|value|values|core|cores|assumptions|proof)\b.{0,40}\b(unless|if|after|without|when)\b",
    r"(?i)can('|no)t get-info\b.{0,60}\bwhen the last result",
    r"(?i)construction is not enabled",
    r"(?i)no (current )?(model|unsat core|proof)\b",
    r"(?i)(must|can only|only) (be )?(issue|call|use|get|ask)\w* .{0,60}\b(sat|unsat|check-sat)\b",
    r"(?i)\b(last|previous) answer is not (sat|unsat)",
    r"(?i)call to .{0,40}(model|value|core).{0,60}(sat|unsat) ",
    r"(?i)the context is (un)?satisfiable",
    r"(?i)(model|core|proof)s? (generation|production) is not enabled",
    r"(?i)check annotation that says|expected (result|status) (sat|unsat)|but status is",
];

const NOT_SUPPORTED: &[&str] = &[
    r"(?i)\bunsupported\b|\bnot (yet |currently |fully |directly )*(supported|implemented|handled)\b",
    r"(?i)\b(does|do|can|could|is|are)(n't| ?not) (yet |currently )*(support|handle|deal with|able to)",
    r"(?i)cannot be (declared|used) in logic",
    r"(?i)\bunimplemented\b|\bno support for\b|\bnot (allowed|available|permitted) in\b.{0,40}\blogic\b",
    r"(?i)unknown logic|unrecognized logic|invalid logic|logic .{0,40}(is )?(unknown|unrecognized|not)\b",
    r"(?i)theory of .{0,60}(not|isn't|doesn't)|doesn't include THEORY|in (a )?(quantifier-free|linear|non-?incremental) logic",
    r"(?i)non-?linear .{0,80}(linear|logic)|requires? (a )?(logic|non-?linear)",
    r"(?i)(unknown|unrecognized|invalid|illegal|unexpected) (option|parameter|command|module|argument)",
    r"(?i)incremental (mode|solving).{0,60}(not|off|disabled|required|enable)|solve incremental",
    r"(?i)(fewer|only) (features|operators)|experimental (feature|theory)|was not compiled|not built with|requires? .{0,40}(to be )?(built|compiled|enabled)",
];

static NOT_AVAILABLE_SET: LazyLock<RegexSet> =
    LazyLock::new(|| RegexSet::new(NOT_AVAILABLE).expect("constants, compiled by every test"));
static NOT_SUPPORTED_SET: LazyLock<RegexSet> =
    LazyLock::new(|| RegexSet::new(NOT_SUPPORTED).expect("constants, compiled by every test"));

/// How solvers report an unknown symbol.
static UNKNOWN_SYMBOL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?i)(unknown|undeclared|undefined|unsupported|no such) (function/constant|constant|function|symbol|term|sort|identifier)s?:? [`'"(]*(?:_ )?([^\s'"`()]+)"#;
    Regex::new(pattern).expect("a constant, used by a test")
});

/// Whether the message names a built-in operator: the solver is older than the operator, or lacks the theory.
fn names_an_operator(message: &str) -> bool {
    let name = UNKNOWN_SYMBOL.captures(message).and_then(|found| found.get(3));
    name.is_some_and(|name| nub_smtlib::ops::by_name(name.as_str().as_bytes()).is_some())
}

/// What an error message means.
#[must_use]
pub fn class_of_error(message: &str) -> ErrorClass {
    if NOT_AVAILABLE_SET.is_match(message) {
        ErrorClass::NotAvailable
    } else if NOT_SUPPORTED_SET.is_match(message) || names_an_operator(message) {
        ErrorClass::NotSupported
    } else {
        ErrorClass::Rejected
    }
}

/// The class of a run. One unsupported feature explains later errors: what was not declared is unknown later.
pub(super) fn worst_class(reading: &PrintedAnswers) -> Option<ErrorClass> {
    if reading.unsupported > 0 {
        return Some(ErrorClass::NotSupported);
    }
    let mut classes = reading.errors.iter().map(|error| class_of_error(error));
    let first = classes.find(|class| *class != ErrorClass::NotAvailable);
    first.or_else(|| (!reading.errors.is_empty()).then_some(ErrorClass::NotAvailable))
}

/// The first error that makes a run `Rejected`.
fn rejection(reading: &PrintedAnswers) -> Option<&str> {
    reading.errors.iter().map(String::as_str).find(|error| class_of_error(error) == ErrorClass::Rejected)
}

/// If every run rejects the input: what the first of them says.
pub(super) fn our_fault(case: &FuzzCase) -> Option<String> {
    let mut first = None;
    for run in case.runs {
        match standing(run.observation) {
            Standing::Rejected => {
                let error = rejection(&run.observation.reading).unwrap_or_default();
                first.get_or_insert_with(|| format!("{}: {error}", run.full_name()));
            }
            // These runs never read the input.
            Standing::NotSupported | Standing::Cancelled => {}
            // A solver that reached its time limit has parsed the input; one that died may have.
            Standing::Timeout | Standing::Broken => return None,
            Standing::Answered | Standing::Unknown | Standing::Silent => return None,
        }
    }
    first
}

/// The finding of a run with an error, if another run accepts the input and answers.
pub(super) fn finding(case: &FuzzCase, run_idx: usize) -> Option<Finding> {
    let run = &case.runs[run_idx];
    if !case.runs.iter().any(RunView::speaks) {
        return None;
    }
    let error = rejection(&run.observation.reading)?;
    Some(Finding {
        solver: run.solver.to_owned(),
        kind: FindingKind::Error,
        message: crate::groups::normalise_message(error),
        stack: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_solvers() {
        for (class, messages) in [
            (
                ErrorClass::NotAvailable,
                &[
                    "<pos>: model is not available",
                    "<pos>: unsat core is not available",
                    "the last answer is not unsat",
                    "the context is unsatisfiable",
                    "Cannot get model unless after a SAT or UNKNOWN response.",
                    "cannot get value unless after a SAT or UNKNOWN response.",
                    "Cannot get-value unless immediately preceded by SAT/NOT_ENTAILED or UNKNOWN response.",
                    "Cannot get unsat core unless explicitly enabled (try --produce-unsat-cores)",
                    "Cannot get an unsat core when produce-unsat-cores option is off.",
                    "Can't get-info :reason-unknown when the last result wasn't unknown!",
                    "<pos>: unsat core construction is not enabled, use command (set-option :produce-unsat-cores true)",
                    "<pos>: model generation is not enabled",
                    "<pos>: check annotation that says unsat",
                    "Expected result unsat but got sat",
                    "<pos>: 'sat' but status is 'unsat'",
                ][..],
            ),
            (
                ErrorClass::NotSupported,
                &[
                    "<pos>: unknown logic <name>",
                    "Parse Error: <file>: unsupported logic HO_ALL",
                    "<file>: unsupported command <name>",
                    "<pos>: logic does not support nonlinear arithmetic",
                    "Error in option parsing: ackermann not supported with incremental solving.",
                    "quantifiers not supported by QF_BV solver",
                    "Parse Error: <file>: Functions (of non-zero arity) cannot be declared in logic QF_FP. Try including UF",
                    "The logic was specified as QF_LIA, which doesn't include THEORY_BV, but got a preprocessing-time fact for that theory.",
                    "A non-linear fact was asserted to arithmetic in a linear logic.",
                    "Cannot make multiple queries unless incremental solving is enabled (try --incremental)",
                    "unknown parameter <name>",
                    "<pos>: unknown constant re.none",
                    "at <pos>: undefined term: bv2nat",
                    "<pos>: unknown function/constant str.in_re",
                ],
            ),
            (
                ErrorClass::Rejected,
                &[
                    "<pos>: unknown constant y",
                    "Parse Error: <file>: Symbol <name> is not declared.",
                    "<pos>: operator is applied to arguments of the wrong sort",
                    "<pos>: Sorts (_ BitVec #) and (_ BitVec #) are incompatible",
                    "boolector: <file>: expected <name>",
                    "exit status 1 without output",
                ],
            ),
        ] {
            for message in messages {
                assert_eq!(class_of_error(message), class, "{message}");
            }
        }
    }
}
