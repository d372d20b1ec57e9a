//! From a list of edits to a large subset that still fails, with few asks.
//!
//! Groups are asked in rounds of shrinking size ([`crate::schedule`]). Up to `jobs` groups are under way at once,
//! each built as if the others will fail, because most do. When one succeeds it joins the accepted set; another
//! that succeeded on the old set is asked again together with it, so no success is thrown away.

use crate::engine::{Candidate, Engine, Kind};
use crate::pool::Ticket;
use crate::schedule::{Round, estimate, next_size};
use crate::{Format, Stop};
use nub_edits::{Edit, Merged, Pass};
use std::collections::{BTreeMap, VecDeque};

/// Largest number of chunks for which complements are asked.
const MAX_COMPLEMENTS: usize = 8;
/// Groups to which an edit that excludes one of the last group can still go: the choices that a pass has for one place.
const MAX_RIVALS: usize = 8;
/// Most groups that are asked together after successes.
const MAX_RUN: usize = 1 << 16;

/// A list of edits being worked off on one view.
struct Work {
    pass: &'static str,
    kind: Kind,
    edits: Vec<Edit>,
    /// Edits not yet decided.
    open: Vec<usize>,
    accepted: Merged,
    /// Counts acceptances: an ask built at an older version may need merging.
    version: u64,
}

impl Work {
    fn new(pass: &'static str, edits: Vec<Edit>) -> Work {
        let open = (0..edits.len()).collect();
        Work { pass, kind: Kind::of(pass, &edits), edits, open, accepted: Merged::default(), version: 0 }
    }
}

/// An ask under way.
struct Asked {
    group: Vec<usize>,
    splices: Merged,
    version: u64,
    cleaning: Cleaning,
    /// The clean-up found something.
    cleaned: bool,
}

pub(crate) fn in_groups<F: Format>(
    engine: &mut Engine<'_, F>,
    pass: &dyn Pass<F::View>,
    complements: bool,
) -> Result<(), Stop> {
    let edits = engine.edits(pass);
    let mut work = Work::new(pass.name(), edits);
    let mut size = engine.first_size(pass.name(), work.open.len());
    while !work.open.is_empty() {
        let queue = match size {
            1 => Queue::singles(&work.open),
            _ => Queue::of(&without_rivals(&work.edits, &work.open, size)),
        };
        let round = ask_round(engine, &mut work, queue)?;
        if complements && round.accepted == 0 && size > 1 {
            ask_complements(engine, &mut work, size)?;
        }
        if size == 1 {
            engine.remember_probability(work.pass, estimate(1, round));
            break;
        }
        size = next_size(size, round).min(work.open.len().max(1));
    }
    Ok(())
}

