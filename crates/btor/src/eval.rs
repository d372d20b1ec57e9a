//! The value of every node for given inputs and states: the reference for translations and rules.
//!
//! ```
//! use nub_bitvec::{Datum, Value};
//! use nub_btor::{BtorDialect, BtorFile, BtorModel, Ref, eval};
//! let text = b"1 sort bitvec 4\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 inc 1 3\n6 next 1 3 5\n";
//! let model = BtorModel::of(&BtorFile::read(text, BtorDialect::Btor2)).unwrap();
//! let free = |_| Datum::Bits(Value::zero(4));
//! let first = eval::first_step(&model, free).unwrap();
//! let second = eval::next_step(&model, &first, free).unwrap();
//! let state = Ref::from(model.states()[0].node);
//! assert_eq!(second.get(state), Datum::Bits(Value::one(4)));
//! ```

use crate::{BtorModel, BtorNode, BtorNodeId, Ref, Sort, Tag};
use nub_bitvec::{ArrayValue, Datum, Value};

/// Limit on the bits of all nodes together: 512 MiB of values. A file can state large widths in a few bytes.
pub const MAX_BITS: u64 = 1 << 32;

/// The nodes of a model have more than [`MAX_BITS`] bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

impl std::fmt::Display for TooWide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the nodes have more than {MAX_BITS} bits together")
    }
}

impl std::error::Error for TooWide {}

/// The value of every node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    values: Vec<Datum>,
}

impl Values {
    /// The value of a node or of its complement.
    pub fn get(&self, of: Ref) -> Datum {
        value_of(&self.values, of)
    }

    /// True if any bit is set. Always false for an array.
    pub fn is_set(&self, of: Ref) -> bool {
        matches!(self.get(of), Datum::Bits(value) if !value.is_zero())
    }

    /// True if every `root` and `constraint` holds.
    pub fn satisfies(&self, model: &BtorModel) -> bool {
        let mut assumed = model.properties().iter().filter(|p| matches!(p.tag, Tag::Root | Tag::Constraint));
        assumed.all(|property| property.refs.iter().all(|&of| self.is_set(of)))
    }

    /// True if some `bad` holds.
    pub fn is_bad(&self, model: &BtorModel) -> bool {
        let mut bad = model.properties().iter().filter(|property| property.tag == Tag::Bad);
        bad.any(|property| property.refs.iter().any(|&of| self.is_set(of)))
    }
}

/// All values for given inputs and states, which must have the sorts of their nodes. Linear in the number of
/// nodes, but each `write` copies its array.
pub fn evaluate(model: &BtorModel, leaf: impl FnMut(BtorNodeId) -> Datum) -> Result<Values, TooWide> {
    let mut leaf = leaf;
    run(model, &mut |node, _| leaf(node))
}

/// The first step: states have their initial values, `free` chooses all other values.
pub fn first_step(model: &BtorModel, free: impl FnMut(BtorNodeId) -> Datum) -> Result<Values, TooWide> {
    let mut free = free;
    run(model, &mut |node, before| {
        let init = model.state(node).and_then(|state| state.init);
        let Some(init) = init else { return free(node) };
        let value = value_of(before, init);
        match (model.node(node).sort, value) {
            (Sort::Array { index, .. }, Datum::Bits(element)) => {
                Datum::Array(ArrayValue::constant(index, element))
            }
            (_, value) => value,
        }
    })
}

/// The step after `now`: states take their next values, `free` chooses all other values.
pub fn next_step(
    model: &BtorModel,
    now: &Values,
    free: impl FnMut(BtorNodeId) -> Datum,
) -> Result<Values, TooWide> {
    let mut free = free;
    run(model, &mut |node, _| match model.state(node).and_then(|state| state.next) {
        Some(next) => now.get(next),
        None => free(node),
    })
}

/// The value of a reference, given the values of the nodes up to it.
fn value_of(values: &[Datum], of: Ref) -> Datum {
    match &values[of.node().index()] {
        Datum::Bits(value) if of.negated() => Datum::Bits(value.not()),
        value => value.clone(),
    }
}

/// `leaf` receives a leaf and the values of all nodes before it.
fn run(model: &BtorModel, leaf: &mut dyn FnMut(BtorNodeId, &[Datum]) -> Datum) -> Result<Values, TooWide> {
    let n_bits: u64 = model.nodes().iter().map(|node| u64::from(node.sort.width())).sum();
    if n_bits > MAX_BITS {
        return Err(TooWide);
    }
    let mut values: Vec<Datum> = Vec::with_capacity(model.nodes().len());
    for id in model.node_ids() {
        let node = model.node(id);
        let value = match node.tag {
            Tag::Input | Tag::State => leaf(id, &values),
            Tag::Zero => Datum::Bits(Value::zero(node.sort.width())),
            Tag::One => Datum::Bits(Value::one(node.sort.width())),
            Tag::Ones => Datum::Bits(Value::ones(node.sort.width())),
            _ => match model.value(id) {
                Some(value) => Datum::Bits(value.clone()),
                None => apply(node, &values),
            },
        };
        values.push(value);
    }
    Ok(Values { values })
}

