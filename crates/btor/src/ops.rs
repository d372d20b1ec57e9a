//! The operator table of both formats: one line per operator and per kind of line.
//!
//! Reader, checker, printers, translators, evaluator and generator use it; no other code knows how an operator is
//! spelled. A row has the spelling in BTOR and in BTOR2, what follows the operator ([`LineShape`]), how widths relate
//! ([`WidthRule`]), and the corresponding operator of `nub-bitvec`, whose table has its value and its meaning in SMT-LIB.
//!
//! ```
//! use nub_btor::{BtorDialect, Tag};
//! assert_eq!(Tag::by_name(b"ne", BtorDialect::Btor), Some(Tag::Neq));
//! assert_eq!(Tag::Neq.name(BtorDialect::Btor2), Some("neq"));
//! assert_eq!(Tag::Root.name(BtorDialect::Btor2), None);
//! ```

use crate::BtorDialect;
use nub_bitvec::Op as Meaning;
use std::sync::LazyLock;

/// What follows the operator on its line. First comes the width of the node in BTOR, or the id of its sort in BTOR2, except
/// where noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineShape {
    /// `sort bitvec W` or `sort array INDEX ELEMENT`, without a sort of its own.
    Sort,
    /// Nothing except a symbol.
    Leaf,
    /// The index width of a BTOR array.
    Array,
    /// The digits of a constant.
    Digits,
    /// This many references.
    Nodes(u8),
    /// A reference, the upper and the lower bound.
    Slice,
    /// A reference and the number of added bits.
    Extend,
    /// BTOR: index width, then three references. BTOR2: three references.
    Indexed,
    /// BTOR: width and reference. BTOR2: a reference without a sort.
    Property,
    /// A count and that many references, without a sort.
    Justice,
    /// A state and a value.
    Assign,
    /// Only BTOR: index width, an array and a value.
    ArrayAssign,
}

/// One field after the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineField {
    /// Width of the node.
    Width,
    /// Width of the indices of an array.
    IndexWidth,
    /// Id of a sort line.
    Sort,
    /// Reference to a node.
    Node,
    /// Reference to the state that is assigned.
    State,
    /// A number.
    Number,
    /// Digits of a constant.
    Digits,
    /// As many references as the preceding number says.
    Nodes,
    /// `bitvec W` or `array INDEX ELEMENT`.
    SortBody,
}

impl LineShape {
    /// The fields after the operator, in order.
    pub fn fields(self, dialect: BtorDialect) -> &'static [LineField] {
        use LineField::*;
        match (dialect, self) {
            (_, LineShape::Sort) => &[SortBody],
            (_, LineShape::Justice) => &[Number, Nodes],
            (BtorDialect::Btor, shape) => match shape {
                LineShape::Array => &[Width, IndexWidth],
                LineShape::Digits => &[Width, Digits],
                LineShape::Nodes(1) | LineShape::Property => &[Width, Node],
                LineShape::Nodes(2) => &[Width, Node, Node],
                LineShape::Nodes(_) => &[Width, Node, Node, Node],
                LineShape::Slice => &[Width, Node, Number, Number],
                LineShape::Extend => &[Width, Node, Number],
                LineShape::Indexed => &[Width, IndexWidth, Node, Node, Node],
                LineShape::Assign => &[Width, State, Node],
                LineShape::ArrayAssign => &[Width, IndexWidth, State, Node],
                LineShape::Leaf | LineShape::Sort | LineShape::Justice => &[Width],
            },
            (BtorDialect::Btor2, shape) => match shape {
                LineShape::Digits => &[Sort, Digits],
                LineShape::Nodes(1) => &[Sort, Node],
                LineShape::Nodes(2) => &[Sort, Node, Node],
                LineShape::Nodes(_) | LineShape::Indexed => &[Sort, Node, Node, Node],
                LineShape::Slice => &[Sort, Node, Number, Number],
                LineShape::Extend => &[Sort, Node, Number],
                LineShape::Property => &[Node],
                LineShape::Assign | LineShape::ArrayAssign => &[Sort, State, Node],
                LineShape::Leaf | LineShape::Array | LineShape::Sort | LineShape::Justice => &[Sort],
            },
        }
    }
}

