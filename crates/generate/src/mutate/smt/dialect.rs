//! Which operators may be introduced into a file.

use super::super::config::MutateDialect;
use super::seed::SmtSeed;
use nub_smtlib::SmtOp;
use nub_smtlib::ops::{self, OperatorOrigin};

/// New in SMT-LIB 2.7: current solvers support them, those of a few years ago do not. The operator table calls both
/// versions the standard.
const SINCE_2_7: &[&str] = &[
    "bvnego",
    "bvuaddo",
    "bvsaddo",
    "bvumulo",
    "bvsmulo",
    "bvusubo",
    "bvssubo",
    "bvsdivo",
    "ubv_to_int",
    "sbv_to_int",
    "int_to_bv",
];

/// Not in any theory of the standard, or with arguments that must be literals, or not supported by some version of z3.
const NEVER: &[&str] = &["^", "re.range", "const", "divisible"];

/// The operators that mutations of a seed may use.
pub(super) fn allowed(seed: &SmtSeed, dialect: MutateDialect) -> impl Iterator<Item = &'static SmtOp> + '_ {
    ops::all().iter().copied().filter(move |op| {
        let by_dialect = match op.origin {
            OperatorOrigin::Standard => dialect != MutateDialect::Common || !SINCE_2_7.contains(&op.name),
            OperatorOrigin::Cvc5 => dialect == MutateDialect::Cvc5,
            OperatorOrigin::Z3 => dialect == MutateDialect::Z3,
            OperatorOrigin::Old => false,
        };
        !NEVER.contains(&op.name) && (by_dialect || seed.used_ops.contains(op.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_seed_uses_may_be_used_again() {
        let text = b"(declare-const x (_ BitVec 4))(assert (bvuaddo x x))(assert (bvult x x))";
        let seed = SmtSeed::read(text).unwrap();
        let names = |dialect| allowed(&seed, dialect).map(|op| op.name).collect::<Vec<_>>();
        let common = names(MutateDialect::Common);
        assert!(common.contains(&"bvuaddo") && !common.contains(&"bvnego") && !common.contains(&"bvredor"));
        assert!(names(MutateDialect::Standard).contains(&"bvnego"));
        assert!(names(MutateDialect::Cvc5).contains(&"bvredor"));
        assert!(!names(MutateDialect::Z3).contains(&"bvredor"));
    }
}
