//! Finds smaller widths for all classes that keep every line well typed.
//!
//! Widths only shrink, so propagation ends. A link that is violated shrinks other classes: the result of a `concat`
//! whose part shrank, or the low part of one whose result shrank, then its high part; a slice that is wider than its
//! operand; the operand of an extension that is wider than its result; the width of a BTOR shift down to a power of two,
//! together with its amount. If a class would have to shrink below its minimum width, the whole step is undone.

use super::classes::{Class, Classes, Link};

/// New widths, built step by step.
pub(super) struct Solver<'c> {
    classes: &'c Classes,
    width: Vec<u32>,
    /// The changes, with the width before each, for undoing them.
    trail: Vec<(Class, u32)>,
}

/// A class cannot shrink that far.
struct Conflict;

impl<'c> Solver<'c> {
    pub fn new(classes: &'c Classes) -> Solver<'c> {
        let width = classes.classes.iter().map(|info| info.width).collect();
        Solver { classes, width, trail: Vec::new() }
    }

    /// The current width of a class.
    pub fn width(&self, class: Class) -> u32 {
        self.width[class.index()]
    }

    /// Restores the widths of the file.
    pub fn reset(&mut self) {
        self.undo_to(0);
    }

    /// Classes whose width differs from that in the file, in order.
    pub fn changed(&self) -> Vec<Class> {
        let mut changed: Vec<Class> = self.trail.iter().map(|(class, _)| *class).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Shrinks a class to at most `width` bits, and others as needed; returns false and changes nothing if that is impossible.
    pub fn shrink(&mut self, class: Class, width: u32) -> bool {
        let mark = self.trail.len();
        let is_done = self.set(class, width).and_then(|()| self.propagate(mark)).is_ok();
        if !is_done {
            self.undo_to(mark);
        }
        is_done
    }

    fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((class, before)) = self.trail.pop() {
                self.width[class.index()] = before;
            }
        }
    }

    fn set(&mut self, class: Class, width: u32) -> Result<(), Conflict> {
        let before = self.width(class);
        if width >= before {
            return Ok(());
        }
        if width < self.classes.info(class).min {
            return Err(Conflict);
        }
        self.trail.push((class, before));
        self.width[class.index()] = width;
        Ok(())
    }

    /// The trail from `mark` on is the work list: every change checks the links of its class.
    fn propagate(&mut self, mark: usize) -> Result<(), Conflict> {
        let mut next = mark;
        while next < self.trail.len() {
            let (class, _) = self.trail[next];
            next += 1;
            for &link in &self.classes.info(class).links {
                self.restore(self.classes.links[link as usize].1)?;
            }
        }
        Ok(())
    }

    /// Shrinks classes until a link holds again.
    fn restore(&mut self, link: Link) -> Result<(), Conflict> {
        match link {
            Link::Concat { result, high, low } => self.restore_concat(result, high, low),
            Link::Slice { result, operand } => self.set(result, self.width(operand)),
            Link::Extend { result, operand } => self.set(operand, self.width(result)),
            Link::Shift { result, amount } => {
                // The amount counts with at most 30 bits, because widths are below 2^31.
                let room = self.width(result).min(1 << self.width(amount).min(30));
                let exponent = room.checked_ilog2().filter(|&exponent| exponent > 0).ok_or(Conflict)?;
                self.set(result, 1 << exponent)?;
                self.set(amount, exponent)
            }
        }
    }

    fn restore_concat(&mut self, result: Class, high: Class, low: Class) -> Result<(), Conflict> {
        let excess = |solver: &Solver<'_>| {
            let sum = u64::from(solver.width(high)) + u64::from(solver.width(low));
            sum.saturating_sub(u64::from(solver.width(result))) as u32
        };
        if high == low {
            self.set(low, self.width(result) / 2)?;
        }
        for part in [low, high] {
            let least = self.classes.info(part).min;
            let wanted = self.width(part).saturating_sub(excess(self)).max(least);
            self.set(part, wanted)?;
        }
        if excess(self) > 0 {
            return Err(Conflict);
        }
        self.set(result, self.width(high) + self.width(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::BtorView;
    use nub_btor::{BtorDialect, LineId};

    /// The widths of all lines after one step.
    fn shrink(text: &str, line: usize, width: u32) -> Option<Vec<u32>> {
        let view = BtorView::new(text.as_bytes(), BtorDialect::Btor);
        let classes = Classes::new(&view);
        let mut solver = Solver::new(&classes);
        let is_done = solver.shrink(classes.width(LineId::new(line)), width);
        is_done.then(|| view.lines().map(|line| solver.width(classes.width(line))).collect())
    }

    #[test]
    fn equal_widths_go_together() {
        let text = "1 var 8\n2 inc 8 1\n3 ult 1 2 1\n4 root 1 3\n";
        assert_eq!(shrink(text, 0, 3), Some(vec![3, 3, 1, 1]));
    }

    #[test]
    fn a_concat_shrinks_from_below() {
        let text = "1 var 8\n2 var 4\n3 concat 12 1 2\n";
        assert_eq!(shrink(text, 2, 9), Some(vec![8, 1, 9]));
        assert_eq!(shrink(text, 2, 5), Some(vec![4, 1, 5]));
        assert_eq!(shrink(text, 1, 2), Some(vec![8, 2, 10]), "a part takes the result along");
        assert_eq!(shrink(text, 2, 1), None, "two parts need two bits");
        assert_eq!(shrink("1 var 4\n2 concat 8 1 1\n", 1, 5), Some(vec![2, 4]), "twice the same part");
    }

    #[test]
    fn slices_and_extensions_follow() {
        let text = "1 var 8\n2 slice 4 1 7 4\n3 uext 10 2 6\n";
        assert_eq!(shrink(text, 0, 6), Some(vec![6, 4, 10]), "there is room");
        assert_eq!(shrink(text, 0, 3), Some(vec![3, 3, 10]));
        assert_eq!(shrink(text, 2, 2), Some(vec![8, 2, 2]));
    }

    #[test]
    fn shifts_need_a_power_of_two() {
        let text = "1 var 8\n2 var 3\n3 sll 8 1 2\n4 redor 1 3\n";
        assert_eq!(shrink(text, 0, 7), Some(vec![4, 2, 4, 1]));
        assert_eq!(shrink(text, 1, 1), Some(vec![2, 1, 2, 1]));
        assert_eq!(shrink(text, 0, 1), None);
    }

    #[test]
    fn a_reduction_needs_two_bits() {
        assert_eq!(shrink("1 var 8\n2 redor 1 1\n", 0, 1), None);
        assert_eq!(shrink("1 var 8\n2 redor 1 1\n", 0, 2), Some(vec![2, 1]));
    }
}
