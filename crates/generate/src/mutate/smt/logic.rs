//! Logics as sets of features: what a script needs, what the name of a logic allows, and the name for a set.
//!
//! A mutant may not fit the logic of its seed: `(* 2 x)` becomes `(* y x)`. Then the mutant gets the smallest
//! usual logic that has the features of both, or `ALL` if there is none.

use nub_smtlib::{
    Analysis, DeclKind, NodeId, NodeKind, NodeRole, Script, SmtSort, SortId, ops::OperatorOrigin, ops::Theory,
};

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Features(u32);

const QUANTIFIERS: u32 = 1;
const ARRAYS: u32 = 1 << 1;
const FUNCTIONS: u32 = 1 << 2;
const BITS: u32 = 1 << 3;
const FLOATS: u32 = 1 << 4;
const DATATYPES: u32 = 1 << 5;
const STRINGS: u32 = 1 << 6;
const INTS: u32 = 1 << 7;
const REALS: u32 = 1 << 8;
const NONLINEAR: u32 = 1 << 9;
/// More than difference logic.
const LINEAR: u32 = 1 << 10;
/// Features that no name expresses.
const OTHER: u32 = 1 << 11;
/// An operator of arithmetic. Scripts in `QF_S` have integers, but some solvers accept no operators on them there.
const ARITHMETIC: u32 = 1 << 12;
/// Functions as values: not even `ALL` allows them.
const HIGHER_ORDER: u32 = 1 << 13;

/// Names that z3 and cvc5 know. A set whose name is in no seed and not in this list becomes `ALL`.
const USUAL: &[&str] = &[
    "AUFLIA",
    "AUFLIRA",
    "AUFNIRA",
    "LIA",
    "LRA",
    "NIA",
    "NRA",
    "UF",
    "UFBV",
    "UFLRA",
    "UFNIA",
    "BV",
    "QF_ABV",
    "QF_ALIA",
    "QF_AUFBV",
    "QF_AUFLIA",
    "QF_AX",
    "QF_BV",
    "QF_BVFP",
    "QF_FP",
    "QF_FPLRA",
    "QF_IDL",
    "QF_LIA",
    "QF_LIRA",
    "QF_LRA",
    "QF_NIA",
    "QF_NIRA",
    "QF_NRA",
    "QF_RDL",
    "QF_S",
    "QF_SLIA",
    "QF_UF",
    "QF_UFBV",
    "QF_UFIDL",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "UFIDL",
];

impl Features {
    /// What a logic allows; `None` for unknown names.
    pub(super) fn of_name(name: &str) -> Option<Features> {
        match name {
            "ALL" | "ALL_SUPPORTED" => return Some(Features(!HIGHER_ORDER)),
            "HO_ALL" => return Some(Features(u32::MAX)),
            _ => {}
        }
        let mut bits = 0;
        let mut rest = match name.strip_prefix("QF_") {
            Some(rest) => rest,
            None => {
                bits |= QUANTIFIERS;
                name
            }
        };
        // Longer words come before their prefixes.
        let words = [
            ("AX", ARRAYS),
            ("A", ARRAYS),
            ("UF", FUNCTIONS),
            ("BV", BITS),
            ("FP", FLOATS),
            ("DT", DATATYPES),
            ("S", STRINGS | INTS),
            ("IDL", ARITHMETIC | INTS),
            ("RDL", ARITHMETIC | REALS),
            ("LIRA", ARITHMETIC | INTS | REALS | LINEAR),
            ("LIA", ARITHMETIC | INTS | LINEAR),
            ("LRA", ARITHMETIC | REALS | LINEAR),
            ("NIRA", ARITHMETIC | INTS | REALS | LINEAR | NONLINEAR),
            ("NIA", ARITHMETIC | INTS | LINEAR | NONLINEAR),
            ("NRA", ARITHMETIC | REALS | LINEAR | NONLINEAR),
        ];
        for (word, features) in words {
            if let Some(after) = rest.strip_prefix(word) {
                bits |= features;
                rest = after;
            }
        }
        (rest.is_empty() && bits & !QUANTIFIERS != 0).then_some(Features(bits))
    }

