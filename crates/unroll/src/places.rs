//! Objects of a run, and where in the unrolled program something happens.

use crate::unrolled::{ContextId, InputPlace};
use nub_c_ir::{
    AllocationId, BlockId, FunctionId, GlobalId, LocalId, LoopId, SourceOrigin, StringId, TypeId,
};

/// An object of a run.
#[derive(Clone, Debug)]
pub struct Object {
    /// For reports: `x`, `*p`, `malloc #1`.
    pub name: String,
    /// Its type; absent for heap objects and for the target of a `void *`.
    pub ty: Option<TypeId>,
    /// In bytes.
    pub size: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// Bytes from its start to the place that its input pointer points to.
    pub before: u64,
    /// What that pointer points to, if it is a part of an element.
    pub part: Option<TypeId>,
    /// Tests allocate it by `malloc`, since the program may free it.
    pub is_allocated: bool,
}

/// How the container of what a pointer points to is called.
const CONTAINER: &str = "container_of(";

impl Object {
    /// The name of the object that a pointer of this name points into the middle of.
    pub(crate) fn container_name(pointer: &str) -> String {
        format!("{CONTAINER}{pointer})")
    }

    /// The name of the pointer input that leads to it.
    pub(crate) fn pointer_name(&self) -> &str {
        let inner = self.name.strip_prefix(CONTAINER).and_then(|rest| rest.strip_suffix(')'));
        inner.filter(|_| self.part.is_some()).unwrap_or(&self.name)
    }

    /// The numbers of the elements of this size that a pointer into the object can point to, from the place that its own input pointer points to: the
    /// first one, and the end of the object.
    pub(crate) fn element_range(&self, size: u64) -> (i128, i128) {
        let count = |bytes: u64| i128::from(bytes.checked_div(size).unwrap_or(0));
        (-count(self.before), count(self.size.saturating_sub(self.before)))
    }

    /// Bits of a signed number that can be each of these, and one that is none.
    pub(crate) fn element_bits(&self, size: u64) -> u32 {
        let (first, end) = self.element_range(size);
        let count = first.unsigned_abs().max(end.unsigned_abs() + 2);
        crate::inputs::bits_for(usize::try_from(count).unwrap_or(usize::MAX)) + 1
    }

    /// Bytes from where its own input pointer points to an element; another number means the end of the object.
    pub fn element_distance(&self, size: u64, number: i128) -> i128 {
        let (first, end) = self.element_range(size);
        let number = if (first..=end).contains(&number) { number } else { end };
        number * i128::from(size)
    }
}

/// What an object is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A local of one activation.
    Local {
        /// The function.
        function: FunctionId,
        /// Which of its locals.
        local: LocalId,
        /// The activation.
        context: ContextId,
    },
    /// A global.
    Global(GlobalId),
    /// A string literal.
    String(StringId),
    /// Allocated by `malloc` or a similar function.
    Heap(AllocationId),
    /// The target of an input pointer; the place is that of the pointer.
    Pointee(InputPlace),
}

/// A position in the unrolled program: a stack of calls and loop iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallContext {
    /// The enclosing context.
    pub parent: Option<ContextId>,
    /// The kind of this entry.
    pub kind: ContextKind,
}

/// An entry of a stack of calls and loop iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContextKind {
    /// The function under test.
    Entry(FunctionId),
    /// A call.
    Call {
        /// The called function.
        function: FunctionId,
        /// The call.
        origin: SourceOrigin,
    },
    /// An iteration of a loop.
    Round {
        /// The first block of the loop.
        header: BlockId,
        /// The loop of the source; absent if `goto` makes it.
        source: Option<LoopId>,
        /// From 0.
        number: u32,
    },
}

impl ContextKind {
    /// The function that is entered.
    pub fn function(self) -> Option<FunctionId> {
        match self {
            ContextKind::Entry(function) | ContextKind::Call { function, .. } => Some(function),
            ContextKind::Round { .. } => None,
        }
    }
}
