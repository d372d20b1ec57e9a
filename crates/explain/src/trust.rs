//! Specification code is not suspect.
//!
//! A harness copies inputs, calls the program and the reference, and compares. Such code dominates the distance and explains nothing, so its values
//! do not count. A function is trusted together with everything that only trusted functions call.

use crate::options::Trust;
use crate::property::{Instance, PropertyKind};
use nub_c_ir::analysis::{checkers, is_reference};
use nub_c_ir::{FunctionId, Program};
use nub_unroll::{SsaAssignment, Unrolled};

/// What is trusted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Trusted {
    /// For each function, by its number.
    functions: Vec<bool>,
    /// File name suffixes.
    files: Vec<String>,
}

impl Trusted {
    /// What to trust, most first: if nothing is left to explain, the next one is tried. Never empty.
    pub fn tiers(program: &Program, unrolled: &Unrolled, property: &Instance, trust: &Trust) -> Vec<Trusted> {
        let mut tiers = vec![Trusted::new(program, unrolled, property, trust)];
        if *trust == Trust::Automatic && property.kind == PropertyKind::Assertion {
            // The function with the property is suspect too; the references are not.
            let mut less = Trusted::new(program, unrolled, property, trust);
            let holder = unrolled.function_of(property.context);
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
                // A rule of C holds everywhere: the code that violates it is suspect.
                if property.kind == PropertyKind::Assertion {
                    functions[unrolled.function_of(property.context).index()] = true;
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
            // What the function with the property calls is the program.
            Trust::Automatic => {
                (0..functions.len()).filter(|at| is_reference(&program.functions[*at].name)).collect()
            }
            _ => (0..functions.len()).filter(|at| functions[*at]).collect(),
        };
        close(program, &mut functions, references);
        Trusted { functions, files }
    }

    /// Whether nothing is trusted.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.functions.contains(&true)
    }

    /// Whether this value is computed by trusted code.
    pub fn holds(&self, program: &Program, unrolled: &Unrolled, found: &SsaAssignment) -> bool {
        if self.is_empty() {
            return false;
        }
        let function = unrolled.function_of(found.context);
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
