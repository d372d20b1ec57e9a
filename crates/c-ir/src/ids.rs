//! Typed indices into the arenas of a program.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element that is pushed next onto an arena of this length.
            pub(crate) fn next(length: usize) -> $name {
                $name(u32::try_from(length).expect("an arena grows with its input, which has below 2^32 bytes"))
            }
        }
    )*};
}

ids! {
    /// A type in [`crate::Types`].
    TypeId
    /// A structure or union in [`crate::Types`].
    RecordId
    /// A function of a program.
    FunctionId
    /// A global object or a static local one.
    GlobalId
    /// A string literal.
    StringId
    /// A source file named by a line marker.
    FileId
    /// A statement of the source, the unit of statement coverage.
    StatementId
    /// A decision of the source, the unit of decision coverage.
    DecisionId
    /// A place where an object is allocated (`malloc`).
    AllocationId
    /// A place where a volatile object is read, or a register written.
    AccessId
    /// A parameter, variable or temporary of one function.
    LocalId
    /// An expression of one function.
    ExprId
    /// A basic block of one function.
    BlockId
    /// A loop of one function.
    LoopId
}
