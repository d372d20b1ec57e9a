//! Rules with all widths, indices and lengths of rests filled in.
//!
//! An instance has sorts, so it can be checked and proved: the rule is sound at an instance if and only if its condition and
//! `(distinct PATTERN REPLACEMENT)` have no model. A claim about a rule is a claim about the instances that were checked.

use super::number::{Leaves, Number, ProofLeaves};
use super::{ParsedRule, SortForm, Term, Variable, VariableKind};
use nub_smtlib::Script;
use nub_text::Diagnostic;
use std::fmt;

/// The maximum length of rests that are checked.
pub const MAX_REST: usize = 3;
/// Limit on the instances that are checked; the largest width is lowered until there are no more than this.
const MAX_INSTANCES: usize = 1000;

/// The numbers of one instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    pub(super) numbers: Vec<i128>,
    /// How many terms each variable represents: one, unless it is a rest.
    pub(super) lengths: Vec<usize>,
}

/// The result of enumerating instances.
pub struct Instances {
    /// All instances up to the limits whose pattern is well sorted and whose condition does not exclude them.
    pub all: Vec<Instance>,
    /// The largest width and index.
    pub max_number: u32,
}

/// Why an instance cannot be expressed with bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObligationError {
    /// The numbers of the condition may be too large.
    Condition,
    /// A literal may be too large.
    Literal,
}

impl fmt::Display for ObligationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObligationError::Condition => "the condition is beyond 62 bits",
            ObligationError::Literal => "a literal is beyond 62 bits",
        })
    }
}

impl std::error::Error for ObligationError {}

/// A script that proves an instance if it is unsatisfiable.
pub struct Obligation {
    /// Ends in `(check-sat)`.
    pub script: String,
    /// The terms whose values are a counterexample, with a description.
    pub terms: Vec<(String, String)>,
}

