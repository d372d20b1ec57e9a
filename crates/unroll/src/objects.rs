//! Objects: their addresses, their cells, and the content of cells that were never written.

use crate::cells::{Cell, CellId};
use crate::config::{Limit, Uninitialised};
use crate::layout::{CellAt, CellKind, Layout};
use crate::machine::{Machine, Step};
use crate::places::{Object, ObjectKind};
use crate::pointer::{Offset, Pointee};
use crate::terms;
use crate::unrolled::{InputPart, InputPlace, ObjectId};
use crate::variants::InputObject;
use nub_bitvec::TermId;
use nub_c_ir::{FunctionId, Global, GlobalId, StringId, TypeId};
use std::rc::Rc;

/// What the machine knows about an object besides [`Object`].
#[derive(Debug)]
pub(crate) struct Stored {
    /// Its address, once it was needed.
    pub start: Option<u128>,
    pub first_cell: CellId,
    /// Absent until the first access if the object has no type.
    pub layout: Option<Rc<Layout>>,
    /// The cell that says whether it is alive; absent if it always is.
    pub live: Option<CellId>,
    pub content: Content,
    /// Its length in bytes, as wide as a pointer, where that is not constant. [`Object::size`] is then how many bytes are modelled.
    pub length: Option<TermId>,
}

/// The content of an object at the start of its life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    Undefined,
    Zero,
    Global(GlobalId),
    String(StringId),
    /// Inputs: the object is this place, or what the pointer there points to.
    Input {
        place: InputPlace,
        /// For reports.
        name: String,
        /// How many pointers were followed to get here.
        depth: u32,
    },
}

/// A new object.
pub(crate) struct NewObject {
    pub info: Object,
    pub layout: Option<Rc<Layout>>,
    /// Whether it can end before the function under test does.
    pub is_mortal: bool,
    pub content: Content,
}

