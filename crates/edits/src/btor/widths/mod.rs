//! Narrows bit-vectors and arrays while keeping the whole graph well typed ("bit-width reduction", [Vida08] §6).
//!
//! ```text
//! 1 array 8 4                      1 array 1 1
//! 2 var 4                          2 var 1
//! 3 read 8 1 2           =>        3 read 1 1 2
//! 4 slice 1 3 7 7                  4 slice 1 3 0 0
//! 5 root 1 4                       5 root 1 4
//! ```
//!
//! [`classes`] determines which widths must be equal and how the others depend on each other, [`solve`] finds smaller widths that fit, and
//! [`write`] turns them into splices: only what differs is changed. Constants keep their low bits.

mod classes;
mod solve;
mod sorts;
#[cfg(test)]
mod tests;
mod write;

use super::BtorView;
use crate::smaller_numbers::narrower;
use crate::{Edit, Grouping, Pass};
use classes::{Class, Classes};
use solve::Solver;

/// What to narrow at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widths {
    /// Everything, then all classes of one width.
    Whole,
    /// One class of equal widths, with the widths that depend on it.
    Classes,
}

/// Limit on the splices of all edits listed at once: bounds the time on large files, where many classes depend on each other.
const MAX_SPLICES: usize = 1 << 20;
/// Limit on the existing smaller widths offered to a class.
const MAX_EXISTING: usize = 3;

impl Pass<BtorView> for Widths {
    fn name(&self) -> &'static str {
        match self {
            Widths::Whole => "widths-whole",
            Widths::Classes => "widths",
        }
    }

    fn grouping(&self) -> Grouping {
        match self {
            Widths::Whole => Grouping::Single,
            Widths::Classes => Grouping::Groups,
        }
    }

    /// The most powerful edits first.
    fn edits(&self, view: &BtorView) -> Vec<Edit> {
        let classes = Classes::new(view);
        let mut widths: Vec<u32> = classes.classes.iter().map(|info| info.width).filter(|&w| w > 0).collect();
        widths.sort_unstable();
        widths.dedup();
        let mut found = Found { view, classes: &classes, edits: Vec::new(), n_splices: 0 };
        match self {
            Widths::Whole => whole(&mut found, &widths),
            Widths::Classes => one_class(&mut found, &widths),
        }
        found.edits
    }
}

/// The edits found so far.
struct Found<'v> {
    view: &'v BtorView,
    classes: &'v Classes,
    edits: Vec<Edit>,
    n_splices: usize,
}

impl Found<'_> {
    fn is_full(&self) -> bool {
        self.n_splices >= MAX_SPLICES
    }

    fn add(&mut self, solver: &Solver<'_>) {
        let edit = write::write(self.view, self.classes, solver);
        if let Some(edit) = edit.filter(|edit| self.edits.last() != Some(edit)) {
            self.n_splices += edit.splices.len();
            self.edits.push(edit);
        }
    }
}

/// Limits all classes to 1, 2, 4, ... bits, each as far as possible; then narrows all classes of one width.
fn whole(found: &mut Found<'_>, widths: &[u32]) {
    let classes = found.classes;
    let Some(&widest) = widths.last() else { return };
    let mut solver = Solver::new(classes);
    let limits = (0..31).map(|exponent| 1 << exponent).take_while(|&limit| limit < widest);
    let all: Vec<Class> = classes.ids().collect();
    for limit in limits {
        if found.is_full() {
            return;
        }
        solver.reset();
        shrink_all(&mut solver, classes, &all, limit);
        found.add(&solver);
    }
    for &width in widths.iter().rev() {
        let same: Vec<Class> = classes.ids().filter(|&class| classes.info(class).width == width).collect();
        for target in targets(width, widths) {
            if found.is_full() {
                return;
            }
            solver.reset();
            shrink_all(&mut solver, classes, &same, target);
            found.add(&solver);
        }
    }
}

/// Narrows classes to `width`; classes that cannot shrink that far shrink to their minimum width, or stay.
fn shrink_all(solver: &mut Solver<'_>, classes: &Classes, which: &[Class], width: u32) {
    for &class in which {
        let _ = solver.shrink(class, width.max(classes.info(class).min));
    }
}

/// For each class the most powerful step, then for each the next one, so that a group has steps for different classes.
fn one_class(found: &mut Found<'_>, widths: &[u32]) {
    let classes = found.classes;
    let mut steps: Vec<(usize, Class, u32)> = Vec::new();
    for class in classes.ids() {
        let info = classes.info(class);
        let targets = targets(info.width, widths).into_iter().filter(|&target| target >= info.min);
        steps.extend(targets.enumerate().map(|(rank, target)| (rank, class, target)));
    }
    steps.sort_by_key(|&(rank, class, _)| (rank, class));
    let mut solver = Solver::new(classes);
    for (_, class, target) in steps {
        if found.is_full() {
            return;
        }
        solver.reset();
        if solver.shrink(class, target) {
            found.add(&solver);
        }
    }
}

/// Smaller widths to try, the smallest first: 1 and 2, some that exist, a half, some in between, one less.
fn targets(width: u32, existing: &[u32]) -> Vec<u32> {
    let smaller = existing.iter().copied().filter(|&other| other < width);
    let mut targets: Vec<u32> = smaller.take(MAX_EXISTING).chain(narrower(width)).collect();
    targets.extend([1, 2, width / 2, width.saturating_sub(1)]);
    targets.retain(|&target| 0 < target && target < width);
    targets.sort_unstable();
    targets.dedup();
    targets
}
