//! The fewest known runs that meet all needs, by local search with weights of needs.
//!
//! After Gao, Weise and Li (*An efficient local search heuristic with row weighting for the unicost set covering problem*, EJOR 2015). From a complete
//! selection, one run is removed; then runs are exchanged one for one until all needs are met again, and so on. Unmet needs gain weight, so that the
//! search leaves local minima. It does not ask the solver: a step takes microseconds, where a question takes milliseconds.

use super::bitset::BitSet;
use nub_random::Rng;

/// A selection of runs. A run is given by the needs that it meets.
pub(super) struct Selection<'r> {
    runs: &'r [&'r BitSet],
    /// By need: the runs that meet it.
    met_by: Vec<Vec<u32>>,
    /// By need.
    weights: Vec<u64>,
    /// By need: the number of selected runs that meet it.
    n_meeting: Vec<u32>,
    /// By need: the exclusive or of the selected runs that meet it. If there is one, that is its number.
    meeting: Vec<u32>,
    unmet: Vec<u32>,
    /// By need: its position in `unmet`, if it is there.
    unmet_at: Vec<u32>,
    selected: Vec<u32>,
    /// By run. If it is selected: the weight of the needs that would be unmet without it. If not: the weight of those that it would meet in addition.
    worth: Vec<u64>,
    /// By run: the step in which it was selected or removed.
    changed: Vec<u64>,
    step: u64,
}

/// What a search has found.
pub(super) struct Selected {
    /// Meets all needs, with fewer runs than before.
    pub complete: Option<Vec<usize>>,
    /// The selection with one run less that met the most needs of those that were tried. Empty if there was nothing to try.
    pub short: Vec<usize>,
}

