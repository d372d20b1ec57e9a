//! Applications of operators whose sorts depend on widths, indices or the shape of arguments: one function per rule.

use super::arena::TermIdx;
use super::builder::Builder;
use super::catalog::OpRef;
use super::universe::Kind;
use nub_smtlib::ops::SortRule;
use nub_smtlib::{SmtSort, SortId};

/// Limit on the widths of one script: with more, there would be too few terms of each width to combine.
const MAX_WIDTHS: usize = 8;

impl Builder<'_> {
    pub(super) fn by_rule(&mut self, op: OpRef, rule: SortRule) -> Option<TermIdx> {
        match rule {
            SortRule::Concat => self.concat(op),
            SortRule::Extract => self.extract(op),
            SortRule::Repeat => self.repeat(op),
            SortRule::Extend => self.extend(op),
            SortRule::IntToBv => self.int_to_bv(op),
            SortRule::FloatToBv => self.float_to_bv(op),
            SortRule::FloatToIeee => self.float_to_ieee(op),
            SortRule::Fp => self.fp(op),
            SortRule::ToFp => self.float_from(op),
            SortRule::Select => self.select(op),
            SortRule::Store => self.store(op),
            SortRule::ConstArray => self.const_array(op),
            SortRule::Ite => self.ite(op),
            SortRule::Is => self.tester(op),
            _ => None,
        }
    }

    /// The bit-vector sort of a width, if the script has it or may have it.
    pub(super) fn bits(&mut self, width: u32) -> Option<SortId> {
        let known = self.universe.of(Kind::Bits);
        if let Some(sort) = known.iter().find(|sort| self.universe.width(**sort) == width) {
            return Some(*sort);
        }
        let may_be = !known.is_empty() && known.len() < MAX_WIDTHS && width <= self.config.max_width;
        (may_be && width > 0).then(|| self.universe.add(SmtSort::BitVec(width)))
    }

    /// A width from `low` to `high`, with some probability one that the script already has.
    fn some_width(&mut self, low: u32, high: u32) -> Option<u32> {
        if low > high {
            return None;
        }
        let widths = self.universe.of(Kind::Bits).iter().map(|sort| self.universe.width(*sort));
        let fitting: Vec<u32> = widths.filter(|width| (low..=high).contains(width)).collect();
        if !fitting.is_empty() && self.rng.percent(80) {
            return Some(self.rng.pick(&fitting));
        }
        Some(self.rng.between(low, high))
    }

    fn concat(&mut self, op: OpRef) -> Option<TermIdx> {
        let left = self.sort_of(Kind::Bits)?;
        let left_width = self.universe.width(left);
        let most = self.config.max_width.checked_sub(left_width)?;
        // If possible, the sum is a width that the script has.
        let total = self.some_width(left_width + 1, left_width + most)?;
        let (right, sort) = (self.bits(total - left_width)?, self.bits(total)?);
        let args = [self.operand(left), self.operand(right)];
        Some(self.apply(op, &[], &args, sort))
    }

    fn extract(&mut self, op: OpRef) -> Option<TermIdx> {
        let from = self.sort_of(Kind::Bits)?;
        let width = self.universe.width(from);
        let taken = self.some_width(1, width)?;
        let (sort, low) = (self.bits(taken)?, self.rng.below(width - taken + 1));
        let arg = self.operand(from);
        Some(self.apply(op, &[low + taken - 1, low], &[arg], sort))
    }

    fn repeat(&mut self, op: OpRef) -> Option<TermIdx> {
        let from = self.sort_of(Kind::Bits)?;
        let width = self.universe.width(from);
        let times = self.rng.between(1, (self.config.max_width / width).clamp(1, 4));
        let sort = self.bits(width * times)?;
        let arg = self.operand(from);
        Some(self.apply(op, &[times], &[arg], sort))
    }

    fn extend(&mut self, op: OpRef) -> Option<TermIdx> {
        let from = self.sort_of(Kind::Bits)?;
        let width = self.universe.width(from);
        let to = self.some_width(width, self.config.max_width)?;
        let sort = self.bits(to)?;
        let arg = self.operand(from);
        Some(self.apply(op, &[to - width], &[arg], sort))
    }

    fn int_to_bv(&mut self, op: OpRef) -> Option<TermIdx> {
        let sort = self.sort_of(Kind::Bits).filter(|_| self.universe.has(SortId::INT))?;
        let arg = self.operand(SortId::INT);
        Some(self.apply(op, &[self.universe.width(sort)], &[arg], sort))
    }

    fn float_to_bv(&mut self, op: OpRef) -> Option<TermIdx> {
        let (from, sort) = (self.sort_of(Kind::Float)?, self.sort_of(Kind::Bits)?);
        let mut args = vec![self.operand(SortId::ROUNDING_MODE), self.operand(from)];
        // cvc5's total versions define the result outside of the range.
        if op.min_args > 2 {
            args.push(self.operand(sort));
        }
        Some(self.apply(op, &[self.universe.width(sort)], &args, sort))
    }

    fn float_to_ieee(&mut self, op: OpRef) -> Option<TermIdx> {
        let from = self.sort_of(Kind::Float)?;
        let (exponent, significand) = self.universe.float(from)?;
        let sort = self.bits(exponent + significand)?;
        let arg = self.operand(from);
        Some(self.apply(op, &[], &[arg], sort))
    }

    /// From terms if there are bit-vectors, otherwise from literals.
    fn fp(&mut self, op: OpRef) -> Option<TermIdx> {
        let sort = self.sort_of(Kind::Float)?;
        let (exponent, significand) = self.universe.float(sort)?;
        let mut args = Vec::with_capacity(3);
        for width in [1, exponent, significand - 1] {
            args.push(match self.bits(width) {
                Some(part) => self.operand(part),
                None => {
                    let value = super::literals::bits(&mut self.rng, width);
                    // The sort of this literal does not matter, because it is only used here.
                    self.literal_from(&format!("#b{}", value.to_binary()), SortId::UNKNOWN)
                }
            });
        }
        Some(self.apply(op, &[], &args, sort))
    }

    /// Conversions from bits, from another format, from a real, from a signed or unsigned number. An operator that also accepts a single
    /// argument is the general `to_fp`, which has all these forms.
    fn float_from(&mut self, op: OpRef) -> Option<TermIdx> {
        let sort = self.sort_of(Kind::Float)?;
        let (exponent, significand) = self.universe.float(sort)?;
        let form = if op.min_args == 1 { self.rng.below(4) } else { 3 };
        let args = match form {
            0 => {
                let bits = self.bits(exponent + significand)?;
                vec![self.operand(bits)]
            }
            1 => {
                let from = self.sort_of(Kind::Float)?;
                vec![self.operand(SortId::ROUNDING_MODE), self.operand(from)]
            }
            2 => {
                let from = Some(SortId::REAL).filter(|sort| self.universe.has(*sort))?;
                vec![self.operand(SortId::ROUNDING_MODE), self.operand(from)]
            }
            _ => {
                let from = self.sort_of(Kind::Bits)?;
                vec![self.operand(SortId::ROUNDING_MODE), self.operand(from)]
            }
        };
        Some(self.apply(op, &[exponent, significand], &args, sort))
    }

    fn select(&mut self, op: OpRef) -> Option<TermIdx> {
        let from = self.sort_of(Kind::Array)?;
        let (index, element) = self.universe.array(from)?;
        let args = [self.operand(from), self.operand(index)];
        Some(self.apply(op, &[], &args, element))
    }

    fn store(&mut self, op: OpRef) -> Option<TermIdx> {
        let sort = self.sort_of(Kind::Array)?;
        let (index, element) = self.universe.array(sort)?;
        let args = [self.operand(sort), self.operand(index), self.operand(element)];
        Some(self.apply(op, &[], &args, sort))
    }

    /// The value is a literal, because cvc5 accepts nothing else.
    fn const_array(&mut self, op: OpRef) -> Option<TermIdx> {
        let sort = self.sort_of(Kind::Array).filter(|_| self.has_const_arrays)?;
        let (_, element) = self.universe.array(sort)?;
        let text = self.value(element)?;
        let value = self.literal_from(&text, element);
        let head = format!("(as {} {})", op.name, self.universe.text(sort));
        let term = self.apply_text(&head, &[value], &[], sort);
        self.evaluate_application(term, op, &[]);
        Some(term)
    }

    fn ite(&mut self, op: OpRef) -> Option<TermIdx> {
        let sort = self.some_sort();
        let (condition, yes) = (self.operand(SortId::BOOL), self.operand(sort));
        let args = [condition, yes, self.operand_beside(sort, &[yes])];
        Some(self.apply(op, &[], &args, sort))
    }
}
