//! Applications: checks the sorts of arguments against a declaration or an entry of the operator table.

use super::engine::Engine;
use super::report::Fault;
use super::symbols::Word;
use super::tables::NO_DECL;
use super::{DeclId, Head};
use crate::ops::{Associativity, OperatorSignature, Pat, Slot, SmtOp};
use crate::{NodeId, SmtSort, SortId};

/// Values of the variables of a signature.
#[derive(Clone, Copy, Default)]
pub(super) struct Bindings {
    vars: [Option<Bound>; Slot::N_VARS],
    num: NumSorts,
}

/// A variable's value. A value that comes from within an array or set sort is final; a value from a plain argument may still change from
/// `Int` to `Real`.
#[derive(Clone, Copy)]
struct Bound {
    sort: SortId,
    source: Source,
}

/// Where the value of a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Argument,
    PartOfArgument,
}

/// Which numeric sorts occurred.
#[derive(Clone, Copy, Default)]
struct NumSorts {
    real: bool,
    unknown: bool,
}

impl Engine<'_> {
    /// The sort of an application whose operator has been resolved. Reports arguments that do not fit.
    pub(super) fn application(&mut self, node: NodeId, head: NodeId, args: &[SortId]) -> SortId {
        let Some(found) = self.out.head(node) else {
            return self.apply_value(node, head, args);
        };
        let ascription = self.ascription(head);
        let result = match (found.op, found.decl) {
            (Some(op), Some(_)) => self.apply_op(op, node, head, args),
            (None, Some(decl)) => self.apply_decl(decl, found.symbol, ascription, args),
            (Some(op), None) => self.apply_op(op, node, head, args),
            (None, None) => return ascription.unwrap_or(SortId::UNKNOWN),
        };
        match result {
            Ok(sort) => ascription.unwrap_or(sort),
            Err(fault) => {
                self.error_application(node, found.symbol, args, fault);
                ascription.or_else(|| self.result_whatever(found)).unwrap_or(SortId::UNKNOWN)
            }
        }
    }

    /// The sort that an application has regardless of its arguments.
    fn result_whatever(&self, head: Head) -> Option<SortId> {
        if let Some(op) = head.op {
            return op.constant_result();
        }
        let decl = self.out.decl(head.decl?);
        (self.out.sorts.is_ground(decl.result) && !decl.is_local()).then_some(decl.result)
    }

    /// The sort `S` in `((as f S) …)`.
    fn ascription(&mut self, head: NodeId) -> Option<SortId> {
        if !self.tree.is_list(head) || self.word(NodeId(head.0 + 1)) != Word::As {
            return None;
        }
        let [_, _, sort] = self.exactly(head)?;
        Some(self.sort_at(sort))
    }

    /// A term applied to arguments: `((f x) y)`, `(_ f x)`.
    fn apply_value(&mut self, node: NodeId, head: NodeId, args: &[SortId]) -> SortId {
        let indexed = self.word(head) == Word::Underscore;
        let (function, args) = match (indexed, args) {
            (true, [function, rest @ ..]) => (*function, rest),
            _ => (self.sort_at(head), args),
        };
        match self.apply_function_sort(function, args, 0) {
            Ok(sort) => sort,
            Err(fault) => {
                self.error_application(node, head, args, fault);
                SortId::UNKNOWN
            }
        }
    }

    /// Applies a value of function sort; with too few arguments the result is a function. z3 applies arrays, too.
    pub(super) fn apply_function_sort(
        &mut self,
        mut function: SortId,
        args: &[SortId],
        first: usize,
    ) -> Result<SortId, Fault> {
        let mut at = 0;
        while at < args.len() {
            let taken = match self.out.sorts.get(function) {
                SmtSort::Fun(parts) => {
                    let n_taken = (parts.len() - 1).min(args.len() - at);
                    for (n, (&wanted, &got)) in parts.iter().zip(&args[at..at + n_taken]).enumerate() {
                        if !self.out.sorts.compatible(wanted, got) {
                            return Err(Fault::argument(first + at + n, wanted));
                        }
                    }
                    (n_taken, parts[n_taken..].to_vec())
                }
                SmtSort::Array(_, element) => (1, vec![*element]),
                _ if !self.out.sorts.is_ground(function) => return Ok(SortId::UNKNOWN),
                _ => return Err(Fault::Arity { least: first + at, most: Some(first + at) }),
            };
            at += taken.0;
            function = self.arrow(&taken.1);
        }
        Ok(function)
    }

    /// Applies a declared function, or an overload of it that fits.
    fn apply_decl(
        &mut self,
        id: DeclId,
        symbol: NodeId,
        ascription: Option<SortId>,
        args: &[SortId],
    ) -> Result<SortId, Fault> {
        let id = match self.hidden_by(id) {
            Some(_) => self.exact_overload(id, args).unwrap_or(id),
            None => id,
        };
        self.out.decl_of[symbol.index()] = id;
        let fault = match self.try_decl(id, ascription, args) {
            Ok(sort) => return Ok(sort),
            Err(fault) => fault,
        };
        let others: Vec<DeclId> = self.overloads(id).skip(1).collect();
        for other in others {
            if let Ok(sort) = self.try_decl(other, ascription, args) {
                self.out.decl_of[symbol.index()] = other;
                return Ok(sort);
            }
        }
        // A script may overload a built-in name. We cannot tell which one is meant, unless the script declares a constant and
        // the theory has a function: z3 accepts `(declare-const fp …)` beside `(fp s e f)`.
        let is_constant = self.out.decl(id).params.is_empty() && !args.is_empty();
        let op = self.symbol_info(symbol).op;
        match op.get() {
            Some(built_in) if is_constant && built_in.indices.1 == 0 => {
                match self.apply_op(built_in, symbol, symbol, args) {
                    Ok(sort) => {
                        self.out.decl_of[symbol.index()] = NO_DECL;
                        self.out.op_of[symbol.index()] = op;
                        Ok(sort)
                    }
                    Err(_) => Ok(SortId::UNKNOWN),
                }
            }
            Some(_) => Ok(SortId::UNKNOWN),
            None => Err(fault),
        }
    }

    /// The overload with exactly these argument sorts: it takes precedence over one that fits by conversion.
    fn exact_overload(&self, id: DeclId, args: &[SortId]) -> Option<DeclId> {
        self.overloads(id).find(|&id| *self.out.decl(id).params == *args)
    }

    fn try_decl(&mut self, id: DeclId, ascription: Option<SortId>, args: &[SortId]) -> Result<SortId, Fault> {
        let decl = &self.out.decls[id.0 as usize];
        let (n_params, result) = (decl.params.len(), decl.result);
        if decl.arity > 0 && !decl.is_local() {
            return self.try_polymorphic(id, ascription, args);
        }
        for (at, (&wanted, &got)) in decl.params.iter().zip(args).enumerate() {
            if !self.out.sorts.compatible(wanted, got) {
                return Err(Fault::argument(at, wanted));
            }
        }
        if args.len() < n_params {
            if !self.logic.higher_order {
                return Err(Fault::Arity { least: n_params, most: Some(n_params) });
            }
            let mut parts = decl.params[args.len()..].to_vec();
            parts.push(result);
            return Ok(self.arrow(&parts));
        }
        if args.len() == n_params {
            return Ok(result);
        }
        self.apply_function_sort(result, &args[n_params..], n_params)
    }

    /// A constructor or selector of a parametric datatype, or a function over sort parameters.
    fn try_polymorphic(
        &mut self,
        id: DeclId,
        ascription: Option<SortId>,
        args: &[SortId],
    ) -> Result<SortId, Fault> {
        let decl = &self.out.decls[id.0 as usize];
        let (params, result) = (decl.params.clone(), decl.result);
        if params.len() != args.len() {
            return Err(Fault::Arity { least: params.len(), most: Some(params.len()) });
        }
        self.substitution.clear();
        if let Some(sort) = ascription {
            self.out.sorts.unify(result, sort, &mut self.substitution);
        }
        for (at, (&wanted, &got)) in params.iter().zip(args).enumerate() {
            if !self.out.sorts.unify(wanted, got, &mut self.substitution) {
                return Err(Fault::argument(at, wanted));
            }
        }
        let sort = self.out.sorts.substitute(result, &mut self.substitution);
        Ok(if self.names_own_params(id, sort) { SortId::UNKNOWN } else { sort })
    }

    /// True if the arguments did not determine all sort parameters of the declaration.
    fn names_own_params(&self, id: DeclId, sort: SortId) -> bool {
        self.out.sorts.has_params(sort) && sort == self.out.decl(id).result
    }

    fn apply_op(
        &mut self,
        op: &'static SmtOp,
        node: NodeId,
        head: NodeId,
        args: &[SortId],
    ) -> Result<SortId, Fault> {
        let may_be_partial = self.logic.higher_order && !args.is_empty();
        if args.len() < op.min_args as usize && !may_be_partial {
            return Err(Fault::Arity { least: op.min_args as usize, most: op.max_args() });
        }
        match op.signature {
            OperatorSignature::Rule(rule) => self.apply_rule(rule, node, head, args),
            OperatorSignature::Fixed(params, result) => self.apply_fixed(op, params, result, args),
            OperatorSignature::Nary(param, result) => {
                let mut bindings = Bindings::default();
                for (at, &arg) in args.iter().enumerate() {
                    if !self.matches(param, arg, &mut bindings) {
                        return Err(self.fault(at, param, &bindings));
                    }
                }
                if args.len() == 1 && op.attribute == Associativity::Chainable {
                    return Ok(SortId::BOOL);
                }
                Ok(self.instance(result, &bindings))
            }
        }
    }

    fn apply_fixed(
        &mut self,
        op: &SmtOp,
        params: &'static [Pat],
        result: Pat,
        args: &[SortId],
    ) -> Result<SortId, Fault> {
        let mut bindings = Bindings::default();
        for (at, (&param, &arg)) in params.iter().zip(args).enumerate() {
            if !self.matches(param, arg, &mut bindings) {
                return Err(self.fault(at, param, &bindings));
            }
        }
        if args.len() > params.len() {
            return Err(Fault::Arity { least: op.min_args as usize, most: Some(params.len()) });
        }
        if args.len() < op.min_args as usize {
            return Ok(SortId::UNKNOWN);
        }
        Ok(self.instance(result, &bindings))
    }

    /// True if a sort matches a pattern. Records the values of variables.
    fn matches(&self, pat: Pat, sort: SortId, bindings: &mut Bindings) -> bool {
        let known = self.out.sorts.get(sort);
        if matches!(known, SmtSort::Unknown | SmtSort::Other(_) | SmtSort::Param(_)) {
            bindings.num.unknown = true;
            return true;
        }
        match (pat, known) {
            (Pat::Any, _) => true,
            (Pat::Slot(slot), _) => self.matches_slot(slot, sort, bindings, Source::Argument),
            // z3 accepts a truth value as a number.
            (Pat::Num, SmtSort::Int | SmtSort::Bool) => true,
            (Pat::Num, SmtSort::Real) => {
                bindings.num.real = true;
                true
            }
            (Pat::BitVec(var), SmtSort::BitVec(_))
            | (Pat::Float(var), SmtSort::Float(..))
            | (Pat::Field(var), SmtSort::FiniteField(_))
            | (Pat::Text(var), SmtSort::String | SmtSort::Seq(_)) => {
                self.matches_slot(Slot::Var(var), sort, bindings, Source::PartOfArgument)
            }
            (Pat::Width(width), SmtSort::BitVec(got)) => width == *got,
            (Pat::Seq(slot), SmtSort::Seq(part)) => {
                self.matches_slot(slot, *part, bindings, Source::PartOfArgument)
            }
            (Pat::Seq(_), SmtSort::String) => true,
            (Pat::Set(slot), SmtSort::Set(part) | SmtSort::Array(part, SortId::BOOL)) => {
                self.matches_slot(slot, *part, bindings, Source::PartOfArgument)
            }
            (Pat::Bag(slot), SmtSort::Bag(part)) => {
                self.matches_slot(slot, *part, bindings, Source::PartOfArgument)
            }
            (Pat::Array(key, element), SmtSort::Array(a, b)) => {
                self.matches_slot(key, *a, bindings, Source::PartOfArgument)
                    && self.matches_slot(element, *b, bindings, Source::PartOfArgument)
            }
            (Pat::Fun(slots), SmtSort::Fun(parts)) if slots.len() == parts.len() => slots
                .iter()
                .zip(parts.iter())
                .all(|(&slot, &part)| self.matches_slot(slot, part, bindings, Source::PartOfArgument)),
            (Pat::Fun(_), SmtSort::Array(..)) => true,
            (Pat::Array(..), SmtSort::Fun(_) | SmtSort::Set(_)) => true,
            _ => false,
        }
    }

    fn matches_slot(&self, slot: Slot, sort: SortId, bindings: &mut Bindings, source: Source) -> bool {
        let var = match slot {
            // z3 accepts a truth value as a number.
            Slot::Is(SortId::INT | SortId::REAL) if sort == SortId::BOOL => return true,
            Slot::Is(wanted) => return self.out.sorts.compatible(wanted, sort),
            Slot::Var(var) => var as usize,
        };
        let Some(bound) = bindings.vars[var] else {
            bindings.vars[var] = Some(Bound { sort, source });
            return true;
        };
        let widens = (bound.sort, sort) == (SortId::INT, SortId::REAL) && bound.source == Source::Argument;
        let settles = source == Source::PartOfArgument && bound.source == Source::Argument;
        if widens || settles || !self.out.sorts.is_ground(bound.sort) {
            bindings.vars[var] = Some(Bound { sort, source });
        }
        self.out.sorts.compatible(bound.sort, sort)
    }

    /// The sort that a pattern denotes under bindings; unknown if a variable is unbound.
    fn instance(&mut self, pat: Pat, bindings: &Bindings) -> SortId {
        let value = |slot| match slot {
            Slot::Is(sort) => sort,
            Slot::Var(var) => bindings.vars[var as usize].map_or(SortId::UNKNOWN, |bound| bound.sort),
        };
        let whole = |engine: &mut Self, parts: &[Slot], make: fn(&[SortId]) -> SmtSort| {
            let parts: Vec<SortId> = parts.iter().map(|&slot| value(slot)).collect();
            if parts.contains(&SortId::UNKNOWN) { SortId::UNKNOWN } else { engine.intern(make(&parts)) }
        };
        match pat {
            Pat::Any => SortId::UNKNOWN,
            Pat::Slot(slot) => value(slot),
            Pat::Num if bindings.num.real => SortId::REAL,
            Pat::Num if bindings.num.unknown => SortId::UNKNOWN,
            Pat::Num => SortId::INT,
            Pat::BitVec(var) | Pat::Float(var) | Pat::Field(var) | Pat::Text(var) => value(Slot::Var(var)),
            Pat::Width(width) => self.intern(SmtSort::BitVec(width)),
            Pat::Seq(slot) => whole(self, &[slot], |parts| SmtSort::Seq(parts[0])),
            Pat::Set(slot) => whole(self, &[slot], |parts| SmtSort::Set(parts[0])),
            Pat::Bag(slot) => whole(self, &[slot], |parts| SmtSort::Bag(parts[0])),
            Pat::Array(key, element) => {
                whole(self, &[key, element], |parts| SmtSort::Array(parts[0], parts[1]))
            }
            Pat::Fun(slots) => whole(self, slots, |parts| SmtSort::Fun(parts.into())),
        }
    }

    fn fault(&mut self, at: usize, pat: Pat, bindings: &Bindings) -> Fault {
        match self.instance(pat, bindings) {
            SortId::UNKNOWN => Fault::Argument { at, wanted: None, kind: kind_of(pat) },
            sort => Fault::argument(at, sort),
        }
    }
}

fn kind_of(pat: Pat) -> &'static str {
    match pat {
        Pat::BitVec(_) | Pat::Width(_) => "a bit-vector",
        Pat::Num => "a number",
        Pat::Float(_) => "a floating-point number",
        Pat::Field(_) => "a finite field element",
        Pat::Text(_) => "a string or sequence",
        Pat::Seq(_) => "a sequence",
        Pat::Set(_) => "a set",
        Pat::Bag(_) => "a bag",
        Pat::Array(..) => "an array",
        Pat::Fun(_) => "a function",
        Pat::Any | Pat::Slot(_) => "another sort",
    }
}