impl Instance {
    /// As text: `n = 8, i = 2, 3 of xs`; empty if the rule has only one instance.
    pub fn words(&self, rule: &ParsedRule) -> String {
        let numbers = rule.numbers.iter().zip(&self.numbers).map(|(name, n)| format!("{} = {n}", name.text));
        let rests = rule.variables.iter().zip(&self.lengths);
        let rests = rests.filter(|(variable, _)| variable.kind == VariableKind::Rest);
        numbers
            .chain(rests.map(|(variable, n)| format!("{n} of {}", variable.name)))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl ParsedRule {
    /// Whether there is more than one instance: then a proof of some is not a proof of all.
    pub fn is_family(&self) -> bool {
        !self.numbers.is_empty() || self.has_rest()
    }

    /// Whether a variable represents any number of arguments.
    pub fn has_rest(&self) -> bool {
        self.variables.iter().any(|variable| variable.kind == VariableKind::Rest)
    }

    /// Whether there are widths or indices.
    pub fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// The instances with widths and indices up to `max`.
    ///
    /// # Errors
    /// If the rule is ill sorted at some instance, or if it has no instances.
    pub fn instances(&self, max: u32) -> Result<Instances, Diagnostic> {
        let max_number =
            (1..=max.max(1)).rev().find(|&max| self.n_candidates(max) <= MAX_INSTANCES).unwrap_or(1);
        let mut all = Vec::new();
        let mut first_error = None;
        for instance in self.candidates(max_number) {
            match self.check_sorts(&instance)? {
                None => all.push(instance),
                Some(error) => _ = first_error.get_or_insert(error),
            }
        }
        match (all.is_empty(), first_error) {
            (true, Some(error)) => {
                let message = format!("rule `{}`: the pattern is ill sorted: {error}", self.name);
                Err(Diagnostic::error(self.span, message).with_hint("check the sorts of its variables"))
            }
            (true, None) => {
                let message =
                    format!("rule `{}`: the condition excludes every width up to {max_number}", self.name);
                Err(Diagnostic::error(self.span, message).with_hint("weaken it, or remove the rule"))
            }
            _ => Ok(Instances { all, max_number }),
        }
    }

    fn n_candidates(&self, max: u32) -> usize {
        let numbers = self.numbers.iter().map(|name| max as usize + usize::from(!name.is_width));
        let rests = self.variables.iter().filter(|variable| variable.kind == VariableKind::Rest);
        let factors = numbers.chain(rests.map(|_| MAX_REST + 1));
        factors.fold(1, |product: usize, factor| product.saturating_mul(factor))
    }

    /// All assignments of numbers that the condition alone does not exclude.
    fn candidates(&self, max: u32) -> Vec<Instance> {
        let mut all = vec![Instance { numbers: Vec::new(), lengths: Vec::new() }];
        for name in &self.numbers {
            let from = u32::from(name.is_width);
            all = all
                .iter()
                .flat_map(|instance| (from..=max).map(|n| with_number(instance, n.into())))
                .take(MAX_INSTANCES)
                .collect();
        }
        for variable in &self.variables {
            let lengths = if variable.kind == VariableKind::Rest { 0..=MAX_REST } else { 1..=1 };
            all = all.iter().flat_map(|instance| lengths.clone().map(|n| with_length(instance, n))).collect();
        }
        all.retain(|instance| !self.excludes(instance));
        all
    }

    /// Whether the condition is only about numbers and false for these.
    fn excludes(&self, instance: &Instance) -> bool {
        !self.depends_on_values() && {
            let leaves = Leaves { numbers: &instance.numbers, value: &|_| None };
            !self.condition.holds(&leaves)
        }
    }

    fn depends_on_values(&self) -> bool {
        let mut numbers = Vec::new();
        self.condition.numbers(&mut numbers);
        let mut leaves = Vec::new();
        numbers.into_iter().for_each(|number| number.leaves(&mut leaves));
        leaves.iter().any(|leaf| matches!(leaf, Number::Value(_)))
    }

    /// `None` if the instance is well sorted; the error message if the pattern is ill sorted.
    ///
    /// # Errors
    /// If the pattern is well sorted, but the replacement is not, or has another sort.
    fn check_sorts(&self, instance: &Instance) -> Result<Option<String>, Diagnostic> {
        let writer = Writer { rule: self, instance };
        let error = |terms: [Option<String>; 2]| -> Option<String> {
            let [Some(left), Some(right)] = terms else { return Some("a number is out of range".to_owned()) };
            let text = format!("{}(assert (= {left} {right}))", writer.declarations());
            let script = Script::parse(text.as_bytes()).0;
            let analysis = script.analyse();
            let unknown = analysis.unknown().first().map(|&node| String::from_utf8_lossy(script.slice(node)));
            let unknown = unknown.map(|name| format!("`{name}` is not known"));
            analysis.errors().first().map(|error| error.message.clone()).or(unknown)
        };
        let pattern = || writer.term(&self.pattern);
        if let Some(error) = error([pattern(), pattern()]) {
            return Ok(Some(error));
        }
        match error([pattern(), writer.term(&self.replacement)]) {
            None => Ok(None),
            // An application that loses all its arguments is never written.
            Some(_) if writer.term(&self.replacement).is_none() && self.has_rest() => {
                Ok(Some("the replacement has no arguments".to_owned()))
            }
            Some(error) => {
                let words = instance.words(self);
                let at = if words.is_empty() { String::new() } else { format!(" at {words}") };
                let message =
                    format!("rule `{}`: the replacement does not fit the pattern{at}: {error}", self.name);
                Err(Diagnostic::error(self.span, message)
                    .with_hint("pattern and replacement must have the same sort"))
            }
        }
    }

    /// The script that proves an instance.
    ///
    /// # Errors
    /// If the instance cannot be expressed with bit-vectors.
    pub fn obligation(&self, instance: &Instance) -> Result<Obligation, ObligationError> {
        let writer = Writer { rule: self, instance };
        let condition = self.condition.in_bits(&writer.leaves(&|at| writer.literal(at)));
        let condition = condition.ok_or(ObligationError::Condition)?;
        let terms = writer.term(&self.pattern).zip(writer.term(&self.replacement));
        let (pattern, replacement) = terms.ok_or(ObligationError::Literal)?;
        let script = format!(
            "{}(assert {condition})\n(assert (distinct {pattern} {replacement}))\n(check-sat)\n",
            writer.declarations()
        );
        let mut shown: Vec<(String, String)> =
            writer.names().into_iter().map(|(name, _)| (name.clone(), name)).collect();
        shown.extend([("pattern".to_owned(), pattern), ("replacement".to_owned(), replacement)]);
        Ok(Obligation { script, terms: shown })
    }
}

fn with_number(instance: &Instance, number: i128) -> Instance {
    let mut next = instance.clone();
    next.numbers.push(number);
    next
}

fn with_length(instance: &Instance, length: usize) -> Instance {
    let mut next = instance.clone();
    next.lengths.push(length);
    next
}

/// Writes an instance as SMT-LIB.
struct Writer<'r> {
    rule: &'r ParsedRule,
    instance: &'r Instance,
}

impl<'r> Writer<'r> {
    fn leaves<'l>(&'l self, literal: &'l dyn Fn(usize) -> Option<(String, u32)>) -> ProofLeaves<'l> {
        ProofLeaves { numbers: &self.instance.numbers, literal }
    }

