//! Replaces terms by declared constants, and constants by others in one direction.
//!
//! ```text
//! inc:  (assert (< a (f b)))   =>   (assert (< b (f b))), (assert (< a b)), (assert (< a a))
//! dec:  (assert (< a (f b)))   =>   (assert (< a (f a))), (assert (< a b)), (assert (< a a))
//! ```
//!
//! A constant is only replaced by one whose name is larger (`inc`) or smaller (`dec`), in one place or in all, so that this
//! ends. A replacement that does not make the script smaller is not accepted; but removing the last use also removes the declaration.

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::{DeclId, DeclKind, NodeId};

/// Limit on the choices per term.
const MAX_CHOICES: usize = 4;

/// Which constants may replace a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// Those with larger names.
    #[default]
    Inc,
    /// Those with smaller names.
    Dec,
}

/// See the module.
pub struct ByVariable {
    /// The direction for constants.
    pub direction: Direction,
}

impl Pass<SmtView> for ByVariable {
    fn name(&self) -> &'static str {
        match self.direction {
            Direction::Inc => "variables-inc",
            Direction::Dec => "variables-dec",
        }
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let mut edits: Vec<Edit> =
            view.analysis().decl_ids().flat_map(|id| self.throughout(view, id)).collect();
        for term in view.terms() {
            if edits.len() >= MAX_EDITS {
                break;
            }
            let names = self.choices(view, term);
            edits.extend(names.into_iter().map(|name| Edit::replace(view.span(term), name)));
        }
        edits
    }
}

impl ByVariable {
    fn may_become(&self, old: &[u8], new: &[u8]) -> bool {
        match self.direction {
            Direction::Inc => new > old,
            Direction::Dec => new < old,
        }
    }

    fn choices<'v>(&self, view: &'v SmtView, term: NodeId) -> Vec<&'v [u8]> {
        let Some(sort) = view.sort(term) else { return Vec::new() };
        let is_list = view.tree().is_list(term);
        let is_constant = view.analysis().decl_of(term).is_some();
        if !is_list && !is_constant {
            return Vec::new();
        }
        let visible = view.variables().visible(view, sort, term);
        let names = visible.map(|id| view.slice(view.analysis().decl(id).name));
        names.filter(|name| is_list || self.may_become(view.slice(term), name)).take(MAX_CHOICES).collect()
    }

    /// All uses of a constant at once.
    fn throughout(&self, view: &SmtView, id: DeclId) -> Vec<Edit> {
        let analysis = view.analysis();
        let decl = analysis.decl(id);
        let uses = analysis.uses(id);
        let Some(&first) = uses.first().filter(|_| decl.kind == DeclKind::Fun && decl.params.is_empty())
        else {
            return Vec::new();
        };
        let names = self.choices(view, first).into_iter().filter(|_| uses.len() > 1);
        let replace = |name: &[u8]| Edit::try_of(uses.iter().map(|&node| (view.span(node), name.to_vec())));
        names.filter_map(replace).collect()
    }
}
