//! How many edits to ask together.
//!
//! If each edit succeeds with probability p, independently, a group of g removes g·gain·p^g per ask on average;
//! that is largest at g = -1/ln p. The estimate of p comes from the last round: `accepted` of `asked` groups of
//! size g succeeded, so p ≈ ((accepted + ½) / (asked + 1))^(1/g). Unlike plain halving, this skips sizes that
//! cannot pay off: after four groups of four have failed, single edits come next, not pairs. (Probabilistic and
//! counter-based delta debugging in the literature; here the estimate is per pass.)

/// Maximum number of edits in a group of the first round. A longer list takes a few more asks, but the memory for one
/// candidate is bounded, however many terms the subject has.
const MAX_FIRST: usize = 1 << 13;

/// The results of a round of groups of equal size.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Round {
    pub(crate) asked: u64,
    pub(crate) accepted: u64,
}

/// The success probability of a single edit, estimated from a round of groups of `size`.
pub(crate) fn estimate(size: usize, round: Round) -> f64 {
    let share = (round.accepted as f64 + 0.5) / (round.asked as f64 + 1.0);
    share.powf(1.0 / size as f64)
}

/// The group size with the largest expected gain at probability `p`.
pub(crate) fn best_size(p: f64) -> usize {
    if p >= 1.0 {
        return usize::MAX;
    }
    let size = -1.0 / p.ln();
    if size < 1.0 { 1 } else { size as usize }
}

/// The size of the next round after one of groups of `size`: at most half, so that the rounds terminate.
pub(crate) fn next_size(size: usize, round: Round) -> usize {
    best_size(estimate(size, round)).clamp(1, (size / 2).max(1))
}

/// The size of the first round over `n` edits of a pass whose single edits succeeded with probability `prior` the
/// last time it ran. Unknown passes start with all edits together, up to a limit.
pub(crate) fn first_size(n: usize, prior: Option<f64>) -> usize {
    let wanted = prior.map_or(n, |p| best_size(p).saturating_mul(4));
    wanted.clamp(1, n.clamp(1, MAX_FIRST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_success() {
        assert_eq!(next_size(4, Round { asked: 4, accepted: 0 }), 1, "pairs are skipped");
        assert_eq!(next_size(16, Round { asked: 1, accepted: 0 }), 8, "one failure says little");
        assert_eq!(next_size(64, Round { asked: 4, accepted: 3 }), 32);
        assert_eq!(next_size(1, Round { asked: 9, accepted: 9 }), 1);
        assert_eq!(first_size(100, None), 100);
        assert_eq!(first_size(100, Some(0.01)), 4);
        assert_eq!(first_size(100, Some(1.0)), 100);
        assert_eq!(first_size(0, None), 1);
        assert_eq!(first_size(1_000_000, None), MAX_FIRST);
    }
}
