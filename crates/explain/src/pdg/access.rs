//! What each instruction reads and writes.

use super::{Node, node};
use nub_c_ir::{
    Callee, ExprId, ExprKind, Function, FunctionId, GlobalId, Instr, InstrKind, LocalId, Place, PlaceBase,
    Program, StatementKind, TerminatorKind, children, place_children,
};

/// Something that is read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Variable {
    Local(LocalId),
    Global(GlobalId),
    /// Unnamed memory, and whatever another function reaches through a pointer.
    Memory,
}

impl Variable {
    /// Whether functions share it.
    pub fn is_shared(self) -> bool {
        !matches!(self, Variable::Local(_))
    }
}

/// One instruction or terminator.
pub(super) struct Access {
    pub node: Node,
    pub uses: Vec<Variable>,
    pub defines: Vec<Definition>,
    /// Functions that may be called here.
    pub calls: Vec<FunctionId>,
    pub is_return: bool,
}

/// A write.
#[derive(Clone, Copy)]
pub(super) struct Definition {
    pub variable: Variable,
    /// Whether nothing of the old value is left.
    pub is_whole: bool,
}

/// Looks at one function.
pub(super) struct Reader<'p> {
    program: &'p Program,
    function: &'p Function,
    /// Variables that pointers may point to.
    pointed: Vec<Variable>,
}

impl<'p> Reader<'p> {
    pub fn new(program: &'p Program, function: &'p Function) -> Reader<'p> {
        let locals = (0..).zip(&function.locals).filter(|(_, local)| local.address_taken);
        let locals = locals.map(|(index, _)| Variable::Local(LocalId(index)));
        let globals = (0..).zip(&program.globals).filter(|(_, global)| global.address_taken);
        let globals = globals.map(|(index, _)| Variable::Global(GlobalId(index)));
        let pointed = locals.chain(globals).chain([Variable::Memory]).collect();
        Reader { program, function, pointed }
    }

    /// The accesses of each block, in order.
    pub fn accesses(&self) -> Vec<Vec<Access>> {
        let block = |block: &nub_c_ir::BasicBlock| {
            let mut list: Vec<Access> = block.instrs.iter().filter_map(|instr| self.instr(instr)).collect();
            list.extend(self.terminator(&block.terminator));
            list
        };
        self.function.blocks.iter().map(block).collect()
    }

    fn instr(&self, instr: &Instr) -> Option<Access> {
        let mut access = self.access(instr.origin);
        match &instr.kind {
            InstrKind::Begin
            | InstrKind::LifetimeBegin { .. }
            | InstrKind::LifetimeEnd { .. }
            | InstrKind::Check { .. } => return None,
            InstrKind::Store { place, value } => {
                self.read(*value, &mut access);
                self.write(place, &mut access);
            }
            InstrKind::Zero { place } | InstrKind::Input { place, .. } => self.write(place, &mut access),
            InstrKind::LeftOpen { place, .. } => match place {
                Some(place) => self.write(place, &mut access),
                None => return None,
            },
            InstrKind::Allocate { result, size, old, fails, .. } => {
                let operands = [size, old, fails].into_iter().flatten();
                operands.for_each(|operand| self.read(*operand, &mut access));
                self.write(result, &mut access);
            }
            InstrKind::Assume { condition } | InstrKind::Assert { condition, .. } => {
                self.read(*condition, &mut access)
            }
            InstrKind::Observe { parts, .. } => {
                parts.iter().for_each(|part| self.read(part.value, &mut access));
            }
            InstrKind::Free { pointer } => self.read(*pointer, &mut access),
            InstrKind::Call { callee, args, result } => {
                args.iter().for_each(|arg| self.read(*arg, &mut access));
                self.call(callee, args, &mut access);
                if let Some(place) = result {
                    self.write(place, &mut access);
                }
            }
        }
        Some(access)
    }

    fn access(&self, origin: nub_c_ir::SourceOrigin) -> Access {
        let (uses, defines, calls) = (Vec::new(), Vec::new(), Vec::new());
        Access { node: node(origin.position), uses, defines, calls, is_return: false }
    }

    /// A jump has nothing to execute, and falling off the end of a function is not in the source.
    fn terminator(&self, terminator: &nub_c_ir::Terminator) -> Option<Access> {
        let mut access = self.access(terminator.origin);
        match &terminator.kind {
            TerminatorKind::Branch { condition: value, .. } | TerminatorKind::Switch { value, .. } => {
                self.read(*value, &mut access);
            }
            TerminatorKind::Return(value) => {
                let statement = self.program.statements.get(terminator.origin.statement.index());
                if statement.is_none_or(|statement| statement.kind == StatementKind::Implicit) {
                    return None;
                }
                value.iter().for_each(|value| self.read(*value, &mut access));
                access.is_return = true;
            }
            TerminatorKind::Goto(_)
            | TerminatorKind::Stop(_)
            | TerminatorKind::Unreachable
            | TerminatorKind::Cut => return None,
        }
        Some(access)
    }

    /// Functions without a body here may write wherever a pointer argument points to.
    fn call(&self, callee: &Callee, args: &[ExprId], access: &mut Access) {
        match callee {
            Callee::Direct(id) => access.calls.push(*id),
            Callee::Pointer(pointer) => {
                self.read(*pointer, access);
                access.calls.extend(self.program.pointer_targets(self.function.expr(*pointer).ty));
            }
        }
        let is_opaque = access.calls.iter().any(|id| !super::has_body(self.program, *id));
        let types = &self.program.types;
        if is_opaque && args.iter().any(|arg| types.pointee(self.function.expr(*arg).ty).is_some()) {
            access.uses.extend(&self.pointed);
            self.may_write_pointed(access);
        }
    }

    fn may_write_pointed(&self, access: &mut Access) {
        let may = |variable: &Variable| Definition { variable: *variable, is_whole: false };
        access.defines.extend(self.pointed.iter().map(may));
    }

    fn is_pointed(&self, variable: Variable) -> bool {
        self.pointed.contains(&variable)
    }

    fn variable(place: &Place) -> Option<Variable> {
        match place.base {
            PlaceBase::Local(local) => Some(Variable::Local(local)),
            PlaceBase::Global(global) => Some(Variable::Global(global)),
            PlaceBase::Pointer(_) | PlaceBase::String(_) => None,
        }
    }

    fn write(&self, place: &Place, access: &mut Access) {
        let mut operands = Vec::new();
        place_children(place, &mut operands);
        operands.into_iter().for_each(|operand| self.read(operand, access));
        match Self::variable(place) {
            Some(variable) => {
                access.defines.push(Definition { variable, is_whole: place.steps.is_empty() });
                if self.is_pointed(variable) {
                    access.defines.push(Definition { variable: Variable::Memory, is_whole: false });
                }
            }
            None => self.may_write_pointed(access),
        }
    }

    /// What an expression reads. An explicit stack: chains can be long.
    fn read(&self, root: ExprId, access: &mut Access) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let kind = &self.function.expr(id).kind;
            if let ExprKind::Load(place) = kind {
                match Self::variable(place) {
                    Some(variable) if self.is_pointed(variable) => {
                        access.uses.extend([variable, Variable::Memory])
                    }
                    Some(variable) => access.uses.push(variable),
                    None => access.uses.extend(&self.pointed),
                }
            }
            children(kind, &mut todo);
        }
    }
}
