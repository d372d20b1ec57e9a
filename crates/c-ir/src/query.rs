//! Queries on a program.

use crate::ids::*;
use crate::ir::*;
use crate::types::{Type, Types};
use nub_text::{Diagnostic, Span};

impl Program {
    /// Whether a call with this many arguments can be a call of the function. One with fewer than it has parameters is undefined (C17 6.5.2.2
    /// paragraph 6). Extra arguments, and other types of pointers, are too, but machines ignore them, and much code relies on that.
    pub fn takes(&self, function: FunctionId, n_args: usize) -> bool {
        match self.types.get(self.function(function).ty) {
            Type::Function(ty) => !ty.has_prototype || ty.params.len() <= n_args,
            _ => true,
        }
    }

    /// The function with this name.
    pub fn function_by_name(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|function| function.name == name).map(FunctionId::next)
    }

    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// A line in words, with its file if that is not the one of this function.
    pub fn line_text(&self, function: FunctionId, position: Position) -> String {
        let own = self.function(function).position.file;
        match self.files.get(position.file.index()) {
            Some(file) if position.file != own => format!("line {} of {file}", position.line),
            _ => format!("line {}", position.line),
        }
    }

    /// Why a run from `start` cannot be represented: refusals of the functions that it can call, and missing bodies. Empty if there is no reason. A
    /// call through a pointer can call every function of that type whose address is used.
    pub fn refusals(&self, start: FunctionId) -> Vec<Diagnostic> {
        let mut found = self.whole_refusals(start);
        for function in self.reachable(start).into_iter().map(|id| self.function(id)) {
            found.extend(function.cuts.iter().cloned());
            if let Body::Refused(refusals) = &function.body {
                found.extend(refusals.iter().cloned());
            }
        }
        found.sort_by_key(|found| found.span);
        found.dedup();
        found
    }

    /// What runs from `start` may reach that is not modelled: statements, and functions that are refused.
    pub fn unmodelled(&self, start: FunctionId) -> Vec<Diagnostic> {
        let whole = self.whole_refusals(start);
        self.refusals(start).into_iter().filter(|found| !whole.contains(found)).collect()
    }

    /// Why no run from `start` can be represented. What only some runs reach is not included: they end there, see [`Program::unmodelled`].
    pub fn whole_refusals(&self, start: FunctionId) -> Vec<Diagnostic> {
        let mut found = self.unsupported.clone();
        found.extend(self.start_refusal(start));
        let mut seen = vec![false; self.functions.len()];
        let mut todo = vec![(start, self.function(start).span)];
        seen[start.index()] = true;
        while let Some((id, call)) = todo.pop() {
            let function = self.function(id);
            match &function.body {
                Body::Defined => {}
                Body::Missing => found.push(self.no_body(id, call)),
                Body::Refused(refusals) if id == start => found.extend(refusals.iter().cloned()),
                Body::Refused(_) => {}
            }
            for (callee, span) in self.callees(function) {
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    todo.push((callee, span));
                }
            }
        }
        found.sort_by_key(|found| found.span);
        found
    }

    /// The message for a call of a function without a body.
    pub(crate) fn no_body(&self, id: FunctionId, span: Span) -> Diagnostic {
        let name = &self.function(id).name;
        let message = format!("`{name}` has no body here and is not a known library function");
        let hint = format!("define `{name}`, or call `nondet_...()` instead to get any value");
        Diagnostic::error(span, message).with_hint(hint)
    }

    /// Why a run cannot start here, though it can be called.
    fn start_refusal(&self, start: FunctionId) -> Option<Diagnostic> {
        let function = self.function(start);
        self.before_main.first().filter(|_| function.name == "main").cloned()
    }

    /// Can a function look at arguments that its type does not name: its own, or those of a `va_list` that it is given?
    pub fn takes_argument_list(&self, function: FunctionId) -> bool {
        let function = self.function(function);
        let is_list = |ty: TypeId| self.types.is_argument_list(ty);
        let leads_to_list = |ty: TypeId| is_list(ty) || self.types.pointee(ty).is_some_and(is_list);
        function.variable_arguments.is_some() || function.params().iter().any(|param| leads_to_list(param.ty))
    }

    /// Whether a run from `start` uses pointers. Library functions do. An index into a variable that is an array needs none: its bounds are known.
    pub fn uses_pointers(&self, start: FunctionId) -> bool {
        self.reachable(start).into_iter().map(|id| self.function(id)).any(|function| {
            function.is_model
                || !matches!(function.body, Body::Defined)
                || function.uses_pointers(&self.types)
        })
    }

    /// The function and all that its calls lead to.
    pub fn reachable(&self, start: FunctionId) -> Vec<FunctionId> {
        let mut seen = vec![false; self.functions.len()];
        let mut found = vec![start];
        seen[start.index()] = true;
        let mut at = 0;
        while let Some(id) = found.get(at).copied() {
            at += 1;
            let callees = self.callees(self.function(id)).into_iter().map(|(callee, _)| callee);
            found.extend(callees.filter(|callee| !std::mem::replace(&mut seen[callee.index()], true)));
        }
        found
    }

    /// Functions that a function calls, each with a call.
    pub fn callees(&self, function: &Function) -> Vec<(FunctionId, Span)> {
        let mut found = Vec::new();
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            match instr.kind {
                InstrKind::Call { callee: Callee::Direct(id), .. } => found.push((id, instr.origin.span)),
                InstrKind::Call { callee: Callee::Pointer(pointer), .. } => {
                    let targets = self.pointer_targets(function.expr(pointer).ty);
                    found.extend(targets.into_iter().map(|id| (id, instr.origin.span)));
                }
                _ => {}
            }
        }
        found
    }

    /// The functions that a pointer of this type may point to: their address is used, and the types agree as far as both are known.
    pub fn pointer_targets(&self, pointer: TypeId) -> Vec<FunctionId> {
        let wanted = self.types.pointee(pointer);
        let has_prototype =
            |ty| matches!(self.types.get(ty), Type::Function(function) if function.has_prototype);
        let agrees =
            |ty| wanted.is_none_or(|wanted| wanted == ty || !has_prototype(wanted) || !has_prototype(ty));
        let numbered = self.functions.iter().enumerate();
        numbered
            .filter(|(_, function)| function.address_taken && agrees(function.ty))
            .map(|(at, _)| FunctionId::next(at))
            .collect()
    }

    /// The decisions of a function, in the order of its text.
    pub fn decisions_of(&self, function: FunctionId) -> impl Iterator<Item = (DecisionId, &Decision)> {
        let numbered =
            self.decisions.iter().enumerate().map(|(index, decision)| (DecisionId::next(index), decision));
        numbered.filter(move |(_, decision)| decision.function == function)
    }
}