impl Machine<'_> {
    pub(crate) fn new_object(&mut self, new: NewObject) -> Step<ObjectId> {
        let id = ObjectId(u32::try_from(self.memory.objects.len()).unwrap_or(u32::MAX));
        let n_cells = new.layout.as_ref().map_or(new.info.size, |layout| layout.n_cells);
        let first_cell = self.memory.next_cell;
        let end = u64::from(first_cell) + n_cells + 1;
        self.memory.next_cell = CellId::try_from(end).map_err(|_| self.limit(Limit::Addresses))?;
        // The last cell of an object says whether it is alive.
        let live = new.is_mortal.then(|| self.memory.next_cell - 1);
        self.memory.objects.push(Stored {
            start: None,
            first_cell,
            layout: new.layout,
            live,
            content: new.content,
            length: None,
        });
        self.out.objects.push(new.info);
        Ok(id)
    }

    /// The object of a global; made when it is first needed.
    pub(crate) fn global(&mut self, id: GlobalId) -> Step<ObjectId> {
        if let Some(object) = self.memory.statics.globals.get(&id) {
            return Ok(*object);
        }
        let global = &self.program.globals[id.index()];
        let layout = self.memory.layouts.of(&self.program.types, global.ty);
        let info = Object {
            name: global.name.clone(),
            ty: Some(global.ty),
            size: layout.size,
            kind: ObjectKind::Global(id),
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = if self.is_input(global) {
            let place = InputPlace::Global { global: id, path: Vec::new() };
            Content::Input { place, name: global.name.clone(), depth: 0 }
        } else {
            Content::Global(id)
        };
        let object = self.new_object(NewObject { info, layout: Some(layout), is_mortal: false, content })?;
        self.memory.statics.globals.insert(id, object);
        Ok(object)
    }

    fn is_input(&self, global: &Global) -> bool {
        // A compound literal, whose name is not a C name, cannot be reached from outside.
        let can_be_set = !global.is_const && !global.name.contains('.');
        let is_wanted = match self.config.globals {
            crate::Globals::Initial => false,
            // A test cannot reach an object that is static in a function.
            crate::Globals::Inputs => global.owner.is_none(),
            crate::Globals::All => true,
        };
        global.is_extern || (is_wanted && can_be_set)
    }

    /// The object of a string literal.
    pub(crate) fn string(&mut self, id: StringId) -> Step<ObjectId> {
        if let Some(object) = self.memory.statics.strings.get(&id) {
            return Ok(*object);
        }
        let literal = &self.program.strings[id.index()];
        let layout = self.memory.layouts.of(&self.program.types, literal.ty);
        let kind = ObjectKind::String(id);
        let name = format!("string #{}", id.0 + 1);
        let info = Object {
            name,
            ty: Some(literal.ty),
            size: layout.size,
            kind,
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = Content::String(id);
        let object = self.new_object(NewObject { info, layout: Some(layout), is_mortal: false, content })?;
        self.memory.statics.strings.insert(id, object);
        Ok(object)
    }

    /// The address of a function.
    pub(crate) fn function_address(&mut self, id: FunctionId) -> Step<TermId> {
        if let Some(term) = self.memory.statics.functions.get(&id) {
            return Ok(*term);
        }
        let pointee = Pointee::Function(id);
        let start = self.memory.pointers.place(1, pointee).ok_or(self.limit(Limit::Addresses))?;
        let term = self.memory.pointers.address(&mut self.pool, start, pointee, &Offset::default());
        self.memory.statics.functions.insert(id, term);
        Ok(term)
    }

    /// The address of a part of an object.
    pub(crate) fn address_in(&mut self, object: ObjectId, offset: &Offset) -> Step<TermId> {
        let pointee = Pointee::Object(object);
        let start = match self.memory.objects[object.index()].start {
            Some(start) => start,
            None => {
                let size = self.out.objects[object.index()].size;
                self.memory.pointers.place(size, pointee).ok_or(self.limit(Limit::Addresses))?
            }
        };
        self.memory.objects[object.index()].start = Some(start);
        Ok(self.memory.pointers.address(&mut self.pool, start, pointee, offset))
    }

    /// The layout; an object without a type gets the type of the first access.
    pub(crate) fn layout(&mut self, object: ObjectId, hint: TypeId) -> Rc<Layout> {
        if let Some(layout) = &self.memory.objects[object.index()].layout {
            return Rc::clone(layout);
        }
        let size = self.out.objects[object.index()].size;
        let layout = self.memory.layouts.repeated(&self.program.types, hint, size);
        self.memory.objects[object.index()].layout = Some(Rc::clone(&layout));
        self.out.objects[object.index()].ty = Some(hint);
        layout
    }

    /// The content of the cell that says whether an object is alive, if it is.
    pub(crate) fn alive(&mut self) -> Cell {
        let value = self.pool.truth(true);
        Cell { value, written: value }
    }

    /// The same if it is not.
    pub(crate) fn dead(&mut self) -> Cell {
        let value = self.pool.truth(false);
        Cell { value, written: value }
    }

    /// The content of a cell that was never written.
    pub(crate) fn default_of(&mut self, object: ObjectId, id: CellId) -> Step<Cell> {
        if self.memory.objects[object.index()].live == Some(id) {
            return Ok(self.alive());
        }
        match self.memory.cell_at(object, id) {
            Some(at) => self.default_cell(object, at),
            None => Ok(self.dead()),
        }
    }

    /// The content of a cell that was never written.
    pub(crate) fn default_cell(&mut self, object: ObjectId, at: CellAt) -> Step<Cell> {
        let id = self.memory.cell_id(object, at);
        if let Some(cell) = self.memory.defaults.get(&id) {
            return Ok(*cell);
        }
        let bits = self.storage_bits(at.size);
        let content = self.memory.objects[object.index()].content.clone();
        let (value, is_written) = match &content {
            Content::Undefined => (self.undefined(object, at)?, false),
            Content::Zero => (terms::constant(&mut self.pool, bits, 0), true),
            Content::Global(global) => {
                let initial = self.initial(*global, at)?;
                (self.initial_or_changed(*global, initial, at.size), true)
            }
            Content::String(string) => (self.character(*string, at), true),
            Content::Input { place, name, depth } => {
                let owner = InputObject { object, place, root: name, depth: *depth };
                (self.input_cell(owner, at)?, true)
            }
        };
        let written = if is_written { self.all_written(at.size) } else { self.none_written(at.size) };
        let cell = Cell { value, written };
        self.memory.defaults.insert(id, cell);
        Ok(cell)
    }

    /// The number of bits of `size` bytes.
    pub(crate) fn storage_bits(&self, size: u64) -> u32 {
        u32::try_from(size).unwrap_or(u32::MAX).saturating_mul(self.program.model.char_bits)
    }

    /// One bit per byte: all were written.
    pub(crate) fn all_written(&mut self, size: u64) -> TermId {
        self.pool.constant(nub_bitvec::Value::ones(written_width(size)))
    }

    /// One bit per byte: none was written.
    pub(crate) fn none_written(&mut self, size: u64) -> TermId {
        self.pool.constant(nub_bitvec::Value::zero(written_width(size)))
    }

    fn undefined(&mut self, object: ObjectId, at: CellAt) -> Step<TermId> {
        let bits = self.storage_bits(at.size);
        let is_number = |ty: TypeId| self.program.types.number_format(ty).is_some();
        let wants_input = self.config.uninitialised == Uninitialised::Input;
        let is_local = matches!(self.out.objects[object.index()].kind, ObjectKind::Local { .. });
        match at.kind {
            CellKind::Scalar(ty) if wants_input && is_local && is_number(ty) => {
                let place = InputPlace::Uninitialised { object, offset: at.start };
                let name = self.part_name(object, at.start);
                let value = self.new_input(name, ty, place, InputPart::Value);
                Ok(terms::resize(&mut self.pool, value, bits))
            }
            // A run that reads it is undefined, and may find anything.
            _ if self.is_open() => Ok(self.nothing(at.size).value),
            _ => Ok(terms::constant(&mut self.pool, bits, 0)),
        }
    }

    fn character(&mut self, id: StringId, at: CellAt) -> TermId {
        let unit = &self.program.strings[id.index()].units;
        let index = usize::try_from(at.start / at.size.max(1)).unwrap_or(usize::MAX);
        let bits = self.storage_bits(at.size);
        let unit = unit.get(index).copied().unwrap_or(0);
        terms::constant(&mut self.pool, bits, nub_c_ir::ints::truncate(u128::from(unit), bits))
    }
}

/// The number of bits that say for some bytes whether they were written.
fn written_width(size: u64) -> u32 {
    u32::try_from(size).unwrap_or(1).max(1)
}
