//! Widths as numbers: one dimension per class of bit-vectors, two per class of floats, and rules between them.

use super::classes::Classes;
use super::sites::Relation;
use super::{Model, Var};
use nub_smtlib::SmtSort;

/// A number that may shrink: a bit-vector's width, a float's exponent or significand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::smtlib) struct Dim(pub(super) u32);

impl Dim {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The next dimension: the significand that belongs to an exponent.
    pub(in crate::smtlib) fn next(self) -> Dim {
        Dim(self.0 + 1)
    }
}

/// What a dimension measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::smtlib) enum Measure {
    /// Bits of a bit-vector
    Bits,
    /// Bits of an exponent
    Exponent,
    /// Bits of a significand, including the hidden one
    Significand,
}

impl Measure {
    /// The smallest value that solvers accept. The standard allows a significand of 2; cvc5 does not.
    fn least(self) -> u32 {
        match self {
            Measure::Bits => 1,
            Measure::Exponent => 2,
            Measure::Significand => 3,
        }
    }
}

/// A rule that values must satisfy.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// Parts (each with its number of occurrences) and a constant add up to the whole
    Sum { parts: Box<[(Dim, u32)]>, plus: u32, whole: Dim },
    /// The first is at most the second
    AtMost(Dim, Dim),
    /// The first divides the second
    Divides(Dim, Dim),
}

impl Rule {
    pub(super) fn dims(&self) -> impl Iterator<Item = Dim> + '_ {
        let (parts, pair) = match self {
            Rule::Sum { parts, whole, .. } => (&parts[..], [*whole, *whole]),
            Rule::AtMost(a, b) | Rule::Divides(a, b) => (&[][..], [*a, *b]),
        };
        parts.iter().map(|&(dim, _)| dim).chain(pair)
    }

    /// Number of dimensions in it.
    pub(super) fn size(&self) -> usize {
        match self {
            Rule::Sum { parts, .. } => parts.len() + 1,
            Rule::AtMost(..) | Rule::Divides(..) => 2,
        }
    }

    /// True if the values satisfy the rule.
    pub(super) fn holds(&self, values: &[u32]) -> bool {
        let at = |dim: &Dim| values[dim.index()];
        match self {
            Rule::Sum { whole, .. } => self.sum(values) == u64::from(at(whole)),
            Rule::AtMost(small, large) => at(small) <= at(large),
            Rule::Divides(part, whole) => at(part) > 0 && at(whole) % at(part) == 0,
        }
    }

    /// The sum of the parts and the constant.
    pub(super) fn sum(&self, values: &[u32]) -> u64 {
        let Rule::Sum { parts, plus, .. } = self else { return 0 };
        let parts = parts.iter().map(|&(dim, times)| u64::from(values[dim.index()]) * u64::from(times));
        parts.sum::<u64>() + u64::from(*plus)
    }
}