/// How the width of the result follows from the operands. `n` and `m` are widths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WidthRule {
    /// Any sort; no operands.
    Leaf,
    /// A bit-vector; no operands.
    Constant,
    /// `n -> n`, `n n -> n`.
    Same,
    /// `n -> 1`; in BTOR `n` is at least two.
    Reduce,
    /// `n -> 1`, `n n -> 1`.
    Compare,
    /// `1 1 -> 1`.
    Bit,
    /// Two operands of one sort, also arrays, `-> 1`.
    Equal,
    /// `n m -> n`. BTOR2: `m = n`. BTOR: `n` is a power of two, at least 2, and `m = log2 n`.
    Shift,
    /// `n m -> n + m`.
    Concat,
    /// Upper and lower bound: `n -> upper - lower + 1`.
    Slice,
    /// Number of added bits: `n -> n + number`.
    Extend,
    /// One bit and two operands of one sort.
    Ite,
    /// Array and index to element.
    Read,
    /// Array, index and element to array.
    Write,
    /// Defines no node: a sort, a property, or the value of a state.
    None,
}

/// One line of the table.
#[derive(Debug)]
pub struct BtorOp {
    /// The operator.
    pub tag: Tag,
    /// Spelling in BTOR, empty if it has none.
    pub btor: &'static str,
    /// Spelling in BTOR2, empty if it has none.
    pub btor2: &'static str,
    /// What follows it.
    pub shape: LineShape,
    /// How widths relate.
    pub rule: WidthRule,
    /// The corresponding bit-vector operator; `None` for lines that are not operators, and for `proxy`, whose meaning is its operand.
    pub meaning: Option<Meaning>,
}

/// The last column of a row: `_` for none.
macro_rules! meaning {
    (_) => {
        None
    };
    ($op:ident) => {
        Some(Meaning::$op)
    };
}

macro_rules! operators {
    ($($tag:ident, $btor:literal, $btor2:literal, $shape:expr, $rule:ident, $meaning:tt;)*) => {
        /// An operator or a kind of line, of either format.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Tag {
            $(#[doc = concat!("BTOR `", $btor, "`, BTOR2 `", $btor2, "`.")] $tag,)*
        }

        /// All operators, in the order of [`Tag`].
        pub const OPS: &[BtorOp] = {
            use self::LineShape::*;
            &[$(BtorOp { tag: Tag::$tag, btor: $btor, btor2: $btor2, shape: $shape, rule: WidthRule::$rule, meaning: meaning!($meaning) },)*]
        };
    };
}

