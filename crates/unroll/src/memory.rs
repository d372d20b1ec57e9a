//! Memory of the unrolled program: its objects, their addresses, and the content of cells that were never written.

use crate::cells::{Cell, CellId};
use crate::layout::{CellAt, Layouts};
use crate::objects::Stored;
use crate::open_world::OpenWorld;
use crate::pointer::Pointers;
use crate::seen_addresses::SeenAddresses;
use crate::unrolled::ObjectId;
use crate::variants::Variants;
use nub_bitvec::TermId;
use nub_c_ir::{FunctionId, GlobalId, StringId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Objects, addresses and cells. What is written to cells differs by path, so it is in [`crate::machine::State`].
pub(crate) struct Memory {
    pub objects: Vec<Stored>,
    pub statics: Statics,
    /// The content of cells that were never written.
    pub defaults: FxHashMap<CellId, Cell>,
    pub next_cell: CellId,
    pub layouts: Layouts,
    pub pointers: Pointers,
    pub seen_addresses: SeenAddresses,
    pub variants: Variants,
    /// What has happened to memory that code outside may refer to.
    pub open: OpenWorld,
    /// Lists of variable arguments, by call of the function under test.
    pub argument_lists: Vec<(u32, ObjectId)>,
}

/// What lives from the start to the end of a run, created when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    pub globals: FxHashMap<GlobalId, ObjectId>,
    pub strings: FxHashMap<StringId, ObjectId>,
    /// Addresses of functions.
    pub functions: FxHashMap<FunctionId, TermId>,
    /// Pieces of initial values by offset.
    pub initial_order: FxHashMap<GlobalId, Rc<[usize]>>,
}

impl Memory {
    pub(crate) fn new(pointer_bits: u32) -> Memory {
        Memory {
            objects: Vec::new(),
            statics: Statics::default(),
            defaults: FxHashMap::default(),
            next_cell: 0,
            layouts: Layouts::default(),
            pointers: Pointers::new(pointer_bits),
            seen_addresses: SeenAddresses::default(),
            variants: Variants::default(),
            open: OpenWorld::default(),
            argument_lists: Vec::new(),
        }
    }

    /// The object that a cell belongs to. O(log objects).
    pub(crate) fn object_of(&self, id: CellId) -> ObjectId {
        let at = self.objects.partition_point(|object| object.first_cell <= id);
        ObjectId(u32::try_from(at.saturating_sub(1)).unwrap_or(u32::MAX))
    }

    /// The cell at a position of an object.
    pub(crate) fn cell_id(&self, object: ObjectId, at: CellAt) -> CellId {
        self.objects[object.index()].first_cell + at.number as CellId
    }

    /// A cell of an object by its number.
    pub(crate) fn cell_at(&self, object: ObjectId, id: CellId) -> Option<CellAt> {
        let stored = &self.objects[object.index()];
        stored.layout.as_ref()?.cell_number(u64::from(id - stored.first_cell))
    }
}
