//! A program as text, for people and for golden files.
//!
//! One line per instruction. `%3` is a local, `@g` a global, `b2` a block, `s4` a statement. Operators carry their width: `add.32`.

use crate::ids::*;
use crate::ir::*;
use std::cell::Cell;
use std::fmt::Write;

/// The text of a function.
pub fn function(program: &Program, id: FunctionId) -> String {
    let function = program.function(id);
    let dump = Dump { program, function, depth: Cell::new(0) };
    let mut out = String::new();
    let params: Vec<String> = (0..function.n_params).map(|at| dump.declared(LocalId::next(at))).collect();
    let result = program.types.spell(function.result);
    let _ = writeln!(out, "function {}({}) -> {result}", function.name, params.join(", "));
    match &function.body {
        Body::Missing => out.push_str("  missing\n"),
        Body::Refused(refusals) => {
            for refusal in refusals {
                let _ = writeln!(out, "  refused: {}", refusal.message);
            }
        }
        Body::Defined => dump.body(&mut out),
    }
    out
}

/// The decisions of a function.
pub fn decisions(program: &Program, id: FunctionId) -> String {
    let mut out = String::new();
    for (number, decision) in program.decisions_of(id) {
        let _ = write!(out, "d{} {:?} line {}", number.0, decision.kind, decision.position.line);
        if let Some((outer, outcome)) = decision.enclosing {
            let _ = write!(out, " in d{} {outcome:?}", outer.0);
        }
        let columns: Vec<String> = decision.conditions.iter().map(shown_condition).collect();
        let tree: Vec<String> = decision.tree.iter().map(|node| format!("{node:?}")).collect();
        let _ = writeln!(out, ": [{}] {}", columns.join(", "), tree.join(" "));
    }
    out
}

fn shown_condition(condition: &Condition) -> String {
    let place = format!("{}:{}", condition.position.line, condition.position.column);
    match condition.constant {
        Some(truth) => format!("{place} constant {truth}"),
        None => place,
    }
}

/// Deeper expressions are cut off with `...`.
const MAX_DEPTH: u32 = 200;

struct Dump<'a> {
    program: &'a Program,
    function: &'a Function,
    depth: Cell<u32>,
}

