//! What the expression of a statement reads.
//!
//! Expressions of the source are spread over several blocks: `&&`, `||` and `?:` are branches, results of calls are in temporaries. An operand is
//! what the source would name: a variable, an element, a member, the result of a call. It is read again at the site if that is safe. Otherwise its
//! value is saved where it is evaluated; what short circuit skips counts as 0. The result of a skipped call is still computed if the function is
//! pure, since the right expression may need it.

use super::sites::is_changeable;
use nub_c_ir::analysis::is_pure;
use nub_c_ir::{
    BlockId, Callee, DecisionKind, ExprId, ExprKind, FloatYield, Function, FunctionId, InstrKind, LocalId,
    LocalKind, Place, PlaceBase, PlaceStep, Program, StatementId, TerminatorKind, TypeId, children,
};
use nub_text::Span;
use rustc_hash::FxHashSet;

/// More operands than this are dropped: the key of a repair is then coarser, which is never wrong.
const MAX_OPERANDS: usize = 12;

/// Something that a statement reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Operand {
    /// As in the source.
    pub name: String,
    pub ty: TypeId,
    pub source: OperandSource,
}

/// Where its value comes from at the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OperandSource {
    /// It is read again.
    Again(Place),
    /// It is saved when this expression is evaluated, by these instructions (or, at the end, the terminator).
    Kept { expr: ExprId, at: Vec<(BlockId, usize)>, statement: StatementId },
    /// The function, which is pure, is called again.
    Called { function: FunctionId, args: Vec<ExprId> },
}

/// Reads expressions of one function.
pub(super) struct Reader<'a> {
    program: &'a Program,
    text: &'a [u8],
    function: &'a Function,
    /// For each temporary, the instructions that write it.
    writers: Vec<Vec<(BlockId, usize)>>,
}

/// Expressions to examine, each with the instruction that evaluates it; absent for the site itself.
type Todo = Vec<(ExprId, Option<(BlockId, usize)>)>;

