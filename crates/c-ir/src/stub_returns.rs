//! What the body of a stub returns: values that are inputs, and objects that it makes.

use crate::ids::*;
use crate::ir::*;
use crate::stub_body::Body;
use crate::stub_parts::{StubMember, StubObject, StubPart};
use crate::stub_plan::{PartStep, ScalarPart, StubResult};
use crate::types::IntKind;

/// What is being filled: a part of the result, or an object behind a pointer.
struct Filled<'f> {
    base: PlaceBase,
    /// The way from the call to it, for reports; `None` for what has the short names `get #1` and `*get #1`.
    path: Option<&'f str>,
    /// It is the object that the result points to.
    is_behind: bool,
}

impl Body<'_> {
    pub(crate) fn result(&mut self, result: &StubResult) -> Option<ExprId> {
        let whole = match result {
            StubResult::Void => return None,
            _ => self.function.temporary(self.function.result, self.origin),
        };
        match result {
            StubResult::Void => {}
            StubResult::Parts(parts) => {
                self.fill(&Filled { base: whole.base, path: None, is_behind: false }, parts);
            }
            StubResult::Pointer(object) => {
                let source = InputSource::Null(self.function.name.clone());
                self.new_object(&whole, object.as_ref(), (source, None));
            }
        }
        Some(self.function.load(whole, self.origin))
    }

    fn fill(&mut self, filled: &Filled<'_>, parts: &[StubPart]) {
        for part in parts {
            match part {
                StubPart::Number(part) => self.number(filled, part),
                StubPart::Pointer(part, object) => {
                    let path = self.path(filled, &part.steps);
                    let steps = self.steps(&part.steps);
                    let place = Place { base: filled.base, steps, ty: part.ty };
                    let pointer = self.function.temporary(part.ty, self.origin);
                    let source = InputSource::NullPart(self.function.name.clone(), path.clone());
                    self.new_object(&pointer, Some(object), (source, Some(path + "->")));
                    let value = self.function.load(pointer, self.origin);
                    self.emit(InstrKind::Store { place, value });
                }
                StubPart::Union(steps, members) => self.union(filled, steps, members),
            }
        }
    }

    fn number(&mut self, filled: &Filled<'_>, part: &ScalarPart) {
        let name = self.function.name.clone();
        let source = match filled {
            Filled { path: Some(_), .. } => InputSource::Part(name, self.path(filled, &part.steps)),
            Filled { is_behind: true, .. } => InputSource::Returned(name),
            Filled { .. } => InputSource::Stub(name),
        };
        let steps = self.steps(&part.steps);
        let place = Place { base: filled.base, steps, ty: part.ty };
        self.emit(InstrKind::Input { place, source });
    }

    /// One member gets values. A large number means the last one.
    fn union(&mut self, filled: &Filled<'_>, steps: &[PartStep], members: &[StubMember]) {
        let path = self.path(filled, steps);
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        let name = self.function.name.clone();
        let source = InputSource::SetMember(name, path, names.join("/"));
        let (int, byte) = (self.int(), self.program.types.int(IntKind::UChar));
        let choice = self.function.temporary(byte, self.origin);
        self.emit(InstrKind::Input { place: choice.clone(), source });
        // The ends of the members, which lead behind the last one.
        let mut ends = Vec::new();
        let start = filled.path.unwrap_or(if filled.is_behind { "->" } else { "." });
        let inside = Filled { base: filled.base, path: Some(start), is_behind: filled.is_behind };
        for (number, member) in members.iter().enumerate() {
            if number + 1 == members.len() {
                self.fill(&inside, &member.parts);
                continue;
            }
            let chosen = self.function.load(choice.clone(), self.origin);
            let value = self.add(ExprKind::Int(number as u128), byte);
            let condition = self.add(ExprKind::Compare(CompareOp::Eq, chosen, value), int);
            let branch = self.open_branch(condition);
            self.fill(&inside, &member.parts);
            ends.push(self.function.blocks.len());
            self.end_block(TerminatorKind::Goto(BlockId::next(0)));
            self.close_branch(branch);
        }
        self.end_block(TerminatorKind::Goto(BlockId::next(self.function.blocks.len() + 1)));
        let end = BlockId::next(self.function.blocks.len());
        for block in ends {
            self.function.blocks[block].terminator.kind = TerminatorKind::Goto(end);
        }
    }

    /// Ends the block with a branch whose first side comes next. Returns the block.
    fn open_branch(&mut self, condition: ExprId) -> usize {
        let block = self.function.blocks.len();
        let next = BlockId::next(block + 1);
        self.end_block(TerminatorKind::Branch {
            condition,
            then_block: next,
            else_block: next,
            test: None,
            loop_header: None,
        });
        block
    }

    /// What comes next is the other side of the branch.
    fn close_branch(&mut self, block: usize) {
        let next = BlockId::next(self.function.blocks.len());
        if let TerminatorKind::Branch { else_block, .. } = &mut self.function.blocks[block].terminator.kind {
            *else_block = next;
        }
    }

    /// Null, or an object of its own with any content; the last argument says how the report names the first, and what is in the second.
    fn new_object(
        &mut self,
        result: &Place,
        object: Option<&StubObject>,
        (null, path): (InputSource, Option<String>),
    ) {
        let name = self.function.name.clone();
        let byte = self.program.types.int(IntKind::Bool);
        let fails = self.function.temporary(byte, self.origin);
        self.emit(InstrKind::Input { place: fails.clone(), source: null });
        let size =
            object.map_or(1, |object| object.count * self.program.types.size_of(object.element).unwrap_or(1));
        let allocations = &mut self.program.allocations;
        let site = AllocationId::next(allocations.len());
        let maker = AllocationMaker::Stub;
        let (function, span) = (self.id, self.origin.span);
        allocations.push(Allocation { function, name, size: Some(size), span, maker });
        let condition = self.function.load(fails.clone(), self.origin);
        let kind = InstrKind::Allocate {
            result: result.clone(),
            site,
            size: None,
            old: None,
            is_zeroed: true,
            fails: Some(condition),
        };
        self.emit(kind);
        let condition = self.function.load(fails, self.origin);
        let int = self.int();
        let zero = self.add(ExprKind::Int(0), byte);
        let is_made = self.add(ExprKind::Compare(CompareOp::Eq, condition, zero), int);
        let branch = self.open_branch(is_made);
        for index in 0..object.map_or(0, |object| object.count) {
            let Some(object) = object else { continue };
            let base = PlaceBase::Pointer(self.element(result, object.element, index));
            let path = path.as_deref().map(|path| match index {
                0 => path.to_owned(),
                _ => format!("{}[{index}].", path.strip_suffix("->").unwrap_or(path)),
            });
            self.fill(&Filled { base, path: path.as_deref(), is_behind: true }, &object.parts);
        }
        self.end_block(TerminatorKind::Goto(BlockId::next(self.function.blocks.len() + 1)));
        self.close_branch(branch);
    }

    /// How a report names a part: `.u.i`, `.next->v`.
    fn path(&self, filled: &Filled<'_>, steps: &[PartStep]) -> String {
        let mut text = filled.path.unwrap_or(if filled.is_behind { "->" } else { "." }).to_owned();
        for step in steps {
            match step {
                PartStep::Field(record, field) => {
                    let name = &self.program.types.record(*record).fields[*field as usize].name;
                    if !name.is_empty() && !text.ends_with(['.', '>']) {
                        text.push('.');
                    }
                    text.push_str(name);
                }
                PartStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        let text = text.trim_end_matches('.');
        text.strip_suffix("->").unwrap_or(text).to_owned()
    }
}
