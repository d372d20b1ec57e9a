//! Printing a frame: every term once, shared terms bound by `let`.

use super::arena::{Arena, TermIdx};
use nub_random::Rng;
use nub_smtlib::SortId;

/// Limit on the terms that one `let` binds in parallel.
const MAX_PARALLEL: u32 = 3;
/// How often, in percent, a `let` shadows a constant of the same sort.
const SHADOWING: u32 = 6;

/// Constants that a `let` may shadow: if the sort is the same, the script stays well sorted, even though its meaning changes.
pub(super) trait Hidable {
    /// Constants of a sort; empty if none may be shadowed.
    fn of(&self, sort: SortId) -> &[TermIdx];
}

/// Appends the text of `root`, preceded by bindings of the shared terms of the open frame. O(size of the frame).
pub(super) fn print(
    arena: &mut Arena,
    root: TermIdx,
    hidable: &impl Hidable,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) {
    let shared = shared(arena, root);
    let mut n_open = 0;
    let mut rest = shared.as_slice();
    while !rest.is_empty() {
        let (group, later) = rest.split_at(n_parallel(arena, rest, rng));
        out.extend_from_slice(b"(let (");
        let mut names: Vec<Vec<u8>> = Vec::with_capacity(group.len());
        for (idx, &id) in group.iter().enumerate() {
            let name = name(arena, id, &names, hidable, rng);
            out.extend_from_slice(if idx == 0 { b"(" } else { b" (" });
            out.extend_from_slice(&name);
            out.push(b' ');
            body(arena, id, out);
            out.push(b')');
            names.push(name);
        }
        out.extend_from_slice(b") ");
        for (id, name) in group.iter().zip(&names) {
            arena.set_name(*id, name);
        }
        n_open += 1;
        rest = later;
    }
    body(arena, root, out);
    out.extend(std::iter::repeat_n(b')', n_open));
}

/// The terms below a result that get names, in order: those with two parents, and those that inner frames use. Terms come
/// after their arguments, so one backward walk finds all of them.
fn shared(arena: &Arena, root: TermIdx) -> Vec<TermIdx> {
    let first = arena.frame().next().map_or(root.index(), TermIdx::index);
    let mut is_needed = vec![false; arena.len().saturating_sub(first)];
    let need = |id: TermIdx, flags: &mut [bool]| {
        if let Some(flag) = id.index().checked_sub(first).and_then(|at| flags.get_mut(at)) {
            *flag = true;
        }
    };
    need(root, &mut is_needed);
    let mut found = Vec::new();
    for id in arena.frame().rev() {
        let term = arena.get(id);
        // The text of an inner frame may use a name, which the walk does not see.
        let is_named = !term.name.is_empty();
        if !is_named && !is_needed[id.index() - first] {
            continue;
        }
        arena.args(id).iter().for_each(|arg| need(*arg, &mut is_needed));
        if id != root && !arena.is_atom(id) && (is_named || term.n_uses > 1) {
            found.push(id);
        }
    }
    found.reverse();
    found
}

fn name(arena: &mut Arena, id: TermIdx, taken: &[Vec<u8>], hidable: &impl Hidable, rng: &mut Rng) -> Vec<u8> {
    let term = *arena.get(id);
    if !term.name.is_empty() {
        return arena.bytes(term.name).to_vec();
    }
    let hidable = hidable.of(term.sort);
    if !hidable.is_empty() && rng.percent(SHADOWING) {
        let hidden = arena.bytes(arena.get(rng.pick(hidable)).head).to_vec();
        if !taken.contains(&hidden) {
            return hidden;
        }
    }
    arena.fresh("l").into_bytes()
}

/// How many terms from the front one `let` can bind: none of them may be below another.
fn n_parallel(arena: &Arena, terms: &[TermIdx], rng: &mut Rng) -> usize {
    let more = rng.below(MAX_PARALLEL) as usize;
    let first = terms[0];
    // If the arguments are atoms or older than the group, no term of the group is below.
    let is_free = |id: &&TermIdx| {
        let mut args = arena.args(**id).iter();
        arena.get(**id).tail.is_empty() && args.all(|arg| *arg < first || arena.is_atom(*arg))
    };
    1 + terms[1..].iter().take(more).take_while(is_free).count()
}

enum Step {
    Term(TermIdx),
    Close(TermIdx),
}

/// One term, with names for the terms below it that have one.
fn body(arena: &Arena, root: TermIdx, out: &mut Vec<u8>) {
    let has_name = |id: TermIdx| !arena.get(id).name.is_empty() && (id != root || !arena.is_here(id));
    let mut stack = vec![Step::Term(root)];
    while let Some(step) = stack.pop() {
        match step {
            Step::Term(id) => {
                let term = arena.get(id);
                if !matches!(out.last(), None | Some(b'(' | b' ')) {
                    out.push(b' ');
                }
                if has_name(id) {
                    out.extend_from_slice(arena.bytes(term.name));
                    continue;
                }
                if arena.is_atom(id) {
                    out.extend_from_slice(arena.bytes(term.head));
                    continue;
                }
                out.push(b'(');
                out.extend_from_slice(arena.bytes(term.head));
                stack.push(Step::Close(id));
                stack.extend(arena.args(id).iter().rev().map(|arg| Step::Term(*arg)));
            }
            Step::Close(id) => {
                let tail = arena.get(id).tail;
                if !tail.is_empty() {
                    out.push(b' ');
                    out.extend_from_slice(arena.bytes(tail));
                }
                out.push(b')');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::arena::{Place, Text};

    struct Nothing;
    impl Hidable for Nothing {
        fn of(&self, _: SortId) -> &[TermIdx] {
            &[]
        }
    }

    #[test]
    fn shared_terms_are_bound_once_and_unused_ones_not_at_all() {
        let mut arena = Arena::default();
        arena.open();
        let x = arena.atom(b"x", SortId::BOOL, Place::Global);
        let (not, and) = (arena.keep(b"not"), arena.keep(b"and"));
        let a = arena.apply(not, &[x], Text::default(), SortId::BOOL);
        let b = arena.apply(not, &[a], Text::default(), SortId::BOOL);
        let root = arena.apply(and, &[b, a, b], Text::default(), SortId::BOOL);
        let unused = arena.apply(not, &[a], Text::default(), SortId::BOOL);
        arena.apply(and, &[unused, unused], Text::default(), SortId::BOOL);
        let mut out = Vec::new();
        print(&mut arena, root, &Nothing, &mut Rng::new(1), &mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "(let ((l1 (not x))) (let ((l2 (not l1))) (and l2 l1 l2)))");
    }
}
