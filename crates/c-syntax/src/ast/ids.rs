//! Numbers of nodes.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The number itself, for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An identifier, interned: equal spellings have equal numbers.
    Name;
    /// An expression.
    ExprId;
    /// A statement.
    StmtId;
    /// A declaration.
    DeclId;
    /// A function definition.
    FunctionId;
    /// A list of declaration specifiers.
    SpecifiersId;
    /// A type name, as in a cast.
    TypeNameId;
    /// A mention of a `struct` or `union`, with or without a body.
    RecordId;
    /// A mention of an `enum`, with or without a body.
    EnumId;
    /// An initialiser.
    InitId;
    /// A string literal, adjacent ones joined.
    StringId;
}
