//! Code that specifies the expected behaviour: functions that only check, and reference implementations, which are recognised by name.

use crate::ids::FunctionId;
use crate::ir::{
    BasicBlock, Body, Callee, Function, Instr, InstrKind, LocalKind, Place, PlaceBase, Program,
    TerminatorKind,
};

/// Words in the name of a function that computes what is expected.
const WORDS: &[&str] = &["ref", "reference", "expected", "spec", "specification", "oracle", "golden"];

/// Whether the name contains one of these words: `triangle_ref`, `reference`, `expectedResult`.
pub fn is_reference(name: &str) -> bool {
    let mut words: Vec<String> = vec![String::new()];
    for letter in name.chars() {
        let is_new = !letter.is_ascii_alphabetic() || letter.is_ascii_uppercase();
        if is_new && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphabetic()) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.iter().any(|word| WORDS.contains(&word.as_str()))
}

/// For each function, whether it can do nothing but check: it returns nothing, assigns nothing, and calls only such functions. Wrappers of an
/// assertion are examples: `void check(int c) { if (!c) fail(); }`. `start` itself never counts. O(calls × functions).
pub fn checkers(program: &Program, start: FunctionId) -> Vec<bool> {
    let assigns = |function: &Function, place: &Place| match place.base {
        PlaceBase::Local(local) => function.locals[local.index()].kind != LocalKind::Temporary,
        _ => true,
    };
    let is_quiet = |function: &Function| {
        let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
        let is_silent = |instr: &Instr| match &instr.kind {
            InstrKind::Store { place, .. } | InstrKind::Zero { place } | InstrKind::Input { place, .. } => {
                !assigns(function, place)
            }
            InstrKind::Call { callee: Callee::Direct(_), result, .. } => result.is_none(),
            InstrKind::Call { .. } | InstrKind::Allocate { .. } => false,
            _ => true,
        };
        let returns = |block: &BasicBlock| matches!(block.terminator.kind, TerminatorKind::Return(Some(_)));
        instrs.all(is_silent) && !function.blocks.iter().any(returns)
    };
    let all = program.functions.iter().enumerate();
    let mut found: Vec<bool> = all
        .map(|(index, function)| {
            let is_own = matches!(function.body, Body::Defined) && !function.is_model;
            is_own && index != start.index() && is_quiet(function)
        })
        .collect();
    loop {
        let is_wrong = |at: &usize| {
            let callees = program.callees(&program.functions[*at]);
            found[*at] && callees.into_iter().any(|(callee, _)| !found[callee.index()])
        };
        let wrong: Vec<usize> = (0..found.len()).filter(is_wrong).collect();
        if wrong.is_empty() {
            return found;
        }
        wrong.into_iter().for_each(|at| found[at] = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_can_only_check() {
        let text = "void __CPROVER_assert(int, const char *); void abort(void); int n;
            void fail(void) { __CPROVER_assert(0, \"\"); }
            void check(int c) { if (!c) { fail(); } return; }
            void need(int c) { if (!c) abort(); }
            void count(int c) { check(c); n++; }
            void local(int c) { int d = c + 1; check(d); }
            int same(int c) { check(c); return c; }
            void start(int c) { check(c); need(c); count(c); local(c); same(c); }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, _) = crate::lower(&unit, &crate::DataModel::lp64());
        let start = program.function_by_name("start").expect("it is there");
        let found = checkers(&program, start);
        let named = program.functions.iter().zip(found).filter(|(_, is_checker)| *is_checker);
        let mut names: Vec<&str> = named.map(|(function, _)| function.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["check", "fail", "need"]);
    }

    #[test]
    fn names_of_references() {
        for name in [
            "reference",
            "triangle_ref",
            "ref",
            "expectedResult",
            "spec2",
            "my_golden_value",
            "check_ihdr_ref",
        ] {
            assert!(is_reference(name), "{name}");
        }
        for name in ["prefix", "refuse", "special", "main", "", "xref1x", "refresh", "prefer", "inspect"] {
            assert!(!is_reference(name), "{name}");
        }
    }
}