    fn number(&self, number: &Number) -> Option<i128> {
        number.eval(&Leaves { numbers: &self.instance.numbers, value: &|_| None })
    }

    fn literal(&self, at: usize) -> Option<(String, u32)> {
        let Variable { name, sort: SortForm::BitVec(width), .. } = &self.rule.variables[at] else {
            return None;
        };
        Some((name.clone(), u32::try_from(self.number(width)?).ok()?))
    }

    /// The constants, with their sorts.
    fn names(&self) -> Vec<(String, String)> {
        let variables = self.rule.variables.iter().zip(&self.instance.lengths);
        variables
            .flat_map(|(variable, &length)| {
                let sort = self.sort(&variable.sort);
                let name = move |n: usize| match variable.kind {
                    VariableKind::Rest => format!("{}!{n}", variable.name),
                    _ => variable.name.clone(),
                };
                (0..length).map(move |n| (name(n), sort.clone()))
            })
            .collect()
    }

    fn declarations(&self) -> String {
        let sorts = self.rule.sorts.iter().map(|name| format!("(declare-sort sort!{name} 0)\n"));
        let names = self.names().into_iter().map(|(name, sort)| format!("(declare-const {name} {sort})\n"));
        sorts.chain(names).collect()
    }

    fn sort(&self, sort: &SortForm) -> String {
        let number = |number: &Number| self.number(number).unwrap_or(0);
        match sort {
            SortForm::Named(name) => (*name).to_owned(),
            SortForm::BitVec(width) => format!("(_ BitVec {})", number(width)),
            SortForm::Float(exponent, significand) => {
                format!("(_ FloatingPoint {} {})", number(exponent), number(significand))
            }
            SortForm::Array(index, element) => format!("(Array {} {})", self.sort(index), self.sort(element)),
            SortForm::Any(at) => format!("sort!{}", self.rule.sorts[*at]),
        }
    }

    /// `None` if a number is undefined or an application has no arguments.
    fn term(&self, term: &Term) -> Option<String> {
        Some(match term {
            Term::Variable(at) => {
                let variable = &self.rule.variables[*at];
                match variable.kind {
                    VariableKind::Rest => {
                        let names = (0..self.instance.lengths[*at]).map(|n| format!("{}!{n}", variable.name));
                        names.collect::<Vec<_>>().join(" ")
                    }
                    _ => variable.name.clone(),
                }
            }
            Term::Literal(text) => text.clone(),
            Term::Bits { value, width } => self.bits(value, width)?,
            Term::Apply { op, indices, args } => {
                if args.is_empty() {
                    return Some(op.clone());
                }
                let args: Vec<String> = args.iter().map(|arg| self.term(arg)).collect::<Option<_>>()?;
                let args: Vec<String> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
                if args.is_empty() {
                    return None;
                }
                format!("({} {})", self.head(op, indices)?, args.join(" "))
            }
        })
    }

    fn head(&self, op: &str, indices: &[Number]) -> Option<String> {
        if indices.is_empty() {
            return Some(op.to_owned());
        }
        let mut text = format!("(_ {op}");
        for index in indices {
            let value = self.number(index).filter(|value| (0..=i128::from(u32::MAX)).contains(value))?;
            text.push_str(&format!(" {value}"));
        }
        Some(text + ")")
    }

    fn bits(&self, value: &Number, width: &Number) -> Option<String> {
        let width = self.number(width).filter(|width| (1..1 << 16).contains(width))?;
        if let Some(value) = self.number(value) {
            let value = if width < 126 { value.rem_euclid(1 << width) } else { value };
            return (value >= 0).then(|| format!("(_ bv{value} {width})"));
        }
        let text = value.in_bits(&self.leaves(&|at| self.literal(at)))?.text;
        match width {
            1..=63 => Some(format!("((_ extract {} 0) {text})", width - 1)),
            _ => None,
        }
    }
}
