//! The terms of a script under construction, in frames.
//!
//! A frame is a region with its own sharing: an assertion, the body of a definition or of a quantifier, a case of a
//! `match`. Its terms grow bottom-up; when the frame is closed it is printed, each term once, and its terms can no longer be used.

use nub_smtlib::SortId;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct TermIdx(u32);

impl TermIdx {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Text {
    start: u32,
    end: u32,
}

impl Text {
    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// `(head args tail)`, or only `head` if there is nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub head: Text,
    args: (u32, u32),
    pub tail: Text,
    pub sort: SortId,
    pub depth: u32,
    /// How often it is an argument.
    pub n_uses: u32,
    /// The frame it belongs to; 0 for constants of the script.
    frame: u32,
    /// Its name, if it has one: assigned when an inner frame uses it, or when its frame is printed.
    pub name: Text,
}

/// Where an atom belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// To the open frame.
    Here,
    /// To no frame.
    Global,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    first: u32,
    journal: u32,
}

/// All terms of a script, and which of them can be used.
#[derive(Default)]
pub(super) struct Arena {
    terms: Vec<Term>,
    args: Vec<TermIdx>,
    text: Vec<u8>,
    /// By sort: terms of open frames.
    pools: Vec<Vec<TermIdx>>,
    /// The sorts of pool entries, in the order in which they were added.
    journal: Vec<SortId>,
    frames: Vec<Frame>,
    n_names: u32,
    n_applications: u32,
}

impl Arena {
    /// Stores some bytes.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Text {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        Text { start, end: self.text.len() as u32 }
    }

    pub(super) fn bytes(&self, text: Text) -> &[u8] {
        &self.text[text.start as usize..text.end as usize]
    }

    /// A name or a literal. It is in no pool.
    pub(super) fn atom(&mut self, text: &[u8], sort: SortId, place: Place) -> TermIdx {
        let head = self.keep(text);
        let frame = if place == Place::Global { 0 } else { self.frames.len() as u32 };
        self.push(Term {
            head,
            args: (0, 0),
            tail: Text::default(),
            sort,
            depth: 1,
            n_uses: 0,
            frame,
            name: Text::default(),
        })
    }

    /// An application. It is added to the pool of its sort.
    pub(super) fn apply(&mut self, head: Text, args: &[TermIdx], tail: Text, sort: SortId) -> TermIdx {
        self.n_applications += 1;
        let start = self.args.len() as u32;
        let frame = self.frames.len() as u32;
        let mut depth = 0;
        for &arg in args {
            self.note_use(arg);
            depth = depth.max(self.get(arg).depth);
        }
        self.args.extend_from_slice(args);
        let args = (start, self.args.len() as u32);
        let id = self.push(Term {
            head,
            args,
            tail,
            sort,
            depth: depth + 1,
            n_uses: 0,
            frame,
            name: Text::default(),
        });
        self.offer(id);
        id
    }

    fn push(&mut self, term: Term) -> TermIdx {
        self.terms.push(term);
        TermIdx(self.terms.len() as u32 - 1)
    }

    /// Adds a term to the pool of its sort until the frame is closed.
    pub(super) fn offer(&mut self, id: TermIdx) {
        let sort = self.get(id).sort;
        let at = sort.0 as usize;
        if self.pools.len() <= at {
            self.pools.resize_with(at + 1, Vec::new);
        }
        self.pools[at].push(id);
        self.journal.push(sort);
    }

    /// Records a use as an argument, or as the result of a frame. A term that an inner frame uses must have a name: its text cannot
    /// be repeated there, because a variable of the inner frame could capture a name in it.
    pub(super) fn note_use(&mut self, id: TermIdx) {
        let is_outer = self.get(id).frame != self.frames.len() as u32;
        if is_outer && !self.is_atom(id) && self.get(id).name.is_empty() {
            let name = self.fresh("l");
            self.set_name(id, name.as_bytes());
        }
        self.terms[id.index()].n_uses += 1;
    }

    /// Sets the name of a term.
    pub(super) fn set_name(&mut self, id: TermIdx, name: &[u8]) {
        let name = self.keep(name);
        self.terms[id.index()].name = name;
    }

    /// A name that does not occur elsewhere.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    pub(super) fn get(&self, id: TermIdx) -> &Term {
        &self.terms[id.index()]
    }

    pub(super) fn args(&self, id: TermIdx) -> &[TermIdx] {
        let (start, end) = self.get(id).args;
        &self.args[start as usize..end as usize]
    }

    /// Whether it is a name or a literal.
    pub(super) fn is_atom(&self, id: TermIdx) -> bool {
        let term = self.get(id);
        term.args.0 == term.args.1 && term.tail.is_empty()
    }

    /// Whether it belongs to the open frame.
    pub(super) fn is_here(&self, id: TermIdx) -> bool {
        self.get(id).frame == self.frames.len() as u32
    }

    /// The number of applications so far.
    pub(super) fn n_applications(&self) -> u32 {
        self.n_applications
    }

    /// The number of terms.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The usable terms of a sort.
    pub(super) fn pool(&self, sort: SortId) -> &[TermIdx] {
        self.pools.get(sort.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn open(&mut self) {
        let (first, journal) = (self.terms.len() as u32, self.journal.len() as u32);
        self.frames.push(Frame { first, journal });
    }

    /// The terms of the open frame, in order: arguments before the terms that use them.
    pub(super) fn frame(&self) -> impl DoubleEndedIterator<Item = TermIdx> + use<'_> {
        let first = self.frames.last().map_or(0, |frame| frame.first);
        let depth = self.frames.len() as u32;
        let ids = (first..self.terms.len() as u32).map(TermIdx);
        ids.filter(move |id| self.get(*id).frame == depth)
    }

    /// Closes the frame and removes its terms from the pools.
    pub(super) fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for sort in self.journal.drain(frame.journal as usize..) {
            self.pools[sort.0 as usize].pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_inner_frame_uses_gets_a_name() {
        let mut arena = Arena::default();
        arena.open();
        let x = arena.atom(b"x", SortId::BOOL, Place::Global);
        let head = arena.keep(b"not");
        let outer = arena.apply(head, &[x], Text::default(), SortId::BOOL);
        arena.open();
        let inner = arena.apply(head, &[outer], Text::default(), SortId::BOOL);
        assert!(!arena.get(outer).name.is_empty() && arena.get(x).name.is_empty());
        assert_eq!(arena.pool(SortId::BOOL), [outer, inner]);
        assert_eq!(arena.frame().collect::<Vec<_>>(), [inner]);
        arena.close();
        assert_eq!(arena.pool(SortId::BOOL), [outer]);
        assert_eq!(arena.get(inner).depth, 3);
        arena.close();
        assert!(arena.pool(SortId::BOOL).is_empty());
    }
}
