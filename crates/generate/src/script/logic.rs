//! The name of the logic.

use super::theories::{Fragment, Theories};

/// What a script uses in addition to its theories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Needs {
    /// Products of unknowns.
    pub nonlinear: bool,
    /// A feature that no named logic has: constant arrays, recursive functions.
    pub all: bool,
}

/// The name for `set-logic`: letters of the theories in the standard's order if there is such a logic, otherwise `ALL`.
pub(super) fn name(theories: Theories, needs: Needs) -> &'static str {
    let letters = letters(theories, needs);
    let known = KNOWN.iter().find(|name| **name == letters && !needs.all);
    known.copied().unwrap_or("ALL")
}

fn letters(theories: Theories, needs: Needs) -> String {
    use Fragment::*;
    let has = |fragment| theories.has(fragment);
    let mut name = String::new();
    let mut add = |is_there: bool, letters: &str| name.push_str(if is_there { letters } else { "" });
    let has_int = has(Ints) || has(Strings);
    let is_alone = |fragment| theories.iter().eq([fragment]);
    add(!has(Quantifiers), "QF_");
    add(has(Arrays), if is_alone(Arrays) { "AX" } else { "A" });
    add(has(Uf) || theories.iter().all(|fragment| fragment == Quantifiers), "UF");
    add(has(Bv), "BV");
    add(has(Fp), "FP");
    add(has(Datatypes), "DT");
    add(has(Strings), "S");
    add(has_int || has(Reals), if needs.nonlinear { "N" } else { "L" });
    add(has_int, "I");
    add(has(Reals), "R");
    add(has_int || has(Reals), "A");
    name
}

/// Logics of the standard that both z3 4.8.12 and cvc5 1.0.3 know. z3 ignores other names with a message.
const KNOWN: &[&str] = &[
    "ABV",
    "ALIA",
    "AUFBV",
    "AUFLIA",
    "AUFLIRA",
    "AUFNIA",
    "AUFNIRA",
    "BV",
    "FP",
    "LIA",
    "LRA",
    "NIA",
    "NRA",
    "QF_ABV",
    "QF_ALIA",
    "QF_ANIA",
    "QF_AUFBV",
    "QF_AUFLIA",
    "QF_AUFLIRA",
    "QF_AUFNIA",
    "QF_AUFNIRA",
    "QF_AX",
    "QF_BV",
    "QF_BVFP",
    "QF_DT",
    "QF_FP",
    "QF_FPLRA",
    "QF_LIA",
    "QF_LIRA",
    "QF_LRA",
    "QF_NIA",
    "QF_NIRA",
    "QF_NRA",
    "QF_SLIA",
    "QF_UF",
    "QF_UFBV",
    "QF_UFDT",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNIRA",
    "QF_UFNRA",
    "UF",
    "UFBV",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "UFNIRA",
    "UFNRA",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(theories: &str, nonlinear: bool, expected: &str) {
        let needs = Needs { nonlinear, all: false };
        assert_eq!(name(theories.parse().unwrap(), needs), expected);
        assert_eq!(name(theories.parse().unwrap(), Needs { all: true, ..needs }), "ALL");
    }

    #[test]
    fn names_are_those_of_the_standard() {
        check("core", false, "QF_UF");
        check("quantifiers", false, "UF");
        check("bv", true, "QF_BV");
        check("bv,arrays", false, "QF_ABV");
        check("arrays", false, "QF_AX");
        check("uf,arrays,bv,quantifiers", false, "AUFBV");
        check("ints,reals,arrays,uf", true, "QF_AUFNIRA");
        check("fp,reals", false, "QF_FPLRA");
        check("strings", false, "QF_SLIA");
        check("strings", true, "ALL");
        check("uf,datatypes", false, "QF_UFDT");
        check("bv,ints", false, "ALL");
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(KNOWN.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
