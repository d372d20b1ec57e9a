//! Specification code: what says what is right is not under suspicion.
//!
//! A harness copies inputs, calls the program and the reference, and compares. Such code dominates the distance and explains nothing, so its
//! values do not count. A function is trusted with all it calls, as far as nobody else calls that.

use crate::options::Trust;
use crate::property::{Instance, PropertyKind};
use crate::values::function_of;
use nub_c_ir::{
    Body, Callee, Function, FunctionId, Instr, InstrKind, LocalKind, Place, PlaceBase, Program,
    TerminatorKind,
};
use nub_unroll::{Assignment, Unrolled};

/// Words in the name of a function that computes what is expected.
const WORDS: &[&str] = &["ref", "reference", "expected", "spec", "specification", "oracle", "golden"];

/// What is trusted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Trusted {
    /// By the number of the function.
    functions: Vec<bool>,
    /// Ends of names of files.
    files: Vec<String>,
}

impl Trusted {
    /// What to trust, the most first: if nothing is left to explain, the next is tried. Never empty.
    pub fn tiers(program: &Program, unrolled: &Unrolled, property: &Instance, trust: &Trust) -> Vec<Trusted> {
        let mut tiers = vec![Trusted::new(program, unrolled, property, trust)];
        if *trust == Trust::Automatic && property.kind == PropertyKind::Assertion {
            // The function that holds the property is under suspicion too; the references are not.
            let mut less = Trusted::new(program, unrolled, property, trust);
            let holder = function_of(unrolled, property.context);
            less.functions[holder.index()] = is_reference(&program.function(holder).name)
                || checkers(program, unrolled.function)[holder.index()];
            tiers.push(less);
        }
        tiers
    }

    fn new(program: &Program, unrolled: &Unrolled, property: &Instance, trust: &Trust) -> Trusted {
        let mut functions = vec![false; program.functions.len()];
        let mut files = Vec::new();
        match trust {
            Trust::Nothing => return Trusted::default(),
            Trust::Automatic => {
                // A rule of C holds everywhere: who breaks it is under suspicion.
                if property.kind == PropertyKind::Assertion {
                    functions[function_of(unrolled, property.context).index()] = true;
                }
                let checkers = checkers(program, unrolled.function);
                let all = program.functions.iter().zip(checkers).zip(&mut functions);
                for ((function, is_checker), is_trusted) in all {
                    *is_trusted |= is_checker || is_reference(&function.name);
                }
            }
            Trust::These(names) => {
                for (function, is_trusted) in program.functions.iter().zip(&mut functions) {
                    *is_trusted = names.contains(&function.name);
                }
                files = names.iter().filter(|name| name.contains('.')).cloned().collect();
            }
        }
        let references: Vec<usize> = match trust {
            // What the function that holds the property calls is the program.
            Trust::Automatic => {
                (0..functions.len()).filter(|at| is_reference(&program.functions[*at].name)).collect()
            }
            _ => (0..functions.len()).filter(|at| functions[*at]).collect(),
        };
        close(program, &mut functions, references);
        Trusted { functions, files }
    }

    /// Nothing is.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.functions.contains(&true)
    }

    /// This value is computed by trusted code.
    pub fn holds(&self, program: &Program, unrolled: &Unrolled, found: &Assignment) -> bool {
        if self.is_empty() {
            return false;
        }
        let function = function_of(unrolled, found.context);
        if self.functions.get(function.index()) == Some(&true) {
            return true;
        }
        let file = found.origin.map_or(program.function(function).position.file, |at| at.position.file);
        let name = program.files.get(file.index()).map_or("", String::as_str);
        self.files.iter().any(|end| name.ends_with(end.as_str()))
    }

    /// The names of the functions that are trusted.
    pub fn names(&self, program: &Program) -> Vec<String> {
        let all = program.functions.iter().zip(&self.functions);
        let trusted = all.filter(|(function, is_trusted)| **is_trusted && !function.is_model);
        trusted.map(|(function, _)| function.name.clone()).collect()
    }
}

/// A word of the name says so: `triangle_ref`, `reference`, `expectedResult`.
pub(crate) fn is_reference(name: &str) -> bool {
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

/// Functions that can do nothing but check: they return nothing, assign nothing, and call only such functions. Wrappers of an assertion are
/// such, as in `void check(int c) { if (!c) fail(); }`. The function that runs start in is none. O(calls × functions).
pub(crate) fn checkers(program: &Program, start: FunctionId) -> Vec<bool> {
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
        let returns =
            |block: &nub_c_ir::Block| matches!(block.terminator.kind, TerminatorKind::Return(Some(_)));
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

/// Functions that only trusted ones call are trusted too. O(calls × depth of calls).
fn close(program: &Program, trusted: &mut [bool], from: Vec<usize>) {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); trusted.len()];
    let callees = |at: usize| program.callees(&program.functions[at]);
    for caller in 0..trusted.len() {
        for (callee, _) in callees(caller) {
            callers[callee.index()].push(caller);
        }
    }
    let mut todo = from;
    while let Some(next) = todo.pop() {
        for (FunctionId(callee), _) in callees(next) {
            let callee = callee as usize;
            if !trusted[callee] && callers[callee].iter().all(|caller| trusted[*caller]) {
                trusted[callee] = true;
                todo.push(callee);
            }
        }
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
        let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
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
