//! A program for the compiler that has only the functions near to some names.
//!
//! A test of one function executes a few of the thousands of functions of a large file, but the compiler takes seconds for all of them: 8 s of processor time for SQLite
//! under sanitizers. In the text made here, functions that are far away stay defined, so that tables of functions can be initialised, but their bodies only trap. A
//! test that reaches such a body ends there, and does not seem to pass. (A test that expects undefined behaviour would: it needs the whole program.)
//!
//! Near means: named in the given text, or in a body or initialiser that is near. Bodies are taken nearest first up to a number of bytes, because most large programs
//! have one function from which everything can be reached.

use crate::ast::{Declarator, Item};
use crate::raw_tokens;
use crate::unit::TranslationUnit;
use nub_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// What the other functions do.
const TRAP: &[u8] = b"{ __builtin_trap(); }";

/// Functions with these attributes run without being called.
const RUN_ANYWAY: [&[u8]; 3] = [b"constructor", b"destructor", b"ifunc"];

/// The text with the bodies of at most about `max_bytes` that are nearest to the names in `start`. `None` if all bodies together are not larger.
/// O(text).
pub fn near_functions(unit: &TranslationUnit, start: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    let bodies: Vec<Span> = unit.functions().map(|(_, found)| unit.stmt(found.body).span).collect();
    if bodies.iter().map(|body| body.len()).sum::<usize>() <= max_bytes {
        return None;
    }
    let places = Places::new(unit, &bodies);
    let is_near = places.near(unit, start, max_bytes);
    let source = unit.source();
    let mut text = Vec::with_capacity(source.len());
    let mut copied = 0;
    for (body, _) in bodies.iter().zip(&is_near).filter(|(_, is_near)| !**is_near) {
        // A function inside of another one is part of it.
        if (body.start as usize) < copied {
            continue;
        }
        text.extend_from_slice(&source[copied..body.start as usize]);
        text.extend_from_slice(TRAP);
        copied = body.end as usize;
    }
    text.extend_from_slice(&source[copied..]);
    Some(text)
}

/// Where names get their meaning.
struct Places<'u> {
    /// Bodies of functions, by number.
    bodies: &'u [Span],
    functions: FxHashMap<&'u str, Vec<usize>>,
    /// Declarations with an initialiser.
    objects: FxHashMap<&'u str, Vec<Span>>,
    /// Functions that run anyway.
    first: Vec<usize>,
}

impl<'u> Places<'u> {
    fn new(unit: &'u TranslationUnit, bodies: &'u [Span]) -> Places<'u> {
        let mut places = Places {
            bodies,
            functions: FxHashMap::default(),
            objects: FxHashMap::default(),
            first: Vec::new(),
        };
        let name = |declarator: &Declarator| declarator.name.map(|name| unit.name(name.name));
        for (number, (_, function)) in unit.functions().enumerate() {
            if let Some(name) = name(&function.declarator) {
                places.functions.entry(name).or_default().push(number);
            }
            let head = Span { start: function.span.start, end: bodies[number].start };
            if words(unit.text(head)).any(|word| RUN_ANYWAY.contains(&word)) {
                places.first.push(number);
            }
        }
        for item in &unit.items {
            let Item::Declaration(id) = item else { continue };
            let declaration = unit.decl(*id);
            for found in declaration.declarators.iter().filter(|found| found.init.is_some()) {
                if let Some(name) = name(&found.declarator) {
                    places.objects.entry(name).or_default().push(declaration.span);
                }
            }
        }
        places
    }

    /// Which functions are near.
    fn near(&self, unit: &TranslationUnit, start: &[u8], max_bytes: usize) -> Vec<bool> {
        let mut is_near = vec![false; self.bodies.len()];
        let mut n_bytes = 0;
        let mut is_known: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut todo: VecDeque<Vec<u8>> = VecDeque::new();
        let mut learn = |text: &[u8], todo: &mut VecDeque<Vec<u8>>| {
            for word in words(text) {
                if !is_known.contains(word) {
                    is_known.insert(word.to_owned());
                    todo.push_back(word.to_owned());
                }
            }
        };
        learn(start, &mut todo);
        for number in &self.first {
            is_near[*number] = true;
            learn(unit.text(self.bodies[*number]), &mut todo);
        }
        while let Some(name) = todo.pop_front() {
            let Ok(name) = std::str::from_utf8(&name) else { continue };
            for number in self.functions.get(name).into_iter().flatten() {
                let body = self.bodies[*number];
                if n_bytes + body.len() > max_bytes && n_bytes > 0 {
                    continue;
                }
                n_bytes += body.len();
                is_near[*number] = true;
                learn(unit.text(body), &mut todo);
            }
            self.objects.get(name).into_iter().flatten().for_each(|span| learn(unit.text(*span), &mut todo));
        }
        is_near
    }
}

/// Names and numbers.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let tokens = raw_tokens(text).into_iter().map(|token| &text[token]);
    tokens.filter(|word| word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const PROGRAM: &[u8] = b"\
        static int far(int a) { return a + 1; }\n\
        static int in_table(int a) { return a + 2; }\n\
        static int (*const table[])(int) = { in_table, 0 };\n\
        int near(int a) { return a + 3; }\n\
        __attribute__((constructor)) static void first(void) { near(1); }\n\
        int f(a) int a; { return near(a) + table[0](a); }\n\
        int g(void) { return far(1) + f(2); }\n";

    fn near(start: &str, max_bytes: usize) -> Option<String> {
        let (unit, found) = parse(PROGRAM);
        assert!(found.iter().all(|found| found.severity != nub_text::Severity::Error), "{found:?}");
        near_functions(&unit, start.as_bytes(), max_bytes).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn far_functions_trap() {
        let text = near("f(7)", 100).unwrap();
        for kept in ["{ return a + 2; }", "{ return a + 3; }", "int a; { return near(a)", "{ near(1); }"] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        assert!(text.contains("static int far(int a) { __builtin_trap(); }\n"), "{text}");
        assert!(text.contains("int g(void) { __builtin_trap(); }\n"), "{text}");
    }

    #[test]
    fn the_nearest_come_first() {
        let text = near("f", 60).unwrap();
        assert!(
            text.contains("{ return near(a) + table[0](a); }") && text.contains("{ return a + 3; }"),
            "{text}"
        );
        assert!(text.contains("in_table(int a) { __builtin_trap(); }"), "{text}");
        // However long it is, the first one stays.
        assert!(near("f", 1).unwrap().contains("{ return near(a) + table[0](a); }"));
    }

    #[test]
    fn small_programs_stay() {
        assert_eq!(near("f", 1 << 10), None);
    }
}
