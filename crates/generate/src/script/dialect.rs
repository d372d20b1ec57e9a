//! The dialect of SMT-LIB to write, and what solvers do not support although the standard or the operator table has it.

use crate::error::OptionError;
use nub_smtlib::SmtOp;
use nub_smtlib::ops::OperatorOrigin;
use std::fmt;
use std::str::FromStr;

/// Which operators may occur.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ScriptDialect {
    /// Standard operators that both z3 4.8.12 and cvc5 1.0.3 support.
    #[default]
    Common,
    /// All standard operators, including those of version 2.7, which these solvers do not support yet.
    Standard,
    /// What z3 supports, including its own operators.
    Z3,
    /// What cvc5 supports, including its own operators.
    Cvc5,
}

impl ScriptDialect {
    /// All of them.
    pub const ALL: [ScriptDialect; 4] =
        [ScriptDialect::Common, ScriptDialect::Standard, ScriptDialect::Z3, ScriptDialect::Cvc5];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ScriptDialect::Common => "common",
            ScriptDialect::Standard => "standard",
            ScriptDialect::Z3 => "z3",
            ScriptDialect::Cvc5 => "cvc5",
        }
    }

    /// Whether a script may have the operator.
    pub(super) fn reads(self, op: &SmtOp) -> bool {
        let gap = GAPS.iter().find(|gap| gap.op == op.name).map(|gap| gap.who);
        let by_origin = match op.origin {
            OperatorOrigin::Standard => true,
            OperatorOrigin::Z3 => self == ScriptDialect::Z3,
            OperatorOrigin::Cvc5 => self == ScriptDialect::Cvc5,
            OperatorOrigin::Old => false,
        };
        by_origin
            && match gap {
                None => true,
                Some(Who::All) => false,
                Some(Who::Both) => self == ScriptDialect::Standard,
                Some(Who::Z3) => matches!(self, ScriptDialect::Standard | ScriptDialect::Cvc5),
                Some(Who::Cvc5) => matches!(self, ScriptDialect::Standard | ScriptDialect::Z3),
            }
    }

    /// Whether the operator only exists if there are both integers and reals.
    pub(super) fn is_mixed(op: &SmtOp) -> bool {
        MIXED.contains(&op.name)
    }

    /// Whether the operator accepts more than two arguments if its attribute says so.
    pub(super) fn extends(self, op: &SmtOp) -> bool {
        self == ScriptDialect::Standard || !PAIRS_ONLY.contains(&op.name)
    }
}

impl fmt::Display for ScriptDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ScriptDialect {
    type Err = OptionError;

    fn from_str(word: &str) -> Result<ScriptDialect, OptionError> {
        let found = ScriptDialect::ALL.into_iter().find(|dialect| dialect.name() == word);
        found.ok_or_else(|| OptionError::Dialect(word.to_owned()))
    }
}

/// Options that a solver needs for scripts of [`ScriptDialect::Common`]: cvc5 needs options for small floating-point formats, the
/// rarer string functions and several `check-sat`. They cannot be set in the file, because z3
/// exits at an option it does not know.
pub fn solver_options(solver: &str) -> &'static [&'static str] {
    match solver {
        "cvc5" => &["--incremental", "--fp-exp", "--strings-exp", "--arrays-exp"],
        _ => &[],
    }
}

/// Which solver does not support an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    /// z3 4.8.12.
    Z3,
    /// cvc5 1.0.3.
    Cvc5,
    /// Both: the operator is from SMT-LIB 2.7.
    Both,
    /// No script may use it, whatever the dialect.
    All,
}

struct Gap {
    op: &'static str,
    who: Who,
}

const fn gap(op: &'static str, who: Who) -> Gap {
    Gap { op, who }
}

/// Operators that a solver does not support, found by testing z3 4.8.12 and cvc5 1.0.3.
const GAPS: &[Gap] = &[
    // "unknown constant divisible".
    gap("divisible", Who::Z3),
    // Version 2.7. cvc5 has the predicates of two arguments, but not `bvnego`.
    gap("bvnego", Who::Both),
    gap("bvuaddo", Who::Z3),
    gap("bvsaddo", Who::Z3),
    gap("bvumulo", Who::Z3),
    gap("bvsmulo", Who::Z3),
    gap("bvusubo", Who::Z3),
    gap("bvssubo", Who::Z3),
    gap("bvsdivo", Who::Z3),
    gap("ubv_to_int", Who::Both),
    gap("sbv_to_int", Who::Both),
    gap("int_to_bv", Who::Both),
    // Mentioned in the theory of bit-vectors, but solvers call it `int2bv`.
    gap("nat2bv", Who::Both),
    // No theory of the standard has a power; cvc5 requires a small constant exponent.
    gap("^", Who::All),
    // From other versions of z3.
    gap("==", Who::Z3),
    gap("bmod", Who::Z3),
    gap("bvsmul_ovfl", Who::Z3),
    gap("bvumul_ovfl", Who::Z3),
    gap("if_then_else", Who::Z3),
    gap("re.all_char", Who::Z3),
    gap("re.full", Who::Z3),
    gap("re.reverse", Who::Z3),
    gap("str.last_indexof", Who::Z3),
    // From other versions of cvc5, or not supported for all sorts.
    gap("/_total", Who::Cvc5),
    gap("@bit", Who::Cvc5),
    gap("bit", Who::Cvc5),
    gap("bvite", Who::Cvc5),
    gap("bvredxor", Who::Cvc5),
    gap("bvsltbv", Who::Cvc5),
    gap("bvultbv", Who::Cvc5),
    gap("div_total", Who::Cvc5),
    gap("eqrange", Who::Cvc5),
    gap("fp.to_sbv_total", Who::Cvc5),
    gap("fp.to_ubv_total", Who::Cvc5),
    gap("int.ispow2", Who::Cvc5),
    gap("int.log2", Who::Cvc5),
    gap("mod_total", Who::Cvc5),
    gap("piand", Who::Cvc5),
    gap("pow2", Who::Cvc5),
    gap("sqrt", Who::Cvc5),
    gap("tuple.update", Who::Cvc5),
];

/// Operators of the combined theory of integers and reals, whose sorts do not show it.
const MIXED: &[&str] = &["is_int"];

/// Operators that the standard extends to more arguments, but neither solver does.
const PAIRS_ONLY: &[&str] = &["bvxnor", "mod", "rem", "str.<", "str.<="];

#[cfg(test)]
mod tests {
    use super::*;
    use nub_smtlib::ops;

    #[test]
    fn every_gap_is_an_operator() {
        for name in GAPS.iter().map(|gap| gap.op).chain(PAIRS_ONLY.iter().chain(MIXED).copied()) {
            assert!(ops::by_name(name.as_bytes()).is_some(), "{name}");
        }
    }

    #[test]
    fn dialects_differ_where_solvers_do() {
        let reads = |dialect: ScriptDialect, name: &str| {
            dialect.reads(ops::by_name(name.as_bytes()).and_then(|id| id.get()).unwrap())
        };
        let all = |name: &str| ScriptDialect::ALL.map(|dialect| reads(dialect, name));
        assert_eq!(all("bvadd"), [true; 4]);
        assert_eq!(all("bvuaddo"), [false, true, false, true]);
        assert_eq!(all("bvnego"), [false, true, false, false]);
        assert_eq!(all("bvredor"), [false, false, false, true]);
        assert_eq!(all("bv2int"), [false, false, true, false]);
        assert_eq!(all("^"), [false; 4]);
        assert!(ScriptDialect::ALL.iter().all(|dialect| dialect.to_string().parse() == Ok(*dialect)));
    }
}
