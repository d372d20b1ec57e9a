//! Generates small terms of a given sort from the operators, functions and terms available at a place.

use super::Draw;
use super::corner::corner;
use super::fits::{Bindings, fits};
use super::heads::head;
use nub_smtlib::ops::{OperatorSignature, Pat, Slot, SortRule, Theory};
use nub_smtlib::{DeclId, NodeId, SmtOp, SmtSort, SortId};

/// Limit on the terms of the file that are tried as a leaf, and on the operators that are tried.
const TRIES: u32 = 6;
/// The largest leaf, in nodes.
const MAX_LEAF: usize = 8;
/// Limit on the number of arguments of an operator.
const MAX_ARGS: usize = 4;

/// Generates terms for a place.
pub(super) struct Grow<'d, 'a> {
    draw: &'d mut Draw<'a>,
    place: NodeId,
}

impl<'d, 'a> Grow<'d, 'a> {
    pub(super) fn at(draw: &'d mut Draw<'a>, place: NodeId) -> Grow<'d, 'a> {
        Grow { draw, place }
    }

    /// A term of this sort with at most this depth. The depth is a small constant, so recursion is safe.
    pub(super) fn term(&mut self, sort: SortId, depth: u32) -> Option<Vec<u8>> {
        if depth == 0 || self.draw.rng.percent(40) {
            return self.leaf(sort);
        }
        self.application(sort, depth).or_else(|| self.leaf(sort))
    }

    /// A term of the file that is visible here, or a corner value.
    fn leaf(&mut self, sort: SortId) -> Option<Vec<u8>> {
        let seed = self.draw.seed;
        if let Some(donors) = seed.donors.get(&sort).filter(|_| self.draw.rng.percent(70)) {
            for _ in 0..TRIES {
                let donor = self.draw.pick(donors)?;
                if seed.script.tree().size(donor) <= MAX_LEAF && seed.is_visible(donor, self.place) {
                    return Some(seed.slice(donor).to_vec());
                }
            }
        }
        corner(seed.analysis.sorts(), sort, self.draw.rng)
    }

    /// An operator or function over smaller terms.
    pub(super) fn application(&mut self, sort: SortId, depth: u32) -> Option<Vec<u8>> {
        for _ in 0..TRIES {
            let Some((operator, args)) = self.operator(sort) else { continue };
            let args: Option<Vec<Vec<u8>>> = args.iter().map(|&arg| self.term(arg, depth - 1)).collect();
            return args.map(|args| apply(&operator, &args));
        }
        None
    }

    /// An operator that has a term as one of its arguments, and its sort as its result.
    pub(super) fn around(&mut self, sort: SortId, term: &[u8]) -> Option<Vec<u8>> {
        for _ in 0..TRIES {
            let Some((operator, sorts)) = self.operator(sort) else { continue };
            let same: Vec<usize> = (0..sorts.len()).filter(|&at| sorts[at] == sort).collect();
            let Some(own) = self.draw.pick(&same) else { continue };
            let arg = |(at, &arg)| if at == own { Some(term.to_vec()) } else { self.term(arg, 1) };
            let args: Option<Vec<Vec<u8>>> = sorts.iter().enumerate().map(arg).collect();
            return args.map(|args| apply(&operator, &args));
        }
        None
    }

    /// An operator or function, as text, that has a result of this sort, and the sorts of its arguments.
    fn operator(&mut self, result: SortId) -> Option<(Vec<u8>, Vec<SortId>)> {
        let seed = self.draw.seed;
        if self.draw.rng.percent(25)
            && let Some(id) = self.draw.pick(&seed.functions)
        {
            return self.function(id, result);
        }
        let ops = std::mem::take(&mut self.draw.ops);
        let op = self.draw.pick(&ops);
        // Few operators have a given result, and trying one is cheap.
        const LOOKS: u32 = 64;
        let mut found = None;
        let mut next = op;
        for _ in 0..LOOKS {
            found = next.and_then(|op| Some((op, self.arguments(op, result)?)));
            if found.is_some() {
                break;
            }
            next = self.draw.pick(&ops);
        }
        self.draw.ops = ops;
        let (op, args) = found?;
        let operator = head(op, &args, result, seed.analysis.sorts(), self.draw.rng)?;
        Some((operator, args))
    }

