//! Equivalent nodes: a table of rewrite rules. The tests check each on random values.

use crate::builder::Generator;
use crate::dag::FormulaNode;
use nub_btor::{Ref, Sort, Tag};

impl Generator {
    /// An edge that is equivalent to `node`, whose children may be new, or `None` if no rule matches. `write` holds the operands
    /// of the array that is read, if that is a `write`.
    pub(crate) fn rewrite(&mut self, node: &FormulaNode, write: Option<[Ref; 3]>) -> Option<Ref> {
        let [a, b, c] = node.children;
        match node.tag {
            Tag::Eq | Tag::Neq | Tag::Ult | Tag::Ulte | Tag::Ugt | Tag::Ugte => Some(self.comparison(node)),
            Tag::Slt | Tag::Slte | Tag::Sgt | Tag::Sgte => Some(self.comparison(node)),
            Tag::And | Tag::Or | Tag::Xor | Tag::Xnor | Tag::Nand | Tag::Nor => Some(self.logic(node)),
            Tag::Implies => Some(self.binary(Tag::Or, Sort::BIT, not(a), b)),
            Tag::Iff => Some(self.binary(Tag::Xnor, Sort::BIT, b, a)),
            Tag::Add | Tag::Sub | Tag::Mul | Tag::Urem | Tag::Neg => Some(self.arithmetic(node)),
            Tag::Uaddo | Tag::Usubo | Tag::Saddo | Tag::Umulo | Tag::Smulo => Some(self.overflow(node)),
            Tag::Not => Some(not(a)),
            Tag::Redand => Some(not(self.unary(Tag::Redor, Sort::BIT, not(a)))),
            Tag::Redor => {
                let zero = self.dag.push_leaf(Tag::Zero, self.sort(a)).into();
                Some(self.binary(Tag::Neq, Sort::BIT, a, zero))
            }
            Tag::Ite => Some(self.dag.push_op(Tag::Ite, node.sort, &[not(a), c, b]).into()),
            Tag::Acond => Some(self.dag.push_op(Tag::Acond, node.sort, &[not(a), c, b]).into()),
            Tag::Rol | Tag::Ror => {
                let other = if node.tag == Tag::Rol { Tag::Ror } else { Tag::Rol };
                let back = self.unary(Tag::Neg, self.sort(b), b);
                Some(self.binary(other, node.sort, a, back))
            }
            Tag::Uext if node.params[0] > 0 => {
                let zero = self.dag.push_leaf(Tag::Zero, Sort::Bits(node.params[0])).into();
                Some(self.binary(Tag::Concat, node.sort, zero, a))
            }
            Tag::Read => self.read_over_write(node, write?),
            _ => None,
        }
    }

    fn sort(&self, edge: Ref) -> Sort {
        self.dag.node(edge.node()).sort
    }

    fn unary(&mut self, tag: Tag, sort: Sort, a: Ref) -> Ref {
        self.dag.push_op(tag, sort, &[a]).into()
    }

    fn binary(&mut self, tag: Tag, sort: Sort, a: Ref, b: Ref) -> Ref {
        self.dag.push_op(tag, sort, &[a, b]).into()
    }

    /// `a < b` is `b > a` and `not (a >= b)`.
    fn comparison(&mut self, node: &FormulaNode) -> Ref {
        let [a, b, _] = node.children;
        let (swapped, opposite) = match node.tag {
            Tag::Eq => (Tag::Eq, Tag::Neq),
            Tag::Neq => (Tag::Neq, Tag::Eq),
            Tag::Ult => (Tag::Ugt, Tag::Ugte),
            Tag::Ulte => (Tag::Ugte, Tag::Ugt),
            Tag::Ugt => (Tag::Ult, Tag::Ulte),
            Tag::Ugte => (Tag::Ulte, Tag::Ult),
            Tag::Slt => (Tag::Sgt, Tag::Sgte),
            Tag::Slte => (Tag::Sgte, Tag::Sgt),
            Tag::Sgt => (Tag::Slt, Tag::Slte),
            _ => (Tag::Slte, Tag::Slt),
        };
        if self.rng.percent(50) {
            self.binary(swapped, Sort::BIT, b, a)
        } else {
            not(self.binary(opposite, Sort::BIT, a, b))
        }
    }

