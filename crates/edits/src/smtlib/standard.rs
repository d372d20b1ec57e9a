//! Rules of the standard in addition to sorts: the shape of commands, the number of arguments.
//!
//! Solvers tolerate many violations: z3 reads `(push)`, `(and x)` and `(declare-sort S)`. A file for a bug report should not
//! rely on that unless the original did, so a candidate may only violate rules that the original violates.

use super::SmtView;
use super::match_cases::leaves_values_out;
use super::scopes::n_levels;
use super::shapes::{has_shape, is_older_form};
use super::unused::command_of;
use nub_smtlib::ops::{Associativity, OperatorOrigin};
use nub_smtlib::{CommandKind, DeclId, DeclKind, NodeId, NodeKind, SmtSort, SortId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the datatypes that are checked for values.
const MAX_DATATYPES: usize = 1_000;

/// The rules that a script violates.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Violations {
    /// A command with missing or extra parts: `(declare-sort S)`, `()`.
    pub shape: bool,
    /// `(push)` or `(pop)` without a number. Separate from `shape`, because many scripts have only this violation.
    pub numbers: bool,
    /// An unknown command.
    pub command: bool,
    /// An operator with fewer arguments or indices than its theory declares, or a constant in brackets: `(and x)`,
    /// `(re.^ r)`, `(c)`.
    pub arity: bool,
    /// A binder without variables, a datatype without constructors or without finite values, a `match` that does not
    /// handle all constructors.
    pub empty: bool,
    /// An operator that only some solvers support, or a command in a form that is specific to a solver.
    pub dialect: bool,
    /// A term or sort that we cannot analyse.
    pub unsorted: bool,
    /// An attribute without its value, or a pattern that is outside a quantifier or is a literal.
    pub attributes: bool,
    /// One name declared twice in the same scope.
    pub redeclared: bool,
    /// A `pop` of more levels than are open.
    pub levels: bool,
}

impl Violations {
    /// The rules that `view` violates. One walk over nodes and declarations.
    pub fn of(view: &SmtView) -> Violations {
        let mut found = Violations {
            redeclared: is_redeclared(view),
            levels: pops_too_many(view),
            dialect: view
                .commands()
                .iter()
                .any(|&(node, kind)| kind == CommandKind::DeclareDatatypes && is_older_form(view, node)),
            ..Violations::default()
        };
        for &(node, kind) in view.commands().iter().filter(|&&(node, kind)| !has_shape(view, node, kind)) {
            found.add_command(view, node, kind);
        }
        for node in view.tree().nodes() {
            if view.is_term(node) {
                found.check_term(view, node);
            } else if let Some(sort) = view.analysis().sort_value(node) {
                found.unsorted |= !is_known(view, sort);
                found.shape |= view.tree().is_list(node) && view.tree().children(node).count() == 1;
            }
        }
        let tree = view.tree();
        found.empty |= !are_well_founded(view) || leaves_values_out(view);
        found.empty |= view.analysis().decls().iter().any(|decl| {
            decl.kind == DeclKind::Datatype
                && tree.is_list(decl.owner)
                && tree.first_child(decl.owner).is_none()
        });
        found
    }

    /// True if every rule violated here is also violated in `other`.
    pub fn is_within(self, other: Violations) -> bool {
        (!self.shape || other.shape)
            && (!self.numbers || other.numbers)
            && (!self.command || other.command)
            && (!self.arity || other.arity)
            && (!self.empty || other.empty)
            && (!self.dialect || other.dialect)
            && (!self.unsorted || other.unsorted)
            && (!self.attributes || other.attributes)
            && (!self.redeclared || other.redeclared)
            && (!self.levels || other.levels)
    }

    /// Checks that a command has the shape of its kind.
    fn add_command(&mut self, view: &SmtView, node: NodeId, kind: CommandKind) {
        let is_bare = view.tree().children(node).count() == 1;
        match kind {
            CommandKind::Push | CommandKind::Pop if is_bare => self.numbers = true,
            CommandKind::Other if view.head_symbol(node).is_some() => self.command = true,
            _ => self.shape = true,
        }
    }