    /// What the terms and declarations of a script need. Linear.
    pub(super) fn of_script(script: &Script, analysis: &Analysis) -> Features {
        let mut bits = 0;
        for node in script.tree().nodes() {
            match analysis.role(node) {
                NodeRole::Term => bits |= of_term(script, analysis, node),
                NodeRole::Sort => bits |= analysis.sort_value(node).map_or(0, |sort| of_sort(analysis, sort)),
                _ => {}
            }
        }
        for decl in analysis.decls() {
            use nub_smtlib::DeclKind::{Constructor, Datatype, Fun, Recursive, Sort};
            bits |= match decl.kind {
                Datatype | Constructor => DATATYPES,
                Sort => FUNCTIONS,
                Recursive => OTHER,
                Fun if !decl.params.is_empty() => FUNCTIONS,
                _ => 0,
            };
        }
        Features(bits)
    }

    /// True if it includes all of `other`.
    pub(super) fn has(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union of both.
    pub(super) fn join(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    pub(super) fn has_quantifiers(self) -> bool {
        self.0 & QUANTIFIERS != 0
    }

    /// True if a numeral is a real: there are reals and no integers.
    pub(super) fn numerals_are_real(self) -> bool {
        self.0 & (INTS | REALS) == REALS
    }

    /// The name of the smallest usual logic that has all features, or `ALL`.
    pub(super) fn name_or_all(self) -> String {
        let all = if self.0 & HIGHER_ORDER != 0 { "HO_ALL" } else { "ALL" };
        self.name().unwrap_or_else(|| all.to_owned())
    }

    /// The name of the logic that has exactly these features, if it is a usual one.
    pub(super) fn name(self) -> Option<String> {
        let has = |bit| self.0 & bit != 0;
        if has(OTHER | HIGHER_ORDER) {
            return None;
        }
        let mut name = String::new();
        if !has(QUANTIFIERS) {
            name.push_str("QF_");
        }
        let is_only_arrays = self.0 & !QUANTIFIERS == ARRAYS;
        for (bit, word) in [
            (ARRAYS, if is_only_arrays { "AX" } else { "A" }),
            (FUNCTIONS, "UF"),
            (BITS, "BV"),
            (FLOATS, "FP"),
            (DATATYPES, "DT"),
            (STRINGS, "S"),
        ] {
            if has(bit) {
                name.push_str(word);
            }
        }
        let degree = if has(NONLINEAR) { "N" } else { "L" };
        let numbers = match (has(INTS), has(REALS)) {
            (true, true) => "IRA",
            (true, false) => "IA",
            (false, true) => "RA",
            (false, false) => "",
        };
        let is_only_strings = has(STRINGS) && !has(ARITHMETIC) && !has(REALS);
        if !numbers.is_empty() && !is_only_strings {
            name.push_str(degree);
            name.push_str(numbers);
        }
        USUAL.contains(&name.as_str()).then_some(name)
    }
}

fn of_sort(analysis: &Analysis, sort: SortId) -> u32 {
    match analysis.sorts().get(sort) {
        SmtSort::Bool | SmtSort::Unknown | SmtSort::Param(_) | SmtSort::User(..) => 0,
        SmtSort::Int => INTS,
        SmtSort::Real => REALS,
        SmtSort::String | SmtSort::RegLan => STRINGS,
        SmtSort::RoundingMode | SmtSort::Float(..) => FLOATS,
        SmtSort::BitVec(_) => BITS,
        SmtSort::Array(..) => ARRAYS,
        SmtSort::Fun(_) => HIGHER_ORDER,
        _ => OTHER,
    }
}

fn of_term(script: &Script, analysis: &Analysis, node: NodeId) -> u32 {
    let tree = script.tree();
    let mut bits = analysis.sort_of(node).map_or(0, |sort| of_sort(analysis, sort));
    // Digits are also part of floating-point literals, which do not need the theory of bit-vectors.
    let parent = tree.parent(node).and_then(|parent| analysis.head(parent)).and_then(|head| head.op);
    if parent.is_some_and(|op| op.theory == Theory::FloatingPoint) {
        bits &= !BITS;
    }
    match analysis.head(node) {
        Some(head) => {
            let Some(op) = head.op else { return bits };
            let is_arith = op.theory == Theory::Arith && tree.is_list(node);
            bits |= if is_arith { ARITHMETIC } else { 0 };
            bits |= if op.theory == Theory::BitVectors { BITS } else { 0 };
            // Transcendental functions and similar.
            bits |=
                if op.theory == Theory::Arith && op.origin != OperatorOrigin::Standard { OTHER } else { 0 };
            if is_arith && !matches!(op.name, "<" | "<=" | ">" | ">=" | "-") {
                bits |= LINEAR;
            }
            if is_arith && is_nonlinear(script, analysis, node, op.name) {
                bits |= NONLINEAR;
            }
        }
        None => {
            let first = tree.first_child(node).filter(|&first| tree.kind(first) == NodeKind::Symbol);
            match first.map(|first| script.slice(first)) {
                Some(b"forall" | b"exists") => bits |= QUANTIFIERS,
                Some(b"lambda") => bits |= HIGHER_ORDER,
                _ => {}
            }
        }
    }
    bits
}

/// True for products of two terms that are not numbers, and for divisions by a term that is not a nonzero number.
fn is_nonlinear(script: &Script, analysis: &Analysis, node: NodeId, name: &str) -> bool {
    let tree = script.tree();
    let args = tree.children(node).skip(1);
    match name {
        "*" => args.filter(|&arg| !is_number(script, analysis, arg)).count() > 1,
        "/" | "div" | "mod" => {
            args.skip(1).any(|arg| !is_number(script, analysis, arg) || is_zero(script.slice(arg)))
        }
        "+" | "-" | "<" | "<=" | ">" | ">=" | "to_real" | "to_int" | "is_int" | "abs" | "divisible" => false,
        _ => true,
    }
}

fn is_zero(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'0' | b'.'))
}