/// All dimensions of a model. The widths of the file satisfy all rules.
pub(in crate::smtlib) struct Widths {
    /// The current values.
    pub(in crate::smtlib) values: Vec<u32>,
    /// The minimum values; a dimension that cannot change has its current value.
    pub(super) least: Vec<u32>,
    pub(super) measures: Vec<Measure>,
    /// Which dimensions cannot change.
    pub(super) is_fixed: Vec<bool>,
    pub(super) rules: Vec<Rule>,
    /// By dimension: the rules that contain it.
    rules_of: Vec<Vec<u32>>,
    /// By variable: the first dimension of a class.
    first_dim: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Widths {
    pub(in crate::smtlib) fn new(model: &mut Model<'_>) -> Widths {
        let mut widths = Widths {
            values: Vec::new(),
            least: Vec::new(),
            measures: Vec::new(),
            is_fixed: Vec::new(),
            rules: Vec::new(),
            rules_of: Vec::new(),
            first_dim: vec![NONE; model.classes.len()],
        };
        widths.make_dims(model);
        let rules: Vec<Rule> =
            model.relations.iter().filter_map(|relation| widths.rule(&mut model.classes, relation)).collect();
        for rule in rules {
            if rule.holds(&widths.values) {
                widths.rules.push(rule);
            } else {
                // The file itself is ill sorted here.
                rule.dims().for_each(|dim| {
                    widths.least[dim.index()] = widths.values[dim.index()];
                    widths.is_fixed[dim.index()] = true;
                });
            }
        }
        widths.rules_of = vec![Vec::new(); widths.values.len()];
        for (at, rule) in (0..).zip(&widths.rules) {
            for dim in rule.dims() {
                let rules = &mut widths.rules_of[dim.index()];
                if rules.last() != Some(&at) {
                    rules.push(at);
                }
            }
        }
        widths
    }

    fn make_dims(&mut self, model: &mut Model<'_>) {
        for var in (0..model.classes.len() as u32).map(Var) {
            if model.classes.find(var) != var {
                continue;
            }
            let is_fixed = model.classes.is_fixed(var);
            let first = self.values.len() as u32;
            match *model.view.analysis().sorts().get(model.classes.sort(var)) {
                SmtSort::BitVec(width) => self.push(width, Measure::Bits, is_fixed),
                SmtSort::Float(exponent, significand) => {
                    self.push(exponent, Measure::Exponent, is_fixed);
                    self.push(significand, Measure::Significand, is_fixed);
                }
                _ => continue,
            }
            self.first_dim[var.index()] = first;
        }
    }

    fn push(&mut self, value: u32, measure: Measure, is_fixed: bool) {
        self.values.push(value);
        self.least.push(if is_fixed { value } else { measure.least().min(value) });
        self.measures.push(measure);
        self.is_fixed.push(is_fixed);
    }

    /// The dimensions of a variable: none, one, or exponent and significand.
    pub(super) fn dims(&self, classes: &mut Classes, var: Var) -> impl Iterator<Item = Dim> + use<> {
        let first = self.first_dim[classes.find(var).index()];
        let n = match self.measures.get(first as usize) {
            None => 0,
            Some(Measure::Bits) => 1,
            Some(_) => 2,
        };
        (0..n).map(move |at| Dim(first + at))
    }

    /// The rules that a change of a dimension affects.
    pub(super) fn rules_of(&self, dim: Dim) -> &[u32] {
        &self.rules_of[dim.index()]
    }

    fn rule(&self, classes: &mut Classes, relation: &Relation) -> Option<Rule> {
        let mut dim = |var: Var, n: usize| self.dims(classes, var).nth(n);
        Some(match relation {
            Relation::Concat(parts, whole) => {
                let parts: Option<Vec<Dim>> = parts.iter().map(|&part| dim(part, 0)).collect();
                sum(parts?, 0, dim(*whole, 0)?)
            }
            Relation::AtMost(small, large) => Rule::AtMost(dim(*small, 0)?, dim(*large, 0)?),
            Relation::Divides(part, whole) => Rule::Divides(dim(*part, 0)?, dim(*whole, 0)?),
            Relation::Exponent(bits, float) => sum(vec![dim(*bits, 0)?], 0, dim(*float, 0)?),
            // The highest bit of a significand is not stored.
            Relation::Fraction(bits, float) => sum(vec![dim(*bits, 0)?], 1, dim(*float, 1)?),
            Relation::Ieee(bits, float) => sum(vec![dim(*float, 0)?, dim(*float, 1)?], 0, dim(*bits, 0)?),
        })
    }
}

/// Equal parts are counted, so that the effect of changing a part is known.
fn sum(mut parts: Vec<Dim>, plus: u32, whole: Dim) -> Rule {
    parts.sort_unstable();
    let mut counted: Vec<(Dim, u32)> = Vec::new();
    for part in parts {
        match counted.last_mut() {
            Some((last, times)) if *last == part => *times += 1,
            _ => counted.push((part, 1)),
        }
    }
    Rule::Sum { parts: counted.into(), plus, whole }
}