    fn check_term(&mut self, view: &SmtView, term: NodeId) {
        self.unsorted |= view.sort(term).is_none();
        if !view.tree().is_list(term) {
            return;
        }
        match view.head_symbol(term) {
            Some(b"let" | b"forall" | b"exists" | b"lambda") => {
                let list = view.tree().child(term, 1);
                self.empty |= list.is_some_and(|list| view.tree().first_child(list).is_none());
            }
            Some(b"!") => self.attributes |= !has_attributes(view, term),
            Some(b"_" | b"as" | b"match") => {}
            _ => self.check_application(view, term),
        }
    }

    fn check_application(&mut self, view: &SmtView, term: NodeId) {
        self.unsorted |= applies_a_value(view, term);
        let n_args = view.args(term).take(2).count();
        self.arity |= n_args == 0;
        let Some(head) = view.analysis().head(term) else { return };
        if let Some(op) = head.op {
            self.dialect |= op.origin != OperatorOrigin::Standard;
            // z3 writes `(re.^ r 3)` for `((_ re.^ 3) r)`; without either number it is not legal.
            if op.indices.1 > 0 && head.first_index.is_none() {
                self.dialect = true;
                self.arity |= op.max_args().is_some_and(|max| view.args(term).count() < max);
            }
            self.arity |= op.attribute != Associativity::None && op.name != "-" && n_args < 2;
        } else if let Some(id) = head.decl {
            let decl = view.analysis().decl(id);
            let is_function = matches!(view.analysis().sorts().get(decl.result), SmtSort::Fun(_));
            self.dialect |= decl.kind == DeclKind::Fun && decl.params.is_empty() && !is_function;
        }
    }
}

/// `((select a i) x)`: only an identifier or a function can be applied, and a selected element is neither.
fn applies_a_value(view: &SmtView, term: NodeId) -> bool {
    let Some(first) = view.tree().first_child(term).filter(|&first| view.tree().is_list(first)) else {
        return false;
    };
    let is_identifier = matches!(view.head_symbol(first), Some(b"_" | b"as"));
    let sorts = view.analysis().sorts();
    !is_identifier && !view.sort(first).is_some_and(|sort| matches!(sorts.get(sort), SmtSort::Fun(_)))
}

/// Whether every datatype has a value that can be built in finitely many steps: some constructor whose fields all
/// have one. A fixpoint over the datatypes, with at most one round for each; codatatypes are accepted.
fn are_well_founded(view: &SmtView) -> bool {
    let analysis = view.analysis();
    let is_inductive = |id: DeclId| {
        let command = command_of(view, analysis.decl(id).name);
        matches!(
            view.script().command_kind(command),
            CommandKind::DeclareDatatype | CommandKind::DeclareDatatypes
        )
    };
    let mut empty: FxHashSet<DeclId> = analysis
        .decl_ids()
        .filter(|&id| analysis.decl(id).kind == DeclKind::Datatype && is_inductive(id))
        .take(MAX_DATATYPES)
        .collect();
    loop {
        let has_value = |sort: &SortId| match analysis.sorts().get(*sort) {
            SmtSort::User(id, _) => !empty.contains(id),
            _ => true,
        };
        let built: Vec<DeclId> = analysis
            .decls()
            .iter()
            .filter(|decl| decl.kind == DeclKind::Constructor && decl.params.iter().all(has_value))
            .filter_map(|decl| decl.parent.filter(|datatype| empty.contains(datatype)))
            .collect();
        if built.is_empty() {
            return empty.is_empty();
        }
        built.iter().for_each(|datatype| _ = empty.remove(datatype));
    }
}

fn pops_too_many(view: &SmtView) -> bool {
    let mut n_open: usize = 0;
    view.commands().iter().any(|&(node, kind)| {
        let n = n_levels(view, node);
        match kind {
            CommandKind::Push => n_open = n_open.saturating_add(n),
            CommandKind::Pop if n > n_open => return true,
            CommandKind::Pop => n_open -= n,
            CommandKind::Reset | CommandKind::ResetAssertions => n_open = 0,
            _ => {}
        }
        false
    })
}

fn is_known(view: &SmtView, sort: SortId) -> bool {
    !matches!(view.analysis().sorts().get(sort), SmtSort::Unknown | SmtSort::Other(_))
}

