//! Terms that bind names: quantifiers with patterns, and `match`.

use super::arena::TermIdx;
use super::builder::Builder;
use nub_smtlib::SortId;

/// The maximum nesting of binders.
const MAX_NESTING: u32 = 3;
/// Limit on the applications in the body of a quantifier.
const BODY_SIZE: u32 = 5;
/// How often, in percent, a quantifier has a pattern if there is a suitable function.
const PATTERNS: u32 = 40;

impl Builder<'_> {
    /// The result of `make`, unless too many binders are already nested.
    fn nested(&mut self, make: impl FnOnce(&mut Self) -> Option<TermIdx>) -> Option<TermIdx> {
        if self.n_binders >= MAX_NESTING {
            return None;
        }
        self.n_binders += 1;
        let made = make(self);
        self.n_binders -= 1;
        made
    }

    /// `(forall ((x S)) t)` or `exists`.
    pub(super) fn quantifier(&mut self) -> Option<TermIdx> {
        self.nested(Self::quantified)
    }

    /// `(match t (((c x y) t') (z t'')))`.
    pub(super) fn cases(&mut self) -> Option<TermIdx> {
        self.nested(Self::matched)
    }

    fn quantified(&mut self) -> Option<TermIdx> {
        self.arena.open();
        let mut variables: Vec<(String, SortId)> = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            let sort = self.some_sort();
            variables.push((self.variable(sort, &variables), sort));
        }
        for _ in 0..self.rng.between(1, BODY_SIZE) {
            self.grow();
        }
        let root = self.merged();
        let pattern = if self.rng.percent(PATTERNS) { self.pattern(&variables) } else { None };
        let mut body = self.close_with(root);
        if let Some(pattern) = pattern {
            body = [b"(! ".as_slice(), &body, format!(" :pattern ({pattern}))").as_bytes()].concat();
        }
        let word = self.rng.pick(&["forall", "exists"]);
        let head = format!("{word} ({})", self.variables_text(&variables));
        Some(self.apply_text(&head, &[], &body, SortId::BOOL))
    }

    /// An uninterpreted function applied to all variables; further arguments are constants.
    fn pattern(&mut self, variables: &[(String, SortId)]) -> Option<String> {
        let sorts: Vec<SortId> = variables.iter().map(|(_, sort)| *sort).collect();
        let is_uninterpreted = |name: &str| name.trim_start_matches('|').starts_with('g');
        let function = self.functions.iter().find(|function| {
            function.params.len() >= sorts.len()
                && function.params[..sorts.len()] == sorts[..]
                && is_uninterpreted(&function.name)
        })?;
        let (name, rest) = (function.name.clone(), function.params[sorts.len()..].to_vec());
        let mut text = format!("({name}");
        for (variable, _) in variables {
            text.push_str(&format!(" {variable}"));
        }
        for sort in rest {
            let constant = self.constant(sort);
            let constant = String::from_utf8_lossy(self.arena.bytes(self.arena.get(constant).head));
            text.push_str(&format!(" {constant}"));
        }
        text.push(')');
        Some(text)
    }

    fn matched(&mut self) -> Option<TermIdx> {
        let datatype = self.some_datatype()?;
        let subject = self.operand(datatype.sort);
        let result = self.some_sort();
        let n_constructors = datatype.constructors.len();
        // The last cases may be combined into one case with a variable.
        let n_spelled =
            if n_constructors > 1 && self.rng.percent(30) { n_constructors - 1 } else { n_constructors };
        let mut tail = String::from("(");
        for constructor in &datatype.constructors[..n_spelled] {
            self.arena.open();
            let names: Vec<String> = constructor.fields.iter().map(|(_, sort)| self.field(*sort)).collect();
            let pattern = match names.as_slice() {
                [] => constructor.name.clone(),
                _ => format!("({} {})", constructor.name, names.join(" ")),
            };
            let body = self.case_body(result);
            tail.push_str(&format!("({pattern} {body})"));
        }
        if n_spelled < n_constructors {
            self.arena.open();
            let name = self.field(datatype.sort);
            let body = self.case_body(result);
            tail.push_str(&format!("({name} {body})"));
        }
        tail.push(')');
        Some(self.apply_text("match", &[subject], tail.as_bytes(), result))
    }

    /// A variable of a pattern. It shadows nothing: z3 reads a name that is already declared as that declaration.
    fn field(&mut self, sort: SortId) -> String {
        let name = self.arena.fresh("y");
        let term = self.arena.atom(name.as_bytes(), sort, super::arena::Place::Here);
        self.arena.offer(term);
        name
    }

    fn case_body(&mut self, result: SortId) -> String {
        for _ in 0..self.rng.below(3) {
            self.grow();
        }
        let root = self.operand(result);
        String::from_utf8_lossy(&self.close_with(root)).into_owned()
    }
}