impl Dump<'_> {
    fn body(&self, out: &mut String) {
        for (at, local) in self.function.locals.iter().enumerate().skip(self.function.n_params) {
            if local.kind == LocalKind::Variable {
                let _ = writeln!(out, "  var {}", self.declared(LocalId::next(at)));
            }
        }
        for (at, found) in self.function.loops.iter().enumerate() {
            let _ = writeln!(out, "  loop{at} {:?} header b{}", found.kind, found.header.0);
        }
        for (at, block) in self.function.blocks.iter().enumerate() {
            let _ = writeln!(out, "b{at}:");
            for instr in &block.instrs {
                let _ = writeln!(out, "  {}", self.instr(instr));
            }
            let _ = writeln!(out, "  {}", self.terminator(&block.terminator));
        }
    }

    fn declared(&self, local: LocalId) -> String {
        let found = &self.function.locals[local.index()];
        let address = if found.address_taken { " address-taken" } else { "" };
        format!("{}: {}{address}", self.local(local), self.program.types.spell(found.ty))
    }

    fn local(&self, local: LocalId) -> String {
        format!("%{}{}", self.function.locals[local.index()].name, local.0)
    }

    fn instr(&self, instr: &Instr) -> String {
        match &instr.kind {
            InstrKind::Begin => {
                format!("; s{} line {}", instr.origin.statement.0, instr.origin.position.line)
            }
            InstrKind::Store { place, value } => format!("{} = {}", self.place(place), self.expr(*value)),
            InstrKind::Zero { place } => format!("zero {}", self.place(place)),
            InstrKind::LifetimeBegin { local } => format!("live {}", self.local(*local)),
            InstrKind::LifetimeEnd { local } => format!("dead {}", self.local(*local)),
            InstrKind::Call { callee, args, result } => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(*arg)).collect();
                let callee = match callee {
                    Callee::Direct(id) => self.program.function(*id).name.clone(),
                    Callee::Pointer(id) => format!("*({})", self.expr(*id)),
                };
                let result =
                    result.as_ref().map(|place| format!("{} = ", self.place(place))).unwrap_or_default();
                format!("{result}call {callee}({})", args.join(", "))
            }
            InstrKind::Input { place, source } => format!("{} = input {source:?}", self.place(place)),
            InstrKind::LeftOpen { choice, place } => {
                let place = place.as_ref().map_or("memory".to_owned(), |place| self.place(place));
                format!("{place} = left open {choice:?}")
            }
            InstrKind::Assume { condition } => format!("assume {}", self.expr(*condition)),
            InstrKind::Assert { condition, text, kind } => {
                format!("assert {kind:?} {} {text:?}", self.expr(*condition))
            }
            InstrKind::Check { kind, condition } => format!("check {kind:?} {}", self.expr(*condition)),
            InstrKind::Allocate { result, site, size, old, is_zeroed, fails } => {
                let constant = self.program.allocations[site.index()].size.unwrap_or(0).to_string();
                let size = size.map_or(constant, |size| self.expr(size));
                let old = old.map(|old| format!(" from {}", self.expr(old))).unwrap_or_default();
                let zeroed = if *is_zeroed { " zeroed" } else { "" };
                let fails = fails.map(|fails| format!(" unless {}", self.expr(fails))).unwrap_or_default();
                format!("{} = allocate {size}{old}{zeroed}{fails}", self.place(result))
            }
            InstrKind::Observe { callee, parts } => {
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part.value)).collect();
                format!("observe {}({})", self.program.function(*callee).name, parts.join(", "))
            }
            InstrKind::Free { pointer } => format!("free {}", self.expr(*pointer)),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match &terminator.kind {
            TerminatorKind::Goto(target) => format!("goto b{}", target.0),
            TerminatorKind::Branch { condition, then_block, else_block, test, loop_header } => {
                let test =
                    test.map(|test| format!(" d{}.{}", test.decision.0, test.condition)).unwrap_or_default();
                let header = loop_header.map(|id| format!(" loop{}", id.0)).unwrap_or_default();
                format!(
                    "if {} then b{} else b{}{test}{header}",
                    self.expr(*condition),
                    then_block.0,
                    else_block.0
                )
            }
            TerminatorKind::Switch { value, cases, default, decision } => {
                let cases: Vec<String> = cases.iter().map(|case| self.case(case)).collect();
                format!(
                    "switch {} [{}] default b{} d{}",
                    self.expr(*value),
                    cases.join(", "),
                    default.0,
                    decision.0
                )
            }
            TerminatorKind::Return(Some(value)) => format!("return {}", self.expr(*value)),
            TerminatorKind::Return(None) => "return".to_owned(),
            TerminatorKind::Stop(kind) => format!("stop {kind:?}"),
            TerminatorKind::Unreachable => "unreachable".to_owned(),
            TerminatorKind::Cut => "cut".to_owned(),
        }
    }

    fn case(&self, case: &SwitchCase) -> String {
        if case.low == case.high {
            format!("{} b{}", case.low, case.target.0)
        } else {
            format!("{}..{} b{}", case.low, case.high, case.target.0)
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut out = match place.base {
            PlaceBase::Local(local) => self.local(local),
            PlaceBase::Global(global) => format!("@{}", self.program.globals[global.index()].name),
            PlaceBase::String(string) => format!("@string{}", string.0),
            PlaceBase::Pointer(pointer) => format!("*({})", self.expr(pointer)),
        };
        for step in &place.steps {
            match step {
                PlaceStep::Field(record, field) => {
                    let name = &self.program.types.record(*record).fields[*field as usize].name;
                    let _ = if name.is_empty() { write!(out, ".<{field}>") } else { write!(out, ".{name}") };
                }
                PlaceStep::Index(index) => {
                    let _ = write!(out, "[{}]", self.expr(*index));
                }
            }
        }
        out
    }

    fn expr(&self, id: ExprId) -> String {
        if self.depth.get() >= MAX_DEPTH {
            return "...".to_owned();
        }
        self.depth.set(self.depth.get() + 1);
        let text = self.expr_here(id);
        self.depth.set(self.depth.get() - 1);
        text
    }

    fn expr_here(&self, id: ExprId) -> String {
        let expr = self.function.expr(id);
        let types = &self.program.types;
        let width = |id: ExprId| types.int_format(self.function.expr(id).ty).map_or(0, |format| format.width);
        match &expr.kind {
            ExprKind::Int(bits) if types.float_format(expr.ty).is_some() => {
                types.shown_float(expr.ty, *bits).unwrap_or_default()
            }
            ExprKind::Int(bits) => match types.int_format(expr.ty) {
                Some(format) if format.is_signed => crate::ints::to_signed(*bits, format.width).to_string(),
                _ => format!("{bits}u"),
            },
            ExprKind::Null => "null".to_owned(),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddress(id) => format!("&{}", self.program.function(*id).name),
            ExprKind::Unary(op, only) => format!("{}.{}({})", lower(op), width(*only), self.expr(*only)),
            ExprKind::Binary(op, left, right) => {
                self.call(&format!("{}.{}", lower(op), width(*left)), &[*left, *right])
            }
            ExprKind::Compare(op, left, right) => {
                self.call(&format!("{}.{}", lower(op), width(*left)), &[*left, *right])
            }
            ExprKind::Overflows(op, left, right) => {
                self.call(&format!("overflows-{}.{}", lower(op), width(*left)), &[*left, *right])
            }
            ExprKind::Convert(conversion, only) => {
                self.call(&format!("{}.{}.{}", lower(conversion), width(*only), width(id)), &[*only])
            }
            ExprKind::Float(op, operands) => {
                self.call(&format!("float-{}.{}", lower(op), types.value_width(expr.ty)), operands)
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                self.call(&format!("move.{scale}"), &[*pointer, *index])
            }
            ExprKind::PointerDifference { left, right, scale } => {
                self.call(&format!("distance.{scale}"), &[*left, *right])
            }
            ExprKind::PointerCompare(op, left, right) => {
                self.call(&format!("pointer-{}", lower(op)), &[*left, *right])
            }
            ExprKind::PointerCast(only) => format!("({})({})", types.spell(expr.ty), self.expr(*only)),
            ExprKind::PointerToInt(only) => self.call("address", &[*only]),
            ExprKind::IntToPointer(only) => self.call("pointer", &[*only]),
            ExprKind::ValidPointer { pointer, size, target } => {
                let name = if target.may_be_register() { "valid-or-register" } else { "valid" };
                self.call(&format!("{name}.{size}"), &[*pointer])
            }
            ExprKind::Initialised(place) => format!("initialised({})", self.place(place)),
            ExprKind::ObjectSize(only) => self.call("object-size", &[*only]),
            ExprKind::PointerOffset(only) => self.call("offset", &[*only]),
        }
    }

    fn call(&self, name: &str, args: &[ExprId]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.expr(*arg)).collect();
        format!("{name}({})", args.join(", "))
    }
}

/// The name of an operator in lower case.
fn lower(op: &impl std::fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}