/// The value of an operator node. Its operands have been evaluated; their sorts were checked when the node was created.
fn apply(node: &BtorNode, values: &[Datum]) -> Datum {
    let arg = |index: usize| node.args().get(index).map(|arg| value_of(values, *arg));
    // The only node that is not an operator is a `proxy`, which has the value of its operand.
    let Some(op) = node.tag.meaning() else { return value_of(values, node.args()[0]) };
    let args = [0, 1, 2].map(|index| arg(index).unwrap_or_else(|| Datum::Bits(Value::zero(1))));
    let params = [0, 1].map(|index| node.params().get(index).copied().unwrap_or(0));
    op.evaluate(args, params)
}

#[cfg(test)]
mod tests {
    use crate::{BtorModel, Ref, Sort, Tag, eval};
    use nub_bitvec::{Datum, Value};

    /// Applies `tag` to two numbers of a width.
    fn on(tag: Tag, width: u32, a: u64, b: u64) -> u64 {
        let mut model = BtorModel::new();
        let args = [a, b].map(|number| Ref::from(model.push_const(Value::from_u64(width, number))));
        let n_args = if matches!(tag, Tag::Neg | Tag::Redxor | Tag::Inc) { 1 } else { 2 };
        let node = model.push_op(tag, &args[..n_args], &[]).unwrap();
        let values = eval::evaluate(&model, |_| Datum::Bits(Value::zero(1))).unwrap();
        values.get(node.into()).bits().to_u64().unwrap()
    }

    #[test]
    fn the_references_word_for_word() {
        assert_eq!(on(Tag::Udiv, 4, 5, 0), 15, "x / 0 is all ones");
        assert_eq!(on(Tag::Urem, 4, 5, 0), 5, "x rem 0 is x");
        assert_eq!(on(Tag::Sdiv, 4, 5, 0), 15, "-1 for what is not negative");
        assert_eq!(on(Tag::Sdiv, 4, 8, 0), 1, "1 for what is negative");
        assert_eq!(on(Tag::Smod, 4, 11, 0), 11);
        assert_eq!(on(Tag::Smod, 4, 13, 2), 1, "-3 modulo 2 has the sign of 2");
        assert_eq!(on(Tag::Srem, 4, 13, 2), 15, "-3 rem 2 has the sign of -3");
        assert_eq!(on(Tag::Sll, 3, 1, 3), 0, "amounts from the width on give 0");
        assert_eq!(on(Tag::Sra, 3, 4, 7), 7, "or the sign");
        assert_eq!(on(Tag::Rol, 3, 1, 4), 2, "rotations are modulo the width");
        assert_eq!(on(Tag::Usubo, 4, 3, 5), 1);
        assert_eq!(on(Tag::Sdivo, 4, 8, 15), 1, "the minimum by -1");
        assert_eq!(on(Tag::Umulo, 4, 13, 13), 1);
        assert_eq!(on(Tag::Mul, 4, 13, 13), 9);
        assert_eq!(on(Tag::Redxor, 4, 7, 0), 1);
        assert_eq!(on(Tag::Concat, 2, 2, 1), 9, "the first is the high part");
    }

    #[test]
    fn arrays_compare_by_content() {
        let mut model = BtorModel::new();
        let array = model.push_input(Sort::Array { index: 1, element: 2 });
        let zero = model.push_special(Tag::Zero, 1);
        let element = model.push_op(Tag::Read, &[array.into(), zero.into()], &[]).unwrap();
        let same = model.push_op(Tag::Write, &[array.into(), zero.into(), element.into()], &[]).unwrap();
        let other = Ref::from(element).complement();
        let other = model.push_op(Tag::Write, &[array.into(), zero.into(), other], &[]).unwrap();
        let equal = model.push_op(Tag::Eq, &[array.into(), same.into()], &[]).unwrap();
        let differs = model.push_op(Tag::Neq, &[array.into(), other.into()], &[]).unwrap();
        let sort = nub_bitvec::Sort::Array { index: 1, element: 2 };
        let values = eval::evaluate(&model, |_| Datum::zero(sort)).unwrap();
        assert!(values.is_set(equal.into()) && values.is_set(differs.into()));
    }
}
