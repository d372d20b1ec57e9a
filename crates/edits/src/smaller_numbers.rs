//! Smaller numbers to try instead of a number, for every format.

/// Smaller numbers, the smallest first: one digit less, a half less, a quarter less, ..., one less. If they are asked again after
/// each success, they find a smallest number that is needed in O(log² n) asks, provided that the failure is monotone in it.
pub(crate) fn smaller(value: u64) -> impl Iterator<Item = u64> {
    let steps = (1..u64::BITS).map(move |halvings| value >> halvings).take_while(|&step| step > 0);
    let tenth = value / 10;
    [tenth].into_iter().filter(move |_| value >= 10).chain(steps.map(move |step| value - step))
}

/// Width up to which widths decrease one by one.
const NARROW: u32 = 64;

/// Widths between a half and one less: a quarter less, a sixteenth less, ... as long as that is many bits. So a failure that needs
/// a wide value does not have to go down bit by bit, and narrow values are not asked more often.
pub(crate) fn narrower(width: u32) -> impl Iterator<Item = u32> {
    let steps = (1..u32::BITS / 2).map(move |quarterings| width >> (2 * quarterings));
    steps.take_while(|&step| step > NARROW / 4).map(move |step| width - step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_far_to_near() {
        assert_eq!(smaller(35).collect::<Vec<_>>(), [3, 18, 27, 31, 33, 34]);
        assert_eq!(smaller(2).collect::<Vec<_>>(), [1]);
        assert_eq!(smaller(1).count() + smaller(0).count(), 0);
        assert!(smaller(u64::MAX).all(|value| value < u64::MAX));
    }

    #[test]
    fn only_wide_values_are_narrowed_in_more_steps() {
        assert_eq!(narrower(1000).collect::<Vec<_>>(), [750, 938]);
        assert_eq!(narrower(NARROW).count() + narrower(1).count(), 0);
    }
}
