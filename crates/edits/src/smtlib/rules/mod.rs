//! User-defined rules: pattern, replacement, side condition.
//!
//! ```text
//! (rule add-zero ((x (_ BitVec n)))
//!   (bvadd x (_ bv0 n))  x)
//! (rule merge-extend ((x (_ BitVec n)) (i :index) (j :index))
//!   ((_ zero_extend i) ((_ zero_extend j) x))
//!   ((_ zero_extend (+ i j)) x))
//! (rule shift-out ((x (_ BitVec n)) (k (_ BitVec n) :literal))
//!   (bvshl x k)  (_ bv0 n)
//!   :when (>= (value k) n))
//! ```
//!
//! `docs/rules.md` has the grammar. The files: [`read`] (text to rules, errors with spans), `find` (matching a pattern against a
//! term), `write` (the replacement as text), `number` (integers and conditions), `instance` (rules with all widths and
//! indices filled in: sort checking, and the script whose unsatisfiability proves a rule).
//!
//! Rules are small: their terms have at most depth [`MAX_DEPTH`], which bounds the recursion over them.

mod check;
mod find;
mod instance;
mod number;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use check::check;
pub use instance::{Instance, Instances, MAX_REST, Obligation, ObligationError};
pub use read::read;

use super::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;
use nub_text::Span;
use number::{Condition, Number};
use std::sync::Arc;

/// The maximum depth of the terms, sorts and conditions of a rule.
pub const MAX_DEPTH: usize = 32;

/// A rule after reading. Its parts are well formed; [`ParsedRule::instances`] checks sorts.
#[derive(Clone, Debug)]
pub struct ParsedRule {
    /// Its name.
    pub name: String,
    /// Its span in the text it was read from.
    pub span: Span,
    variables: Vec<Variable>,
    /// Names of widths and indices.
    numbers: Vec<Name>,
    /// Names of sort variables.
    sorts: Vec<String>,
    pattern: Term,
    replacement: Term,
    condition: Condition,
}

/// A width or an index.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    /// True if it is the width of a variable, and so at least one.
    is_width: bool,
}

/// A metavariable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    sort: SortForm,
    kind: VariableKind,
}

/// What a metavariable represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VariableKind {
    /// Any term of its sort.
    Term,
    /// A literal of its sort.
    Literal,
    /// Any number of arguments of its sort.
    Rest,
}

/// A sort with number and sort variables.
#[derive(Clone, Debug)]
enum SortForm {
    /// `Bool`, `Int` and the other sorts without parts.
    Named(&'static str),
    /// `(_ BitVec n)`
    BitVec(Number),
    /// `(_ FloatingPoint e s)`
    Float(Number, Number),
    /// `(Array I E)`
    Array(Box<SortForm>, Box<SortForm>),
    /// `?A`: any sort.
    Any(usize),
}

/// A pattern or a replacement.
#[derive(Clone, Debug)]
enum Term {
    /// A metavariable.
    Variable(usize),
    /// A bit-vector literal.
    Bits { value: Number, width: Number },
    /// Another literal, as written.
    Literal(String),
    /// An application of a built-in operator; without arguments for constants such as `true`.
    Apply { op: String, indices: Vec<Number>, args: Vec<Term> },
}

/// Decides whether a rule may be used with these widths, indices and lengths of rests.
pub type Guard = Arc<dyn Fn(&ParsedRule, &Instance) -> bool + Send + Sync>;

/// A rule as a pass: every match is an edit.
pub struct RulePass {
    rule: ParsedRule,
    name: &'static str,
    guard: Option<Guard>,
}

impl RulePass {
    /// The pass of a rule. Names of passes live as long as the program, so one small string per rule is never freed.
    pub fn new(rule: ParsedRule, guard: Option<Guard>) -> RulePass {
        let name = format!("rule {}", rule.name).leak();
        RulePass { rule, name, guard }
    }

    /// The pass of a rule under a common name, for checks of many rules.
    fn unnamed(rule: ParsedRule) -> RulePass {
        RulePass { rule, name: "rule", guard: None }
    }

    fn edit(&self, view: &SmtView, term: NodeId) -> Option<Edit> {
        let found = find::find(&self.rule, view, term)?;
        if let Some(guard) = &self.guard
            && !guard(&self.rule, &found.instance(&self.rule)?)
        {
            return None;
        }
        write::edit(&self.rule, view, term, &found)
    }
}

impl Pass<SmtView> for RulePass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        view.terms().filter_map(|term| self.edit(view, term)).take(MAX_EDITS).collect()
    }
}
