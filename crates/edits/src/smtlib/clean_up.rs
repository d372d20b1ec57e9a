//! Free clean-up: what is no longer used is removed in the same ask.
//!
//! ```text
//! (declare-const x Int)            (declare-const y Int)
//! (declare-const y Int)      =>    (assert (= y y))
//! (assert (let ((z x)) (= y y)))
//! ```
//!
//! Only what *becomes* useless is removed: a declaration that was already unused may be what the failure needs, and has
//! its own pass. Linear in the bytes that are removed.

use super::SmtView;
use crate::dag::is_free;
use crate::{Edit, MergedEdits};
use nub_smtlib::{Decl, DeclId, DeclKind, NodeId, NodeKind, SortId};
use nub_text::Span;
use rustc_hash::FxHashSet;

/// Adds the cuts of declarations, bindings and quantified variables whose last use is removed. What touches a span in `protected`
/// (sorted) stays, with everything that it uses.
pub fn clean_up(view: &SmtView, splices: &mut MergedEdits, protected: &[Span]) -> bool {
    let todo = splices.iter().map(|splice| splice.span).collect();
    remove_orphans(view, splices, protected, todo, Vec::new())
}

/// Declarations, bindings and quantified variables that are not used, or only used by each other: those on which no
/// assertion or span in `protected` depends.
pub fn unreached(view: &SmtView, protected: &[Span]) -> MergedEdits {
    let mut splices = MergedEdits::default();
    let analysis = view.analysis();
    let unused = analysis.decl_ids().filter(|&id| analysis.uses(id).is_empty()).collect();
    remove_orphans(view, &mut splices, protected, Vec::new(), unused);
    splices
}

/// Removes orphans, and declarations that become orphans by that or by the cuts in `todo`.
fn remove_orphans(
    view: &SmtView,
    splices: &mut MergedEdits,
    protected: &[Span],
    mut todo: Vec<Span>,
    mut orphans: Vec<DeclId>,
) -> bool {
    let mut state = State {
        view,
        gone: vec![0; view.analysis().decls().len()],
        counted: vec![0; view.tree().len().div_ceil(64)],
        inserted: inserted_atoms(splices),
    };
    let mut added = false;
    loop {
        for decl in orphans {
            if let Some(edit) = state.removal(decl, splices)
                && is_free(&edit, protected)
                && splices.add(&edit)
            {
                added = true;
                todo.extend(edit.splices.iter().map(|splice| splice.span));
            }
        }
        let Some(span) = todo.pop() else { return added };
        orphans = state.orphans(span);
    }
}

struct State<'v> {
    view: &'v SmtView,
    /// By declaration: number of uses that are removed.
    gone: Vec<u32>,
    /// One bit per node that has been counted: a cut can cover the same nodes as an earlier splice.
    counted: Vec<u64>,
    inserted: FxHashSet<Vec<u8>>,
}

impl State<'_> {
    /// Declarations whose last use is in the span.
    fn orphans(&mut self, span: Span) -> Vec<DeclId> {
        let analysis = self.view.analysis();
        let mut orphans = Vec::new();
        for node in self.view.nodes_in(span).map(NodeId) {
            let Some(id) = analysis.decl_of(node) else { continue };
            let (word, bit) = (node.index() / 64, 1 << (node.index() % 64));
            if analysis.decl(id).name == node || self.counted[word] & bit != 0 {
                continue;
            }
            self.counted[word] |= bit;
            let gone = &mut self.gone[id.0 as usize];
            *gone += 1;
            if *gone as usize == analysis.uses(id).len() {
                orphans.push(id);
            }
        }
        orphans
    }

    fn removal(&self, id: DeclId, splices: &MergedEdits) -> Option<Edit> {
        let decl = self.view.analysis().decl(id);
        // A name that is covered was removed with its declaration, or changed together with its uses.
        if splices.covers(self.view.span(decl.name)) || self.inserted.contains(self.view.slice(decl.name)) {
            return None;
        }
        match decl.kind {
            DeclKind::Fun | DeclKind::Macro | DeclKind::Sort | DeclKind::SortMacro => {
                Some(self.view.cut(decl.owner))
            }
            DeclKind::Let => self.unbind(decl, splices),
            // A `lambda` with fewer variables has another sort.
            DeclKind::Bound if self.view.sort(decl.binder) == Some(SortId::BOOL) => {
                self.unbind(decl, splices)
            }
            _ => None,
        }
    }

    /// Removes one binding; with the last one, the whole binder.
    fn unbind(&self, decl: &Decl, splices: &MergedEdits) -> Option<Edit> {
        let tree = self.view.tree();
        let list = tree.parent(decl.owner)?;
        let body = tree.child(decl.binder, 2)?;
        if tree.parent(list) != Some(decl.binder) {
            return None;
        }
        let stays = |&binding: &NodeId| binding != decl.owner && !splices.covers(self.view.span(binding));
        if tree.children(list).any(|binding| stays(&binding)) {
            return Some(self.view.cut(decl.owner));
        }
        // Binders with something after the body are not changed.
        (tree.children(decl.binder).count() == 3)
            .then(|| Edit::keep_part(self.view.span(decl.binder), self.view.span(body)))
    }
}

/// The atoms of all inserted text, whose names are used. Large groups insert the same text many times; it is read only
/// once.
fn inserted_atoms(splices: &MergedEdits) -> FxHashSet<Vec<u8>> {
    let mut atoms = FxHashSet::default();
    let mut last: &[u8] = b"";
    for splice in splices.iter().filter(|splice| !splice.text.is_empty()) {
        if *splice.text == *last {
            continue;
        }
        last = &splice.text;
        let (tree, _) = nub_smtlib::Tree::parse(&splice.text);
        for node in tree.nodes().filter(|&node| tree.kind(node) != NodeKind::List) {
            atoms.insert(tree.span(node).slice(&splice.text).to_vec());
        }
    }
    atoms
}
