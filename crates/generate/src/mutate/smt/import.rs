//! Parts of a second file, renamed so that they can be used in the first.

use super::Draw;
use super::names::{bare, same_name};
use super::seed::SmtSeed;
use nub_smtlib::{CommandKind, DeclId, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limits on the commands that are copied together with a term, and on their nodes.
const MAX_COMMANDS: usize = 64;
const MAX_NODES: usize = 4_096;

/// New names for declarations of the second file.
#[derive(Default)]
pub(super) struct Renaming {
    names: FxHashMap<DeclId, String>,
}

impl Renaming {
    /// Chooses fresh names for what these commands declare under a name of the first file. Linear in the declarations.
    pub(super) fn new(draw: &mut Draw, other: &SmtSeed, commands: &[NodeId]) -> Renaming {
        let taken: FxHashSet<NodeId> = commands.iter().copied().collect();
        let mut renaming = Renaming::default();
        // One name may be declared several times, as a sort and as a function.
        let mut by_name: FxHashMap<Vec<u8>, String> = FxHashMap::default();
        for id in other.analysis.decl_ids() {
            let decl = other.analysis.decl(id);
            let name = bare(other.slice(decl.name));
            if decl.is_local() || !draw.seed.names.contains(name) || !taken.contains(&root(other, decl.name))
            {
                continue;
            }
            let fresh = match by_name.get(name) {
                Some(fresh) => fresh.clone(),
                None => {
                    let fresh = draw.fresh();
                    by_name.insert(name.to_vec(), fresh.clone());
                    fresh
                }
            };
            renaming.names.insert(id, fresh);
        }
        renaming
    }

    /// The text of a node with the new names. `None` if a name is used in a form that cannot be renamed. Linear.
    pub(super) fn text(&self, other: &SmtSeed, node: NodeId) -> Option<Vec<u8>> {
        let whole = other.span(node);
        let text = other.script.text();
        let mut out = Vec::with_capacity(whole.len());
        let mut done = whole.start as usize;
        for inner in other.script.tree().subtree(node) {
            let Some((id, fresh)) =
                other.analysis.decl_of(inner).and_then(|id| Some((id, self.names.get(&id)?)))
            else {
                continue;
            };
            let span = other.span(inner);
            out.extend_from_slice(&text[done..span.start as usize]);
            if !same_name(other.slice(inner), other.slice(other.analysis.decl(id).name)) {
                // The old form of a constructor's tester.
                other.slice(inner).starts_with(b"is-").then_some(())?;
                out.extend_from_slice(b"is-");
            }
            out.extend_from_slice(fresh.as_bytes());
            done = span.end as usize;
        }
        out.extend_from_slice(&text[done..whole.end as usize]);
        Some(out)
    }
}

/// The top-level command that contains a node.
fn root(other: &SmtSeed, node: NodeId) -> NodeId {
    // The commands are in order, so the last that does not begin after the node contains it.
    let after = other.commands.partition_point(|&(command, _)| command <= node);
    after.checked_sub(1).map_or(node, |at| other.commands[at].0)
}

/// The commands that declare what a term uses, directly or indirectly, in order. `None` if the term uses a local variable, a
/// named term, or too many declarations.
pub(super) fn needed(other: &SmtSeed, term: NodeId) -> Option<Vec<NodeId>> {
    let tree = other.script.tree();
    let mut commands: FxHashSet<NodeId> = FxHashSet::default();
    let mut open = vec![term];
    let mut n_nodes = 0;
    while let Some(part) = open.pop() {
        n_nodes += tree.size(part);
        if n_nodes > MAX_NODES || commands.len() > MAX_COMMANDS {
            return None;
        }
        for node in tree.subtree(part) {
            let Some(id) = other.analysis.decl_of(node) else { continue };
            let decl = other.analysis.decl(id);
            if tree.is_within(decl.name, part) {
                continue;
            }
            let command = root(other, decl.name);
            if decl.is_local() || !is_declaration(other.script.command_kind(command)) {
                return None;
            }
            if commands.insert(command) {
                open.push(command);
            }
        }
    }
    let mut commands: Vec<NodeId> = commands.into_iter().collect();
    commands.sort_unstable();
    Some(commands)
}

/// Commands that may be copied to another file.
pub(super) fn is_declaration(kind: CommandKind) -> bool {
    use CommandKind::*;
    matches!(
        kind,
        DeclareConst
            | DeclareDatatype
            | DeclareDatatypes
            | DeclareFun
            | DeclareSort
            | DefineConst
            | DefineFun
            | DefineFunRec
            | DefineFunsRec
            | DefineSort
    )
}

/// True if parts of one file may be used in the other: both have a single level, and numerals have the same sort.
pub(super) fn can_share(seed: &SmtSeed, other: &SmtSeed) -> bool {
    !seed.has_reset() && other.is_flat() && seed.numerals_are_real() == other.numerals_are_real()
}
