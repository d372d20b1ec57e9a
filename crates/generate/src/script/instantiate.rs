//! Applications of operators whose signature is made of patterns.

use super::arena::TermIdx;
use super::builder::Builder;
use super::catalog::OpRef;
use super::dialect::ScriptDialect;
use super::literals::{character, factor};
use super::universe::Kind;
use nub_smtlib::SortId;
use nub_smtlib::ops::{Associativity, IndexRange, OperatorSignature, Pat, Slot};

/// The largest index where any number is legal, such as the count of a repetition.
const MAX_INDEX: u32 = 5;
const N_PATTERN_VARS: usize = 2;

/// The values of a signature's variables.
#[derive(Default)]
struct Binding {
    slots: [Option<SortId>; Slot::N_VARS],
    bits: [Option<SortId>; N_PATTERN_VARS],
    floats: [Option<SortId>; N_PATTERN_VARS],
    num: Option<SortId>,
}

/// A variable's value, chosen at its first occurrence.
fn bound(variable: Option<&mut Option<SortId>>, choose: impl FnOnce() -> Option<SortId>) -> Option<SortId> {
    let variable = variable?;
    if variable.is_none() {
        *variable = choose();
    }
    *variable
}

impl Builder<'_> {
    /// An application of an operator, if the script has suitable sorts.
    pub(super) fn application(&mut self, op: OpRef) -> Option<TermIdx> {
        match op.signature {
            OperatorSignature::Rule(rule) => self.by_rule(op, rule),
            _ => self.by_patterns(op, None),
        }
    }

    /// An application of an operator with this argument at this position.
    pub(super) fn test_of(&mut self, op: OpRef, place: usize, arg: TermIdx) -> Option<TermIdx> {
        self.by_patterns(op, Some((place, arg)))
    }

    fn by_patterns(&mut self, op: OpRef, given: Option<(usize, TermIdx)>) -> Option<TermIdx> {
        if ScriptDialect::is_mixed(op) && !(self.universe.has(SortId::INT) && self.universe.has(SortId::REAL))
        {
            return None;
        }
        let (params, result) = self.params(op)?;
        let mut binding = Binding::default();
        if let Some((place, arg)) = given {
            bind(*params.get(place)?, self.arena.get(arg).sort, &mut binding)?;
        }
        let sorts: Option<Vec<SortId>> =
            params.iter().map(|pat| self.resolve(op, *pat, &mut binding)).collect();
        let sorts = sorts?;
        let sort = self.resolve(op, result, &mut binding)?;
        let mut args = Vec::with_capacity(sorts.len());
        for (&sort, pat) in sorts.iter().zip(&params) {
            let arg = match given {
                Some((at, arg)) if at == args.len() => arg,
                _ => self.argument(op, *pat, sort, &args),
            };
            args.push(arg);
        }
        if op.nonlinear && op.commutative && self.rng.percent(50) {
            args.swap(0, 1);
        }
        let indices = self.indices(op, &sorts);
        Some(self.apply(op, &indices, &args, sort))
    }

    /// The patterns of the arguments and of the result, with the number of arguments that this application will have.
    fn params(&mut self, op: OpRef) -> Option<(Vec<Pat>, Pat)> {
        match op.signature {
            // Numbers that may be indices or arguments become indices, because cvc5 requires it.
            OperatorSignature::Fixed(params, result) if op.indices.1 > 0 => {
                Some((params[..op.min_args as usize].to_vec(), result))
            }
            OperatorSignature::Fixed(params, result) => Some((params.to_vec(), result)),
            OperatorSignature::Nary(param, result) => {
                let is_unary = op.has_unary && self.rng.percent(25);
                let may_extend = op.attribute != Associativity::None && self.config.dialect.extends(op);
                let n_args = match self.rng.below(10) {
                    _ if is_unary => 1,
                    7 | 8 if may_extend => 3,
                    9 if may_extend => 4,
                    _ => 2,
                };
                Some((vec![param; n_args], result))
            }
            OperatorSignature::Rule(_) => None,
        }
    }

    fn resolve(&mut self, op: OpRef, pat: Pat, binding: &mut Binding) -> Option<SortId> {
        match pat {
            Pat::Slot(Slot::Is(sort)) => Some(sort).filter(|sort| self.universe.has(*sort)),
            Pat::Slot(Slot::Var(var)) => {
                bound(binding.slots.get_mut(var as usize), || Some(self.some_sort()))
            }
            Pat::Num => bound(Some(&mut binding.num), || {
                let kind =
                    if self.rng.percent(50) { [Kind::Int, Kind::Real] } else { [Kind::Real, Kind::Int] };
                let free = kind.into_iter().find_map(|kind| self.sort_of(kind));
                op.strict_num.or(free).filter(|sort| self.universe.has(*sort))
            }),
            Pat::BitVec(var) => bound(binding.bits.get_mut(var as usize), || self.sort_of(Kind::Bits)),
            Pat::Float(var) => bound(binding.floats.get_mut(var as usize), || self.sort_of(Kind::Float)),
            Pat::Width(width) => self.bits(width),
            Pat::Text(_) => Some(SortId::STRING).filter(|sort| self.universe.has(*sort)),
            Pat::Array(index, element) => self.resolve_array(index, element, binding),
            _ => None,
        }
    }

    fn resolve_array(&mut self, index: Slot, element: Slot, binding: &mut Binding) -> Option<SortId> {
        let (Slot::Var(index), Slot::Var(element)) = (index, element) else { return None };
        let (index, element) = (index as usize, element as usize);
        let wanted = (binding.slots.get(index)?, binding.slots.get(element)?);
        let fits = |have: (SortId, SortId)| {
            wanted.0.is_none_or(|sort| sort == have.0) && wanted.1.is_none_or(|sort| sort == have.1)
        };
        let sorts = self.universe.of(Kind::Array).iter().copied();
        let sorts: Vec<SortId> = sorts.filter(|sort| self.universe.array(*sort).is_some_and(fits)).collect();
        let sort = (!sorts.is_empty()).then(|| self.rng.pick(&sorts))?;
        let have = self.universe.array(sort)?;
        binding.slots[index] = Some(have.0);
        binding.slots[element] = Some(have.1);
        Some(sort)
    }

    fn argument(&mut self, op: OpRef, pat: Pat, sort: SortId, others: &[TermIdx]) -> TermIdx {
        if op.nonlinear && self.is_linear && !others.is_empty() {
            let text = factor(&mut self.rng, sort);
            return self.literal_from(&text, sort);
        }
        // The ends of a range: cvc5 requires literals, the standard a single character.
        let is_end = pat == Pat::Slot(Slot::Is(SortId::STRING));
        if is_end && op.constant_result() == Some(SortId::REGLAN) {
            let text = character(&mut self.rng);
            return self.literal_from(&text, sort);
        }
        self.operand_beside(sort, others)
    }

    fn indices(&mut self, op: OpRef, sorts: &[SortId]) -> Vec<u32> {
        let width = sorts.first().map_or(0, |sort| self.universe.width(*sort));
        let n_indices = op.indices.1;
        match op.index_range {
            _ if n_indices == 0 => Vec::new(),
            IndexRange::BelowWidth => vec![self.rng.below(width)],
            IndexRange::Positive => vec![self.rng.between(1, MAX_INDEX)],
            IndexRange::Ascending => {
                let low = self.rng.below(MAX_INDEX);
                vec![low, self.rng.between(low, MAX_INDEX)]
            }
            _ if width > 0 => vec![self.rng.below(2 * width + 1)],
            _ => vec![self.rng.below(MAX_INDEX)],
        }
    }
}

/// Binds the variables of a pattern so that it matches a sort.
fn bind(pat: Pat, sort: SortId, binding: &mut Binding) -> Option<()> {
    match pat {
        Pat::Num => binding.num = Some(sort),
        Pat::BitVec(var) => *binding.bits.get_mut(var as usize)? = Some(sort),
        Pat::Float(var) => *binding.floats.get_mut(var as usize)? = Some(sort),
        Pat::Slot(Slot::Var(var)) => *binding.slots.get_mut(var as usize)? = Some(sort),
        _ => {}
    }
    Some(())
}
