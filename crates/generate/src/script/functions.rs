//! Functions: uninterpreted or defined.

use super::arena::{Place, TermIdx};
use super::builder::Builder;
use super::theories::Fragment;
use super::universe::Kind;
use nub_smtlib::{SmtSort, SortId};

/// A function of the script.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub params: Vec<SortId>,
    pub result: SortId,
}

/// Limit on the applications in the body of a definition.
const DEFINITION_SIZE: u32 = 4;
/// How often, in percent, a script has a recursive function if it may.
const RECURSIVE: u32 = 15;

impl Builder<'_> {
    /// Declares an uninterpreted sort.
    pub(super) fn declare_sort(&mut self) {
        let name = self.symbol("U");
        let declared = self.universe.declare(&name, Kind::Opaque);
        self.universe.add(SmtSort::User(declared.id, [].into()));
        self.declarations.extend_from_slice(format!("(declare-sort {name} 0)\n").as_bytes());
    }

    /// Declares one to three uninterpreted functions.
    pub(super) fn declare_functions(&mut self) {
        for _ in 0..self.rng.between(1, 3) {
            let n_params = self.rng.between(1, 3);
            let params: Vec<SortId> = (0..n_params).map(|_| self.some_sort()).collect();
            let result = self.some_sort();
            let name = self.symbol("g");
            let texts: Vec<&str> = params.iter().map(|sort| self.universe.text(*sort)).collect();
            let command =
                format!("(declare-fun {name} ({}) {})\n", texts.join(" "), self.universe.text(result));
            self.declarations.extend_from_slice(command.as_bytes());
            self.functions.push(Function { name, params, result });
        }
    }

    /// Adds up to two definitions, with or without parameters, and occasionally a recursive one.
    pub(super) fn define_functions(&mut self) {
        for _ in 0..self.rng.below(3) {
            let n_params = self.rng.below(3);
            self.define(n_params);
        }
        let may_recur = self.config.theories.has(Fragment::Quantifiers) && self.has_const_arrays;
        if may_recur && self.evaluation.is_none() && self.rng.percent(RECURSIVE) {
            self.define_recursive();
        }
    }

    fn define(&mut self, n_params: u32) {
        // The evaluator supports values of terms, but not functions.
        let n_params = if self.evaluation.is_some() { 0 } else { n_params };
        let result = self.some_sort();
        self.arena.open();
        let params = self.parameters(n_params);
        let wanted = self.arena.len() + DEFINITION_SIZE as usize;
        while self.arena.len() < wanted {
            self.grow();
        }
        let root = self.operand(result);
        let value = self.evaluation.as_ref().and_then(|evaluation| evaluation.term(root));
        let body = self.close_with(root);
        let name = self.symbol("h");
        self.write_definition("define-fun", &name, &params, result, &body);
        if params.is_empty() {
            let term = self.arena.atom(name.as_bytes(), result, Place::Global);
            self.globals.add(result, term);
            if let (Some(evaluation), Some(value)) = (&mut self.evaluation, value) {
                evaluation.set(term, value);
            }
        } else {
            let params = params.into_iter().map(|(_, sort)| sort).collect();
            self.functions.push(Function { name, params, result });
        }
    }

    /// `f(x, y) = if c then t else f(t', t'')`. It need not terminate, which is legal.
    fn define_recursive(&mut self) {
        let result = self.some_sort();
        self.arena.open();
        let params = self.parameters(2);
        for _ in 0..DEFINITION_SIZE {
            self.grow();
        }
        let name = self.symbol("rec");
        let args: Vec<TermIdx> = params.iter().map(|(_, sort)| self.operand(*sort)).collect();
        let call = self.apply_text(&name, &args, &[], result);
        let branches = [self.operand(SortId::BOOL), self.leaf(result), call];
        let root = self.apply(self.catalog.core.ite, &[], &branches, result);
        let body = self.close_with(root);
        self.write_definition("define-fun-rec", &name, &params, result, &body);
        let params = params.into_iter().map(|(_, sort)| sort).collect();
        self.functions.push(Function { name, params, result });
    }

    /// Variables for the open frame.
    pub(super) fn parameters(&mut self, n_params: u32) -> Vec<(String, SortId)> {
        let sorts: Vec<SortId> = (0..n_params).map(|_| self.some_sort()).collect();
        let mut params = Vec::with_capacity(sorts.len());
        for sort in sorts {
            params.push((self.variable(sort, &params), sort));
        }
        params
    }

    /// A variable for the open frame, after these. It may shadow a constant of its sort.
    pub(super) fn variable(&mut self, sort: SortId, before: &[(String, SortId)]) -> String {
        use super::print::Hidable;
        let hidable = self.globals.of(sort);
        if !hidable.is_empty() && self.rng.percent(10) {
            let hidden = self.rng.pick(hidable);
            let name = String::from_utf8_lossy(self.arena.bytes(self.arena.get(hidden).head)).into_owned();
            if before.iter().all(|(other, _)| *other != name) {
                return name;
            }
        }
        let name = self.arena.fresh("x");
        let term = self.arena.atom(name.as_bytes(), sort, Place::Here);
        self.arena.offer(term);
        name
    }

    fn write_definition(
        &mut self,
        command: &str,
        name: &str,
        params: &[(String, SortId)],
        result: SortId,
        body: &[u8],
    ) {
        let mut text = format!("({command} {name} (");
        text.push_str(&self.variables_text(params));
        text.push_str(&format!(") {} ", self.universe.text(result)));
        self.definitions.extend_from_slice(text.as_bytes());
        self.definitions.extend_from_slice(body);
        self.definitions.extend_from_slice(b")\n");
    }

    /// `(x S) (y T)`.
    pub(super) fn variables_text(&self, variables: &[(String, SortId)]) -> String {
        let texts: Vec<String> =
            variables.iter().map(|(name, sort)| format!("({name} {})", self.universe.text(*sort))).collect();
        texts.join(" ")
    }

    /// A call of a function.
    pub(super) fn call(&mut self, function: &Function) -> TermIdx {
        let args: Vec<TermIdx> = function.params.iter().map(|sort| self.operand(*sort)).collect();
        if args.is_empty() {
            return self.arena.atom(function.name.as_bytes(), function.result, Place::Here);
        }
        self.apply_text(&function.name, &args, &[], function.result)
    }
}