/// Groups of at most `size` edits, two or more, in which none excludes another: of several values for one place only the first would
/// be asked, and the others would be lost with it. In the order of the edits; O(n log n). What a group has taken is kept
/// only while it has room, so that as many groups as a large subject has terms cost no more than their edits' numbers.
fn without_rivals(edits: &[Edit], open: &[usize], size: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut with_room: VecDeque<(usize, Merged)> = VecDeque::new();
    for &index in open {
        let edit = &edits[index];
        while with_room.front().is_some_and(|(group, _)| group + MAX_RIVALS < groups.len()) {
            with_room.pop_front();
        }
        let Some(at) = with_room.iter().position(|(_, merged)| !merged.conflicts_with(edit)) else {
            let mut merged = Merged::default();
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

/// Step 2 of ddmin: all but one chunk at once.
fn ask_complements<F: Format>(engine: &mut Engine<'_, F>, work: &mut Work, size: usize) -> Result<(), Stop> {
    let n_chunks = work.open.len().div_ceil(size);
    if !(3..=MAX_COMPLEMENTS).contains(&n_chunks) {
        return Ok(());
    }
    for kept in 0..n_chunks {
        let chunks = work.open.chunks(size).enumerate();
        let group: Vec<usize> =
            chunks.filter(|(i, _)| *i != kept).flat_map(|(_, chunk)| chunk.to_vec()).collect();
        if ask_round(engine, work, Queue::of(&[group]))?.accepted > 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// Groups still to be asked in a round.
struct Queue {
    /// Groups that are asked again, before all others.
    again: VecDeque<(Vec<usize>, Cleaning)>,
    /// The members of the other groups, one group after the other, from the last to the first.
    members: Vec<usize>,
    /// Where each of them begins.
    starts: Vec<usize>,
    /// Groups asked together: doubles with every success, so that a long run of successes costs few asks.
    run: usize,
    /// Size of a single group.
    size: usize,
}

/// Whether what becomes useless goes along.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cleaning {
    Clean,
    /// A single edit that failed with its clean-up is asked once more without.
    Plain,
}

impl Queue {
    /// Every edit alone.
    fn singles(open: &[usize]) -> Queue {
        let members = open.iter().rev().copied().collect();
        Queue { again: VecDeque::new(), members, starts: (0..open.len()).collect(), run: 1, size: 1 }
    }

    fn of(groups: &[Vec<usize>]) -> Queue {
        let size = groups.first().map_or(1, Vec::len);
        let (mut members, mut starts) = (Vec::new(), Vec::new());
        for group in groups.iter().rev() {
            starts.push(members.len());
            members.extend(group);
        }
        Queue { again: VecDeque::new(), members, starts, run: 1, size }
    }

    fn next(&mut self) -> Option<(Vec<usize>, Cleaning)> {
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

    /// A run of several groups failed: each is asked alone. True if there was more than one.
    fn split(&mut self, group: &[usize]) -> bool {
        if group.len() <= self.size {
            return false;
        }
        for part in group.chunks(self.size).rev() {
            self.again.push_front((part.to_vec(), Cleaning::Clean));
        }
        true
    }
}

/// Asks every group once; successes leave `open`, as do edits that failed alone.
fn ask_round<F: Format>(
    engine: &mut Engine<'_, F>,
    work: &mut Work,
    mut queue: Queue,
) -> Result<Round, Stop> {
    let mut round = Round::default();
    let mut under_way: BTreeMap<Ticket, Asked> = BTreeMap::new();
    let mut decided: Vec<usize> = Vec::new();
    let patience = if queue.size == 1 { engine.patience(work.kind) } else { u64::MAX };
    loop {
        while engine.has_room()
            && (round.accepted > 0 || round.asked < patience)
            && let Some((group, cleaning)) = queue.next()
        {
            engine.check_stop()?;
            if let Some((asked, bytes)) = build(engine, work, group, cleaning, &mut decided) {
                under_way.insert(engine.submit(bytes), asked);
            }
        }
        let Some((ticket, bytes, fails)) = engine.take(work.pass)? else { break };
        let Some(asked) = under_way.remove(&ticket) else { continue };
        round.asked += 1;
        if !fails {
            queue.run = 1;
            reject(engine, work, asked, &mut queue, &mut decided);
        } else if asked.version == work.version {
            round.accepted += 1;
            queue.run = (2 * queue.run).min(MAX_RUN);
            engine.accept(work.pass, bytes)?;
            work.accepted = asked.splices;
            work.version += 1;
            decided.extend(asked.group);
        } else {
            // It succeeded on an older set: ask it again on top of what was accepted meanwhile.
            queue.again.push_front((asked.group, asked.cleaning));
        }
    }
    decided.sort_unstable();
    work.open.retain(|index| decided.binary_search(index).is_err());
    engine.remember_round(work.kind, round);
    Ok(round)
}

/// The candidate of a group on top of what is accepted, or `None` if there is nothing to ask.
fn build<F: Format>(
    engine: &mut Engine<'_, F>,
    work: &Work,
    group: Vec<usize>,
    cleaning: Cleaning,
    decided: &mut Vec<usize>,
) -> Option<(Asked, Vec<u8>)> {
    let mut splices = work.accepted.clone();
    let mut added = false;
    for &index in &group {
        added |= splices.add(&work.edits[index]);
    }
    let cleaned = added && cleaning == Cleaning::Clean && engine.format.clean_up(engine.view(), &mut splices);
    match if added { engine.candidate(&splices) } else { Candidate::Useless } {
        Candidate::Ask(bytes) => {
            Some((Asked { group, splices, version: work.version, cleaning, cleaned }, bytes))
        }
        // The clean-up may have led to what is known to pass, and the edit alone not.
        Candidate::Useless if cleaned && group.len() == 1 => {
            build(engine, work, group, Cleaning::Plain, decided)
        }
        Candidate::Useless => {
            if group.len() == 1 {
                decided.extend(group);
            }
            None
        }
    }
}

/// A group failed: a single edit is decided, unless it may have failed only for its clean-up.
fn reject<F: Format>(
    engine: &mut Engine<'_, F>,
    work: &Work,
    asked: Asked,
    queue: &mut Queue,
    decided: &mut Vec<usize>,
) {
    if queue.split(&asked.group) {
        return;
    }
    let [index] = asked.group[..] else { return };
    if asked.cleaned {
        queue.again.push_front((asked.group, Cleaning::Plain));
        return;
    }
    engine.remember_failure(work.pass, &work.edits[index]);
    decided.push(index);
}

/// Edits that change the whole subject: one ask each, the list made anew after a success.
pub(crate) fn one_by_one<F: Format>(
    engine: &mut Engine<'_, F>,
    pass: &dyn Pass<F::View>,
) -> Result<(), Stop> {
    loop {
        let edits = engine.edits(pass);
        let mut work = Work::new(pass.name(), edits);
        if !first_success(engine, &mut work)? {
            return Ok(());
        }
        engine.drain();
        if !engine.rebase() {
            return Ok(());
        }
    }
}

fn first_success<F: Format>(engine: &mut Engine<'_, F>, work: &mut Work) -> Result<bool, Stop> {
    let mut next = 0;
    let mut round = Round::default();
    let mut decided = Vec::new();
    let mut under_way: BTreeMap<Ticket, Asked> = BTreeMap::new();
    let patience = engine.patience(work.kind);
    loop {
        while engine.has_room() && next < work.edits.len() && round.asked < patience {
            engine.check_stop()?;
            if let Some((asked, bytes)) = build(engine, work, vec![next], Cleaning::Clean, &mut decided) {
                under_way.insert(engine.submit(bytes), asked);
            }
            next += 1;
        }
        let Some((ticket, bytes, fails)) = engine.take(work.pass)? else { break };
        let Some(asked) = under_way.remove(&ticket) else { continue };
        round.asked += 1;
        if fails {
            round.accepted += 1;
            engine.accept(work.pass, bytes)?;
            break;
        }
        engine.remember_failure(work.pass, &work.edits[asked.group[0]]);
    }
    engine.remember_round(work.kind, round);
    Ok(round.accepted > 0)
}

/// Finds the strongest edit of a monotone list by bisection: log n asks.
pub(crate) fn bisect<F: Format>(engine: &mut Engine<'_, F>, pass: &dyn Pass<F::View>) -> Result<(), Stop> {
    let edits = engine.edits(pass);
    let mut work = Work::new(pass.name(), edits);
    let (mut low, mut high) = (0, work.edits.len());
    while low < high {
        // The strongest first: often everything after the failing command is useless.
        let middle = if low == 0 && high == work.edits.len() { 0 } else { (low + high) / 2 };
        engine.check_stop()?;
        let mut decided = Vec::new();
        let mut fails = false;
        if let Some((_, bytes)) = build(engine, &work, vec![middle], Cleaning::Clean, &mut decided) {
            engine.submit(bytes);
            if let Some((_, bytes, still)) = engine.take(work.pass)?
                && still
            {
                engine.accept(work.pass, bytes)?;
                fails = true;
            }
        }
        if fails {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    work.open.clear();
    Ok(())
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
        singles.again.push_front((vec![4], Cleaning::Plain));
        singles.run = 8;
        assert_eq!(singles.next().unwrap().0, [4], "a plain one is asked alone");
        assert_eq!(singles.next().unwrap().0, [7, 9], "a run of two");
        assert!(singles.next().is_none());
        let mut groups = Queue::of(&[vec![0, 3, 5], vec![1, 4], vec![2]]);
        assert_eq!(groups.size, 3);
        let all: Vec<Vec<usize>> = std::iter::from_fn(|| groups.next()).map(|(group, _)| group).collect();
        assert_eq!(all, [vec![0, 3, 5], vec![1, 4], vec![2]]);
        assert!(groups.split(&[0, 3, 5, 1, 4]), "a run that failed");
        assert_eq!(groups.next().unwrap().0, [0, 3, 5]);
    }
}
