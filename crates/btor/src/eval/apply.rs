//! One operator on values.

use super::value_of;
use crate::{Node, Rule, Tag};
use nub_bitvec::{Datum, Value};

/// The value of an operator node. Operands have been evaluated, and their sorts fit since the node exists.
pub(super) fn apply(node: &Node, values: &[Datum]) -> Datum {
    let arg = |at: usize| value_of(values, node.args()[at]);
    match node.tag.rule() {
        Rule::Ite => arg(if arg(0).is_true() { 1 } else { 2 }),
        Rule::Equal => {
            let is_equal = arg(0) == arg(1);
            bit(is_equal == (node.tag == Tag::Eq))
        }
        Rule::Read => Datum::Bits(arg(0).array().read(arg(1).bits()).clone()),
        Rule::Write => {
            let Datum::Array(mut array) = arg(0) else { return arg(0) };
            array.write(arg(1).bits().clone(), arg(2).bits().clone());
            Datum::Array(array)
        }
        Rule::Slice => Datum::Bits(arg(0).bits().slice(node.params()[0], node.params()[1])),
        Rule::Extend if node.tag == Tag::Sext => Datum::Bits(arg(0).bits().sign_extend(node.params()[0])),
        Rule::Extend => Datum::Bits(arg(0).bits().zero_extend(node.params()[0])),
        Rule::Reduce => bit(reduce(node.tag, arg(0).bits())),
        _ if node.args().len() == 1 => Datum::Bits(unary(node.tag, arg(0).bits())),
        Rule::Compare => bit(compare(node.tag, arg(0).bits(), arg(1).bits())),
        _ => Datum::Bits(binary(node.tag, arg(0).bits(), arg(1).bits())),
    }
}

fn bit(bit: bool) -> Datum {
    Datum::Bits(Value::from_bool(bit))
}

fn reduce(tag: Tag, a: &Value) -> bool {
    match tag {
        Tag::Redand => a.redand(),
        Tag::Redor => a.redor(),
        _ => a.redxor(),
    }
}

fn unary(tag: Tag, a: &Value) -> Value {
    match tag {
        Tag::Not => a.not(),
        Tag::Neg => a.neg(),
        Tag::Inc => a.inc(),
        Tag::Dec => a.dec(),
        Tag::Nego => Value::from_bool(a.nego()),
        // Proxy.
        _ => a.clone(),
    }
}

fn compare(tag: Tag, a: &Value, b: &Value) -> bool {
    match tag {
        Tag::Ult | Tag::Usubo => a.ult(b),
        Tag::Ulte => a.ule(b),
        Tag::Ugt => a.ugt(b),
        Tag::Ugte => a.uge(b),
        Tag::Slt => a.slt(b),
        Tag::Slte => a.sle(b),
        Tag::Sgt => a.sgt(b),
        Tag::Sgte => a.sge(b),
        Tag::Uaddo => a.uaddo(b),
        Tag::Umulo => a.umulo(b),
        Tag::Saddo => a.saddo(b),
        Tag::Ssubo => a.ssubo(b),
        Tag::Smulo => a.smulo(b),
        _ => a.sdivo(b),
    }
}

fn binary(tag: Tag, a: &Value, b: &Value) -> Value {
    match tag {
        Tag::Add => a.add(b),
        Tag::Sub => a.sub(b),
        Tag::Mul => a.mul(b),
        Tag::Udiv => a.udiv(b),
        Tag::Urem => a.urem(b),
        Tag::Sdiv => a.sdiv(b),
        Tag::Srem => a.srem(b),
        Tag::Smod => a.smod(b),
        Tag::And => a.and(b),
        Tag::Or => a.or(b),
        Tag::Xor => a.xor(b),
        Tag::Xnor | Tag::Iff => a.xnor(b),
        Tag::Nand => a.nand(b),
        Tag::Nor => a.nor(b),
        Tag::Implies => a.not().or(b),
        Tag::Sll => a.shl(b),
        Tag::Srl => a.lshr(b),
        Tag::Sra => a.ashr(b),
        Tag::Rol => a.rol(b),
        Tag::Ror => a.ror(b),
        _ => a.concat(b),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Model, Ref, Sort, Tag, eval};
    use nub_bitvec::{Datum, Value};

    /// `tag` on two numbers of a width.
    fn on(tag: Tag, width: u32, a: u64, b: u64) -> u64 {
        let mut model = Model::new();
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
        let mut model = Model::new();
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
