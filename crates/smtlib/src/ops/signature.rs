//! How signatures are described.

use crate::SortId;

/// Theories, as SMT-LIB and the solvers divide them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Theory {
    Core,
    Arith,
    BitVectors,
    Arrays,
    FloatingPoint,
    Strings,
    Sequences,
    Sets,
    Bags,
    Datatypes,
    FiniteFields,
    Separation,
    HigherOrder,
    SpecialRelations,
}

/// Who supports an operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OperatorOrigin {
    /// SMT-LIB 2.6 or 2.7
    Standard,
    /// cvc5 and its ancestors
    Cvc5,
    /// z3
    Z3,
    /// A name from before the standard that some solver still accepts
    Old,
}

/// How an operator of two arguments extends to more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Associativity {
    /// It does not
    None,
    /// `(f a b c)` is `(f (f a b) c)`
    LeftAssoc,
    /// `(f a b c)` is `(f a (f b c))`
    RightAssoc,
    /// `(f a b c)` is `(and (f a b) (f b c))`
    Chainable,
    /// `(f a b c)` is `(and (f a b) (f a c) (f b c))`
    Pairwise,
}

/// Which numbers are legal as indices. Only for signatures made of patterns; a [`SortRule`] checks its own indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexRange {
    /// Any
    Natural,
    /// At least 1
    Positive,
    /// Below the width of the first argument
    BelowWidth,
    /// A code point in hexadecimal
    CodePoint,
    /// Two numbers, the first at most as large as the second
    Ascending,
}

/// A sort that is fixed or a variable of the signature. Every occurrence of a variable is the same sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// This sort
    Is(SortId),
    /// The variable with this number, below [`Slot::N_VARS`]
    Var(u8),
}

impl Slot {
    /// Number of variables a signature may have.
    pub const N_VARS: usize = 2;
}

/// A pattern of sorts. Patterns nest only one level, so that matching needs no stack; other signatures use a [`SortRule`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pat {
    /// As an argument, any sort; as a result, unknown
    Any,
    /// A fixed sort or a variable
    Slot(Slot),
    /// `Int` or `Real`; as a result, `Real` if any argument is
    Num,
    /// A bit-vector; the variable is the whole sort
    BitVec(u8),
    /// `(_ BitVec n)`
    Width(u32),
    /// A floating-point number; the variable is the whole sort
    Float(u8),
    /// A finite field; the variable is the whole sort
    Field(u8),
    /// A string or sequence; the variable is the whole sort
    Text(u8),
    /// `(Seq e)`
    Seq(Slot),
    /// `(Set e)`
    Set(Slot),
    /// `(Bag e)`
    Bag(Slot),
    /// `(Array i e)`
    Array(Slot, Slot),
    /// `(-> s… t)`
    Fun(&'static [Slot]),
}

/// The sorts of an operator.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OperatorSignature {
    /// Arguments one by one, then the result
    Fixed(&'static [Pat], Pat),
    /// Any number of arguments like the first pattern, then the result; [`SmtOp::attribute`](super::SmtOp) says what it means
    Nary(Pat, Pat),
    /// Sorts that patterns cannot express
    Rule(SortRule),
}

/// Result sorts that depend on widths, indices or the shape of arguments. One function each in `analysis::rules`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SortRule {
    /// `concat`: widths add up
    Concat,
    /// `(_ extract i j)`
    Extract,
    /// `(_ repeat n)`
    Repeat,
    /// `(_ zero_extend n)`, `(_ sign_extend n)`
    Extend,
    /// A number to a bit-vector whose width is an index: `(_ int_to_bv n)`
    IntToBv,
    /// A float to a bit-vector whose width is an index: `(_ fp.to_ubv n)`
    FloatToBv,
    /// `fp` from sign, exponent, significand
    Fp,
    /// `(_ +oo eb sb)` and similar
    FloatConstant,
    /// `(_ to_fp eb sb)` in all its forms
    ToFp,
    /// `fp.to_ieee_bv`: the width is that of the float
    FloatToIeee,
    /// `select` on arrays of one or more dimensions
    Select,
    /// `store`
    Store,
    /// `const`, only as `((as const S) t)`
    ConstArray,
    /// z3: `(_ map f)`
    MapArray,
    /// z3: `(_ as-array f)`
    AsArray,
    /// The sort of the argument: sets are arrays in z3, and a sort of their own in cvc5
    SameSet,
    /// z3: `subset` on either kind of set
    SetRelation,
    /// `seq.nth`: the element of a sequence, a character of a string
    Nth,
    /// `seq.unit`
    Unit,
    /// `tuple`
    Tuple,
    /// `(_ tuple.select n)`
    TupleSelect,
    /// `(_ tuple.project i…)`, `(_ rel.project i…)`, `(_ table.project i…)`
    Project,
    /// `rel.join`
    RelJoin,
    /// `rel.product`, `table.product`
    RelProduct,
    /// `rel.transpose`
    RelTranspose,
    /// `rel.iden`: from a set of one-tuples to pairs
    RelIden,
    /// `rel.join_image`: the first column
    RelImage,
    /// `rel.group`, `bag.partition` and similar: a collection of collections
    Group,
    /// `rel.aggr`, `table.aggr`: a collection of the initial value's sort
    Aggregate,
    /// `ite`
    Ite,
    /// `@`: a function and its arguments
    Apply,
    /// `(_ is C)`
    Is,
    /// `((_ update s) t v)`
    Update,
    /// Its sort is only given by `as`: `(as set.empty (Set S))`
    Ascribed,
    /// Any arguments, a truth value
    Predicate,
    /// Any arguments, unknown sort
    Unknown,
}

impl SortRule {
    /// True if the operator has no arguments.
    pub fn is_constant(self) -> bool {
        matches!(self, SortRule::FloatConstant | SortRule::AsArray | SortRule::Ascribed)
    }
}
