//! Constraints on sort variables from built-in operators, by the operator table.

use super::Var;
use super::build::Builder;
use super::sites::{Relation, Site};
use nub_smtlib::ops::{OperatorSignature, Pat, Slot, SortRule, Theory};
use nub_smtlib::{Head, NodeId, SmtOp, SmtSort, SortId};

/// Variables of a signature while it is matched.
type Bindings = [Option<Var>; Slot::N_VARS];

impl Builder<'_> {
    pub(super) fn operator(&mut self, op: &'static SmtOp, node: NodeId, head: Head, args: &[NodeId]) {
        let understood = matches!(
            op.theory,
            Theory::Core | Theory::BitVectors | Theory::Arrays | Theory::FloatingPoint | Theory::Datatypes
        );
        match op.signature {
            OperatorSignature::Rule(rule) if understood => {
                if self.rule(rule, node, head, args).is_none() {
                    self.fix_application(node);
                }
            }
            OperatorSignature::Fixed(params, result)
                if understood && params.len() == args.len() && op.theory != Theory::Datatypes =>
            {
                self.patterns(op, node, head, args, |at| params[at], result);
            }
            OperatorSignature::Nary(param, result) if understood => {
                self.patterns(op, node, head, args, |_| param, result);
            }
            _ => self.fix_application(node),
        }
    }

    fn fix_application(&mut self, node: NodeId) {
        self.fix_list(node);
        // Sorts within the operator: `((as f S) x)`.
        if let Some(first) = self.view.tree().first_child(node) {
            self.fix_all(first);
        }
    }

    fn patterns(
        &mut self,
        op: &SmtOp,
        node: NodeId,
        head: Head,
        args: &[NodeId],
        param: impl Fn(usize) -> Pat,
        result: Pat,
    ) {
        let mut bindings = Bindings::default();
        for (at, &arg) in args.iter().enumerate() {
            let var = self.var(arg);
            self.pattern(op, param(at), var, &mut bindings);
        }
        let var = self.var(node);
        self.pattern(op, result, var, &mut bindings);
        if let (Some(index), Some(&arg), "@bit" | "bit" | "bit2bool") =
            (head.first_index, args.first(), op.name)
        {
            let arg = self.var(arg);
            self.sites.push((arg, Site::Bit(index)));
        }
    }

    fn pattern(&mut self, op: &SmtOp, pat: Pat, var: Var, bindings: &mut Bindings) {
        match pat {
            Pat::Slot(slot) => {
                // Equality and the other Core operators exist for every sort; other operators may not.
                if op.theory != Theory::Core {
                    self.classes.operand(var);
                }
                self.slot(slot, var, bindings);
            }
            Pat::BitVec(name) | Pat::Float(name) => {
                self.classes.operand(var);
                self.slot(Slot::Var(name), var, bindings);
            }
            Pat::Array(key, element) => {
                self.classes.operand(var);
                match (self.classes.part(var, 0, 2), self.classes.part(var, 1, 2)) {
                    (Some(left), Some(right)) => {
                        self.slot(key, left, bindings);
                        self.slot(element, right, bindings);
                    }
                    _ => self.classes.fix(var),
                }
            }
            _ => self.classes.fix(var),
        }
    }

    fn slot(&mut self, slot: Slot, var: Var, bindings: &mut Bindings) {
        match slot {
            Slot::Is(_) => self.classes.fix(var),
            Slot::Var(name) => match bindings[name as usize] {
                Some(bound) => self.unify(bound, var),
                None => bindings[name as usize] = Some(var),
            },
        }
    }

    /// `None` if the application must be fixed.
    fn rule(&mut self, rule: SortRule, node: NodeId, head: Head, args: &[NodeId]) -> Option<()> {
        match (rule, args) {
            (SortRule::Ite, &[_, left, right]) => {
                self.unify_nodes(node, left);
                self.unify_nodes(node, right);
            }
            (SortRule::Concat | SortRule::Extract | SortRule::Repeat | SortRule::Extend, _) => {
                return self.bit_vector_rule(rule, node, head, args);
            }
            (SortRule::Select | SortRule::Store | SortRule::ConstArray, _) => {
                return self.array_rule(rule, node, args);
            }
            (SortRule::IntToBv, &[number]) => {
                self.fix_node(number);
                let result = self.var(node);
                self.indices(result, head);
            }
            (SortRule::FloatToBv | SortRule::Fp | SortRule::ToFp | SortRule::FloatToIeee, _) => {
                return self.float_rule(rule, node, head, args);
            }
            (SortRule::Is, &[arg]) => {
                let arg = self.var(arg);
                self.classes.operand(arg);
            }
            _ => return None,
        }
        Some(())
    }

    fn bit_vector_rule(&mut self, rule: SortRule, node: NodeId, head: Head, args: &[NodeId]) -> Option<()> {
        let result = self.bit_vector(node)?;
        let vars: Option<Vec<Var>> = args.iter().map(|&arg| self.bit_vector(arg)).collect();
        let vars = vars?;
        if rule == SortRule::Concat {
            self.relations.push(Relation::Concat(vars.into(), result));
            return Some(());
        }
        let (&[arg], index) = (vars.as_slice(), head.first_index?) else { return None };
        let (relation, site) = match rule {
            SortRule::Extract => (Relation::AtMost(result, arg), Site::Extract(index, arg)),
            SortRule::Extend => (Relation::AtMost(arg, result), Site::Extend(index, arg)),
            _ => (Relation::Divides(arg, result), Site::Repeat(index, arg)),
        };
        self.relations.push(relation);
        self.sites.push((result, site));
        Some(())
    }

    fn sort(&self, node: NodeId) -> &SmtSort {
        self.view.analysis().sorts().get(self.view.analysis().sort_of(node).unwrap_or(SortId::UNKNOWN))
    }

    /// The variable of a bit-vector operand.
    fn bit_vector(&mut self, node: NodeId) -> Option<Var> {
        matches!(self.sort(node), SmtSort::BitVec(_)).then_some(())?;
        let var = self.var(node);
        self.classes.operand(var);
        Some(var)
    }

    fn float(&mut self, node: NodeId) -> Option<Var> {
        matches!(self.sort(node), SmtSort::Float(..)).then_some(())?;
        let var = self.var(node);
        self.classes.operand(var);
        Some(var)
    }

    fn float_rule(&mut self, rule: SortRule, node: NodeId, head: Head, args: &[NodeId]) -> Option<()> {
        match (rule, args) {
            (SortRule::Fp, &[sign, exponent, fraction]) => {
                self.fix_node(sign);
                let (exponent, fraction) = (self.bit_vector(exponent)?, self.bit_vector(fraction)?);
                let float = self.float(node)?;
                self.relations
                    .extend([Relation::Exponent(exponent, float), Relation::Fraction(fraction, float)]);
            }
            (SortRule::FloatToIeee, &[arg]) => {
                let (float, bits) = (self.float(arg)?, self.bit_vector(node)?);
                self.relations.push(Relation::Ieee(bits, float));
            }
            (SortRule::ToFp, &[arg]) => {
                let (float, bits) = (self.float(node)?, self.bit_vector(arg)?);
                self.relations.push(Relation::Ieee(bits, float));
                self.indices(float, head);
            }
            (SortRule::ToFp, &[mode, arg]) => {
                self.fix_node(mode);
                match self.sort(arg) {
                    SmtSort::BitVec(_) | SmtSort::Float(..) => {
                        let arg = self.var(arg);
                        self.classes.operand(arg);
                    }
                    _ => self.fix_node(arg),
                }
                let float = self.float(node)?;
                self.indices(float, head);
            }
            (SortRule::FloatToBv, &[mode, float, ref rest @ ..]) => {
                self.fix_node(mode);
                self.float(float)?;
                let result = self.bit_vector(node)?;
                self.indices(result, head);
                for &default in rest {
                    self.unify_nodes(node, default);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn array_rule(&mut self, rule: SortRule, node: NodeId, args: &[NodeId]) -> Option<()> {
        let array = self.var(if rule == SortRule::ConstArray { node } else { *args.first()? });
        let (key, element) = (self.classes.part(array, 0, 2)?, self.classes.part(array, 1, 2)?);
        // A z3 set is an array to Bool; other sorts with two parts are not arrays.
        let is_array =
            matches!(self.view.analysis().sorts().get(self.classes.sort(array)), SmtSort::Array(..));
        is_array.then_some(())?;
        match (rule, args) {
            (SortRule::Select, &[_, index]) => {
                let (index, result) = (self.var(index), self.var(node));
                self.unify(key, index);
                self.unify(element, result);
            }
            (SortRule::Store, &[_, index, value]) => {
                let (index, value, result) = (self.var(index), self.var(value), self.var(node));
                self.unify(key, index);
                self.unify(element, value);
                self.unify(array, result);
            }
            (SortRule::ConstArray, &[value]) => {
                let (value, sort) = (self.var(value), self.ascribed_sort(node)?);
                let sort = self.var(sort);
                self.unify(element, value);
                self.unify(array, sort);
            }
            _ => return None,
        }
        self.classes.operand(array);
        Some(())
    }
}
