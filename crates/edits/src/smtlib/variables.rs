//! Declared constants by sort, and where they can be used.

use super::SmtView;
use nub_smtlib::{DeclId, DeclKind, NodeId, SortId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the constants inspected per request: enough to find a visible one, few enough to be cheap.
const MAX_LOOK: usize = 16;

/// Nullary functions without a body, by sort, in order of declaration.
pub(super) struct Variables {
    by_sort: FxHashMap<SortId, Vec<DeclId>>,
    /// Names that some binder also uses: such a constant may be shadowed, so it is not used.
    bound_names: FxHashSet<Vec<u8>>,
}

impl Variables {
    pub(super) fn new(view: &SmtView) -> Variables {
        let analysis = view.analysis();
        let mut by_sort: FxHashMap<SortId, Vec<DeclId>> = FxHashMap::default();
        let mut bound_names = FxHashSet::default();
        for id in analysis.decl_ids() {
            let decl = analysis.decl(id);
            if decl.is_local() {
                bound_names.insert(view.slice(decl.name).to_vec());
            } else if decl.kind == DeclKind::Fun && decl.params.is_empty() && decl.result != SortId::UNKNOWN {
                by_sort.entry(decl.result).or_default().push(id);
            }
        }
        Variables { by_sort, bound_names }
    }

    /// Constants of a sort that can be used at a node, in order of declaration.
    pub(super) fn visible<'v>(
        &'v self,
        view: &'v SmtView,
        sort: SortId,
        at: NodeId,
    ) -> impl Iterator<Item = DeclId> + 'v {
        let all = self.by_sort.get(&sort).map_or(&[][..], Vec::as_slice);
        all.iter().copied().take(MAX_LOOK).filter(move |&id| {
            let decl = view.analysis().decl(id);
            decl.scope.0 <= at && at < decl.scope.1 && !self.bound_names.contains(view.slice(decl.name))
        })
    }
}
