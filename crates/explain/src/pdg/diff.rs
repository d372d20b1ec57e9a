//! Lines that two texts have in common, by the greedy algorithm of Myers (An O(ND) difference algorithm, 1986).

/// Texts that differ in more lines are not considered versions of one program. The memory is quadratic in this.
const MAX_DIFFERENCES: usize = 1_000;

/// Pairs of equal lines, in order, as many as possible; `None` if the texts differ in too many lines. O((n + d) d) for d differences.
pub(super) fn common<T: PartialEq>(old: &[T], new: &[T]) -> Option<Vec<(usize, usize)>> {
    let limit = (old.len() + new.len()).min(MAX_DIFFERENCES);
    // For each number of differences d: how far in `old` each diagonal -d, -d + 2, ..., d gets.
    let mut trace: Vec<Vec<usize>> = Vec::new();
    for d in 0..=limit {
        let mut row = vec![0; d + 1];
        for (index, far) in row.iter_mut().enumerate() {
            let k = 2 * index as isize - d as isize;
            let (mut x, _) = start(&trace, d, k);
            // Points outside the rectangle are on diagonals that lead nowhere.
            let mut y = x as isize - k;
            while x < old.len() && (0..new.len() as isize).contains(&y) && old[x] == new[y as usize] {
                x += 1;
                y += 1;
            }
            *far = x;
            if x >= old.len() && y >= new.len() as isize {
                trace.push(row);
                return Some(back(&trace, old.len(), new.len()));
            }
        }
        trace.push(row);
    }
    None
}

/// Where diagonal `k` begins after `d` differences, and the diagonal that it comes from.
fn start(trace: &[Vec<usize>], d: usize, k: isize) -> (usize, isize) {
    let Some(before) = d.checked_sub(1).map(|before| &trace[before]) else { return (0, 0) };
    let d = d as isize;
    let far = |k: isize| before[((k + d - 1) / 2) as usize];
    if k == -d || (k != d && far(k - 1) < far(k + 1)) { (far(k + 1), k + 1) } else { (far(k - 1) + 1, k - 1) }
}

/// The pairs, from the end to the start.
fn back(trace: &[Vec<usize>], n_old: usize, n_new: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut x, mut k) = (n_old, n_old as isize - n_new as isize);
    for d in (0..trace.len()).rev() {
        let (begin, from) = start(trace, d, k);
        while x > begin {
            x -= 1;
            pairs.push((x, (x as isize - k) as usize));
        }
        // A step down keeps x, a step to the right takes one line of `old`.
        x = if from < k { begin.saturating_sub(1) } else { begin };
        k = from;
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length of the longest common subsequence, by the table.
    fn longest(old: &[u8], new: &[u8]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for a in old {
            let mut corner = 0;
            for (index, b) in new.iter().enumerate() {
                let best = if a == b { corner + 1 } else { row[index].max(row[index + 1]) };
                corner = std::mem::replace(&mut row[index + 1], best);
            }
        }
        row[new.len()]
    }

    #[test]
    fn as_many_as_can_be() {
        let mut rng = nub_random::Rng::new(7);
        let mut random = |n: u64| rng.below(n);
        for _ in 0..500 {
            let mut text = || (0..random(9)).map(|_| random(3) as u8).collect::<Vec<u8>>();
            let (old, new) = (text(), text());
            let pairs = common(&old, &new).unwrap();
            assert_eq!(pairs.len(), longest(&old, &new), "{old:?} {new:?}");
            assert!(pairs.iter().all(|(a, b)| old[*a] == new[*b]), "{old:?} {new:?} {pairs:?}");
            assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        }
    }
}
