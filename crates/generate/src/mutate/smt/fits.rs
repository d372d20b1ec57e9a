//! Whether an operator fits given sorts, by the strict rules of the standard.
//!
//! The analysis of `nub_smtlib` is lenient, because a reducer must accept what any solver accepts. A mutation must produce what
//! every solver accepts, so here no sort is converted, and arities are those on which all solvers agree.

use nub_smtlib::ops::{Associativity, OperatorSignature, Pat, Slot, SmtOp, SortRule, Theory};
use nub_smtlib::{SmtSort, SortId, Sorts};

/// The values of the variables of a signature.
#[derive(Clone, Copy, Default)]
pub(super) struct Bindings {
    vars: [Option<SortId>; Slot::N_VARS],
    num: Option<SortId>,
}

impl Bindings {
    fn bind(&mut self, var: u8, sort: SortId) -> bool {
        match self.vars.get_mut(var as usize) {
            Some(slot) => *slot.get_or_insert(sort) == sort,
            None => false,
        }
    }

    fn slot(&mut self, slot: Slot, sort: SortId) -> bool {
        match slot {
            Slot::Is(wanted) => wanted == sort,
            Slot::Var(var) => self.bind(var, sort),
        }
    }

    /// True if a sort is an instance of a pattern of `op`; binds the variables.
    pub(super) fn matches(&mut self, op: &SmtOp, pat: Pat, sort: SortId, sorts: &Sorts) -> bool {
        match (pat, sorts.get(sort)) {
            (Pat::Slot(Slot::Var(_)), SmtSort::RegLan | SmtSort::Fun(_)) => false,
            (Pat::Slot(slot), _) => self.slot(slot, sort),
            (Pat::Num, SmtSort::Int | SmtSort::Real) => {
                number_of(op).is_none_or(|only| only == sort) && *self.num.get_or_insert(sort) == sort
            }
            (Pat::BitVec(var), SmtSort::BitVec(_))
            | (Pat::Float(var), SmtSort::Float(..))
            | (Pat::Field(var), SmtSort::FiniteField(_)) => self.bind(var, sort),
            // `str.` operators are for strings, `seq.` operators for sequences.
            (Pat::Text(var), SmtSort::String) => op.theory == Theory::Strings && self.bind(var, sort),
            (Pat::Text(var), SmtSort::Seq(_)) => op.theory == Theory::Sequences && self.bind(var, sort),
            (Pat::Width(width), SmtSort::BitVec(got)) => width == *got,
            (Pat::Seq(slot), SmtSort::Seq(part))
            | (Pat::Set(slot), SmtSort::Set(part))
            | (Pat::Bag(slot), SmtSort::Bag(part)) => self.slot(slot, *part),
            (Pat::Array(key, element), SmtSort::Array(a, b)) => self.slot(key, *a) && self.slot(element, *b),
            _ => false,
        }
    }
}

/// For an operator that solvers accept on both `Int` and `Real`, the sort that the standard prescribes.
fn number_of(op: &SmtOp) -> Option<SortId> {
    match op.name {
        "to_real" | "abs" => Some(SortId::INT),
        "/" | "to_int" | "is_int" => Some(SortId::REAL),
        _ => None,
    }
}

/// True if all solvers accept this number of arguments.
fn takes(op: &SmtOp, n_args: usize) -> bool {
    match (op.signature, n_args) {
        (OperatorSignature::Fixed(params, _), n) => params.len() == n,
        (OperatorSignature::Nary(..), 0) => false,
        (OperatorSignature::Nary(..), 1) => op.name == "-",
        (OperatorSignature::Nary(..), 2) => true,
        // cvc5 accepts some of the others with two arguments only.
        (OperatorSignature::Nary(..), _) => match op.theory {
            Theory::Core | Theory::FloatingPoint => op.attribute != Associativity::None,
            Theory::Arith => op.name != "mod" && op.name != "div",
            _ => op.identity.is_some() && op.name != "bvxnor",
        },
        (OperatorSignature::Rule(_), _) => true,
    }
}

/// True if the operator accepts arguments of these sorts and has this result.
pub(super) fn fits(op: &SmtOp, args: &[SortId], result: SortId, sorts: &Sorts) -> bool {
    // Constants are leaves, not operators.
    if args.is_empty() {
        return false;
    }
    if let ("re.^" | "re.loop", [SortId::REGLAN]) = (op.name, args) {
        return result == SortId::REGLAN;
    }
    if !takes(op, args.len()) {
        return false;
    }
    let mut bindings = Bindings::default();
    match op.signature {
        OperatorSignature::Fixed(params, pat) => {
            params.iter().zip(args).all(|(&param, &arg)| bindings.matches(op, param, arg, sorts))
                && bindings.matches(op, pat, result, sorts)
        }
        OperatorSignature::Nary(param, pat) => {
            args.iter().all(|&arg| bindings.matches(op, param, arg, sorts))
                && bindings.matches(op, pat, result, sorts)
        }
        OperatorSignature::Rule(rule) => fits_rule(op, rule, args, result, sorts),
    }
}