    /// De Morgan's laws, and replacing each operator by its complement.
    fn logic(&mut self, node: &FormulaNode) -> Ref {
        let [a, b, _] = node.children;
        let dual = self.rng.percent(50);
        let (tag, a, b, negates) = match (node.tag, dual) {
            (Tag::And, true) => (Tag::Or, not(a), not(b), true),
            (Tag::And, false) => (Tag::Nand, b, a, true),
            (Tag::Or, true) => (Tag::And, not(a), not(b), true),
            (Tag::Or, false) => (Tag::Nor, b, a, true),
            (Tag::Nand, true) => (Tag::Or, not(a), not(b), false),
            (Tag::Nand, false) => (Tag::And, b, a, true),
            (Tag::Nor, true) => (Tag::And, not(a), not(b), false),
            (Tag::Nor, false) => (Tag::Or, b, a, true),
            (Tag::Xor, true) => (Tag::Xor, not(b), not(a), false),
            (Tag::Xor, false) => (Tag::Xnor, a, b, true),
            (_, true) => (Tag::Xnor, not(b), not(a), false),
            (_, false) => (Tag::Xor, a, b, true),
        };
        self.binary(tag, node.sort, a, b) ^ negates
    }

    /// `a + b` is `b + a` and `a - -b`; `a - b` is `not (not a + b)`; `a urem b` is `a - (a udiv b) b`, also for `b = 0`.
    fn arithmetic(&mut self, node: &FormulaNode) -> Ref {
        let ([a, b, _], sort) = (node.children, node.sort);
        match node.tag {
            Tag::Add if self.rng.percent(50) => {
                let minus_b = self.unary(Tag::Neg, sort, b);
                self.binary(Tag::Sub, sort, a, minus_b)
            }
            Tag::Add => self.binary(Tag::Add, sort, b, a),
            Tag::Sub => not(self.binary(Tag::Add, sort, not(a), b)),
            Tag::Mul => self.binary(Tag::Mul, sort, b, a),
            Tag::Urem => {
                let quotient = self.binary(Tag::Udiv, sort, a, b);
                let product = self.binary(Tag::Mul, sort, quotient, b);
                self.binary(Tag::Sub, sort, a, product)
            }
            _ => {
                let one = self.dag.push_leaf(Tag::One, sort).into();
                self.binary(Tag::Add, sort, not(a), one)
            }
        }
    }

    /// A sum overflows if it is less than a summand; a difference overflows if the first operand is less than the second.
    fn overflow(&mut self, node: &FormulaNode) -> Ref {
        let [a, b, _] = node.children;
        match node.tag {
            Tag::Uaddo => {
                let sum = self.binary(Tag::Add, self.sort(a), a, b);
                self.binary(Tag::Ult, Sort::BIT, sum, b)
            }
            Tag::Usubo => self.binary(Tag::Ugt, Sort::BIT, b, a),
            tag => self.binary(tag, Sort::BIT, b, a),
        }
    }

    /// The written value if the addresses are equal, otherwise the previous element.
    fn read_over_write(&mut self, node: &FormulaNode, [array, address, value]: [Ref; 3]) -> Option<Ref> {
        let at = node.children[1];
        let is_same = self.binary(Tag::Eq, Sort::BIT, address, at);
        let before = self.binary(Tag::Read, node.sort, array, at);
        Some(self.dag.push_op(Tag::Ite, node.sort, &[is_same, value, before]).into())
    }
}

fn not(a: Ref) -> Ref {
    a.complement()
}