operators! {
    // Declarations.
    Sort, "", "sort", LineShape::Sort, None, _;
    Var, "var", "", Leaf, Leaf, _;
    Array, "array", "", LineShape::Array, Leaf, _;
    Input, "", "input", Leaf, Leaf, _;
    State, "", "state", Leaf, Leaf, _;
    // Constants.
    Const, "const", "const", Digits, Constant, _;
    Constd, "constd", "constd", Digits, Constant, _;
    Consth, "consth", "consth", Digits, Constant, _;
    Zero, "zero", "zero", Leaf, Constant, _;
    One, "one", "one", Leaf, Constant, _;
    Ones, "ones", "ones", Leaf, Constant, _;
    // One operand.
    Not, "not", "not", Nodes(1), Same, Not;
    Neg, "neg", "neg", Nodes(1), Same, Neg;
    Inc, "inc", "inc", Nodes(1), Same, Inc;
    Dec, "dec", "dec", Nodes(1), Same, Dec;
    Proxy, "proxy", "", Nodes(1), Same, _;
    Redand, "redand", "redand", Nodes(1), Reduce, Redand;
    Redor, "redor", "redor", Nodes(1), Reduce, Redor;
    Redxor, "redxor", "redxor", Nodes(1), Reduce, Redxor;
    // From the format before version 3: does the negation overflow?
    Nego, "nego", "", Nodes(1), Compare, Nego;
    // Arithmetic.
    Add, "add", "add", Nodes(2), Same, Add;
    Sub, "sub", "sub", Nodes(2), Same, Sub;
    Mul, "mul", "mul", Nodes(2), Same, Mul;
    Udiv, "udiv", "udiv", Nodes(2), Same, Udiv;
    Urem, "urem", "urem", Nodes(2), Same, Urem;
    Sdiv, "sdiv", "sdiv", Nodes(2), Same, Sdiv;
    Srem, "srem", "srem", Nodes(2), Same, Srem;
    Smod, "smod", "smod", Nodes(2), Same, Smod;
    // Bitwise.
    And, "and", "and", Nodes(2), Same, And;
    Or, "or", "or", Nodes(2), Same, Or;
    Xor, "xor", "xor", Nodes(2), Same, Xor;
    Xnor, "xnor", "xnor", Nodes(2), Same, Xnor;
    Nand, "nand", "nand", Nodes(2), Same, Nand;
    Nor, "nor", "nor", Nodes(2), Same, Nor;
    Implies, "implies", "implies", Nodes(2), Bit, Implies;
    Iff, "iff", "iff", Nodes(2), Bit, Iff;
    // Comparisons.
    Eq, "eq", "eq", Nodes(2), Equal, Eq;
    Neq, "ne", "neq", Nodes(2), Equal, Ne;
    Ult, "ult", "ult", Nodes(2), Compare, Ult;
    Ulte, "ulte", "ulte", Nodes(2), Compare, Ule;
    Ugt, "ugt", "ugt", Nodes(2), Compare, Ugt;
    Ugte, "ugte", "ugte", Nodes(2), Compare, Uge;
    Slt, "slt", "slt", Nodes(2), Compare, Slt;
    Slte, "slte", "slte", Nodes(2), Compare, Sle;
    Sgt, "sgt", "sgt", Nodes(2), Compare, Sgt;
    Sgte, "sgte", "sgte", Nodes(2), Compare, Sge;
    // Overflow.
    Uaddo, "uaddo", "uaddo", Nodes(2), Compare, Uaddo;
    Usubo, "usubo", "usubo", Nodes(2), Compare, Usubo;
    Umulo, "umulo", "umulo", Nodes(2), Compare, Umulo;
    Saddo, "saddo", "saddo", Nodes(2), Compare, Saddo;
    Ssubo, "ssubo", "ssubo", Nodes(2), Compare, Ssubo;
    Smulo, "smulo", "smulo", Nodes(2), Compare, Smulo;
    Sdivo, "sdivo", "sdivo", Nodes(2), Compare, Sdivo;
    // Shifts. The amount has been extended to the width of the first operand.
    Sll, "sll", "sll", Nodes(2), Shift, Shl;
    Srl, "srl", "srl", Nodes(2), Shift, Lshr;
    Sra, "sra", "sra", Nodes(2), Shift, Ashr;
    Rol, "rol", "rol", Nodes(2), Shift, Rol;
    Ror, "ror", "ror", Nodes(2), Shift, Ror;
    // Changing widths.
    Concat, "concat", "concat", Nodes(2), Concat, Concat;
    Slice, "slice", "slice", LineShape::Slice, Slice, Slice;
    Uext, "uext", "uext", Extend, Extend, Uext;
    Sext, "sext", "sext", Extend, Extend, Sext;
    // If-then-else and arrays. `cond` on arrays is from the format before version 3.
    Ite, "cond", "ite", Nodes(3), Ite, Ite;
    Acond, "acond", "", Indexed, Ite, Ite;
    Read, "read", "read", Nodes(2), Read, Read;
    Write, "write", "write", Indexed, Write, Write;
    // Lines that define no operator node.
    Init, "", "init", Assign, None, _;
    Next, "next", "next", Assign, None, _;
    Anext, "anext", "", ArrayAssign, None, _;
    Root, "root", "", Property, None, _;
    Bad, "", "bad", Property, None, _;
    Constraint, "", "constraint", Property, None, _;
    Fair, "", "fair", Property, None, _;
    Justice, "", "justice", LineShape::Justice, None, _;
    Output, "", "output", Property, None, _;
}

