//! The groups of a round, in the order in which they are asked.

use nub_edits::{Edit, MergedEdits};
use std::collections::VecDeque;

/// How many groups an edit that conflicts with the last group can still be put into: the number of alternatives that a
/// pass has for one place.
const MAX_RIVALS: usize = 8;
/// Maximum number of groups that are asked together after successes.
const MAX_RUN: usize = 1 << 16;

/// Groups still to be asked in a round.
#[derive(Clone)]
pub(super) struct Queue {
    /// Groups that are asked again, before all others.
    again: VecDeque<(Vec<usize>, Cleaning)>,
    /// The members of the other groups, one group after another, from the last to the first.
    members: Vec<usize>,
    /// The start of each group.
    starts: Vec<usize>,
    /// Groups asked together: doubles with every success, so that a long run of successes costs few asks.
    run: usize,
    /// Size of a single group.
    pub(super) size: usize,
}

/// Whether what becomes useless is removed too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cleaning {
    Clean,
    /// Not removed: a single edit that failed with its clean-up is asked once more without it.
    Plain,
}

impl Queue {
    /// Every edit alone.
    pub(super) fn singles(open: &[usize]) -> Queue {
        let members = open.iter().rev().copied().collect();
        Queue { again: VecDeque::new(), members, starts: (0..open.len()).collect(), run: 1, size: 1 }
    }

    pub(super) fn of(groups: &[Vec<usize>]) -> Queue {
        let size = groups.first().map_or(1, Vec::len);
        let (mut members, mut starts) = (Vec::new(), Vec::new());
        for group in groups.iter().rev() {
            starts.push(members.len());
            members.extend(group);
        }
        Queue { again: VecDeque::new(), members, starts, run: 1, size }
    }

    pub(super) fn next(&mut self) -> Option<(Vec<usize>, Cleaning)> {
        let (mut group, cleaning) = self.pop()?;
        for _ in 1..self.run {
            let is_plain = self.again.front().is_some_and(|(_, cleaning)| *cleaning == Cleaning::Plain);
            if is_plain || cleaning == Cleaning::Plain {
                break;
            }
            let Some((more, _)) = self.pop() else { break };
            group.extend(more);
        }
        Some((group, cleaning))
    }

    fn pop(&mut self) -> Option<(Vec<usize>, Cleaning)> {
        self.again.pop_front().or_else(|| {
            let start = self.starts.pop()?;
            Some((self.members.drain(start..).collect(), Cleaning::Clean))
        })
    }

    /// The last ask has succeeded.
    pub(super) fn succeeded(&mut self) {
        self.run = (2 * self.run).min(MAX_RUN);
    }

    /// The last ask has failed. If it combined several groups, each is now asked alone; true if it did.
    pub(super) fn failed(&mut self, group: &[usize]) -> bool {
        self.run = 1;
        if group.len() <= self.size {
            return false;
        }
        for part in group.chunks(self.size).rev() {
            self.again.push_front((part.to_vec(), Cleaning::Clean));
        }
        true
    }

    /// Asks a single edit once more, without its clean-up.
    pub(super) fn ask_plain(&mut self, group: Vec<usize>) {
        self.again.push_front((group, Cleaning::Plain));
    }
}

/// Groups of two to `size` edits without conflicts: if a group had several values for one place, only the first would be asked, and
/// the others would be lost with it. In the order of the edits; O(n log n). The places that a group covers are stored only while it
/// has room, so that even one group per term of a large subject needs only the numbers of its edits.
pub(super) fn without_rivals(edits: &[Edit], open: &[usize], size: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut with_room: VecDeque<(usize, MergedEdits)> = VecDeque::new();
    for &index in open {
        let edit = &edits[index];
        while with_room.front().is_some_and(|(group, _)| group + MAX_RIVALS < groups.len()) {
            with_room.pop_front();
        }
        let Some(at) = with_room.iter().position(|(_, merged)| !merged.conflicts_with(edit)) else {
            let mut merged = MergedEdits::default();
            merged.add(edit);
            with_room.push_back((groups.len(), merged));
            groups.push(vec![index]);
            continue;
        };
        let (group, merged) = &mut with_room[at];
        merged.add(edit);
        groups[*group].push(index);
        if groups[*group].len() == size {
            with_room.remove(at);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_text::Span;

    #[test]
    fn values_for_one_place_are_in_different_groups() {
        let at = |place: usize, text: &str| Edit::replace(Span::new(place, place + 1), text.as_bytes());
        let edits = [at(0, "0"), at(0, "1"), at(0, "2"), at(5, "0"), at(5, "1"), at(9, "0")];
        let open: Vec<usize> = (0..edits.len()).collect();
        assert_eq!(without_rivals(&edits, &open, 6), [vec![0, 3, 5], vec![1, 4], vec![2]]);
        assert_eq!(without_rivals(&edits, &open, 2), [vec![0, 3], vec![1, 4], vec![2, 5]]);
    }
    #[test]
    fn a_queue_keeps_the_order_of_edits_and_what_is_asked_again_comes_first() {
        let mut singles = Queue::singles(&[4, 7, 9]);
        assert_eq!(singles.next().unwrap().0, [4]);
        singles.ask_plain(vec![4]);
        singles.run = 8;
        assert_eq!(singles.next().unwrap().0, [4], "a plain one is asked alone");
        assert_eq!(singles.next().unwrap().0, [7, 9], "a run of two");
        assert!(singles.next().is_none());
        let mut groups = Queue::of(&[vec![0, 3, 5], vec![1, 4], vec![2]]);
        assert_eq!(groups.size, 3);
        let all: Vec<Vec<usize>> = std::iter::from_fn(|| groups.next()).map(|(group, _)| group).collect();
        assert_eq!(all, [vec![0, 3, 5], vec![1, 4], vec![2]]);
        assert!(groups.failed(&[0, 3, 5, 1, 4]), "a run that failed");
        assert_eq!(groups.next().unwrap().0, [0, 3, 5]);
    }
}
