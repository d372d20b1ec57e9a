//! Sorts that depend on widths, indices or the shape of arguments: one function per [`SortRule`].
//!
//! `Err` only if no solver could accept the application; anything else that is odd gets an unknown sort.

use super::engine::Engine;
use super::report::Fault;
use super::tables::NO_DECL;
use crate::ops::{OperatorSignature, Pat, Slot, SortRule};
use crate::{NodeId, SmtSort, SortId};

const UNKNOWN: SortId = SortId::UNKNOWN;

/// The result of a rule, or what is wrong.
type Ruled = Result<SortId, Fault>;

impl Engine<'_> {
    pub(super) fn apply_rule(
        &mut self,
        rule: SortRule,
        node: NodeId,
        head: NodeId,
        args: &[SortId],
    ) -> Ruled {
        match rule {
            SortRule::Concat => self.rule_concat(args),
            SortRule::Extract => self.rule_extract(head, args),
            SortRule::Repeat => self.rule_widened(head, args, |width, times| width.saturating_mul(times)),
            SortRule::Extend => self.rule_widened(head, args, |width, more| width.saturating_add(more)),
            SortRule::IntToBv | SortRule::FloatToBv => Ok(self.indexed_width(head)),
            SortRule::Fp => self.rule_fp(args),
            SortRule::FloatConstant | SortRule::ToFp => Ok(self.indexed_float(head)),
            SortRule::FloatToIeee => Ok(self.rule_ieee(args)),
            SortRule::Select => self.rule_select(args),
            SortRule::Store => self.rule_store(args),
            SortRule::ConstArray | SortRule::Ascribed | SortRule::Unknown => Ok(UNKNOWN),
            SortRule::MapArray => Ok(self.rule_map(head, args)),
            SortRule::AsArray => Ok(self.as_array(head)),
            SortRule::SameSet => Ok(self.rule_same_set(args)),
            SortRule::SetRelation | SortRule::Predicate => Ok(SortId::BOOL),
            SortRule::Nth => self.rule_nth(args),
            SortRule::Unit => Ok(self.known(args, |args| SmtSort::Seq(args[0]))),
            SortRule::Tuple => Ok(self.known(args, |args| SmtSort::Tuple(args.into()))),
            SortRule::TupleSelect => Ok(self.rule_tuple_select(head, args)),
            SortRule::Project => Ok(self.rule_project(head, args)),
            SortRule::RelJoin => Ok(self.rule_relation(args, |a, b| [&a[..a.len() - 1], &b[1..]].concat())),
            SortRule::RelProduct => Ok(self.rule_relation(args, |a, b| [a, b].concat())),
            SortRule::RelTranspose => {
                Ok(self.rule_columns(args, |columns| columns.iter().rev().copied().collect()))
            }
            SortRule::RelIden => Ok(self.rule_columns(args, |columns| vec![columns[0]; 2])),
            SortRule::RelImage => Ok(self.rule_columns(args, |columns| vec![columns[0]])),
            SortRule::Group => Ok(args.last().map_or(UNKNOWN, |&bag| self.collection_like(bag, bag))),
            SortRule::Aggregate => Ok(self.rule_aggregate(args)),
            SortRule::Ite => self.rule_ite(args),
            SortRule::Apply => self.apply_function_sort(args[0], &args[1..], 1),
            SortRule::Is => self.rule_is(node, head, args),
            SortRule::Update => Ok(args[0]),
        }
    }

    /// `(_ f 1 2)` as a constant.
    pub(super) fn indexed_constant(&mut self, node: NodeId, name: NodeId) -> SortId {
        match self.out.op_of(name).map(|op| op.signature) {
            Some(OperatorSignature::Rule(SortRule::FloatConstant)) => self.indexed_float(node),
            Some(OperatorSignature::Rule(SortRule::AsArray)) => self.as_array(node),
            Some(OperatorSignature::Fixed([], Pat::Slot(Slot::Is(sort)))) => sort,
            _ => UNKNOWN,
        }
    }

    /// The n-th index of `(_ f …)`.
    fn index(&self, identifier: NodeId, n: usize) -> Option<u32> {
        if !self.tree.is_list(identifier) {
            return None;
        }
        self.tree.child(identifier, n + 2).and_then(|index| self.numeral(index))
    }

    fn known(&mut self, args: &[SortId], make: impl Fn(&[SortId]) -> SmtSort) -> SortId {
        if args.contains(&UNKNOWN) { UNKNOWN } else { self.intern(make(args)) }
    }

    fn indexed_width(&mut self, head: NodeId) -> SortId {
        self.index(head, 0).map_or(UNKNOWN, |width| self.intern(SmtSort::BitVec(width)))
    }

    fn indexed_float(&mut self, head: NodeId) -> SortId {
        match (self.index(head, 0), self.index(head, 1)) {
            (Some(exponent), Some(significand)) => self.intern(SmtSort::Float(exponent, significand)),
            _ => UNKNOWN,
        }
    }

    /// The width of a bit-vector; `None` if unknown.
    fn width(&self, at: usize, sort: SortId) -> Result<Option<u32>, Fault> {
        match self.out.sorts.get(sort) {
            SmtSort::BitVec(width) => Ok(Some(*width)),
            _ if !self.out.sorts.is_ground(sort) => Ok(None),
            _ => Err(Fault::Argument { at, wanted: None, kind: "a bit-vector" }),
        }
    }

    fn rule_concat(&mut self, args: &[SortId]) -> Ruled {
        let mut sum = Some(0u32);
        for (at, &arg) in args.iter().enumerate() {
            sum = match (sum, self.width(at, arg)?) {
                (Some(sum), Some(width)) => sum.checked_add(width),
                _ => None,
            };
        }
        Ok(sum.map_or(UNKNOWN, |width| self.intern(SmtSort::BitVec(width))))
    }

    fn rule_extract(&mut self, head: NodeId, args: &[SortId]) -> Ruled {
        self.only_argument(args)?;
        let width = self.width(0, args[0])?;
        let (Some(high), Some(low)) = (self.index(head, 0), self.index(head, 1)) else { return Ok(UNKNOWN) };
        if high < low || width.is_some_and(|width| high >= width) {
            return Err(Fault::Index { wanted: "width > high >= low >= 0" });
        }
        Ok((high - low).checked_add(1).map_or(UNKNOWN, |width| self.intern(SmtSort::BitVec(width))))
    }

    fn rule_widened(&mut self, head: NodeId, args: &[SortId], widen: fn(u32, u32) -> u32) -> Ruled {
        self.only_argument(args)?;
        match (self.width(0, args[0])?, self.index(head, 0)) {
            (Some(width), Some(index)) => Ok(self.intern(SmtSort::BitVec(widen(width, index)))),
            _ => Ok(UNKNOWN),
        }
    }

    fn only_argument(&self, args: &[SortId]) -> Result<(), Fault> {
        match args.len() {
            1 => Ok(()),
            _ => Err(Fault::Arity { least: 1, most: Some(1) }),
        }
    }

    fn rule_fp(&mut self, args: &[SortId]) -> Ruled {
        if args.len() != 3 {
            return Err(Fault::Arity { least: 3, most: Some(3) });
        }
        let (_, exponent, fraction) =
            (self.width(0, args[0])?, self.width(1, args[1])?, self.width(2, args[2])?);
        match (exponent, fraction) {
            (Some(exponent), Some(fraction)) => {
                Ok(self.intern(SmtSort::Float(exponent, fraction.saturating_add(1))))
            }
            _ => Ok(UNKNOWN),
        }
    }

    fn rule_ieee(&mut self, args: &[SortId]) -> SortId {
        match *self.out.sorts.get(args[0]) {
            SmtSort::Float(exponent, significand) => {
                self.intern(SmtSort::BitVec(exponent.saturating_add(significand)))
            }
            _ => UNKNOWN,
        }
    }

    fn rule_select(&mut self, args: &[SortId]) -> Ruled {
        match *self.out.sorts.get(args[0]) {
            SmtSort::Array(key, element) if args.len() == 2 => {
                if !self.out.sorts.compatible(key, args[1]) {
                    return Err(Fault::argument(1, key));
                }
                Ok(element)
            }
            SmtSort::Set(_) => Ok(SortId::BOOL),
            SmtSort::Fun(_) => self.apply_function_sort(args[0], &args[1..], 1),
            SmtSort::Array(..) => Err(Fault::Arity { least: 2, most: Some(2) }),
            _ if !self.out.sorts.is_ground(args[0]) => Ok(UNKNOWN),
            _ => Err(Fault::Argument { at: 0, wanted: None, kind: "an array" }),
        }
    }

    fn rule_store(&mut self, args: &[SortId]) -> Ruled {
        match *self.out.sorts.get(args[0]) {
            SmtSort::Array(key, element) if args.len() == 3 => {
                for (at, wanted) in [(1, key), (2, element)] {
                    if !self.out.sorts.compatible(wanted, args[at]) {
                        return Err(Fault::argument(at, wanted));
                    }
                }
                Ok(args[0])
            }
            SmtSort::Set(_) | SmtSort::Fun(_) => Ok(args[0]),
            SmtSort::Array(..) => Err(Fault::Arity { least: 3, most: Some(3) }),
            _ if !self.out.sorts.is_ground(args[0]) => Ok(args[0]),
            _ => Err(Fault::Argument { at: 0, wanted: None, kind: "an array" }),
        }
    }

    /// The declaration of the function that an index names.
    fn index_function(&self, identifier: NodeId) -> Option<crate::DeclId> {
        self.tree
            .child(identifier, 2)
            .filter(|&node| self.tree.is_symbol(node))
            .and_then(|node| self.out.decl_of(node))
    }

    /// `((_ map f) a b)`: an array over the keys of `a` with the results of `f`. `f` is a name, or `(name (S…) R)`.
    fn rule_map(&mut self, head: NodeId, args: &[SortId]) -> SortId {
        let (SmtSort::Array(key, element), Some(mapped)) =
            (self.out.sorts.get(args[0]), self.tree.child(head, 2))
        else {
            return UNKNOWN;
        };
        let (key, element) = (*key, *element);
        let signature = self.exactly(mapped).filter(|&[_, params, _]| self.tree.is_list(params));
        let name = signature.map_or(mapped, |[name, _, _]| name);
        if !self.tree.is_symbol(name) {
            return UNKNOWN;
        }
        let info = self.symbol_info(name);
        let (decl, op) = (info.term, info.op.get());
        // The operator's own result takes precedence over the written range: z3 does not compare the two.
        let constant = op.and_then(|op| op.constant_result());
        let result = match (op.map(|op| op.signature), signature) {
            _ if decl != NO_DECL => self.out.decl(decl).result,
            (Some(OperatorSignature::Rule(SortRule::Ite)), _) => {
                return args.get(1).copied().unwrap_or(UNKNOWN);
            }
            _ if constant.is_some() => constant.unwrap_or(UNKNOWN),
            (_, Some([_, _, range])) => self.sort_of_index(range),
            (Some(_), None) => element,
            (None, None) => UNKNOWN,
        };
        self.known(&[key, result], |parts| SmtSort::Array(parts[0], parts[1]))
    }

    /// Reads a sort among indices. Its symbols were first taken for names of functions.
    fn sort_of_index(&mut self, node: NodeId) -> SortId {
        self.out.decl_of[node.index()..self.tree.after(node).index()].fill(NO_DECL);
        self.sort(node)
    }

    fn as_array(&mut self, identifier: NodeId) -> SortId {
        let Some(decl) = self.index_function(identifier) else { return UNKNOWN };
        match (&*self.out.decl(decl).params, self.out.decl(decl).result) {
            (&[key], element) => self.intern(SmtSort::Array(key, element)),
            _ => UNKNOWN,
        }
    }

    /// The sort of the last set among the arguments: `insert` has its elements first.
    fn rule_same_set(&mut self, args: &[SortId]) -> SortId {
        let is_set =
            |sort: &&SortId| matches!(self.out.sorts.get(**sort), SmtSort::Set(_) | SmtSort::Array(..));
        args.last().filter(is_set).or_else(|| args.iter().find(is_set)).copied().unwrap_or(UNKNOWN)
    }

    fn element(&self, sort: SortId) -> SortId {
        match self.out.sorts.get(sort) {
            SmtSort::Seq(element) | SmtSort::Set(element) | SmtSort::Bag(element) => *element,
            _ => UNKNOWN,
        }
    }

    fn rule_nth(&mut self, args: &[SortId]) -> Ruled {
        match self.out.sorts.get(args[0]) {
            SmtSort::Seq(element) => Ok(*element),
            SmtSort::String => Ok(UNKNOWN),
            _ if !self.out.sorts.is_ground(args[0]) => Ok(UNKNOWN),
            _ => Err(Fault::Argument { at: 0, wanted: None, kind: "a sequence" }),
        }
    }

    fn rule_tuple_select(&mut self, head: NodeId, args: &[SortId]) -> SortId {
        match (self.out.sorts.get(args[0]), self.index(head, 0)) {
            (SmtSort::Tuple(parts), Some(index)) => parts.get(index as usize).copied().unwrap_or(UNKNOWN),
            _ => UNKNOWN,
        }
    }

    /// The sort of a tuple, or of a set or bag of tuples, that consists of the columns named by the indices.
    fn rule_project(&mut self, head: NodeId, args: &[SortId]) -> SortId {
        let element = self.element(args[0]);
        let tuple = if element == UNKNOWN { args[0] } else { element };
        let SmtSort::Tuple(columns) = self.out.sorts.get(tuple) else { return UNKNOWN };
        let indices = self.tree.children(head).skip(2).map(|node| self.numeral(node));
        let picked: Option<Vec<SortId>> =
            indices.map(|index| columns.get(index? as usize).copied()).collect();
        let Some(picked) = picked.filter(|_| self.tree.is_list(head)) else { return UNKNOWN };
        let projected = self.intern(SmtSort::Tuple(picked.into()));
        self.collection_like(args[0], projected)
    }

    fn collection_like(&mut self, collection: SortId, element: SortId) -> SortId {
        match self.out.sorts.get(collection) {
            SmtSort::Set(_) => self.intern(SmtSort::Set(element)),
            SmtSort::Bag(_) => self.intern(SmtSort::Bag(element)),
            _ => element,
        }
    }

    fn columns(&self, relation: SortId) -> Option<&[SortId]> {
        match self.out.sorts.get(self.element(relation)) {
            SmtSort::Tuple(columns) if !columns.is_empty() => Some(columns),
            _ => None,
        }
    }

    fn rule_relation(&mut self, args: &[SortId], merge: fn(&[SortId], &[SortId]) -> Vec<SortId>) -> SortId {
        // `rel.table_join` and similar operators with more arguments are not analysed.
        let &[left, right] = args else { return UNKNOWN };
        let (Some(a), Some(b)) = (self.columns(left), self.columns(right)) else { return UNKNOWN };
        let merged = merge(a, b);
        let tuple = self.intern(SmtSort::Tuple(merged.into()));
        self.collection_like(left, tuple)
    }

    fn rule_columns(&mut self, args: &[SortId], pick: fn(&[SortId]) -> Vec<SortId>) -> SortId {
        let Some(columns) = self.columns(args[0]) else { return UNKNOWN };
        let picked = pick(columns);
        let tuple = self.intern(SmtSort::Tuple(picked.into()));
        self.collection_like(args[0], tuple)
    }

    /// `((_ rel.aggr i) f init relation)`
    fn rule_aggregate(&mut self, args: &[SortId]) -> SortId {
        match *args {
            [_, initial, relation] if initial != UNKNOWN => self.collection_like(relation, initial),
            _ => UNKNOWN,
        }
    }

    fn rule_ite(&mut self, args: &[SortId]) -> Ruled {
        let &[condition, then, other] = args else { return Err(Fault::Arity { least: 3, most: Some(3) }) };
        if !self.out.sorts.compatible(condition, SortId::BOOL) {
            return Err(Fault::argument(0, SortId::BOOL));
        }
        if !self.out.sorts.compatible(then, other) {
            return Err(Fault::argument(2, then));
        }
        let open = !self.out.sorts.is_ground(then);
        Ok(if other == SortId::REAL && then == SortId::INT || open && other != UNKNOWN {
            other
        } else {
            then
        })
    }

    /// `((_ is C) t)`: the argument is of the datatype of `C`.
    fn rule_is(&mut self, node: NodeId, head: NodeId, args: &[SortId]) -> Ruled {
        self.only_argument(args)?;
        let decl = if self.tree.is_list(head) {
            self.index_function(head)
        } else {
            self.out.head(node).and_then(|head| head.decl)
        };
        if let Some(decl) = decl.filter(|_| self.out.sorts.is_ground(args[0])) {
            let result = self.out.decl(decl).result;
            self.substitution.clear();
            if !self.out.sorts.unify(result, args[0], &mut self.substitution) {
                return Err(Fault::argument(0, result));
            }
        }
        Ok(SortId::BOOL)
    }
}
