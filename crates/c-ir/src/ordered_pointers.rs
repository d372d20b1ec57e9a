//! Input pointers that the program compares by order, or subtracts.
//!
//! The order of two pointers is defined only inside one object, so a caller who passes two such pointers passes two into the same object. Each may be
//! the first one. So there has to be memory before each of them, for the other to point to. The same holds for `p + n == q`: such pointers are equal if
//! they point into one object.

use crate::ids::*;
use crate::ir::*;
use crate::opaque::{Flows, Holder, holder};
use crate::types::Type;
use rustc_hash::FxHashSet;

impl Program {
    /// What is declared to hold the pointers among the inputs of `start` that are compared by order with another one, or subtracted, or of which one
    /// is moved before it is compared. O(program × comparisons).
    pub(crate) fn ordered_inputs(&self, start: FunctionId, flows: &Flows) -> Vec<Holder> {
        let mut found = Vec::new();
        for id in self.reachable(start).into_iter().filter(|id| !self.function(*id).is_model) {
            let function = self.function(id);
            for expr in &function.exprs {
                let (a, b) = match expr.kind {
                    ExprKind::PointerCompare(CompareOp::Eq | CompareOp::Ne, a, b)
                        if !is_moved(function, a) && !is_moved(function, b) =>
                    {
                        continue;
                    }
                    ExprKind::PointerCompare(_, a, b) => (a, b),
                    ExprKind::PointerDifference { left, right, .. } => (left, right),
                    _ => continue,
                };
                let (Some(a), Some(b)) = (base(self, id, a), base(self, id, b)) else { continue };
                let (of_a, of_b) = (self.origins(start, flows, a), self.origins(start, flows, b));
                // A member may be one of two objects.
                let is_pair =
                    |one: &Holder| of_b.iter().any(|other| one != other || matches!(one, Holder::Field(..)));
                if of_a.iter().any(is_pair) {
                    found.extend(of_a.into_iter().chain(of_b));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a function that a run from `start` reaches moves a pointer and compares one with another: `for (; p != end; p++)`,
    /// `while (p != end) n += *p++`, `p + 1 == end`. O(program).
    pub(crate) fn steps_to_an_end(&self, start: FunctionId) -> bool {
        let reachable = self.reachable(start);
        let own = || reachable.iter().copied().filter(|id| !self.function(*id).is_model);
        let compares = |id: FunctionId| {
            let function = self.function(id);
            function.exprs.iter().any(|expr| match expr.kind {
                ExprKind::PointerCompare(_, a, b) => {
                    let (a, b) = (base(self, id, a), base(self, id, b));
                    a.is_some() && b.is_some() && a != b
                }
                _ => false,
            })
        };
        let compares_moved = |id: FunctionId| {
            let function = self.function(id);
            function.exprs.iter().any(|expr| match expr.kind {
                ExprKind::PointerCompare(_, a, b) => is_moved(function, a) || is_moved(function, b),
                _ => false,
            })
        };
        let moves = |id: FunctionId| {
            let function = self.function(id);
            let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
            instrs
                .any(|instr| self.moves(id, &instr.kind).iter().any(|(_, value)| is_moved(function, *value)))
        };
        own().any(compares) && (own().any(moves) || own().any(compares_moved))
    }

    /// The inputs that the value of a holder may come from.
    fn origins(&self, start: FunctionId, flows: &Flows, of: Holder) -> Vec<Holder> {
        let (mut seen, mut todo) = (FxHashSet::from_iter([of]), vec![of]);
        let mut found = Vec::new();
        while let Some(next) = todo.pop() {
            found.extend(self.input_type(next, start).map(|_| next));
            let before = flows.get(&next).into_iter().flatten();
            todo.extend(before.copied().filter(|holder| seen.insert(*holder)));
        }
        found
    }
}

/// What holds the pointer that an expression adds to.
fn base(program: &Program, function: FunctionId, mut id: ExprId) -> Option<Holder> {
    loop {
        let expr = program.function(function).expr(id);
        match &expr.kind {
            ExprKind::PointerCast(inner) => id = *inner,
            ExprKind::PointerAdd { pointer, .. } => id = *pointer,
            ExprKind::Load(place) if matches!(program.types.get(expr.ty), Type::Pointer(_)) => {
                return holder(function, place);
            }
            _ => return None,
        }
    }
}

/// Whether an expression adds to a pointer.
fn is_moved(function: &Function, mut id: ExprId) -> bool {
    while let ExprKind::PointerCast(inner) = function.expr(id).kind {
        id = inner;
    }
    matches!(function.expr(id).kind, ExprKind::PointerAdd { .. })
}

#[cfg(test)]
mod tests {
    use crate::DataModel;

    fn rooms(text: &str) -> Vec<u64> {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, found) = crate::lower(&unit, &DataModel::lp64());
        assert!(found.is_empty(), "{found:?}");
        let f = program.function_by_name("f").unwrap();
        program.give_room(f);
        let room = |at| program.rooms.of_parameter(at).map_or(0, |room| room.bytes);
        (0..program.function(f).n_params).map(room).collect()
    }

    #[test]
    fn pointers_that_are_ordered_have_memory_before_them() {
        assert_eq!(rooms("int f(char *a, char *b) { return a < b; }"), [16, 16]);
        assert_eq!(rooms("long f(int *a, int *b, int *c) { int *d = b; return c - (d + 1); }"), [0, 16, 16]);
        assert_eq!(rooms("int f(char *a, char *b) { return a == b; }"), [0, 0]);
        assert_eq!(rooms("int f(char *a, char *b) { return a + 1 == b; }"), [16, 16]);
        // Both come from one pointer.
        assert_eq!(rooms("long f(char *s) { char *p = s; while (*p) p++; return p - s; }"), [0]);
        let helper = "static int g(char *p, char *end) { return p >= end; }";
        assert_eq!(rooms(&format!("{helper} int f(char *s, char *t) {{ return g(s, t); }}")), [16, 16]);
    }
}
