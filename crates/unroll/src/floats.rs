//! Operations on floats as terms.
//!
//! A float is its encoding as memory has it, so that sign and payload of a NaN survive copies. Operations are those of
//! [`nub_bitvec::float`], lowered to the pool that all terms are in: the same operation on the same operands is one term, and one that no
//! goal depends on never becomes a clause.

use crate::library::LibraryCall;
use crate::machine::Machine;
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::float::{FloatFormat, FloatOperation, RoundingMode, Signedness};
use nub_bitvec::{Op, Sort, TermId, float};
use nub_c_ir::{FloatEncoding, FloatOperator, IntFormat, MathFunction, NumberFormat, TypeId, floats};

/// An operand with its representation.
#[derive(Clone, Copy)]
struct Operand {
    term: TermId,
    format: NumberFormat,
}

impl Machine<'_> {
    /// The result of an operation whose operands are known, in the type of the expression.
    pub(crate) fn float(&mut self, op: FloatOperator, ty: TypeId, operands: &[(TermId, TypeId)]) -> TermId {
        let types = &self.program.types;
        let int = NumberFormat::Int(IntFormat { width: self.program.model.int_bits, is_signed: true });
        let operands: Vec<Operand> = (operands.iter())
            .map(|(term, ty)| Operand { term: *term, format: types.number_format(*ty).unwrap_or(int) })
            .collect();
        match (op, types.number_format(ty).unwrap_or(int)) {
            (FloatOperator::ToInteger, NumberFormat::Int(to)) => {
                let (fits, bits) = self.float_to_integer(operands[0], to);
                let other = terms::constant(&mut self.pool, to.width, floats::unfit_integer(to.width));
                self.pool.mk(Op::Ite, &[fits, bits, other])
            }
            (FloatOperator::Bits | FloatOperator::OfBits, _) => operands[0].term,
            (_, NumberFormat::Float(to)) => {
                let made = self.make_float(op, to, &operands);
                if self.can_make_nan(op, &operands) {
                    let operands: Vec<TermId> =
                        operands.iter().take(op.n_operands()).map(|operand| operand.term).collect();
                    self.note_made(made, to, &operands);
                }
                made
            }
            (_, NumberFormat::Int(to)) => {
                let truth = self.ask_float(op, &operands);
                terms::resize(&mut self.pool, truth, to.width)
            }
        }
    }

    /// Whether the result may be a NaN that is not a copy of one. Compilers move signs out of products and quotients, and replace the absolute value
    /// of a square by the square, so the sign of such a NaN may differ too.
    fn can_make_nan(&mut self, op: FloatOperator, operands: &[Operand]) -> bool {
        match op {
            FloatOperator::Negate | FloatOperator::Abs | FloatOperator::CopySign => {
                self.has_made_bits(operands[0].term)
            }
            FloatOperator::Either => false,
            FloatOperator::FromNumber => matches!(operands[0].format, NumberFormat::Float(_)),
            _ => true,
        }
    }

    fn mode(&mut self, mode: RoundingMode) -> TermId {
        self.pool.constant(mode.code())
    }

    /// The mode that an operation has as its last operand, to nearest if it has none.
    fn current_mode(&mut self, op: FloatOperator, operands: &[Operand]) -> TermId {
        let nearest = self.mode(floats::MODES[0]);
        let Some(operand) = operands.get(op.n_operands()) else { return nearest };
        let mut found = nearest;
        for (number, mode) in (0..).zip(floats::MODES).skip(1) {
            let number = terms::constant(&mut self.pool, operand.format.width(), number);
            let is_it = self.pool.mk(Op::Eq, &[operand.term, number]);
            let mode = self.mode(mode);
            found = self.pool.mk(Op::Ite, &[is_it, mode, found]);
        }
        found
    }

    fn unpacked_operand(&mut self, operand: Operand) -> (TermId, FloatFormat) {
        let NumberFormat::Float(format) = operand.format else {
            unreachable!("the validator asks for a float here")
        };
        self.unpacked(operand.term, format)
    }

    /// The value of a float without its leading bit; a NaN keeps its encoding.
    pub(crate) fn unpacked(&mut self, term: TermId, format: FloatEncoding) -> (TermId, FloatFormat) {
        let (width, fraction) = (format.width(), format.values.fraction_bits());
        let term = if format.has_leading_bit {
            let high = self.pool.slice(term, width - 1, fraction + 1);
            let low = self.pool.slice(term, fraction - 1, 0);
            self.pool.mk(Op::Concat, &[high, low])
        } else {
            term
        };
        (term, format.values)
    }

    /// The encoding of a value, with its leading bit if there is one.
    fn packed(&mut self, term: TermId, format: FloatEncoding) -> TermId {
        if !format.has_leading_bit {
            return term;
        }
        let (width, fraction) = (format.values.width(), format.values.fraction_bits());
        let exponent = self.pool.slice(term, width - 2, fraction);
        let leading = self.pool.mk(Op::Redor, &[exponent]);
        let high = self.pool.slice(term, width - 1, fraction);
        let low = self.pool.slice(term, fraction - 1, 0);
        let high = self.pool.mk(Op::Concat, &[high, leading]);
        self.pool.mk(Op::Concat, &[high, low])
    }

    fn lowered(&mut self, op: float::FloatOp, format: FloatFormat, args: &[TermId]) -> TermId {
        self.floats.apply(&mut self.pool, FloatOperation { op, format }, args)
    }

    fn make_float(&mut self, op: FloatOperator, to: FloatEncoding, operands: &[Operand]) -> TermId {
        let current = self.current_mode(op, operands);
        let operands = &operands[..op.n_operands()];
        let (rounded, mode) = match op {
            FloatOperator::Negate | FloatOperator::Abs | FloatOperator::CopySign => {
                return self.with_sign(op, to, operands);
            }
            FloatOperator::FromNumber => return self.converted_number(to, operands[0], current),
            FloatOperator::Either => return self.either(operands[0].term, operands[1].term),
            FloatOperator::Quieted => {
                let (term, format) = self.unpacked_operand(operands[0]);
                let term = self.lowered(float::FloatOp::FromBits, format, &[term]);
                return self.packed(term, to);
            }
            FloatOperator::Library(function) => return self.library_result(function, to, operands),
            FloatOperator::Add => (float::FloatOp::Add, Some(current)),
            FloatOperator::Sub => (float::FloatOp::Sub, Some(current)),
            FloatOperator::Mul => (float::FloatOp::Mul, Some(current)),
            FloatOperator::Div => (float::FloatOp::Div, Some(current)),
            FloatOperator::Fma => (float::FloatOp::Fma, Some(current)),
            FloatOperator::Sqrt => (float::FloatOp::Sqrt, Some(current)),
            FloatOperator::Rint => (float::FloatOp::RoundToIntegral, Some(current)),
            FloatOperator::Integral(mode) => (float::FloatOp::RoundToIntegral, Some(self.mode(mode))),
            FloatOperator::Remainder => (float::FloatOp::Rem, None),
            op => unreachable!("{op:?} makes no float"),
        };
        let mut args: Vec<TermId> = mode.into_iter().collect();
        for operand in operands {
            let (term, format) = self.unpacked_operand(*operand);
            // These operations may return an operand unchanged, but the NaN that an operation produces is always the same one: converting does that.
            let hands_on =
                matches!(op, FloatOperator::Integral(_) | FloatOperator::Rint | FloatOperator::Remainder);
            args.push(if hands_on { self.lowered(float::FloatOp::FromBits, format, &[term]) } else { term });
        }
        let term = self.lowered(rounded, to.values, &args);
        self.packed(term, to)
    }

    /// Operations on the sign bit alone.
    fn with_sign(&mut self, op: FloatOperator, to: FloatEncoding, operands: &[Operand]) -> TermId {
        let top = to.width() - 1;
        let rest = self.pool.slice(operands[0].term, top - 1, 0);
        let sign = match op {
            FloatOperator::Negate => {
                let sign = self.pool.slice(operands[0].term, top, top);
                self.pool.not(sign)
            }
            FloatOperator::CopySign => {
                let seen = self.seen_bits(operands[1].term);
                self.pool.slice(seen, top, top)
            }
            _ => self.pool.truth(false),
        };
        self.pool.mk(Op::Concat, &[sign, rest])
    }

    /// One of two values: C leaves open which. In the runs that tests are made from, they are equal in all bits.
    fn either(&mut self, first: TermId, second: TermId) -> TermId {
        let differ = self.pool.mk(Op::Ne, &[first, second]);
        let (differ, result) = if self.is_open() {
            let is_second = self.pool.var(Sort::BIT);
            (
                terms::and(&mut self.pool, is_second, differ),
                self.pool.mk(Op::Ite, &[is_second, second, first]),
            )
        } else {
            (differ, first)
        };
        if let Some(path) = self.current.path {
            self.depart_on(path, Assumption::ZeroOfTwo, differ);
        }
        result
    }

    fn converted_number(&mut self, to: FloatEncoding, operand: Operand, mode: TermId) -> TermId {
        let (op, term) = match operand.format {
            NumberFormat::Int(from) => {
                (float::FloatOp::FromInteger(signedness(from), from.width), operand.term)
            }
            NumberFormat::Float(_) => {
                let (term, from) = self.unpacked_operand(operand);
                (float::FloatOp::FromFloat(from), self.lowered(float::FloatOp::FromBits, from, &[term]))
            }
        };
        let term = self.lowered(op, to.values, &[mode, term]);
        self.packed(term, to)
    }

    /// Whether a float fits an integer type, and the integer.
    fn float_to_integer(&mut self, operand: Operand, to: IntFormat) -> (TermId, TermId) {
        let (term, format) = self.unpacked_operand(operand);
        let converted = float::truncated(&mut self.pool, format, signedness(to), term, to.width);
        (converted.fits, converted.bits)
    }

    fn ask_float(&mut self, op: FloatOperator, operands: &[Operand]) -> TermId {
        let question = match op {
            FloatOperator::Fits(to) => return self.float_to_integer(operands[0], to).0,
            FloatOperator::IsNegative => {
                let top = operands[0].format.width() - 1;
                let seen = self.seen_bits(operands[0].term);
                return self.pool.slice(seen, top, top);
            }
            FloatOperator::SameBits => {
                let [a, b] = [0, 1].map(|at| self.seen_bits(operands[at].term));
                return self.pool.mk(Op::Eq, &[a, b]);
            }
            FloatOperator::Less => float::FloatOp::Less,
            FloatOperator::AtMost => float::FloatOp::AtMost,
            FloatOperator::Equal => float::FloatOp::Equal,
            FloatOperator::IsNan => float::FloatOp::IsNan,
            FloatOperator::IsInfinite => float::FloatOp::IsInfinite,
            FloatOperator::IsNormal => float::FloatOp::IsNormal,
            op => unreachable!("{op:?} is not a question"),
        };
        let (args, formats): (Vec<TermId>, Vec<FloatFormat>) =
            operands.iter().map(|operand| self.unpacked_operand(*operand)).unzip();
        self.lowered(question, formats[0], &args)
    }

    /// The result of a library function: a variable, with the properties that the standard and every library guarantee.
    fn library_result(&mut self, function: MathFunction, to: FloatEncoding, operands: &[Operand]) -> TermId {
        let args: Vec<TermId> = operands
            .iter()
            .map(|operand| self.lowered(float::FloatOp::FromBits, to.values, &[operand.term]))
            .collect();
        let is_it = |call: &&LibraryCall| call.function == function && call.args == args;
        if let Some(known) = self.out.library_calls.iter().find(is_it) {
            return known.result;
        }
        let bits: Option<Vec<u128>> = args.iter().map(|arg| terms::known(&self.pool, *arg)).collect();
        if let Some(bits) = bits {
            let format = NumberFormat::Float(to);
            let operands: Vec<floats::FloatOperand> =
                bits.into_iter().map(|bits| floats::FloatOperand { bits, format }).collect();
            let value = floats::apply(FloatOperator::Library(function), format, &operands);
            return terms::constant(&mut self.pool, to.width(), value);
        }
        let any = self.pool.var(Sort::Bits(to.width()));
        let mut result = self.promised(function, to, any, &args);
        if self.is_open() {
            // C guarantees nothing about accuracy.
            let is_worse = self.pool.var(Sort::Bits(1));
            self.depart(Assumption::MathResults, is_worse);
            result = self.pool.mk(Op::Ite, &[is_worse, any, result]);
        }
        self.out.library_calls.push(LibraryCall { function, encoding: to, args, result, variable: any });
        result
    }
}

fn signedness(format: IntFormat) -> Signedness {
    if format.is_signed { Signedness::Signed } else { Signedness::Unsigned }
}
