//! What unknown callers and other files can do to a program.

use crate::ids::*;
use crate::ir::*;
use crate::types::Type;

/// At most this many addresses are considered: each is one more choice for every pointer.
const MAX_ADDRESSES: usize = 4;

/// The model of the function that returns the address of `errno`.
const ERRNO: &str = "__errno_location";

impl Program {
    /// Whether a caller can hold a pointer to this global object. Not if only this file can name it, and nothing in this file takes its address.
    pub fn is_exposed(&self, global: GlobalId) -> bool {
        let global = &self.globals[global.index()];
        !global.is_internal || global.address_taken || global.is_of_partial_file
    }

    /// For each global object, whether its value may differ from the initial one when a function is called. Other files write what they can name or
    /// point to, and this file what it assigns. O(instructions).
    pub fn changeable_globals(&self) -> Vec<bool> {
        let is_hidden = |body: &Body| matches!(body, Body::Refused(_));
        let is_all_known = !self.functions.iter().any(|function| is_hidden(&function.body));
        let mut is_written = vec![!is_all_known; self.globals.len()];
        for instr in
            self.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instrs)
        {
            if let Some(PlaceBase::Global(id)) = instr.kind.written().map(|place| place.base) {
                is_written[id.index()] = true;
            }
        }
        let ids = (0..self.globals.len()).map(GlobalId::next);
        let may_change = |id: GlobalId| {
            let global = &self.globals[id.index()];
            // A caller may set the rounding mode.
            self.rounding == Some(id)
                || (!global.is_const || global.is_weak) && (self.is_exposed(id) || is_written[id.index()])
        };
        ids.map(may_change).collect()
    }

    /// Whether a call of this function may use a definition of another file, although there is one here: it is defined `inline`, and not the external
    /// definition. The system's own definitions do the same.
    pub fn may_use_another(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let Inlining { is_external, is_gnu, is_always } = function.inlining;
        let is_alternative = is_gnu || function.is_inline && !is_external;
        is_alternative
            && !is_always
            && !function.is_model
            && matches!(function.body, Body::Defined)
            && !self.is_of_system(function.position)
    }

    /// Whether this function may be missing when the program is linked: it is weak and has no body here, or only one that we made.
    pub fn may_be_missing(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        function.is_weak && (function.is_model || !matches!(function.body, Body::Defined | Body::Refused(_)))
    }

    /// Whether this object of a model says which characters are letters and so on, as the headers of glibc look it up.
    pub fn is_locale_table(&self, id: GlobalId) -> bool {
        let global = &self.globals[id.index()];
        let owner = global.owner.map(|owner| self.function(owner));
        owner.is_some_and(|owner| owner.is_model && owner.name == "__ctype_b_loc")
            && matches!(self.types.get(global.ty), crate::Type::Array(..))
    }

    /// Whether this is the object behind `errno`.
    pub fn is_errno(&self, id: GlobalId) -> bool {
        let owner = self.globals[id.index()].owner.map(|owner| self.function(owner));
        owner.is_some_and(|owner| owner.is_model && owner.name == ERRNO)
    }

    /// Whether a run from `start` calls functions of the library, other than to find `errno`. Linear in the program.
    pub fn calls_library(&self, start: FunctionId) -> bool {
        let is_call = |instr: &Instr| match &instr.kind {
            InstrKind::Allocate { .. } | InstrKind::Free { .. } => true,
            InstrKind::Input { source, .. } => {
                matches!(source, InputSource::Scan(_) | InputSource::Scanned(_) | InputSource::Library(..))
            }
            _ => false,
        };
        self.reachable(start).into_iter().any(|id| {
            let function = self.function(id);
            let is_stub = self.supplied.contains(&id) || self.callbacks.contains(&id);
            let is_library = function.is_model && function.name != ERRNO && !is_stub;
            let computes = |expr: &Expr| matches!(expr.kind, ExprKind::Float(op, _) if op.is_library_call());
            is_library
                || function.exprs.iter().any(computes)
                || function.blocks.iter().flat_map(|block| &block.instrs).any(is_call)
        })
    }

    /// Numbers other than zero that a run from `start` uses as addresses, such as `(T *)1`, in ascending order.
    pub fn address_constants(&self, start: FunctionId) -> Vec<u128> {
        let mut found = Vec::new();
        for function in self.reachable(start).into_iter().map(|id| self.function(id)) {
            // Registers appear in no instruction: their reads are inputs, and their writes have no effect.
            for id in used(function) {
                let ExprKind::IntToPointer(from) = function.expr(id).kind else { continue };
                found.extend(constant(function, from).filter(|address| *address != 0));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_ADDRESSES);
        found
    }

    /// Whether a run from `start` can tell if two pointers point to one object. It can only if it compares pointers, or writes or frees what one of
    /// them may point to.
    pub fn can_see_aliases(&self, start: FunctionId) -> bool {
        let functions = self.reachable(start).into_iter().map(|id| self.function(id));
        let compares = |function: &Function| {
            function.exprs.iter().any(|expr| {
                matches!(expr.kind, ExprKind::PointerCompare(_, a, b) if !function.is_null(a) && !function.is_null(b))
                    || matches!(expr.kind, ExprKind::PointerDifference { .. })
            })
        };
        functions.into_iter().any(compares) || self.changes_memory(start)
    }

    /// Whether a run from `start` frees anything, or writes through a pointer or to a global object.
    pub fn changes_memory(&self, start: FunctionId) -> bool {
        let functions = self.reachable(start).into_iter().map(|id| self.function(id));
        let mut instrs = functions.flat_map(|function| &function.blocks).flat_map(|block| &block.instrs);
        instrs.any(|instr| match &instr.kind {
            InstrKind::Free { .. } => true,
            kind => kind
                .written()
                .is_some_and(|place| matches!(place.base, PlaceBase::Pointer(_) | PlaceBase::Global(_))),
        })
    }

    /// Whether a run from `start` compares pointers to functions with each other.
    pub fn compares_functions(&self, start: FunctionId) -> bool {
        let functions = self.reachable(start).into_iter().map(|id| self.function(id));
        let to_function = |function: &Function, id: ExprId| {
            let target = self.types.pointee(function.expr(id).ty);
            target.is_some_and(|target| matches!(self.types.get(target), Type::Function(_)))
        };
        let compares = |function: &Function| {
            function.exprs.iter().any(|expr| {
                matches!(expr.kind, ExprKind::PointerCompare(_, a, b)
                    if to_function(function, a) && !function.is_null(a) && !function.is_null(b))
            })
        };
        functions.into_iter().any(compares)
    }

    /// Whether a run from `start` can tell which elements of one object two pointers point to: it orders or subtracts pointers, or moves one and
    /// compares it with another.
    pub fn orders_pointers(&self, start: FunctionId) -> bool {
        let is_order = |kind: &ExprKind| match kind {
            ExprKind::PointerCompare(op, ..) => !matches!(op, CompareOp::Eq | CompareOp::Ne),
            ExprKind::PointerDifference { .. } => true,
            _ => false,
        };
        let functions = self.reachable(start).into_iter().map(|id| self.function(id));
        functions.into_iter().any(|function| function.exprs.iter().any(|expr| is_order(&expr.kind)))
            || self.steps_to_an_end(start)
    }

    /// Whether a run from `start` reads a bit-field that is wider than `int` and narrower than its type: compilers differ in the type of its value.
    pub fn uses_wide_bit_fields(&self, start: FunctionId) -> bool {
        let is_wide = |expr: &Expr| match &expr.kind {
            ExprKind::Load(place) => match place.steps.last() {
                Some(PlaceStep::Field(record, field)) => {
                    let field = &self.types.record(*record).fields[*field as usize];
                    let declared = self.types.int_kind(field.ty).map(|kind| self.types.format_of(kind).width);
                    let is_between = |width: u32| {
                        width > self.types.model.int_bits && declared.is_some_and(|of| width < of)
                    };
                    field.bits.is_some_and(|bits| is_between(bits.width))
                }
                _ => false,
            },
            _ => false,
        };
        self.reachable(start).into_iter().any(|id| self.function(id).exprs.iter().any(is_wide))
    }

    /// The global objects that a run from `start` names.
    pub fn named_globals(&self, start: FunctionId) -> Vec<GlobalId> {
        let mut found = Vec::new();
        for function in self.reachable(start).into_iter().map(|id| self.function(id)) {
            let of_exprs = function.exprs.iter().filter_map(|expr| match &expr.kind {
                ExprKind::Load(place) | ExprKind::AddressOf(place) => Some(place),
                _ => None,
            });
            let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
            let of_instrs = instrs.filter_map(|instr| instr.kind.written());
            found.extend(of_exprs.chain(of_instrs).filter_map(|place| match place.base {
                PlaceBase::Global(id) => Some(id),
                _ => None,
            }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Expressions that the instructions and terminators of a function use. O(expressions).
fn used(function: &Function) -> Vec<ExprId> {
    let mut todo = Vec::new();
    for block in &function.blocks {
        for instr in &block.instrs {
            instr.kind.written().into_iter().for_each(|place| crate::place_children(place, &mut todo));
            match &instr.kind {
                InstrKind::Store { value: only, .. }
                | InstrKind::Assume { condition: only }
                | InstrKind::Assert { condition: only, .. }
                | InstrKind::Check { condition: only, .. }
                | InstrKind::Free { pointer: only } => todo.push(*only),
                InstrKind::Call { callee, args, .. } => {
                    todo.extend(args);
                    todo.extend(if let Callee::Pointer(pointer) = callee { Some(*pointer) } else { None });
                }
                InstrKind::Observe { parts, .. } => todo.extend(parts.iter().map(|part| part.value)),
                _ => {}
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Branch { condition: only, .. }
            | TerminatorKind::Switch { value: only, .. }
            | TerminatorKind::Return(Some(only)) => todo.push(*only),
            _ => {}
        }
    }
    let (mut is_used, mut found) = (vec![false; function.exprs.len()], Vec::new());
    while let Some(id) = todo.pop() {
        if !std::mem::replace(&mut is_used[id.index()], true) {
            found.push(id);
            crate::children(&function.expr(id).kind, &mut todo);
        }
    }
    found
}

/// A constant, looking through conversions.
fn constant(function: &Function, mut id: ExprId) -> Option<u128> {
    loop {
        match function.expr(id).kind {
            ExprKind::Int(bits) => return Some(bits),
            ExprKind::Convert(Conversion::ZeroExtend | Conversion::Same, inner) => id = inner,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{DataModel, FunctionId, Program};

    fn program(text: &str) -> (Program, FunctionId) {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, found) = crate::lower(&unit, &DataModel::lp64());
        assert!(found.is_empty(), "{found:?}");
        let f = program.function_by_name("f").unwrap();
        (program, f)
    }

    #[test]
    fn what_others_can_change() {
        let text = "int a; static int b; static int c; static int d[2]; const int e = 1; static int *p = d;\n\
                    int f(void) { static int n; static int m; c = 1; n++; return a + b + c + e + m + *p; }";
        let (program, _) = program(text);
        let names = program.globals.iter().map(|global| global.name.as_str());
        let changeable: Vec<&str> =
            names.zip(program.changeable_globals()).filter(|(_, may)| *may).map(|(name, _)| name).collect();
        assert_eq!(changeable, ["a", "c", "d", "n"]);
    }

    #[test]
    fn addresses_and_aliases() {
        let (program, f) = self::program("int f(int *p) { return p == (int *)1 || p == (int *)-1L || !p; }");
        assert_eq!(program.address_constants(f), [1, u128::from(u64::MAX)]);
        assert!(program.can_see_aliases(f));
        let (program, f) =
            self::program("int f(const int *p, const int *q) { return p && q ? *p + *q : 0; }");
        assert!(!program.can_see_aliases(f) && program.address_constants(f).is_empty());
        let (program, f) = self::program("void f(int *p, int *q) { *p = *q; }");
        assert!(program.can_see_aliases(f));
    }

    #[test]
    fn functions_are_compared_whatever_their_types() {
        let (own, f) = program(
            "typedef int (*fp)(int); long other(void *x, char y); int f(fp p) { if (p == (fp)other) return 1; return 0; }",
        );
        assert!(own.compares_functions(f));
    }
}