/// `(! t :k v …)`: keywords in the right places, `:named` with a name, patterns only in a quantifier and only of applications.
fn has_attributes(view: &SmtView, term: NodeId) -> bool {
    let tree = view.tree();
    let parts: Vec<NodeId> = tree.children(term).skip(2).collect();
    let is_keyword = |at: usize| parts.get(at).is_some_and(|&part| tree.kind(part) == NodeKind::Keyword);
    let value = |at: usize| parts.get(at + 1).copied().filter(|_| !is_keyword(at + 1));
    let in_quantifier = || {
        let head = tree.parent(term).and_then(|parent| view.head_symbol(parent));
        matches!(head, Some(b"forall" | b"exists" | b"lambda"))
    };
    let is_pattern = |list: NodeId| {
        tree.is_list(list)
            && tree.first_child(list).is_some()
            && tree.children(list).all(|term| tree.is_list(term))
    };
    is_keyword(0)
        && (0..parts.len()).filter(|&at| is_keyword(at)).all(|at| match view.slice(parts[at]) {
            b":named" => value(at).is_some_and(|name| tree.is_symbol(name)),
            b":pattern" => in_quantifier() && value(at).is_some_and(is_pattern),
            _ => true,
        })
}

/// Whether a global's name is already declared in its scope. The names of datatypes are declared twice by design.
fn is_redeclared(view: &SmtView) -> bool {
    let mut scope_end: FxHashMap<(&[u8], bool), NodeId> = FxHashMap::default();
    view.analysis().decls().iter().filter(|decl| !decl.is_local() && decl.kind != DeclKind::SortParam).any(
        |decl| {
            let key = (view.slice(decl.name), decl.is_sort());
            let earlier = scope_end.insert(key, decl.scope.1);
            earlier.is_some_and(|end| decl.name < end)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn breaks(text: &str, rule: impl Fn(Violations) -> bool) {
        assert!(rule(Violations::of(&SmtView::new(text.as_bytes()))), "{text}");
    }

    #[test]
    fn each_rule() {
        breaks("(push)", |found| found.numbers && !found.shape);
        breaks("(push x)", |found| found.shape);
        breaks("(frobnicate 1)", |found| found.command && !found.shape);
        breaks("()", |found| found.shape);
        breaks("(declare-sort S)", |found| found.shape);
        breaks("(declare-datatypes ((a)) (((c))))", |found| found.shape);
        breaks("(declare-datatypes 0 (mk))", |found| found.shape);
        breaks("(declare-datatypes () ((T c)))", |found| found.dialect);
        breaks("(declare-fun f Int Int)", |found| found.shape);
        breaks("(declare-const b Bool)(assert (b))", |found| found.arity);
        breaks("(assert (and true))", |found| found.arity);
        breaks("(declare-const r RegLan)(assert (= r (re.^ r)))", |found| found.arity);
        breaks("(declare-const r RegLan)(assert (= r (re.^ r 2)))", |found| found.dialect && !found.arity);
        breaks("(assert (forall () true))", |found| found.empty);
        breaks("(declare-datatype L ((cons (tail L))))", |found| found.empty);
        breaks("(declare-datatype B ((t) (f)))(assert (match t ((t true))))", |found| found.empty);
        breaks("(declare-const x BitVec)", |found| found.unsorted);
        let nested = "(declare-const n (Array Int (Array Int Bool)))(declare-const m (Array Int Bool))";
        breaks(&format!("{nested}(assert ((select n 1) m))"), |found| found.unsorted);
        breaks("(declare-const x (Array Bool))", |found| found.unsorted);
        breaks("(assert (! true second))", |found| found.attributes);
        breaks("(assert (! true :named))", |found| found.attributes);
        breaks("(assert (! true :pattern ((f 1))))", |found| found.attributes);
        breaks("(declare-const x Int)(declare-const x Int)", |found| found.redeclared);
        breaks("(push 2)(pop 1)(reset-assertions)(pop 1)", |found| found.levels);
    }

    #[test]
    fn a_standard_script_breaks_none() {
        let text = "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
            (declare-fun f (Int) Bool)(declare-const l L)(push 1)(declare-const x Int)(pop 1)(declare-const x Bool)
            (define-funs-rec ((g ((n Int)) Int) (h ((n Int)) Int)) ((h n) 1))
            (assert (! (forall ((y Int)) (! (f y) :pattern ((f y)))) :named a))
            (assert ((_ is cons) l))(check-sat-assuming (x (not x)))(get-value (x))";
        assert_eq!(Violations::of(&SmtView::new(text.as_bytes())), Violations::default());
    }
}
