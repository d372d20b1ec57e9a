//! Which declaration a name refers to at a place, so that a term can be copied without capture.

use nub_smtlib::{Analysis, DeclId, NodeId, Script};
use rustc_hash::FxHashMap;

/// Names that are declared more often are not moved: finding the right declaration would take too long.
const MAX_DECLS_PER_NAME: usize = 64;

/// A name without its bars.
pub(super) fn bare(symbol: &[u8]) -> &[u8] {
    symbol.strip_prefix(b"|").map_or(symbol, |inner| inner.strip_suffix(b"|").unwrap_or(inner))
}

/// True if two symbols are the same name.
pub(super) fn same_name(a: &[u8], b: &[u8]) -> bool {
    bare(a) == bare(b)
}

/// All declarations of a script by name.
pub(super) struct Names {
    /// Declarations of one name, in order.
    decls: Vec<Vec<DeclId>>,
    /// By declaration: the index of its name in `decls`.
    name_of: Vec<u32>,
    ids: FxHashMap<Box<[u8]>, u32>,
}

impl Names {
    /// Linear in the text of all names.
    pub(super) fn new(script: &Script, analysis: &Analysis) -> Names {
        let mut names = Names { decls: Vec::new(), name_of: Vec::new(), ids: FxHashMap::default() };
        for id in analysis.decl_ids() {
            let name = bare(script.slice(analysis.decl(id).name));
            let next = names.decls.len() as u32;
            let at = match names.ids.get(name) {
                Some(&at) => at,
                None => {
                    names.ids.insert(name.into(), next);
                    names.decls.push(Vec::new());
                    next
                }
            };
            names.decls[at as usize].push(id);
            names.name_of.push(at);
        }
        names
    }

    /// True if the script declares this name somewhere.
    pub(super) fn contains(&self, name: &[u8]) -> bool {
        self.ids.contains_key(name)
    }

    /// True if, at a place, the name of a declaration refers to exactly this declaration. O([`MAX_DECLS_PER_NAME`]).
    pub(super) fn means(&self, analysis: &Analysis, id: DeclId, place: NodeId) -> bool {
        let decls = &self.decls[self.name_of[id.0 as usize] as usize];
        if decls.len() > MAX_DECLS_PER_NAME {
            return false;
        }
        let wanted = analysis.decl(id);
        let innermost = decls
            .iter()
            .filter(|&&other| {
                let decl = analysis.decl(other);
                decl.is_sort() == wanted.is_sort() && decl.scope.0 <= place && place < decl.scope.1
            })
            .max_by_key(|&&other| (analysis.decl(other).scope.0, other));
        innermost == Some(&id)
    }
}