/// `2`, `2.0`, `(- 2)`, `(/ 1 3)`, and a `let` variable whose value is one of these.
fn is_number(script: &Script, analysis: &Analysis, node: NodeId) -> bool {
    let let_value =
        analysis.decl_of(node).map(|id| analysis.decl(id)).filter(|decl| decl.kind == DeclKind::Let);
    // The nodes of a binding are the list, the name, and the value.
    let node = let_value.map_or(node, |decl| NodeId(decl.name.0 + 1));
    let tree = script.tree();
    // A number has at most seven nodes: `(- (/ 1 3))`.
    const MAX_NODES: usize = 8;
    tree.size(node) <= MAX_NODES
        && tree.subtree(node).all(|inner| match tree.kind(inner) {
            NodeKind::Numeral | NodeKind::Decimal => true,
            // Only a sign, not a difference: solvers fold differences too late.
            NodeKind::List => {
                let is_minus = tree.first_child(inner).is_some_and(|head| script.slice(head) == b"-");
                !is_minus || tree.children(inner).count() == 2
            }
            NodeKind::Symbol => {
                analysis.op_of(inner).is_some_and(|op| matches!(op.name, "-" | "/"))
                    || is_signed(script.slice(inner))
            }
            _ => false,
        })
}

/// `-2`, in the syntax of z3.
fn is_signed(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b'-' && text[1..].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_are_read_and_written_again() {
        for name in USUAL.iter().filter(|name| !name.contains("DL")) {
            let features = Features::of_name(name).unwrap();
            assert_eq!(features.name().as_deref(), Some(*name));
        }
        assert!(Features::of_name("ALL").unwrap().has(Features::of_name("AUFNIRA").unwrap()));
        assert_eq!(Features::of_name("HORN"), None);
        assert_eq!(Features::of_name("QF_"), None);
    }

    #[test]
    fn what_scripts_need() {
        let cases: &[(&str, &str)] = &[
            ("(declare-const x Int)(assert (< (* 2 x) (- 3)))", "QF_LIA"),
            ("(declare-const x Int)(assert (< (* x x) 3))", "QF_NIA"),
            ("(declare-const x Int)(assert (let ((k 7)) (< (* k x) 3)))", "QF_LIA"),
            ("(declare-const x Real)(assert (< (/ x 0.0) 3.0))", "QF_NRA"),
            ("(declare-fun f ((_ BitVec 4)) Bool)(assert (f #x1))", "QF_UFBV"),
            ("(declare-const x Int)(assert (forall ((y Int)) (< y (+ 1 x))))", "LIA"),
        ];
        for (text, name) in cases {
            let (script, _) = Script::parse(text.as_bytes());
            let features = Features::of_script(&script, &script.analyse());
            assert!(Features::of_name(name).unwrap().has(features), "{text}");
            assert_eq!(features.name().as_deref(), Some(*name), "{text}");
        }
    }
}
