//! Functions whose bodies are elsewhere, taken to return any value.

use crate::ids::*;
use crate::ir::*;
use crate::types::Type;

/// Headers of the system: what they declare is there when a program is linked.
const SYSTEM: &str = "/usr/";

impl Program {
    /// Whether a place is in a header of the system.
    pub fn is_of_system(&self, position: Position) -> bool {
        self.files.get(position.file.index()).is_some_and(|file| file.starts_with(SYSTEM))
    }

    /// Makes inputs of the calls of functions without a body, as far as a run from `start` can come: any value comes back, and
    /// nothing else changes. Functions that return neither a number nor nothing stay as they are, and so do those of the system. [`Program::supplied`]
    /// names the functions. Linear in the program.
    pub fn supply_missing(&mut self, start: FunctionId) {
        let is_number = |ty| self.types.int_format(ty).is_some();
        let is_void = |ty| *self.types.get(ty) == Type::Void;
        let is_open: Vec<bool> = self
            .functions
            .iter()
            .map(|function| {
                matches!(function.body, Body::Missing)
                    && (is_number(function.result) || is_void(function.result))
                    && !self.is_of_system(function.position)
            })
            .collect();
        let names: Vec<String> = self.functions.iter().map(|function| function.name.clone()).collect();
        let mut supplied = Vec::new();
        for id in self.reachable(start) {
            for block in &mut self.functions[id.index()].blocks {
                block.instrs.retain_mut(|instr| {
                    let InstrKind::Call { callee: Callee::Direct(callee), result, .. } = &instr.kind else {
                        return true;
                    };
                    if !is_open[callee.index()] {
                        return true;
                    }
                    supplied.push(*callee);
                    let source = InputSource::Nondet(names[callee.index()].clone());
                    let Some(place) = result.clone() else { return false };
                    instr.kind = InstrKind::Input { place, source };
                    true
                });
            }
        }
        supplied.sort_unstable();
        supplied.dedup();
        self.supplied = supplied;
    }
}

#[cfg(test)]
mod tests {
    use crate::{DataModel, FunctionId, Program};

    fn supplied(text: &str) -> (Program, FunctionId) {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, _) = crate::lower(&unit, &DataModel::lp64());
        let f = program.function_by_name("f").unwrap();
        assert!(!program.refusals(f).is_empty());
        program.supply_missing(f);
        (program, f)
    }

    #[test]
    fn numbers_and_nothing_can_come_back() {
        let (program, f) = supplied(
            "int g(int); void log_it(const char *); unsigned char unused(void);\n\
             int h(int a) { log_it(\"\"); return g(a); }\n\
             int f(int a) { if (h(a)) return 1; return g(a) + 1; } int other(void) { return unused(); }",
        );
        assert!(program.refusals(f).is_empty());
        let names = program.supplied.iter().map(|id| program.function(*id).name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["g", "log_it"]);
    }

    #[test]
    fn what_nobody_uses_comes_back_too() {
        let (program, f) = supplied("int g(int); int f(int a) { g(a); return 1; }");
        let mut instrs = program.function(f).blocks.iter().flat_map(|block| &block.instrs);
        assert!(instrs.any(|instr| matches!(instr.kind, crate::InstrKind::Input { .. })));
    }

    #[test]
    fn pointers_and_the_system_are_left() {
        for text in [
            "char *g(void); int f(void) { return *g(); }",
            "# 1 \"/usr/include/x.h\"\nint g(void);\n# 1 \"f.c\"\nint f(void) { return g(); }",
        ] {
            let (program, f) = supplied(text);
            assert!(!program.refusals(f).is_empty(), "{text}");
            assert!(program.supplied.is_empty(), "{text}");
        }
    }
}