    fn function(&mut self, id: DeclId, result: SortId) -> Option<(Vec<u8>, Vec<SortId>)> {
        let seed = self.draw.seed;
        let decl = seed.analysis.decl(id);
        let fits = decl.result == result && seed.names.means(&seed.analysis, id, self.place);
        fits.then(|| (seed.slice(decl.name).to_vec(), decl.params.to_vec()))
    }

    /// Sorts of arguments at which an operator has this result.
    fn arguments(&mut self, op: &'static SmtOp, result: SortId) -> Option<Vec<SortId>> {
        let sorts = self.draw.seed.analysis.sorts();
        let mut bindings = Bindings::default();
        let args = match op.signature {
            OperatorSignature::Fixed(params, pat) => {
                bindings.matches(op, pat, result, sorts).then_some(())?;
                let params = if op.indices.1 > 0 && params.len() > 1 {
                    &params[..op.min_args as usize]
                } else {
                    params
                };
                params
                    .iter()
                    .map(|&param| self.argument(op, param, &mut bindings))
                    .collect::<Option<Vec<SortId>>>()?
            }
            OperatorSignature::Nary(param, pat) => {
                bindings.matches(op, pat, result, sorts).then_some(())?;
                vec![self.argument(op, param, &mut bindings)?; self.draw.rng.between(2, 3) as usize]
            }
            OperatorSignature::Rule(rule) => self.rule_arguments(rule, result)?,
        };
        (args.len() <= MAX_ARGS && fits(op, &args, result, sorts)).then_some(args)
    }

    /// A sort of the file that matches a pattern.
    fn argument(&mut self, op: &'static SmtOp, pat: Pat, bindings: &mut Bindings) -> Option<SortId> {
        let seed = self.draw.seed;
        let sorts = seed.analysis.sorts();
        if let Pat::Slot(Slot::Is(sort)) = pat {
            let comes_along = matches!(sort, SortId::BOOL | SortId::ROUNDING_MODE)
                || (op.theory == Theory::Strings && seed.sorts.contains(&SortId::STRING));
            return (comes_along || seed.sorts.contains(&sort)).then_some(sort);
        }
        let fitting: Vec<SortId> =
            seed.sorts.iter().copied().filter(|&sort| { *bindings }.matches(op, pat, sort, sorts)).collect();
        let sort = self.draw.pick(&fitting)?;
        bindings.matches(op, pat, sort, sorts).then_some(sort)
    }

    fn rule_arguments(&mut self, rule: SortRule, result: SortId) -> Option<Vec<SortId>> {
        let seed = self.draw.seed;
        let sorts = seed.analysis.sorts();
        let is_array =
            |&sort: &SortId| matches!(*sorts.get(sort), SmtSort::Array(_, element) if element == result);
        match rule {
            SortRule::Ite => Some(vec![SortId::BOOL, result, result]),
            SortRule::Extract | SortRule::Extend | SortRule::Repeat => {
                let vectors: Vec<SortId> = seed
                    .sorts
                    .iter()
                    .copied()
                    .filter(|&sort| matches!(sorts.get(sort), SmtSort::BitVec(_)))
                    .collect();
                self.draw.pick(&vectors).map(|sort| vec![sort])
            }
            SortRule::Select => {
                let arrays: Vec<SortId> = seed.sorts.iter().copied().filter(is_array).collect();
                let array = self.draw.pick(&arrays)?;
                match *sorts.get(array) {
                    SmtSort::Array(key, _) => Some(vec![array, key]),
                    _ => None,
                }
            }
            SortRule::Store => match *sorts.get(result) {
                SmtSort::Array(key, element) => Some(vec![result, key, element]),
                _ => None,
            },
            SortRule::ToFp => {
                let from =
                    |sort: &SortId| matches!(sorts.get(*sort), SmtSort::Float(..) | SmtSort::BitVec(_));
                let from: Vec<SortId> = seed.sorts.iter().copied().filter(from).collect();
                self.draw.pick(&from).map(|sort| vec![SortId::ROUNDING_MODE, sort])
            }
            _ => None,
        }
    }
}

fn apply(operator: &[u8], args: &[Vec<u8>]) -> Vec<u8> {
    let mut text = [b"(", operator].concat();
    for arg in args {
        text.push(b' ');
        text.extend_from_slice(arg);
    }
    text.push(b')');
    text
}
