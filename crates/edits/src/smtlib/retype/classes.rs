//! Sort variables and their classes: union-find over sorts with parts.

use super::MAX_VARS;
use nub_smtlib::{SmtSort, SortId, Sorts};

/// A sort variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::smtlib) struct Var(pub(super) u32);

impl Var {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known about a class.
mod flag {
    /// Neither it nor its parts can change.
    pub(super) const FIXED: u8 = 1;
    /// An operator of its theory is applied to it: its width may change, but not its kind.
    pub(super) const OPERAND: u8 = 2;
    /// It is the index or the element of an array.
    pub(super) const ARRAY_PART: u8 = 4;
}

/// All variables. The parts of a variable are adjacent.
pub(super) struct Classes {
    parents: Vec<u32>,
    sorts: Vec<SortId>,
    /// First part and number of parts.
    parts: Vec<(u32, u32)>,
    flags: Vec<u8>,
}

impl Classes {
    /// The variable of everything Boolean: no sort is simpler, so it never changes.
    pub(super) const BOOL: Var = Var(0);
    /// The variable of unknown sorts.
    const OPAQUE: Var = Var(1);

    pub(super) fn new() -> Classes {
        let mut all =
            Classes { parents: Vec::new(), sorts: Vec::new(), parts: Vec::new(), flags: Vec::new() };
        for sort in [SortId::BOOL, SortId::UNKNOWN] {
            let var = all.push(sort);
            all.flags[var.index()] = flag::FIXED;
        }
        all
    }

    fn push(&mut self, sort: SortId) -> Var {
        let var = Var(self.parents.len() as u32);
        self.parents.push(var.0);
        self.sorts.push(sort);
        self.parts.push((0, 0));
        self.flags.push(0);
        var
    }

    /// Number of variables.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// A new variable for a sort, with variables for its parts.
    pub(super) fn fresh(&mut self, sorts: &Sorts, sort: SortId) -> Var {
        if sort == SortId::BOOL {
            return Classes::BOOL;
        }
        if !sorts.is_ground(sort) || self.len() >= MAX_VARS {
            return Classes::OPAQUE;
        }
        let root = self.push(sort);
        let mut next = root.index();
        // Parts are appended after the wholes, so this visits each of them once.
        while next < self.len() {
            let n_before = self.len();
            for part in sorts.get(self.sorts[next]).parts() {
                self.push(part);
            }
            self.parts[next] = (n_before as u32, (self.len() - n_before) as u32);
            if self.len() >= MAX_VARS {
                // Nested too deeply to follow: parts are omitted, so the whole must not change.
                self.fix(root);
                break;
            }
            next += 1;
        }
        for at in root.index()..self.len() {
            if self.sorts[at] == SortId::BOOL {
                self.flags[at] |= flag::FIXED;
            }
        }
        root
    }

    /// The representative of the class.
    pub(super) fn find(&mut self, var: Var) -> Var {
        let mut at = var.0;
        while self.parents[at as usize] != at {
            let up = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = up;
            at = up;
        }
        Var(at)
    }

    /// The sort that all members of a class have.
    pub(super) fn sort(&self, var: Var) -> SortId {
        self.sorts[var.index()]
    }

    /// The n-th part, if there are exactly `of`.
    pub(super) fn part(&mut self, var: Var, n: u32, of: u32) -> Option<Var> {
        let root = self.find(var);
        let (first, n_parts) = self.parts[root.index()];
        (n_parts == of && n < of).then_some(Var(first + n))
    }

    pub(super) fn is_fixed(&mut self, var: Var) -> bool {
        let root = self.find(var);
        self.flags[root.index()] & flag::FIXED != 0
    }

    /// True if a sort of another kind can replace this class.
    pub(super) fn is_free(&mut self, var: Var) -> bool {
        let root = self.find(var);
        self.flags[root.index()] & (flag::FIXED | flag::OPERAND) == 0
    }

    pub(super) fn is_array_part(&mut self, var: Var) -> bool {
        let root = self.find(var);
        self.flags[root.index()] & flag::ARRAY_PART != 0
    }

    /// Records that an operator of its theory is applied to the class.
    pub(super) fn operand(&mut self, var: Var) {
        let root = self.find(var);
        self.flags[root.index()] |= flag::OPERAND;
    }

    /// Makes a class and its parts unchangeable.
    pub(super) fn fix(&mut self, var: Var) {
        let mut open = vec![var];
        while let Some(var) = open.pop() {
            let root = self.find(var);
            // The parts of a fixed class are already fixed.
            if self.flags[root.index()] & flag::FIXED != 0 {
                continue;
            }
            self.flags[root.index()] |= flag::FIXED;
            let (first, n) = self.parts[root.index()];
            open.extend((first..first + n).map(Var));
        }
    }

    /// Makes two variables the same. What does not match, or is fixed on one side, is fixed on both sides: fixed
    /// classes need no union, because they never change.
    pub(super) fn unify(&mut self, sorts: &Sorts, a: Var, b: Var) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            if (self.flags[a.index()] | self.flags[b.index()]) & flag::FIXED != 0
                || !self.same_kind(sorts, a, b)
            {
                self.fix(a);
                self.fix(b);
                continue;
            }
            // The smaller number becomes the root, so that the result does not depend on the order of unions.
            let (root, child) = if a < b { (a, b) } else { (b, a) };
            self.parents[child.index()] = root.0;
            self.flags[root.index()] |= self.flags[child.index()];
            let ((left, n), (right, _)) = (self.parts[a.index()], self.parts[b.index()]);
            open.extend((0..n).map(|at| (Var(left + at), Var(right + at))));
        }
    }

    fn same_kind(&self, sorts: &Sorts, a: Var, b: Var) -> bool {
        let (left, right) = (self.sorts[a.index()], self.sorts[b.index()]);
        if self.parts[a.index()].1 != self.parts[b.index()].1 {
            return false;
        }
        if self.parts[a.index()].1 == 0 {
            return left == right;
        }
        match (sorts.get(left), sorts.get(right)) {
            (SmtSort::User(a, _), SmtSort::User(b, _)) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// Marks the classes of array indices and elements.
    pub(super) fn mark_array_parts(&mut self, sorts: &Sorts) {
        for at in 0..self.len() {
            if matches!(sorts.get(self.sorts[at]), SmtSort::Array(..)) {
                let (first, n) = self.parts[at];
                for part in (first..first + n).map(Var) {
                    let root = self.find(part);
                    self.flags[root.index()] |= flag::ARRAY_PART;
                }
            }
        }
    }
}