impl<'a> Reader<'a> {
    pub fn new(program: &'a Program, text: &'a [u8], id: FunctionId) -> Reader<'a> {
        let function = program.function(id);
        let mut writers = vec![Vec::new(); function.locals.len()];
        for (index, block) in function.blocks.iter().enumerate() {
            for (at, instr) in block.instrs.iter().enumerate() {
                let place = match &instr.kind {
                    InstrKind::Store { place, .. } | InstrKind::Input { place, .. } => Some(place),
                    InstrKind::Call { result, .. } => result.as_ref(),
                    _ => None,
                };
                if let Some(PlaceBase::Local(local)) = place.map(|place| place.base) {
                    writers[local.index()].push((BlockId(index as u32), at));
                }
            }
        }
        Reader { program, text, function, writers }
    }

    fn is_temporary(&self, local: LocalId) -> bool {
        self.function.locals[local.index()].kind == LocalKind::Temporary
    }

    /// The operands of a site: those of these expressions, and of whatever its statement evaluates for them beforehand. Also how often the source
    /// names an operand: `a + a` counts twice.
    pub fn operands(&self, roots: &[ExprId], statement: StatementId) -> (Vec<Operand>, usize) {
        // The conditions of a decision are in several blocks; a single expression is evaluated at the site.
        let is_single = roots.len() == 1;
        let mut todo: Todo = Vec::new();
        for root in roots {
            let at = if is_single { None } else { self.evaluated_at(*root) };
            todo.push((*root, at));
        }
        let mut found: Vec<Operand> = Vec::new();
        let mut n_reads = 0;
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut has_decisions = false;
        todo.reverse();
        while let Some((id, at)) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let expr = self.function.expr(id);
            if let ExprKind::Load(place) = &expr.kind {
                if let PlaceBase::Local(local) = place.base
                    && self.is_temporary(local)
                {
                    let writers = &self.writers[local.index()];
                    if writers.len() > 1 && !std::mem::replace(&mut has_decisions, true) {
                        todo.extend(self.inner_conditions(statement));
                    }
                    for writer in writers {
                        n_reads += self.written(*writer, statement, at, &mut todo, &mut found);
                    }
                    continue;
                }
                n_reads += self.load(id, place, at, statement, &mut found);
            }
            let mut below = Vec::new();
            children(&expr.kind, &mut below);
            todo.extend(below.into_iter().rev().map(|child| (child, at)));
        }
        found.truncate(MAX_OPERANDS);
        (found, n_reads)
    }

    /// Conditions of `&&`, `||` and `?:` inside a statement.
    fn inner_conditions(&self, statement: StatementId) -> Todo {
        let mut found = Todo::new();
        for (index, block) in self.function.blocks.iter().enumerate() {
            let TerminatorKind::Branch { condition, test: Some(test), .. } = block.terminator.kind else {
                continue;
            };
            let kind = self.program.decisions[test.decision.index()].kind;
            let is_inner = matches!(kind, DecisionKind::Value | DecisionKind::Conditional);
            if is_inner && block.terminator.origin.statement == statement {
                found.push((condition, Some((BlockId(index as u32), block.instrs.len()))));
            }
        }
        found.reverse();
        found
    }

    /// The terminator that evaluates a condition.
    fn evaluated_at(&self, id: ExprId) -> Option<(BlockId, usize)> {
        let is_it = |kind: &TerminatorKind| matches!(kind, TerminatorKind::Branch { condition, .. } if *condition == id);
        let index = self.function.blocks.iter().position(|block| is_it(&block.terminator.kind))?;
        Some((BlockId(index as u32), self.function.blocks[index].instrs.len()))
    }

    /// What a temporary holds: the operands of the stores, or the result of a call. Returns how many operands that is.
    fn written(
        &self,
        writer: (BlockId, usize),
        statement: StatementId,
        at: Option<(BlockId, usize)>,
        todo: &mut Todo,
        found: &mut Vec<Operand>,
    ) -> usize {
        let instr = &self.function.block(writer.0).instrs[writer.1];
        match &instr.kind {
            InstrKind::Store { value, .. } => todo.push((*value, Some(writer))),
            InstrKind::Call { callee: Callee::Direct(callee), args, result: Some(place) } => {
                if !is_changeable(self.program, place.ty) {
                    return 0;
                }
                let can_repeat = args.iter().all(|arg| self.is_plain(*arg)) && is_pure(self.program, *callee);
                let source = if can_repeat && at.is_some() {
                    OperandSource::Called { function: *callee, args: args.clone() }
                } else {
                    self.temporary(place, writer, statement)
                };
                let name = format!("{}()", self.program.function(*callee).name);
                add(found, Operand { name, ty: place.ty, source });
                return 1;
            }
            InstrKind::Call { result: Some(place), .. } | InstrKind::Input { place, .. }
                if is_changeable(self.program, place.ty) =>
            {
                let source = self.temporary(place, writer, statement);
                add(found, Operand { name: self.quote(instr.origin.span), ty: place.ty, source });
                return 1;
            }
            _ => {}
        }
        0
    }

    /// A temporary exists at the site, but may be from another iteration: it is cleared when the statement begins.
    fn temporary(&self, place: &Place, writer: (BlockId, usize), statement: StatementId) -> OperandSource {
        let is_first = |block: BlockId| {
            let starts = |instr: &nub_c_ir::Instr| {
                matches!(instr.kind, InstrKind::Begin) && instr.origin.statement == statement
            };
            self.function.block(block).instrs.iter().any(starts)
        };
        if is_first(writer.0) {
            return OperandSource::Again(place.clone());
        }
        let is_load = |expr: &nub_c_ir::Expr| matches!(&expr.kind, ExprKind::Load(from) if from == place);
        let expr = self.function.exprs.iter().position(is_load);
        match expr {
            // It is saved by the instruction after the one that writes it.
            Some(expr) => OperandSource::Kept {
                expr: ExprId(expr as u32),
                at: vec![(writer.0, writer.1 + 1)],
                statement,
            },
            None => OperandSource::Again(place.clone()),
        }
    }

    fn load(
        &self,
        id: ExprId,
        place: &Place,
        at: Option<(BlockId, usize)>,
        statement: StatementId,
        found: &mut Vec<Operand>,
    ) -> usize {
        if !is_changeable(self.program, place.ty) {
            return 0;
        }
        let source = match at {
            Some(at) if !self.is_plain_place(place) => {
                OperandSource::Kept { expr: id, at: vec![at], statement }
            }
            _ => OperandSource::Again(place.clone()),
        };
        add(found, Operand { name: self.name(id, place), ty: place.ty, source });
        1
    }

    /// The name of a variable; the text of anything else. The text of a variable may be all of `x += 1`.
    fn name(&self, id: ExprId, place: &Place) -> String {
        match place.base {
            PlaceBase::Local(local) if place.steps.is_empty() => {
                self.function.locals[local.index()].name.to_string()
            }
            PlaceBase::Global(global) if place.steps.is_empty() => {
                self.program.globals[global.index()].name.to_string()
            }
            _ => self.quote(self.function.expr(id).span),
        }
    }

    /// Whether the expression is just an input: there is nothing in it to repair.
    pub fn is_input(&self, mut id: ExprId) -> bool {
        while let ExprKind::Convert(_, inner) = self.function.expr(id).kind {
            id = inner;
        }
        let ExprKind::Load(place) = &self.function.expr(id).kind else { return false };
        let PlaceBase::Local(local) = place.base else { return false };
        let is_input = |&(block, at): &(BlockId, usize)| {
            matches!(self.function.block(block).instrs[at].kind, InstrKind::Input { .. })
        };
        let writers = &self.writers[local.index()];
        self.is_temporary(local) && !writers.is_empty() && writers.iter().all(is_input)
    }

    /// Whether reading it again is safe: no pointer, no index that is not constant.
    fn is_plain_place(&self, place: &Place) -> bool {
        let is_constant = |index: &ExprId| matches!(self.function.expr(*index).kind, ExprKind::Int(_));
        !matches!(place.base, PlaceBase::Pointer(_))
            && place.steps.iter().all(|step| match step {
                PlaceStep::Index(index) => is_constant(index),
                PlaceStep::Field(..) => true,
            })
    }

    /// Whether everything that the expression reads is safe to read again and is not a temporary.
    fn is_plain(&self, root: ExprId) -> bool {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let kind = &self.function.expr(id).kind;
            if let ExprKind::Load(place) = kind {
                let is_temporary = matches!(place.base, PlaceBase::Local(local) if self.is_temporary(local));
                if is_temporary || !self.is_plain_place(place) {
                    return false;
                }
            }
            children(kind, &mut todo);
        }
        true
    }

    /// Whether the value is 0 or 1 by its form: a comparison, or `&&` and `||`. In `a ? 1 : 0` these are numbers that may be wrong.
    pub fn is_truth(&self, root: ExprId, statement: StatementId) -> bool {
        let is_chosen = |decision: &nub_c_ir::Decision| {
            decision.statement == statement && decision.kind == nub_c_ir::DecisionKind::Conditional
        };
        let has_numbers = self.program.decisions.iter().any(is_chosen);
        let mut todo = vec![root];
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut has_decision = false;
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &self.function.expr(id).kind {
                ExprKind::Compare(..) | ExprKind::PointerCompare(..) => has_decision = true,
                ExprKind::Float(op, _) if op.yields() == FloatYield::Truth => has_decision = true,
                ExprKind::Convert(_, inner) => todo.push(*inner),
                // On its own, a constant is a number.
                ExprKind::Int(0 | 1) if id != root && !has_numbers => {}
                ExprKind::Load(Place { base: PlaceBase::Local(local), .. }) if self.is_temporary(*local) => {
                    let writers = &self.writers[local.index()];
                    has_decision |= writers.len() > 1;
                    for (block, at) in writers {
                        match self.function.block(*block).instrs[*at].kind {
                            InstrKind::Store { value, .. } => todo.push(value),
                            _ => return false,
                        }
                    }
                }
                _ => return false,
            }
        }
        has_decision
    }

    fn quote(&self, span: Span) -> String {
        super::words::quote(self.text, span)
    }
}

/// Adds an operand unless it is in the list.
fn add(found: &mut Vec<Operand>, operand: Operand) {
    let is_same = |other: &Operand| match (&other.source, &operand.source) {
        (OperandSource::Kept { .. }, OperandSource::Kept { .. }) => other == &operand,
        (a, b) => a == b,
    };
    if !found.iter().any(is_same) {
        found.push(operand);
    }
}