impl Tag {
    /// Its row of the table.
    #[inline]
    pub fn op(self) -> &'static BtorOp {
        &OPS[self as usize]
    }

    /// How it is spelled in `dialect`, if it exists there.
    #[inline]
    pub fn name(self, dialect: BtorDialect) -> Option<&'static str> {
        let op = self.op();
        let name = match dialect {
            BtorDialect::Btor => op.btor,
            BtorDialect::Btor2 => op.btor2,
        };
        (!name.is_empty()).then_some(name)
    }

    /// What `name` means in `dialect`.
    #[inline]
    pub fn by_name(name: &[u8], dialect: BtorDialect) -> Option<Tag> {
        NAMES[dialect as usize].find(name)
    }

    /// The bit-vector operator that it denotes, if it denotes one.
    #[inline]
    pub fn meaning(self) -> Option<Meaning> {
        self.op().meaning
    }

    /// How widths relate.
    #[inline]
    pub fn rule(self) -> WidthRule {
        self.op().rule
    }

    /// True for `const`, `constd`, `consth`, `zero`, `one` and `ones`.
    pub fn is_constant(self) -> bool {
        self.rule() == WidthRule::Constant
    }

    /// True for `root`, `bad`, `constraint`, `fair`, `justice` and `output`.
    pub fn is_property(self) -> bool {
        matches!(self.op().shape, LineShape::Property | LineShape::Justice)
    }

    /// True if other lines may refer to it as a node. A reference to a BTOR `root` means its operand.
    pub fn is_node(self) -> bool {
        self.rule() != WidthRule::None || self == Tag::Root
    }
}

/// Longer names are not looked up. The longest operator has ten bytes.
const MAX_NAME: usize = 15;
const N_SLOTS: usize = 256;

/// Names by a multiplicative hash of their bytes, with linear probing. A general hash map would cost twice as much per line.
struct Names {
    slots: [Option<(u128, Tag)>; N_SLOTS],
}

static NAMES: LazyLock<[Names; 2]> =
    LazyLock::new(|| [BtorDialect::Btor, BtorDialect::Btor2].map(Names::of_dialect));

impl Names {
    fn of_dialect(dialect: BtorDialect) -> Names {
        let mut names = Names { slots: [None; N_SLOTS] };
        for op in OPS {
            let Some(word) = op.tag.name(dialect).and_then(|name| pack(name.as_bytes())) else { continue };
            let mut slot = slot_of(word);
            while names.slots[slot].is_some() {
                slot = (slot + 1) % N_SLOTS;
            }
            names.slots[slot] = Some((word, op.tag));
        }
        names
    }

    #[inline]
    fn find(&self, name: &[u8]) -> Option<Tag> {
        let word = pack(name)?;
        let mut slot = slot_of(word);
        // The loop ends because there are more slots than names.
        while let Some((known, tag)) = self.slots[slot] {
            if known == word {
                return Some(tag);
            }
            slot = (slot + 1) % N_SLOTS;
        }
        None
    }
}

#[inline]
fn pack(name: &[u8]) -> Option<u128> {
    if name.is_empty() || name.len() > MAX_NAME {
        return None;
    }
    // A leading 1, so that leading NUL bytes make a difference.
    Some(name.iter().fold(1, |word, &byte| word << 8 | u128::from(byte)))
}

#[inline]
fn slot_of(word: u128) -> usize {
    let mixed = (word as u64 ^ (word >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_tags() {
        for (index, op) in OPS.iter().enumerate() {
            assert_eq!(op.tag as usize, index, "{op:?}");
            assert_eq!(op.tag.op().btor, op.btor);
        }
    }

    #[test]
    fn names_are_found_in_their_dialect_alone() {
        for op in OPS {
            assert!(op.btor.len().max(op.btor2.len()) <= MAX_NAME, "{op:?}");
            assert!(!(op.btor.is_empty() && op.btor2.is_empty()));
            for dialect in [BtorDialect::Btor, BtorDialect::Btor2] {
                if let Some(name) = op.tag.name(dialect) {
                    assert_eq!(Tag::by_name(name.as_bytes(), dialect), Some(op.tag));
                }
            }
        }
        let unknown: [&[u8]; 6] = [b"", b"VAR", b"addx", b"ad", b"constraintconstraint", b"\0add"];
        for name in unknown {
            assert_eq!(Tag::by_name(name, BtorDialect::Btor2), None);
        }
        assert_eq!(Tag::by_name(b"root", BtorDialect::Btor2), None);
        assert_eq!(Tag::by_name(b"sort", BtorDialect::Btor), None);
    }

    #[test]
    fn every_operator_has_a_meaning() {
        for op in OPS
            .iter()
            .filter(|op| !matches!(op.rule, WidthRule::None | WidthRule::Leaf | WidthRule::Constant))
        {
            assert!(op.meaning.is_some() || op.tag == Tag::Proxy, "{op:?}");
        }
    }
}