impl Types {
    /// Is it a `va_list`?
    pub fn is_argument_list(&self, ty: TypeId) -> bool {
        self.pointee(ty).is_some_and(|target| *self.get(target) == Type::VaList)
    }
}

impl Function {
    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The block with this id.
    pub fn block(&self, id: BlockId) -> &BasicBlock {
        &self.blocks[id.index()]
    }

    /// Whether it has a pointer among its values, or an index into a member, whose bounds a compiler may not know.
    fn uses_pointers(&self, types: &Types) -> bool {
        let is_open = |place: &Place| {
            let after_index = place.steps.iter().skip_while(|step| matches!(step, PlaceStep::Index(_)));
            matches!(place.base, PlaceBase::Pointer(_) | PlaceBase::String(_))
                || after_index.into_iter().any(|step| matches!(step, PlaceStep::Index(_)))
        };
        let of_expr = |expr: &Expr| match &expr.kind {
            ExprKind::Load(place) | ExprKind::Initialised(place) => is_open(place),
            _ => false,
        };
        let of_instr = |instr: &Instr| match &instr.kind {
            InstrKind::Store { place, .. } | InstrKind::Zero { place } | InstrKind::Input { place, .. } => {
                is_open(place)
            }
            InstrKind::Allocate { .. } | InstrKind::Free { .. } => true,
            _ => false,
        };
        self.exprs.iter().any(|expr| types.pointee(expr.ty).is_some() || of_expr(expr))
            || self.blocks.iter().flat_map(|block| &block.instrs).any(of_instr)
    }

    /// The parameters.
    pub fn params(&self) -> &[Local] {
        &self.locals[..self.n_params]
    }
}

impl TerminatorKind {
    /// The blocks that control can go to; a block may appear more than once.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            TerminatorKind::Goto(target) => vec![*target],
            TerminatorKind::Branch { then_block, else_block, .. } => vec![*then_block, *else_block],
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.target).chain([*default]).collect()
            }
            TerminatorKind::Return(_)
            | TerminatorKind::Stop(_)
            | TerminatorKind::Unreachable
            | TerminatorKind::Cut => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::DataModel;

    fn uses_pointers(text: &str) -> bool {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (program, found) = crate::lower(&unit, &DataModel::lp64());
        assert!(found.is_empty(), "{found:?}");
        program.uses_pointers(program.function_by_name("f").unwrap())
    }

    #[test]
    fn who_uses_globals() {
        let uses_globals = |text: &str| {
            let (unit, _) = nub_c_syntax::parse(text.as_bytes());
            let (program, _) = crate::lower(&unit, &DataModel::lp64());
            let named = program.named_globals(program.function_by_name("f").unwrap());
            named.iter().any(|id| !program.globals[id.index()].is_const)
        };
        assert!(uses_globals("int g; int h(void) { return g; } int f(void) { return h(); }"));
        assert!(uses_globals("int f(void) { static int n[2]; return *n; }"));
        assert!(!uses_globals(
            "int g; const int c = 3; int h(void) { return g; } int f(int a) { return a + c; }"
        ));
    }

    #[test]
    fn who_uses_pointers() {
        assert!(!uses_pointers("struct s { int a; } g; int f(int x) { g.a = x; return g.a + 1; }"));
        assert!(!uses_pointers("int f(int x) { static const int t[3] = {1, 2, 3}; return t[x]; }"));
        assert!(uses_pointers("int f(int *p) { return p ? 1 : 0; }"));
        assert!(uses_pointers("struct s { int n, a[2]; } g; int f(int x) { return g.a[x]; }"));
        assert!(uses_pointers("static int g(int *p) { return *p; } int f(int x) { return g(&x); }"));
        assert!(uses_pointers("int f(int x) { return \"abc\"[x]; }"));
    }
}