impl<'r> Selection<'r> {
    /// Selects these runs, which must meet all needs. Cost: the size of all sets.
    pub fn new(runs: &'r [&'r BitSet], n_needs: usize, selected: &[usize]) -> Selection<'r> {
        let mut met_by = vec![Vec::new(); n_needs];
        for (run, needs) in runs.iter().enumerate() {
            needs.iter().for_each(|need| met_by[need].push(run as u32));
        }
        let all: Vec<u32> = (0..n_needs as u32).collect();
        let mut made = Selection {
            runs,
            met_by,
            weights: vec![1; n_needs],
            n_meeting: vec![0; n_needs],
            meeting: vec![0; n_needs],
            unmet: all.clone(),
            unmet_at: all,
            selected: Vec::new(),
            worth: runs.iter().map(|needs| needs.len() as u64).collect(),
            changed: vec![0; runs.len()],
            step: 0,
        };
        selected.iter().for_each(|run| made.insert(*run as u32));
        debug_assert!(made.unmet.is_empty(), "{} needs are unmet", made.unmet.len());
        made
    }

    /// A smaller selection that meets all needs, if one is found in this many exchanges, and one with one run less that meets almost all.
    pub fn smaller(mut self, n_exchanges: usize, rng: &mut Rng) -> Selected {
        let n_first = self.selected.len();
        let mut best: Option<Vec<u32>> = None;
        let (mut short, mut n_short) = (Vec::new(), usize::MAX);
        'search: for _ in 0..n_exchanges {
            while self.unmet.is_empty() {
                best = (self.selected.len() < n_first).then(|| self.selected.clone());
                n_short = usize::MAX;
                let Some(least) = self.least() else { break 'search };
                self.step += 1;
                self.remove(least);
            }
            let Some(least) = self.least() else { break };
            self.step += 1;
            self.remove(least);
            let need = self.unmet[rng.below(self.unmet.len())];
            let Some(most) = self.most(need) else { break };
            self.step += 1;
            self.insert(most);
            self.raise_unmet();
            if self.unmet.len() < n_short && !self.unmet.is_empty() {
                (short, n_short) = (self.selected.clone(), self.unmet.len());
            }
        }
        let numbers = |runs: Vec<u32>| runs.into_iter().map(|run| run as usize).collect();
        Selected { complete: best.map(numbers), short: numbers(short) }
    }

    /// The selected run that is worth least, the oldest of several, but not the one that was selected last.
    fn least(&self) -> Option<u32> {
        let may_go = |run: &&u32| self.step == 0 || self.changed[**run as usize] != self.step;
        let key = |run: &&u32| (self.worth[**run as usize], self.changed[**run as usize]);
        self.selected.iter().filter(may_go).min_by_key(key).copied()
    }

    /// Of the runs that meet a need the one that is worth most, the oldest of several, but not the one that was removed last.
    fn most(&self, need: u32) -> Option<u32> {
        let may_come = |run: &&u32| self.changed[**run as usize] != self.step;
        let key = |run: &&u32| (self.worth[**run as usize], std::cmp::Reverse(self.changed[**run as usize]));
        self.met_by[need as usize].iter().filter(may_come).max_by_key(key).copied()
    }

    /// Increases the weights of unmet needs, which only runs that are not selected meet.
    fn raise_unmet(&mut self) {
        for need in &self.unmet {
            self.weights[*need as usize] += 1;
            for run in &self.met_by[*need as usize] {
                self.worth[*run as usize] += 1;
            }
        }
    }

    fn insert(&mut self, run: u32) {
        self.selected.push(run);
        self.changed[run as usize] = self.step;
        let runs = self.runs;
        for need in runs[run as usize].iter() {
            let weight = self.weights[need];
            match self.n_meeting[need] {
                0 => {
                    let at = self.unmet_at[need] as usize;
                    self.unmet.swap_remove(at);
                    if let Some(moved) = self.unmet.get(at) {
                        self.unmet_at[*moved as usize] = at as u32;
                    }
                    for other in self.met_by[need].iter().filter(|other| **other != run) {
                        self.worth[*other as usize] -= weight;
                    }
                }
                1 => self.worth[self.meeting[need] as usize] -= weight,
                _ => {}
            }
            self.n_meeting[need] += 1;
            self.meeting[need] ^= run;
        }
    }

    fn remove(&mut self, run: u32) {
        self.selected.retain(|other| *other != run);
        self.changed[run as usize] = self.step;
        let runs = self.runs;
        for need in runs[run as usize].iter() {
            let weight = self.weights[need];
            self.n_meeting[need] -= 1;
            self.meeting[need] ^= run;
            match self.n_meeting[need] {
                0 => {
                    self.unmet_at[need] = self.unmet.len() as u32;
                    self.unmet.push(need as u32);
                    for other in self.met_by[need].iter().filter(|other| **other != run) {
                        self.worth[*other as usize] += weight;
                    }
                }
                1 => self.worth[self.meeting[need] as usize] += weight,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(bits: u32) -> BitSet {
        let mut set = BitSet::new(32);
        (0..32).filter(|bit| bits >> bit & 1 == 1).for_each(|bit| set.insert(bit));
        set
    }

    fn meets_all(runs: &[BitSet], chosen: &[usize], n_needs: usize) -> bool {
        (0..n_needs).all(|need| chosen.iter().any(|run| runs[*run].contains(need)))
    }

    /// The fewest runs, by trying all selections.
    fn fewest(runs: &[BitSet], n_needs: usize) -> usize {
        let chosen = |bits: u32| (0..runs.len()).filter(|run| bits >> run & 1 == 1).collect::<Vec<_>>();
        let all = (0..1_u32 << runs.len()).map(chosen);
        all.filter(|chosen| meets_all(runs, chosen, n_needs)).map(|chosen| chosen.len()).min().unwrap()
    }

    #[test]
    fn selections_are_those_of_brute_force() {
        let mut rng = Rng::new(3);
        let mut n_smaller = 0;
        for _ in 0..200 {
            let (n_runs, n_needs) = (2 + rng.below(10), 1 + rng.below(20));
            let runs: Vec<BitSet> = (0..n_runs)
                .map(|_| set((rng.below(1 << n_needs) & rng.below(1 << n_needs)) as u32))
                .collect();
            let all: Vec<usize> = (0..n_runs).collect();
            if !meets_all(&runs, &all, n_needs) {
                continue;
            }
            let sets: Vec<&BitSet> = runs.iter().collect();
            let found = Selection::new(&sets, n_needs, &all).smaller(2_000, &mut rng);
            let chosen = found.complete.unwrap_or(all);
            assert!(meets_all(&runs, &chosen, n_needs));
            assert_eq!(chosen.len(), fewest(&runs, n_needs));
            n_smaller += usize::from(chosen.len() < n_runs);
        }
        assert!(n_smaller > 20, "{n_smaller}");
    }
}