fn width(sorts: &Sorts, sort: SortId) -> Option<u32> {
    match sorts.get(sort) {
        SmtSort::BitVec(width) => Some(*width),
        _ => None,
    }
}

fn fits_rule(op: &SmtOp, rule: SortRule, args: &[SortId], result: SortId, sorts: &Sorts) -> bool {
    let bits = |sort| width(sorts, sort);
    match (rule, args) {
        (SortRule::Ite, &[SortId::BOOL, then, other]) => {
            then == result && other == result && result != SortId::REGLAN
        }
        (SortRule::Concat, [_, _, ..]) => {
            let sum = args.iter().try_fold(0u32, |sum, &arg| sum.checked_add(bits(arg)?));
            sum.is_some() && sum == bits(result)
        }
        (SortRule::Extract, &[arg]) => {
            bits(arg).zip(bits(result)).is_some_and(|(from, to)| 1 <= to && to <= from)
        }
        (SortRule::Repeat, &[arg]) => {
            bits(arg).zip(bits(result)).is_some_and(|(from, to)| from > 0 && to >= from && to % from == 0)
        }
        (SortRule::Extend, &[arg]) => bits(arg).zip(bits(result)).is_some_and(|(from, to)| to >= from),
        (SortRule::FloatToBv, &[SortId::ROUNDING_MODE, arg]) => {
            matches!(sorts.get(arg), SmtSort::Float(..)) && bits(result).is_some()
        }
        (SortRule::Fp, &[sign, exponent, fraction]) => match (sorts.get(result), bits(sign)) {
            (SmtSort::Float(eb, sb), Some(1)) => {
                bits(exponent) == Some(*eb)
                    && bits(fraction).and_then(|bits| bits.checked_add(1)) == Some(*sb)
            }
            _ => false,
        },
        (SortRule::ToFp, args) => fits_to_fp(op, args, result, sorts),
        (SortRule::Select, &[array, key]) => *sorts.get(array) == SmtSort::Array(key, result),
        (SortRule::Store, &[array, key, element]) => {
            array == result && *sorts.get(array) == SmtSort::Array(key, element)
        }
        _ => false,
    }
}

fn fits_to_fp(op: &SmtOp, args: &[SortId], result: SortId, sorts: &Sorts) -> bool {
    let SmtSort::Float(eb, sb) = *sorts.get(result) else { return false };
    match (op.name, args) {
        ("to_fp", &[arg]) => width(sorts, arg).is_some() && width(sorts, arg) == eb.checked_add(sb),
        ("to_fp", &[SortId::ROUNDING_MODE, arg]) => {
            matches!(sorts.get(arg), SmtSort::BitVec(_) | SmtSort::Float(..))
        }
        ("to_fp_unsigned", &[SortId::ROUNDING_MODE, arg]) => width(sorts, arg).is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_smtlib::ops;

    fn names(args: &[SortId], result: SortId, sorts: &Sorts) -> Vec<&'static str> {
        let fitting = ops::all().iter().filter(|op| op.origin == ops::OperatorOrigin::Standard);
        fitting.filter(|op| fits(op, args, result, sorts)).map(|op| op.name).collect()
    }

    #[test]
    fn by_sorts() {
        let mut sorts = Sorts::default();
        let byte = sorts.intern(SmtSort::BitVec(8));
        let word = sorts.intern(SmtSort::BitVec(16));
        let float = sorts.intern(SmtSort::Float(5, 11));
        let (int, real, bool) = (SortId::INT, SortId::REAL, SortId::BOOL);
        assert_eq!(names(&[byte], word, &sorts), ["repeat", "zero_extend", "sign_extend"]);
        assert_eq!(names(&[word], byte, &sorts), ["extract"]);
        assert_eq!(names(&[byte, byte], word, &sorts), ["concat"]);
        assert_eq!(names(&[int], real, &sorts), ["to_real"]);
        assert_eq!(names(&[int, real], real, &sorts), [""; 0], "nothing is converted");
        assert_eq!(names(&[word], float, &sorts), ["to_fp"]);
        assert_eq!(names(&[bool, int, int], int, &sorts), ["ite"]);
        assert!(names(&[bool, bool, bool], bool, &sorts).contains(&"and"));
        assert!(names(&[byte, byte], byte, &sorts).contains(&"bvsmod"));
        assert!(!names(&[byte, byte, byte], byte, &sorts).contains(&"bvsub"));
        assert_eq!(names(&[SortId::STRING, SortId::REGLAN], bool, &sorts), ["str.in_re"]);
    }
}
